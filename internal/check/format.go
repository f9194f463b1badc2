package check

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/metric"
)

// formats are the ways to write a report, in the order in which help shows them.
var formats = []struct {
	name  string
	write func(io.Writer, *Report) error
}{
	{"text", writeText},
	{"json", writeJSON},
	{"junit", writeJUnit},
	{"markdown", writeMarkdown},
	{"github", writeGitHub},
	{"gobench", writeGoBench},
}

// Formats lists the names that Write takes.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Write writes the report in a format of Formats.
func (r *Report) Write(w io.Writer, format string) error {
	i := slices.Index(Formats(), format)
	if i < 0 {
		return fmt.Errorf("no format %q; there are %s", format, strings.Join(Formats(), ", "))
	}
	return formats[i].write(w, r)
}

// summary is the line that every report for people ends with.
func (r *Report) summary() string {
	passed, failed := r.Counts()
	return fmt.Sprintf("%d passed, %d failed", passed, failed)
}

// prefixes of SI, with their factors.
var prefixes = []struct {
	factor float64
	text   string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}}

// quantity prints a number of a unit for people, to six digits; - where it is unknown.
func quantity(n Number, unit string) string {
	x := float64(n)
	switch {
	case !n.Known():
		return "-"
	case unit == "" || x == 0:
		return strings.TrimSpace(strconv.FormatFloat(x, 'g', 6, 64) + " " + unit)
	}
	for _, p := range prefixes {
		if math.Abs(x) >= p.factor {
			return strconv.FormatFloat(x/p.factor, 'g', 6, 64) + " " + p.text + unit
		}
	}
	return strconv.FormatFloat(x, 'g', 6, 64) + " " + unit
}

// percent prints a fraction with its sign.
func percent(n Number) string {
	if !n.Known() {
		return "-"
	}
	return fmt.Sprintf("%+.3g %%", float64(100*n))
}

// unit is that of the metric.
func (c *Case) unit() string {
	m, _ := metric.FindCheck(c.Metric)
	return m.Unit
}

// now and was print the values of a finding.
func (f *Finding) now() string { return quantity(f.Value.Value, f.unit()) }
func (f *Finding) was() string { return quantity(f.Base.Value, f.unit()) }

// place names the point; a word where nothing is swept.
func (c *Case) place() string {
	if c.Point == "" {
		return "the only point"
	}
	return c.Point
}

// why says what speaks against a case, or for it.
func (f *Finding) why() string {
	switch {
	case f.Rule != "":
		return "rule: " + f.Rule
	case f.Tolerance.Known() && f.Verdict != Unchanged:
		return fmt.Sprintf("allowed %.3g %%", float64(100*f.Tolerance))
	}
	return ""
}

// title says in one line what became of a case.
func (f *Finding) title() string {
	return fmt.Sprintf("%s of %s %s", f.Metric, f.Scheme, f.Verdict)
}

// story says in one line how a case changed.
func (f *Finding) story() string {
	text := fmt.Sprintf("%s: %s -> %s, %s", f.place(), f.was(), f.now(), percent(f.Change))
	if why := f.why(); why != "" {
		text += " (" + why + ")"
	}
	return text
}

// notable reports whether a case is worth a line.
func (f *Finding) notable() bool {
	return f.Verdict == Improved || f.Verdict == Regressed || f.Verdict == Inconclusive
}

// tally counts the verdicts of a suite in words.
func (s *Suite) tally() string {
	var parts []string
	for _, v := range verdicts {
		if n := s.Count(v); n > 0 || v == Unchanged || v == Regressed {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}

// mode says how the cases of a suite were compared.
func (s *Suite) mode() string {
	compared := slices.ContainsFunc(s.Findings, func(f Finding) bool { return f.Base.N > 0 })
	switch {
	case !compared:
		return "no comparison"
	case s.Exact:
		return "exact comparison"
	}
	return "statistical comparison"
}
