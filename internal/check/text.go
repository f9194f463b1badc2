package check

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// writeText writes a report for people at a terminal: the cases that changed beyond their
// tolerance, and how many there are of each verdict.
func writeText(w io.Writer, r *Report) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range r.Suites {
		s := &r.Suites[i]
		fmt.Fprintf(out, "%s (%s): %s, seed %d\n", s.Scenario, s.File, s.mode(), s.Seed)
		for k := range s.Findings {
			if f := &s.Findings[k]; f.notable() {
				fmt.Fprintf(out, "  %s\t%s\t%s\t%s\t%s -> %s\t%s\t%s\n", f.Verdict, f.place(),
					f.Scheme, f.Metric, f.was(), f.now(), percent(f.Change), f.why())
			}
		}
		for _, note := range s.Notes {
			fmt.Fprintf(out, "  note: %s\n", note)
		}
		if s.Incomplete != "" {
			fmt.Fprintf(out, "  incomplete: %s\n", s.Incomplete)
		}
		fmt.Fprintf(out, "  %s\n", s.tally())
	}
	fmt.Fprintln(out, r.summary())
	return out.Flush()
}
