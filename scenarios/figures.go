package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

// figureReader reads one figure.
type figureReader struct {
	axes.Selector
	keys.Block
	node      *yaml.Node
	fig       figure.Figure
	whereNode *yaml.Node
	skipped   string // why the figure does not fit an overridden sweep
}

// readFigures reads the figures. One that asks for a value which an override has taken out of the
// sweep is left out, with a note.
func readFigures(d *draft.Decoder, s *axes.Sweep) (figures []figure.Figure, notes []string) {
	names := map[string]namedFigure{}
	for i, n := range d.Figures {
		if !d.Faults.Want(n, yaml.MappingNode, "figures", "a mapping {kind, x, value, ...}") {
			continue
		}
		r := figureReader{Selector: axes.Selector{Decoder: d, Sweep: s, Section: "figures"}, node: n}
		r.Block = keys.NewBlock(keys.FigureSet, "figures.", format.Place(n))
		if !r.read() {
			continue
		}
		if first, taken := names[fold(r.fig.Name)]; taken && r.Get("name").Wrote() {
			d.Faults.Add(r.Get("name").At, first.refusal(r.fig.Name),
				format.Error{Key: "figures.name", Value: r.fig.Name})
			continue
		} else if taken {
			r.fig.Name = freeName(r.fig.Name, names)
		}
		names[fold(r.fig.Name)] = namedFigure{r.fig.Name, i + 1, format.Place(n)}
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
	at     format.Pos
}

// refusal says why another figure cannot have a name which is the same on some disk.
func (f namedFigure) refusal(name string) string {
	which := fmt.Sprintf("figure %d", f.number)
	if f.at.Line > 0 {
		which = fmt.Sprintf("the figure at line %d", f.at.Line)
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
	before := r.Faults.Count()
	r.keys()
	if r.Get("kind").State == keys.Absent {
		r.Faults.Add(format.Place(r.node), "missing; must be "+r.Key("kind").Allowed(),
			format.Error{Key: "figures.kind"})
	}
	if r.Faults.Count() > before {
		return false
	}
	r.words()
	r.value()
	r.comparison()
	r.shown()
	if !r.Sweep.Broken {
		used := r.paths()
		if r.Faults.Count() == before {
			r.leftOver(used)
		}
	}
	if r.Faults.Count() > before {
		return false
	}
	r.scales()
	r.name()
	return !r.Faults.Full()
}

// keys reads what is written.
func (r *figureReader) keys() {
	for _, e := range format.Entries(r.node, "figures", r.Faults) {
		s := r.Lookup(e.Key)
		switch {
		case s == nil:
			format.AddUnknown(r.Faults, e, "figures", r.Set.Names())
		case e.Key == "where":
			if r.Faults.Want(e.Val, yaml.MappingNode, s.Name, "a mapping of swept paths to values") {
				r.whereNode = e.Val
			}
		case e.Key == "schemes":
			r.labels(e.Val)
		case e.Key == "references":
			r.references(e.Val)
		default:
			r.Scalar(s, r.Key(e.Key), e.Val)
		}
	}
}

// labels reads the labels of the schemes shown.
func (r *figureReader) labels(n *yaml.Node) {
	if !r.Faults.Want(n, yaml.SequenceNode, "figures.schemes", "a list of labels") {
		return
	}
	for _, item := range n.Content {
		if text, ok := format.Scalar(item, "figures.schemes", "a label", r.Faults); ok {
			if r.Scheme("schemes", text, format.Place(item)) {
				r.fig.Schemes = append(r.fig.Schemes, text)
			}
		}
	}
}

// references reads lines at values.
func (r *figureReader) references(n *yaml.Node) {
	const allowed = "a list of mappings {at, label}"
	if !r.Faults.Want(n, yaml.SequenceNode, "figures.references", allowed) {
		return
	}
	for _, item := range n.Content {
		if !r.Faults.Want(item, yaml.MappingNode, "figures.references", allowed) {
			continue
		}
		b := keys.NewBlock(keys.ReferenceKeys, "figures.references.", format.Place(item))
		for _, e := range format.Entries(item, "figures.references", r.Faults) {
			if s := b.Lookup(e.Key); s != nil {
				r.Scalar(s, b.Key(e.Key), e.Val)
			} else {
				format.AddUnknown(r.Faults, e, "figures.references", b.Set.Names())
			}
		}
		at := b.Get("at")
		if at.State == keys.Absent {
			r.Faults.Add(at.At, "missing; must be a number", format.Error{Key: at.Name})
		}
		r.fig.References = append(r.fig.References,
			figure.Reference{Value: at.Number, Label: b.Get("label").Text})
	}
}

// words copies what needs no check.
func (r *figureReader) words() {
	r.fig.Kind, r.fig.Name = r.Get("kind").Text, r.Get("name").Text
	r.fig.Title, r.fig.Series = r.Get("title").Text, r.Get("series").Text
	r.fig.Value, r.fig.Stat = r.Get("value").Text, r.Get("stat").Text
	r.fig.Of, r.fig.Over = r.Get("of").Text, r.Get("over").Text
	r.fig.X = r.Get("x").Text
	r.fig.XScale, r.fig.YScale = r.Get("x_scale").Text, r.Get("y_scale").Text
	r.medium()
}

// medium settles for what the figure is drawn.
func (r *figureReader) medium() {
	width := r.Get("width")
	switch {
	case r.Get("style").Text == figure.StylePaper:
		r.fig.Style, r.fig.Width = figure.StylePaper, cmp.Or(width.Text, figure.WidthOneColumn)
	case width.Wrote():
		r.Faults.Blame("goes with style: paper; a figure for screens has one width", nil, width)
	}
}

// value settles what is shown: `y: completion` is `value: completion`, but in a heat map.
func (r *figureReader) value() {
	y, value := r.Get("y"), r.Get("value")
	if r.fig.Kind == figure.Heatmap {
		r.fig.Y = y.Text
	} else {
		if y.Wrote() && value.Wrote() && y.Text != value.Text {
			r.Faults.Blame("y and value are the same in a figure of one axis; give one", nil, y)
			return
		}
		if y.Wrote() {
			*value = *y
			r.fig.Value = y.Text
		}
		if !slices.Contains(keys.FigureValues, r.fig.Value) {
			k := r.Key("value")
			r.Faults.Add(value.At, "must be "+k.Allowed(), format.Error{Key: value.Name, Value: value.Raw,
				Suggestion: format.Nearest(value.Raw, k.Choices)})
			return
		}
		r.fig.Y = r.fig.Value
	}
	if r.fig.Value == "overhead" && r.Draft.Ring() {
		r.Faults.Blame("overhead is of a message on one link; a collective has wire_bytes, of all hops",
			nil, value)
	}
	stats := keys.ValueStats(r.fig.Value)
	if r.fig.Distribution() {
		if r.fig.Value != "completion" {
			r.Faults.Blame("must be completion; distributions of other values are not kept", nil, value)
		}
	} else if !slices.Contains(stats, r.fig.Stat) {
		r.Faults.Blame("must be one of %s, the statistics of %s",
			[]any{strings.Join(stats, ", "), r.fig.Value}, r.Get("stat"))
	}
}

// comparison wants the schemes of a speed-up, and of nothing else.
func (r *figureReader) comparison() {
	of, over := r.Get("of"), r.Get("over")
	speedup := r.fig.Value == "speedup"
	switch {
	case !speedup && of.Wrote():
		r.Faults.Blame("goes with value: speedup", nil, of)
	case !speedup && over.Wrote():
		r.Faults.Blame("goes with value: speedup", nil, over)
	case !speedup:
	case !over.Has():
		r.Faults.Blame("a speedup needs over, the scheme to compare with", nil, r.Get("value"))
	case r.fig.Of == r.fig.Over:
		r.Faults.Blame("of and over are the same scheme", nil, over)
	default:
		for _, s := range []*keys.Setting{of, over} {
			if s.Wrote() {
				r.Scheme(strings.TrimPrefix(s.Name, "figures."), s.Text, s.At)
			}
		}
	}
}

// shown settles which schemes are drawn. A heat map shows one.
func (r *figureReader) shown() {
	if len(r.fig.Schemes) == 0 {
		for i := range r.Draft.Schemes {
			label := r.Draft.Schemes[i].Label
			speedup := r.fig.Value == "speedup"
			if !speedup || label == r.fig.Of || r.fig.Of == "" && label != r.fig.Over {
				r.fig.Schemes = append(r.fig.Schemes, label)
			}
		}
	}
	if r.fig.Kind == figure.Heatmap && len(r.fig.Schemes) > 1 {
		why := "a heatmap shows one scheme; name it in schemes:"
		if r.fig.Value == "speedup" {
			why = "a heatmap of a speedup shows one scheme; name it in of:"
		}
		r.Faults.Blame(why, nil, r.Get("kind"))
	}
}
