package report

import (
	"path/filepath"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

// suffixes are those of the files of the figure.
func suffixes(f *figure.Figure) []string {
	if f.Style == figure.StylePaper {
		return []string{".svg", ".png", ".pdf"}
	}
	return []string{".svg", ".png"}
}

// fileNames are the files of the figure.
func fileNames(f *figure.Figure) (names []string) {
	for _, suffix := range suffixes(f) {
		names = append(names, f.Name+suffix)
	}
	return names
}

// Draw draws a figure from a table into dir, as NAME.svg and NAME.png, and on paper NAME.pdf, and
// returns doubts about
// what it shows. A *FigureError tells what of the figure does not fit the table; any other error is
// one of writing. Equal tables and figures give equal bytes.
func Draw(dir string, t result.Table, fig figure.Figure) (warnings []string, err error) {
	full, sel, err := complete(fig, t)
	if err != nil {
		return nil, err
	}
	if err := full.checkData(t, sel); err != nil {
		return nil, err
	}
	p, n, err := full.compose(t, sel)
	if err != nil {
		return nil, err
	}
	encode := map[string]func() ([]byte, error){".svg": p.svg, ".png": p.png, ".pdf": p.pdf}
	for _, suffix := range suffixes(&full.Figure) {
		data, err := encode[suffix]()
		if err != nil {
			return nil, err
		}
		if err := files.Save(filepath.Join(dir, full.Name+suffix), data); err != nil {
			return nil, err
		}
	}
	if text := missingText(p.missing); text != "" {
		n.warnings = append(n.warnings, text)
	}
	return n.warnings, nil
}

// compose makes the page of a completed figure.
func (f *drawing) compose(t result.Table, sel *selection) (*page, *notes, error) {
	if f.Distribution() {
		return f.distributionPage(t, sel)
	}
	m, err := f.measure()
	if err != nil {
		return nil, nil, err
	}
	var p *page
	var n *notes
	switch f.Kind {
	case figure.Line:
		p, n = f.linePage(sel, m)
	case figure.Bar:
		p, n = f.barPage(sel, m)
	case figure.Heatmap:
		p, n = f.heatPage(sel, m)
	default:
		panic("BUG: report: figure kind " + f.Kind)
	}
	return p, n, nil
}

// subtitle tells what is fixed: the values of where, and the scheme where there is only one and no
// legend names it.
func (f *drawing) subtitle(sel *selection) string {
	var parts []string
	asSpelt := false // a key that starts the line is not a word
	for _, m := range f.Where {
		if a, ok := sel.rows[0].Axis(m.Path); ok {
			name := lowerFirst(f.pathName(m.Path))
			asSpelt = asSpelt || len(parts) == 0 && isKey(m.Path)
			parts = append(parts, name+" "+powers(axisText(a)))
		}
	}
	named := f.Series == result.SchemeColumn && f.Kind != figure.Heatmap
	schemes := axisValues(sel.rows, result.SchemeColumn)
	if len(schemes) == 1 && !named && f.Of == "" {
		parts = append(parts, "scheme "+schemes[0].Text)
	}
	text := strings.Join(parts, ", ")
	if asSpelt {
		return text
	}
	return upperFirst(text)
}
