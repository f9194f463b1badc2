package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// paths settles which swept paths are axes, series and fixed, and returns them.
func (r *figureReader) paths() (used map[string]bool) {
	used = map[string]bool{}
	use := func(key string) {
		if s := r.get(key); s.has() && r.axis(s) {
			used[s.text] = true
		}
	}
	if r.fig.Series != SeriesScheme {
		use("series")
	}
	r.matches(used)
	switch {
	case r.distribution():
		if r.get("x").has() {
			r.f.blame("a distribution has no x; it is over its value", nil, r.get("x"))
		}
	default:
		r.defaultX(used)
		if r.fig.Kind != FigureBar || r.fig.X != SeriesScheme {
			use("x")
		}
	}
	if r.fig.Kind == FigureHeatmap {
		if r.get("y").state == absent {
			r.f.blame("a heatmap needs y, a second swept path", nil, r.get("kind"))
		}
		use("y")
	}
	for _, key := range []string{"x", "y", "series"} {
		r.fixed(r.get(key))
	}
	return used
}

// fixed reports an axis, or a series, of which where leaves a single value: by its own path, or by
// one that moves with it.
func (r *figureReader) fixed(s *setting) {
	at := r.rank(s.text)
	if !s.has() || at < 0 || r.skipped != "" || r.sweep.broken {
		return
	}
	for _, m := range r.fig.Where {
		mate := slices.ContainsFunc(r.sweep.groups, func(g []int) bool {
			return slices.Contains(g, at) && slices.Contains(g, r.rank(m.Path))
		})
		if m.Path != s.text && (!mate || len(r.sweep.Axes[at].Values) < 2 || r.left(at, m) > 1) {
			continue
		}
		r.f.add(s.at, "where: fixes "+m.Path+", which leaves one value to show; take it out of "+
			"where:, or show another path", Error{Key: s.name, Value: s.raw})
	}
}

// left is how many values of an axis the points have that match.
func (r *figureReader) left(axis int, m AxisMatch) int {
	at, values := r.rank(m.Path), map[int]bool{}
	for p := range r.sweep.eachValues {
		if r.sweep.Axes[at].Values[p[at]].Text == m.Text {
			values[int(p[axis])] = true
		}
	}
	return len(values)
}

// defaultX takes the only axis that nothing else uses; where none is left, bars are of schemes.
func (r *figureReader) defaultX(used map[string]bool) {
	x := r.get("x")
	if x.state != absent {
		return
	}
	var free []string
	for _, g := range r.sweep.groups {
		path := r.sweep.Axes[g[0]].Path
		if _, taken := r.usedOf(g, used); !taken && path != r.fig.Y {
			free = append(free, path)
		}
	}
	bar := r.fig.Kind == FigureBar
	switch {
	case bar && len(free) == 0:
		free = []string{SeriesScheme}
	case bar && len(free) > 1:
		r.f.blame("the figure needs x, a swept path or scheme", nil, r.get("kind"))
		return
	case len(free) != 1:
		r.f.blame("the figure needs x, a swept path", nil, r.get("kind"))
		return
	}
	r.fig.X = free[0]
	x.value, x.state = word(free[0]), defaulted
}

// usedOf finds an axis that is used among those of a group, which all follow from it.
func (r *figureReader) usedOf(group []int, used map[string]bool) (path string, ok bool) {
	for _, i := range group {
		if path := r.sweep.Axes[i].Path; used[path] || path == r.fig.Y {
			return path, true
		}
	}
	return "", false
}

// axis reports whether a setting names a swept path; reports a fault otherwise.
func (r *figureReader) axis(s *setting) bool {
	return r.findAxis(s.text, s.name, s.at) != nil
}

// matches reads where. A path that it fixes is used, even where its value is not there.
func (r *figureReader) matches(used map[string]bool) {
	if r.whereNode == nil {
		return
	}
	for i := 0; i+1 < len(r.whereNode.Content); i += 2 {
		used[r.whereNode.Content[i].Value] = true
	}
	r.fig.Where, r.skipped = r.where(r.whereNode)
}

// leftOver reports swept paths that would put several points on one spot. An axis of one value is
// fixed by itself.
func (r *figureReader) leftOver(used map[string]bool) {
	for _, g := range r.sweep.groups {
		a := &r.sweep.Axes[g[0]]
		if _, fixed := r.usedOf(g, used); fixed || len(a.Values) < 2 {
			continue
		}
		r.f.add(place(r.node), fmt.Sprintf("the figure must say which of the %d values of %s "+
			"it shows, in where:, or make it an axis or the series", len(a.Values), a.Path),
			Error{Key: "figures"})
	}
}

// scales fills in the scales that follow from the axes.
func (r *figureReader) scales() {
	log := func(path string) string {
		if i := r.rank(path); i >= 0 && r.sweep.Axes[i].Log {
			return "log"
		}
		return "linear"
	}
	if r.fig.XScale == "" && !r.distribution() {
		r.fig.XScale = log(r.fig.X)
	}
	switch {
	case r.fig.YScale != "":
	case r.fig.Kind == FigureHeatmap:
		r.fig.YScale = log(r.fig.Y)
	case r.fig.Kind == FigureCCDF:
		r.fig.YScale = "log"
	case r.fig.Kind == FigureCDF:
		r.fig.YScale = "linear"
	}
}

// name makes a name from what is shown, where the user gives none.
func (r *figureReader) name() {
	if r.fig.Name != "" {
		return
	}
	parts := []string{r.fig.Value}
	switch {
	case r.distribution():
		parts = append(parts, r.fig.Kind)
	case len(valueStats(r.fig.Value)) > 1:
		parts = append(parts, strings.ReplaceAll(r.fig.Stat, ".", ""))
	}
	if r.fig.X != "" {
		parts = append(parts, "by", r.fig.X)
	}
	if r.fig.Kind == FigureHeatmap {
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
