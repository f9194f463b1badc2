package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"

	"sdrsim/internal/metric"
)

// writeJSON writes everything that is known.
func writeJSON(w io.Writer, r *Report) error {
	passed, failed := r.Counts()
	text, err := encode(struct {
		*Report
		Passed  int    `json:"passed"`
		Failed  int    `json:"failed"`
		Outcome string `json:"outcome"`
	}{r, passed, failed, r.Outcome().String()})
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// String is the word for an outcome.
func (o Outcome) String() string { return [...]string{"pass", "incomplete", "regression"}[o] }

// The elements of JUnit's XML: a suite is a scenario, a case a metric of a scheme at a point.
type (
	junitReport struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
		Out      string      `xml:"system-out,omitempty"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes JUnit's XML, which most systems of continuous integration show.
func writeJUnit(w io.Writer, r *Report) error {
	all := junitReport{Name: "sdrsim check"}
	for i := range r.Suites {
		s := junitOf(&r.Suites[i])
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+
			s.Errors
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitOf turns a suite into one of JUnit. What is incomplete is a case of its own, an error.
func junitOf(s *Suite) junitSuite {
	suite := junitSuite{Name: s.Scenario, Out: strings.Join(s.Notes, "\n")}
	for i := range s.Findings {
		f := &s.Findings[i]
		name := strings.TrimSpace(f.Point + " " + f.Scheme + " " + f.Metric)
		c := junitCase{Class: s.Scenario, Name: name, File: s.File}
		switch {
		case f.Verdict == Missing:
			continue
		case f.Verdict == Regressed:
			suite.Failures++
			c.Failure = &junitProblem{Message: f.title(), Text: f.story()}
		case f.notable():
			c.Out = f.title() + ", " + f.story()
		}
		suite.Cases = append(suite.Cases, c)
	}
	if s.Incomplete != "" {
		suite.Errors = 1
		suite.Cases = append(suite.Cases, junitCase{Class: s.Scenario, Name: "complete", File: s.File,
			Error: &junitProblem{Message: s.Incomplete}})
	}
	suite.Tests = len(suite.Cases)
	return suite
}

// unsafeName is what a name of a Go benchmark may not hold.
var unsafeName = regexp.MustCompile(`[\s/]+`)

// processors is the end of a name that would be read as a number of processors.
var processors = regexp.MustCompile(`-([0-9]+)$`)

// writeGoBench writes Go's benchmark format: a line for each scheme at each point, with its
// metrics. `benchstat -col /scheme` makes a table of it, and compares two files of it.
func writeGoBench(w io.Writer, r *Report) error {
	out := &failing{w: w}
	for _, m := range metric.Checks() {
		out.printf("Unit %s better=%s assume=exact\n", benchUnit(m), m.Better)
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		out.printf("\nscenario: %s\n\n", s.Scenario)
		last := ""
		for k := range s.Findings {
			f := &s.Findings[k]
			if unit := f.Point + "\n" + f.Scheme; unit != last {
				out.printf("%s%s\t%d", strings.Repeat("\n", min(k, 1)), benchName(f), f.N)
				last = unit
			}
			if m, ok := metric.FindCheck(f.Metric); ok && f.Value.Value.Known() {
				out.printf("\t%v %s", float64(f.Value.Value), benchUnit(m))
			}
		}
		out.printf("\n")
	}
	return out.err
}

// benchName names a scheme at a point as a benchmark.
func benchName(f *Finding) string {
	name := "BenchmarkCheck"
	if f.Point != "" {
		for _, axis := range strings.Split(f.Point, ",") {
			name += "/" + unsafeName.ReplaceAllString(axis, "_")
		}
	}
	scheme := unsafeName.ReplaceAllString(f.Scheme, "_")
	return name + "/scheme=" + processors.ReplaceAllString(scheme, "_$1")
}

// benchUnit names a metric as a unit; one in seconds is scaled by tools that know sec.
func benchUnit(m metric.Check) string {
	switch m.Unit {
	case metric.Seconds:
		return m.Name + "-sec"
	case metric.Bits:
		return m.Name + "-bit/s"
	}
	return m.Name
}

// failing writes until the first error, which it keeps.
type failing struct {
	w   io.Writer
	err error
}

func (f *failing) printf(format string, args ...any) {
	if f.err == nil {
		_, f.err = fmt.Fprintf(f.w, format, args...)
	}
}
