package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
)

// paths settles which swept paths are axes, series and fixed, and returns them.
func (r *figureReader) paths() (used map[string]bool) {
	used = map[string]bool{}
	use := func(key string) {
		if s := r.Get(key); s.Has() && r.axis(s) {
			used[s.Text] = true
		}
	}
	if r.fig.Series != figure.SeriesScheme {
		use("series")
	}
	r.matches(used)
	switch {
	case r.fig.Distribution():
		if r.Get("x").Has() {
			r.Faults.Blame("a distribution has no x; it is over its value", nil, r.Get("x"))
		}
	default:
		r.defaultX(used)
		if r.fig.Kind != figure.Bar || r.fig.X != figure.SeriesScheme {
			use("x")
		}
	}
	if r.fig.Kind == figure.Heatmap {
		if r.Get("y").State == keys.Absent {
			r.Faults.Blame("a heatmap needs y, a second swept path", nil, r.Get("kind"))
		}
		use("y")
	}
	for _, key := range []string{"x", "y", "series"} {
		r.fixed(r.Get(key))
	}
	return used
}

// fixed reports an axis, or a series, of which where leaves a single value: by its own path, or by
// one that moves with it.
func (r *figureReader) fixed(s *keys.Setting) {
	at := r.Rank(s.Text)
	if !s.Has() || at < 0 || r.skipped != "" || r.Sweep.Broken {
		return
	}
	for _, m := range r.fig.Where {
		mate := slices.ContainsFunc(r.Sweep.Groups, func(g []int) bool {
			return slices.Contains(g, at) && slices.Contains(g, r.Rank(m.Path))
		})
		if m.Path != s.Text && (!mate || len(r.Sweep.Axes[at].Values) < 2 || r.left(at, m) > 1) {
			continue
		}
		r.Faults.Add(s.At, "where: fixes "+m.Path+", which leaves one value to show; take it out of "+
			"where:, or show another path", format.Error{Key: s.Name, Value: s.Raw})
	}
}

// left is how many values of an axis the points have that match.
func (r *figureReader) left(axis int, m figure.AxisMatch) int {
	at, values := r.Rank(m.Path), map[int]bool{}
	for p := range r.Sweep.EachValues {
		if r.Sweep.Axes[at].Values[p[at]].Text == m.Text {
			values[int(p[axis])] = true
		}
	}
	return len(values)
}

// defaultX takes the only axis that nothing else uses; where none is left, bars are of schemes.
func (r *figureReader) defaultX(used map[string]bool) {
	x := r.Get("x")
	if x.State != keys.Absent {
		return
	}
	var free []string
	for _, g := range r.Sweep.Groups {
		path := r.Sweep.Axes[g[0]].Path
		if _, taken := r.usedOf(g, used); !taken && path != r.fig.Y {
			free = append(free, path)
		}
	}
	bar := r.fig.Kind == figure.Bar
	switch {
	case bar && len(free) == 0:
		free = []string{figure.SeriesScheme}
	case bar && len(free) > 1:
		r.Faults.Blame("the figure needs x, a swept path or scheme", nil, r.Get("kind"))
		return
	case len(free) != 1:
		r.Faults.Blame("the figure needs x, a swept path", nil, r.Get("kind"))
		return
	}
	r.fig.X = free[0]
	x.Value, x.State = keys.Word(free[0]), keys.Defaulted
}

// usedOf finds an axis that is used among those of a group, which all follow from it.
func (r *figureReader) usedOf(group []int, used map[string]bool) (path string, ok bool) {
	for _, i := range group {
		if path := r.Sweep.Axes[i].Path; used[path] || path == r.fig.Y {
			return path, true
		}
	}
	return "", false
}

// axis reports whether a setting names a swept path; reports a fault otherwise.
func (r *figureReader) axis(s *keys.Setting) bool {
	return r.FindAxis(s.Text, s.Name, s.At) != nil
}

// matches reads where. A path that it fixes is used, even where its value is not there.
func (r *figureReader) matches(used map[string]bool) {
	if r.whereNode == nil {
		return
	}
	for i := 0; i+1 < len(r.whereNode.Content); i += 2 {
		used[r.whereNode.Content[i].Value] = true
	}
	r.fig.Where, r.skipped = r.Where(r.whereNode)
}

// leftOver reports swept paths that would put several points on one spot. An axis of one value is
// fixed by itself.
func (r *figureReader) leftOver(used map[string]bool) {
	for _, g := range r.Sweep.Groups {
		a := &r.Sweep.Axes[g[0]]
		if _, fixed := r.usedOf(g, used); fixed || len(a.Values) < 2 {
			continue
		}
		r.Faults.Add(format.Place(r.node),
			fmt.Sprintf("the figure must say which of the %d values of %s "+
				"it shows, in where:, or make it an axis or the series", len(a.Values), a.Path),
			format.Error{Key: "figures"})
	}
}

// scales fills in the scales, and where lines at values stand, which follow from the axes.
func (r *figureReader) scales() {
	log := func(path string) string {
		if i := r.Rank(path); i >= 0 && r.Sweep.Axes[i].Log {
			return "log"
		}
		return "linear"
	}
	if r.fig.XScale == "" && !r.fig.Distribution() {
		r.fig.XScale = log(r.fig.X)
	}
	switch {
	case r.fig.YScale != "":
	case r.fig.Kind == figure.Heatmap:
		r.fig.YScale = log(r.fig.Y)
	case r.fig.Kind == figure.CCDF:
		r.fig.YScale = "log"
	case r.fig.Kind == figure.CDF:
		r.fig.YScale = "linear"
	}
	axis := "y"
	if r.fig.Distribution() {
		axis = "x"
	}
	for i := range r.fig.References {
		r.fig.References[i].Axis = axis
	}
}

// name makes a name from what is shown, where the user gives none.
func (r *figureReader) name() {
	if r.fig.Name != "" {
		return
	}
	parts := []string{r.fig.Value}
	switch {
	case r.fig.Distribution():
		parts = append(parts, r.fig.Kind)
	case len(keys.ValueStats(r.fig.Value)) > 1:
		parts = append(parts, strings.ReplaceAll(r.fig.Stat, ".", ""))
	}
	if r.fig.X != "" {
		parts = append(parts, "by", r.fig.X)
	}
	if r.fig.Kind == figure.Heatmap {
		parts = append(parts, "and", r.fig.Y)
	}
	r.fig.Name = slug(strings.Join(parts, "-"))
}

// slug turns text into a name of a file: other characters than letters, digits, - and _ become -.
func slug(text string) string {
	clean := func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			return c
		}
		return '-'
	}
	text = strings.Map(clean, text)
	return strings.Trim(text[:min(len(text), 100)], "-")
}
