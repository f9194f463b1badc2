package check

import (
	"fmt"
	"io"
	"strings"
)

// writeMarkdown writes a summary for a page of a code review or of a build.
func writeMarkdown(w io.Writer, r *Report) error {
	out := &failing{w: w}
	out.printf("## sdrsim check: %s\n", r.summary())
	for i := range r.Suites {
		s := &r.Suites[i]
		out.printf("\n### %s\n\n%s of `%s`, seed %d: %s.\n", cell(s.Scenario),
			capital(s.mode()), s.File, s.Seed, s.tally())
		if s.Incomplete != "" {
			out.printf("\n**Incomplete**: %s\n", cell(s.Incomplete))
		}
		for _, note := range s.Notes {
			out.printf("\nNote: %s\n", cell(note))
		}
		table(out, s)
	}
	return out.err
}

// table writes the cases that changed, if any.
func table(out *failing, s *Suite) {
	rows := 0
	for i := range s.Findings {
		f := &s.Findings[i]
		if !f.notable() {
			continue
		}
		if rows == 0 {
			out.printf("\n| verdict | point | scheme | metric | baseline | now | change | |\n" +
				"|---|---|---|---|---:|---:|---:|---|\n")
		}
		rows++
		out.printf("| %s |\n", strings.Join([]string{
			string(f.Verdict), cell(f.place()), cell(f.Scheme), cell(f.Metric), f.was(), f.now(),
			percent(f.Change), cell(f.why()),
		}, " | "))
	}
}

// cell escapes what markdown would take for marks.
var cell = strings.NewReplacer("|", `\|`, "_", `\_`, "*", `\*`, "`", "\\`", "<", `\<`, "[", `\[`,
	"\n", " ", `\`, `\\`).Replace

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// writeGitHub writes workflow commands that GitHub shows beside the lines of a scenario.
func writeGitHub(w io.Writer, r *Report) error {
	out := &failing{w: w}
	for i := range r.Suites {
		s := &r.Suites[i]
		for k := range s.Findings {
			f := &s.Findings[k]
			command, notable := map[Verdict]string{
				Regressed: "error", Inconclusive: "warning", Improved: "notice",
			}[f.Verdict]
			if notable {
				annotate(out, command, at(s.File, f.Line)+",title="+property(f.title()),
					f.title()+"; "+f.story())
			}
		}
		if s.Incomplete != "" {
			annotate(out, "error", at(s.File, 0)+",title="+property(s.Scenario+" is incomplete"),
				s.Incomplete)
		}
		for _, note := range s.Notes {
			annotate(out, "notice", at(s.File, 0), note)
		}
	}
	out.printf("%s\n", r.summary())
	return out.err
}

// at is the place of an annotation; line 0 is the file as a whole.
func at(file string, line int) string {
	place := "file=" + property(file)
	if line > 0 {
		place += fmt.Sprintf(",line=%d", line)
	}
	return place
}

// annotate writes a workflow command.
func annotate(out *failing, command, properties, message string) {
	out.printf("::%s %s::%s\n", command, properties, escaped(message))
}

// escaped and property escape what ends a message, and what ends a property of it.
var (
	escaped  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace
	property = func(text string) string {
		return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escaped(text))
	}
)
