package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sdrsim/schemes"

	"gopkg.in/yaml.v3"
)

// figureReader reads one figure.
type figureReader struct {
	selector
	block
	node      *yaml.Node
	fig       Figure
	whereNode *yaml.Node
	skipped   string // why the figure does not fit an overridden sweep
}

var figureSet = func() *keySet {
	keys := slices.Clone(figureKeys)
	for i := range keys {
		keys[i].Path = strings.TrimPrefix(keys[i].Path, "figures.")
	}
	return newKeySet(keys)
}()

// readFigures reads the figures. One that asks for a value which an override has taken out of the
// sweep is left out, with a note.
func readFigures(d *decoder, s *Sweep) (figures []Figure, notes []string) {
	names := map[string]namedFigure{}
	for i, n := range d.figures {
		if !d.f.want(n, yaml.MappingNode, "figures", "a mapping {kind, x, value, ...}") {
			continue
		}
		r := figureReader{selector: selector{decoder: d, sweep: s, section: "figures"}, node: n}
		r.block = newBlock(figureSet, "figures.", place(n))
		if !r.read() {
			continue
		}
		if first, taken := names[fold(r.fig.Name)]; taken && r.get("name").wrote() {
			d.f.add(r.get("name").at, first.refusal(r.fig.Name),
				Error{Key: "figures.name", Value: r.fig.Name})
			continue
		} else if taken {
			r.fig.Name = freeName(r.fig.Name, names)
		}
		names[fold(r.fig.Name)] = namedFigure{r.fig.Name, i + 1, place(n)}
		if r.skipped != "" {
			notes = append(notes, "figure "+r.fig.Name+" is left out: "+r.skipped)
			continue
		}
		figures = append(figures, r.fig)
	}
	return figures, notes
}

// namedFigure is the figure that has a name: its number, counted from 1, and its place.
type namedFigure struct {
	name   string
	number int
	at     pos
}

// refusal says why another figure cannot have a name which is the same on some disk.
func (f namedFigure) refusal(name string) string {
	which := fmt.Sprintf("figure %d", f.number)
	if f.at.line > 0 {
		which = fmt.Sprintf("the figure at line %d", f.at.line)
	}
	if name != f.name {
		return fmt.Sprintf("differs from %s, the name of %s, in upper and lower case only; "+
			"they are one file on some disks", f.name, which)
	}
	return "already the name of " + which
}

// fold makes equal what is the name of one file on a disk that does not tell A from a.
func fold(name string) string { return strings.ToLower(name) }

// freeName appends a number to a name that is taken.
func freeName(name string, taken map[string]namedFigure) string {
	for i := 2; ; i++ {
		next := fmt.Sprintf("%s-%d", name, i)
		if _, ok := taken[fold(next)]; !ok {
			return next
		}
	}
}

// read fills in the figure; ok is false after a fault.
func (r *figureReader) read() bool {
	before := r.f.count()
	r.keys()
	if r.get("kind").state == absent {
		r.f.add(place(r.node), "missing; must be "+r.key("kind").Allowed(),
			Error{Key: "figures.kind"})
	}
	if r.f.count() > before {
		return false
	}
	r.words()
	r.value()
	r.comparison()
	r.shown()
	if !r.sweep.broken {
		used := r.paths()
		if r.f.count() == before {
			r.leftOver(used)
		}
	}
	if r.f.count() > before {
		return false
	}
	r.scales()
	r.name()
	return !r.f.full()
}

// keys reads what is written.
func (r *figureReader) keys() {
	for _, e := range entries(r.node, "figures", r.f) {
		s := r.lookup(e.key)
		switch {
		case s == nil:
			addUnknown(r.f, e, "figures", r.set.names())
		case e.key == "where":
			if r.f.want(e.val, yaml.MappingNode, s.name, "a mapping of swept paths to values") {
				r.whereNode = e.val
			}
		case e.key == "schemes":
			r.labels(e.val)
		case e.key == "references":
			r.references(e.val)
		default:
			r.scalar(s, r.key(e.key), e.val)
		}
	}
}

// labels reads the labels of the schemes shown.
func (r *figureReader) labels(n *yaml.Node) {
	if !r.f.want(n, yaml.SequenceNode, "figures.schemes", "a list of labels") {
		return
	}
	for _, item := range n.Content {
		if text, ok := scalar(item, "figures.schemes", "a label", r.f); ok {
			if r.scheme("schemes", text, place(item)) {
				r.fig.Schemes = append(r.fig.Schemes, text)
			}
		}
	}
}

var referenceKeys = newKeySet([]Key{
	{Path: "at", Kind: schemes.KindNumber, Min: unbounded},
	{Path: "label", Kind: KindText},
})

// references reads lines at values.
func (r *figureReader) references(n *yaml.Node) {
	const allowed = "a list of mappings {at, label}"
	if !r.f.want(n, yaml.SequenceNode, "figures.references", allowed) {
		return
	}
	for _, item := range n.Content {
		if !r.f.want(item, yaml.MappingNode, "figures.references", allowed) {
			continue
		}
		b := newBlock(referenceKeys, "figures.references.", place(item))
		for _, e := range entries(item, "figures.references", r.f) {
			if s := b.lookup(e.key); s != nil {
				r.scalar(s, b.key(e.key), e.val)
			} else {
				addUnknown(r.f, e, "figures.references", b.set.names())
			}
		}
		at := b.get("at")
		if at.state == absent {
			r.f.add(at.at, "missing; must be a number", Error{Key: at.name})
		}
		r.fig.References = append(r.fig.References,
			Reference{At: at.number, Label: b.get("label").text})
	}
}

// words copies what needs no check.
func (r *figureReader) words() {
	r.fig.Kind, r.fig.Name = r.get("kind").text, r.get("name").text
	r.fig.Title, r.fig.Series = r.get("title").text, r.get("series").text
	r.fig.Value, r.fig.Stat = r.get("value").text, r.get("stat").text
	r.fig.Of, r.fig.Over = r.get("of").text, r.get("over").text
	r.fig.X = r.get("x").text
	r.fig.XScale, r.fig.YScale = r.get("x_scale").text, r.get("y_scale").text
	r.medium()
}

// medium settles for what the figure is drawn.
func (r *figureReader) medium() {
	width := r.get("width")
	switch {
	case r.get("style").text == StylePaper:
		r.fig.Style, r.fig.Width = StylePaper, cmp.Or(width.text, WidthOneColumn)
	case width.wrote():
		r.f.blame("goes with style: paper; a figure for screens has one width", nil, width)
	}
}

// value settles what is shown: `y: completion` is `value: completion`, but in a heat map.
func (r *figureReader) value() {
	y, value := r.get("y"), r.get("value")
	if r.fig.Kind == FigureHeatmap {
		r.fig.Y = y.text
	} else {
		if y.wrote() && value.wrote() && y.text != value.text {
			r.f.blame("y and value are the same in a figure of one axis; give one", nil, y)
			return
		}
		if y.wrote() {
			*value = *y
			r.fig.Value = y.text
		}
		if !slices.Contains(figureValues, r.fig.Value) {
			k := r.key("value")
			r.f.add(value.at, "must be "+k.Allowed(), Error{Key: value.name, Value: value.raw,
				Suggestion: nearest(value.raw, k.Choices)})
			return
		}
		r.fig.Y = r.fig.Value
	}
	if r.fig.Value == "overhead" && r.draft.ring() {
		r.f.blame("overhead is of a message on one link; a collective has wire_bytes, of all hops",
			nil, value)
	}
	stats := valueStats(r.fig.Value)
	if r.distribution() {
		if r.fig.Value != "completion" {
			r.f.blame("must be completion; distributions of other values are not kept", nil, value)
		}
	} else if !slices.Contains(stats, r.fig.Stat) {
		r.f.blame("must be one of %s, the statistics of %s",
			[]any{strings.Join(stats, ", "), r.fig.Value}, r.get("stat"))
	}
}

func (r *figureReader) distribution() bool {
	return r.fig.Kind == FigureCDF || r.fig.Kind == FigureCCDF
}

// comparison wants the schemes of a speed-up, and of nothing else.
func (r *figureReader) comparison() {
	of, over := r.get("of"), r.get("over")
	speedup := r.fig.Value == "speedup"
	switch {
	case !speedup && of.wrote():
		r.f.blame("goes with value: speedup", nil, of)
	case !speedup && over.wrote():
		r.f.blame("goes with value: speedup", nil, over)
	case !speedup:
	case !over.has():
		r.f.blame("a speedup needs over, the scheme to compare with", nil, r.get("value"))
	case r.fig.Of == r.fig.Over:
		r.f.blame("of and over are the same scheme", nil, over)
	default:
		for _, s := range []*setting{of, over} {
			if s.wrote() {
				r.scheme(strings.TrimPrefix(s.name, "figures."), s.text, s.at)
			}
		}
	}
}

// shown settles which schemes are drawn. A heat map shows one.
func (r *figureReader) shown() {
	if len(r.fig.Schemes) == 0 {
		for i := range r.draft.schemes {
			label := r.draft.schemes[i].label
			speedup := r.fig.Value == "speedup"
			if !speedup || label == r.fig.Of || r.fig.Of == "" && label != r.fig.Over {
				r.fig.Schemes = append(r.fig.Schemes, label)
			}
		}
	}
	if r.fig.Kind == FigureHeatmap && len(r.fig.Schemes) > 1 {
		why := "a heatmap shows one scheme; name it in schemes:"
		if r.fig.Value == "speedup" {
			why = "a heatmap of a speedup shows one scheme; name it in of:"
		}
		r.f.blame(why, nil, r.get("kind"))
	}
}
