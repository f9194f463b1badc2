package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"sdrsim/internal/result"
)

func winners(t *testing.T, table result.Table) string {
	t.Helper()
	var b bytes.Buffer
	if err := WinnerTable(&b, table); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > tableWidth || line != strings.TrimRight(line, " ") {
			t.Errorf("line of %d signs: %q", n, line)
		}
	}
	return b.String()
}

func TestWinnerTables(t *testing.T) {
	three := result.Table{Paths: []string{"a", "b", "c"}}
	for i := range 64 {
		axes := []result.AxisValue{number("a", float64(i/16)), number("b", float64(i/4%4)),
			number("c", float64(i%4))}
		for _, s := range fourSchemes {
			p := math.Ldexp(1e-5, i/4)
			three.Rows = append(three.Rows, syntheticRow(axes, s, 0.0277, p, 32768))
		}
	}
	var all []string
	for _, c := range []struct {
		title string
		table result.Table
	}{
		{"one path", sweep("link.loss.p", dropRates(), fourSchemes)},
		{"missing values", withGaps()},
		{"one scheme", sweep("link.loss.p", []float64{1e-4, 1e-2}, fourSchemes[:1])},
		{"two paths", grid2()},
		{"three paths", three},
		{"nothing", result.Table{}},
	} {
		all = append(all, "== "+c.title+"\n"+winners(t, c.table))
	}
	golden(t, "winners.txt", []byte(strings.Join(all, "\n")))
}

// contender is a row with one completion time and interval.
func contender(scheme string, mean, lo, hi float64) result.Row {
	r := result.NewRow(nil, scheme)
	r.CompletionMean, r.CompletionMeanLo, r.CompletionMeanHi = mean, lo, hi
	return r
}

func TestWinnerIsATieWhereIntervalsOverlap(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		rows []result.Row
		want string
	}{
		{"apart", []result.Row{contender("a", 2, 1.9, 2.1), contender("b", 1, 0.9, 1.1)}, "b 2.00x"},
		{"overlapping", []result.Row{contender("a", 2, 1, 3), contender("b", 1.5, 1, 2)}, "b ~ a"},
		{"the same without spread",
			[]result.Row{contender("a", 2, 2, 2), contender("b", 2, 2, 2)}, "a ~ b"},
		{"unknown interval", []result.Row{contender("a", 2, nan, nan), contender("b", 1, 0.9, 1.1)},
			"b 2.00x ?"},
		{"alone", []result.Row{contender("a", 0.0277, 0.027, 0.028), contender("b", nan, nan, nan)},
			"a 27.7 ms"},
		{"nobody", []result.Row{contender("a", math.Inf(1), nan, nan)}, "no value"},
		{"third overlaps", []result.Row{contender("a", 3, 1, 5), contender("b", 1, 0.9, 1.1),
			contender("c", 1.05, 1, 1.2)}, "b ~ 2 others"},
	} {
		table := result.Table{Rows: c.rows}
		text := winners(t, table)
		_, line, _ := strings.Cut(text, "\n")
		if !strings.HasPrefix(line, c.want+" ") {
			t.Errorf("%s: %q, want %q", c.name, line, c.want)
		}
	}
}

func TestWhatFailedEverywhereHasNoWinner(t *testing.T) {
	a, b := result.NewRow(nil, "a"), result.NewRow(nil, "b")
	a.Samples, a.Failed, b.Samples, b.Failed = 20, 20, 20, 20
	text := winners(t, result.Table{Rows: []result.Row{a, b}})
	if strings.Count(text, "all failed") != 3 {
		t.Errorf("table is\n%s", text)
	}
	t.Log("# none at all is not more than none")
	a.Failed, a.Goodput, b.Goodput = 19, 0, 0
	text = winners(t, result.Table{Rows: []result.Row{a, b}})
	if strings.Contains(text, "all failed") || strings.Contains(text, "bit/s") {
		t.Errorf("table is\n%s", text)
	}
}

// A scheme that gave up samples has the means of the lucky ones: it is named, and beats nobody who
// delivered everything, however fast it looks.
func TestWhatGaveUpBeatsNobodyThatDelivered(t *testing.T) {
	hasty, patient := contender("hasty", 1, 0.9, 1.1), contender("patient", 2, 1.9, 2.1)
	hasty.Samples, hasty.Failed, patient.Samples = 2000, 314, 2000
	slow := contender("slow", 3, 2.9, 3.1)
	_, line, _ := strings.Cut(winners(t, result.Table{Rows: []result.Row{hasty, patient, slow}}), "\n")
	if !strings.HasPrefix(line, "patient 1.50x ") || !strings.Contains(line, "hasty 15.7 %\n") {
		t.Errorf("%q", line)
	}
	t.Log("# nobody delivered everything: the best is marked")
	patient.Failed = 2
	_, line, _ = strings.Cut(winners(t, result.Table{Rows: []result.Row{hasty, patient}}), "\n")
	if !strings.HasPrefix(line, "hasty! 2.00x ") ||
		!strings.Contains(line, "hasty 15.7 %, patient 0.1 %\n") {
		t.Errorf("%q", line)
	}
	t.Log("# as a matrix, and as counts")
	for _, paths := range [][]string{{"a", "b"}, {"a", "b", "c"}} {
		table := result.Table{Paths: paths}
		for i := range 64 {
			for _, r := range []result.Row{hasty, slow} {
				for k, p := range paths {
					r.Axes = append(r.Axes, number(p, float64(i>>(2*k)&3+1)))
				}
				if len(paths) == 3 || i < 16 {
					table.Rows = append(table.Rows, r)
				}
			}
		}
		for i := range 8 { // more points than are listed one by one
			for _, r := range []result.Row{hasty, slow} {
				for _, p := range paths {
					r.Axes = append(r.Axes, number(p, float64(i+5)))
				}
				table.Rows = append(table.Rows, r)
			}
		}
		text := winners(t, table)
		want := "A16"
		if len(paths) == 3 {
			want = "hasty              0 "
		}
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Labels of parameters begin alike: of those that are shortened both ends stay, and the factor.
func TestLongLabelsLeaveTheFactorInPlace(t *testing.T) {
	long := func(end string) string { return "sr-rto[" + strings.Repeat("rto=1RTT, ", 5) + end + "]" }
	rows := []result.Row{contender(long("a"), 2, math.NaN(), 2.1), contender(long("b"), 1, 0.9, 1.1)}
	for i := range rows {
		rows[i].Goodput, rows[i].GoodputLo, rows[i].GoodputHi = 1e9*float64(3-i), 0, 9e9
	}
	text := winners(t, result.Table{Rows: rows})
	line := strings.Split(text, "\n")[1]
	for _, want := range []string{"b] 2.00x ?  ", "a] ~ sr-r", "b]"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q lacks %q", line, want)
		}
	}
	if squeeze("abcdefghij", 5) != "ab…ij" || squeeze("abcde", 5) != "abcde" {
		t.Errorf("shortened to %q", squeeze("abcdefghij", 5))
	}
}

func TestWinnerByGoodputIsTheHighest(t *testing.T) {
	a, b := result.NewRow(nil, "a"), result.NewRow(nil, "b")
	a.Goodput, a.GoodputLo, a.GoodputHi = 100e9, 99e9, 101e9
	b.Goodput, b.GoodputLo, b.GoodputHi = 300e9, 290e9, 310e9
	if text := winners(t, result.Table{Rows: []result.Row{a, b}}); !strings.Contains(text, "b 3.00x") {
		t.Errorf("table is\n%s", text)
	}
}
