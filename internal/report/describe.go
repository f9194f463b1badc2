package report

import (
	"strings"

	"sdrsim/internal/web"
)

// description is what people call a column of points.csv.
type description struct {
	title string
	unit  unit
	// lo and hi are the columns of its interval, empty where there is none.
	lo, hi string
}

// families are what the names of columns begin with, and what they are of.
var families = []struct{ prefix, title string }{
	{"completion_", "completion time"}, {"latency_", "latency from posting"},
	{"slowdown_", "slowdown against lossless"},
}

// titles are columns with a name of their own.
var titles = map[string]string{
	"samples": "Samples", "failed": "Failed samples", "goodput_bps": "Goodput",
	"speedup_mean":            "Mean speed-up over the first scheme",
	"model_completion_mean_s": "Mean completion time, closed form",
	"give_up_mean_s":          "Mean time at which failed samples were given up",
	"sample_wall_s":           "Time to simulate a sample",
	"wall_ratio":              "Time over that of the yardstick",
}

// bounds are intervals whose columns are not named after that of the value.
var bounds = map[string][2]string{
	"speedup_mean":      {"speedup_lo", "speedup_hi"},
	"fallback_fraction": {"fallback_lo", "fallback_hi"},
}

// describe names a column in words.
func describe(column string) description {
	m := columnMeasure(column)
	d := description{title: column, unit: m.unit}
	for _, s := range simple {
		if s.column == column {
			d.title, d.unit = s.name, s.unit
		}
	}
	for _, f := range families {
		if rest, ok := strings.CutPrefix(column, f.prefix); ok {
			stat, _, _ := strings.Cut(rest, "_")
			if stat == "p999" {
				stat = StatP999
			}
			d.title = statWords[stat] + " " + f.title
		}
	}
	if title := titles[column]; title != "" {
		d.title = title
	}
	if ends, ok := bounds[column]; ok {
		d.lo, d.hi = ends[0], ends[1]
		return d
	}
	stem, suffix := column, ""
	for _, s := range []string{"_s", "_bps"} {
		if rest, ok := strings.CutSuffix(column, s); ok {
			stem, suffix = rest, s
		}
	}
	d.lo, d.hi = stem+"_lo"+suffix, stem+"_hi"+suffix
	return d
}

// isBound reports whether a column is an end of an interval.
func isBound(column string) bool {
	return strings.HasSuffix(column, "_lo") || strings.HasSuffix(column, "_hi") ||
		strings.Contains(column, "_lo_") || strings.Contains(column, "_hi_")
}

// unitNames are how the page calls units.
var unitNames = []struct {
	name string
	unit unit
}{
	{"s", seconds}, {"bit/s", bitRate}, {"B", bytesUnit}, {"packets/s", packetRate}, {"m", metres},
	{"", plain},
}

// nameOf is the name of a unit for the page.
func (u unit) nameOf() string {
	for _, n := range unitNames {
		if n.unit.steps[0] == u.steps[0] {
			return n.name
		}
	}
	panic("BUG: report: a unit without a name: " + u.steps[0].symbol)
}

// unitsForPage are all of them.
func unitsForPage() map[string]web.Unit {
	all := map[string]web.Unit{}
	for _, n := range unitNames {
		u := web.Unit{Binary: n.unit.binary}
		for _, s := range n.unit.steps {
			u.Steps = append(u.Steps, web.Step{Symbol: s.symbol, Factor: s.factor})
		}
		all[n.name] = u
	}
	return all
}
