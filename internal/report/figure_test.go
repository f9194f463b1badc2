package report

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

func TestFigureFaultsSayWhatIsAllowed(t *testing.T) {
	table := grid2()
	for _, c := range []struct {
		fig  figure.Figure
		want string
	}{
		{figure.Figure{Kind: "pie"}, `kind: "pie", must be one of line, heatmap, cdf, ccdf, bar`},
		{figure.Figure{Kind: figure.Line, Stat: "p95"},
			`stat: "p95", must be one of mean, p50, p99, p99.9, max`},
		{figure.Figure{Kind: figure.Line, YScale: "cubic"},
			`y_scale: "cubic", must be one of log, linear`},
		{figure.Figure{Kind: figure.Line, Name: "../../etc/x"},
			"name: \"../../etc/x\", must be of letters"},
		{figure.Figure{Kind: figure.Line, Name: ".hidden"}, "must be of letters"},
		{figure.Figure{Kind: figure.Line, X: "link.loss.p"},
			"message.size has 6 values; pick one with where: {message.size: 131072}"},
		{figure.Figure{Kind: figure.Line, X: "link.rtt"},
			`"link.rtt" is not swept; swept are message.size, link.loss.p`},
		{figure.Figure{Kind: figure.Line, Where: []figure.AxisMatch{{Path: "link.rtt", Text: "1"}}},
			`where: "link.rtt" is not swept; swept are message.size, link.loss.p`},
		{figure.Figure{Kind: figure.Line, Where: []figure.AxisMatch{{Path: "message.size",
			Text: "5MiB"}}},
			`where: message.size has no value "5MiB"; it has 131072, 1048576`},
		{figure.Figure{Kind: figure.Line, Schemes: []string{"sr"}},
			`no scheme "sr"; there are sr-rto, sr-nack, ec-mds, ec-xor`},
		{figure.Figure{Kind: figure.Heatmap},
			"there are 4 schemes; pick one with schemes: [sr-rto], or compare"},
		{figure.Figure{Kind: figure.Heatmap, X: "link.loss.p", Y: "link.loss.p",
			Schemes: []string{"sr-rto"}},
			"x and y are both link.loss.p"},
		{figure.Figure{Kind: figure.Heatmap, Value: "speedup", Of: "ec-mds"}, "a speed-up needs over"},
		{figure.Figure{Kind: figure.Line, Y: "goodput", Stat: metric.P99},
			"goodput has no statistic p99, only mean"},
		{figure.Figure{Kind: figure.Line, Y: "godput"},
			`no quantity "godput"; there are acks, completion,`},
		{figure.Figure{Kind: figure.CCDF, Value: "goodput"},
			`a ccdf shows the completion time, not "goodput"`},
		{figure.Figure{Kind: figure.Line, Series: "message.size"},
			"series are by message.size, so one scheme must be picked: schemes: [sr-rto]"},
		{figure.Figure{Kind: figure.Line, References: []figure.Reference{{Axis: "z"}}},
			`axis "z", must be x or y`},
	} {
		err := CheckFigure(c.fig, table)
		var fault *FigureError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v:\n got %v\nwant %s", c.fig, err, c.want)
		}
		if _, err := Draw(t.TempDir(), table, c.fig); !errors.As(err, &fault) {
			t.Errorf("%+v was drawn: %v", c.fig, err)
		}
	}
	if err := CheckFigure(figure.Figure{Kind: figure.Line}, result.Table{}); err == nil {
		t.Error("an empty table has a figure")
	}
}

func TestWhereTakesNumbersAndUnits(t *testing.T) {
	for _, text := range []string{"134217728", "128MiB", "128 MiB", "1.34217728e8"} {
		fig := figure.Figure{Kind: figure.Line, Where: []figure.AxisMatch{{Path: "message.size",
			Text: text}}}
		if err := CheckFigure(fig, grid2()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	fig := figure.Figure{Kind: figure.Line, Where: []figure.AxisMatch{{Path: "link.loss.p",
		Text: "0.1%"}}}
	if err := CheckFigure(fig, grid2()); err != nil {
		t.Error(err)
	}
}

func TestSpeedupDividesByTheOtherScheme(t *testing.T) {
	table := sweep("link.loss.p", []float64{1e-4, 1e-3}, fourSchemes)
	fig := figure.Figure{Kind: figure.Line, Y: "speedup", Over: "sr-rto"}
	full, sel, err := complete(fig, table)
	if err != nil {
		t.Fatal(err)
	}
	m, err := full.measure()
	if err != nil {
		t.Fatal(err)
	}
	all := full.group(sel, m, axisValues(sel.rows, full.X))
	if len(all) != 3 || all[0].label != "sr-nack" {
		t.Fatalf("%d series, the first is %q", len(all), all[0].label)
	}
	want := table.Rows[0].CompletionMean / table.Rows[1].CompletionMean
	if got := all[0].data[0].est; got.Value != want || !(got.Lo < want && want < got.Hi) {
		t.Errorf("speed-up is %+v, want %v", got, want)
	}
}

// The columns of paired samples are for the mean against the first scheme, and for nothing else.
func TestSpeedupTakesPairedSamplesWhereTheyAre(t *testing.T) {
	table := sweep("link.loss.p", []float64{1e-4, 1e-3}, fourSchemes)
	for i := range table.Rows {
		r := &table.Rows[i]
		r.SpeedupMean, r.SpeedupLo, r.SpeedupHi = 7, 6.9, 7.1
	}
	for _, test := range []struct {
		over, stat string
		paired     bool
	}{{"sr-rto", metric.Mean, true}, {"sr-rto", metric.P99, false}, {"sr-nack", metric.Mean, false}} {
		fig := figure.Figure{Kind: figure.Line, Y: "speedup", Over: test.over, Stat: test.stat}
		full, sel, err := complete(fig, table)
		if err != nil {
			t.Fatal(err)
		}
		m, err := full.measure()
		if err != nil {
			t.Fatal(err)
		}
		got, _ := m.get(sel, &table.Rows[2])
		if paired := got == (stats.Estimate{Value: 7, Lo: 6.9, Hi: 7.1}); paired != test.paired {
			t.Errorf("%s over %s: %+v", test.stat, test.over, got)
		}
	}
}

// Paths that a sweep moves together count as one.
func TestPathsThatMoveTogetherNeedNotBePicked(t *testing.T) {
	var table result.Table
	table.Paths = []string{"link.loss.p", "message.size", "link.rtt"}
	for _, p := range []float64{1e-3, 1e-2} {
		for i, size := range []float64{1 << 20, 1 << 30} {
			axes := []result.AxisValue{number("link.loss.p", p), number("message.size", size),
				number("link.rtt", float64(i+1))}
			table.Rows = append(table.Rows, syntheticRow(axes, "sr-rto", 0.1, p, 100))
		}
	}
	for _, f := range []figure.Figure{
		{Kind: figure.Line, X: "message.size", Where: []figure.AxisMatch{{Path: "link.loss.p",
			Text: "0.001"}}},
		{Kind: figure.Line, X: "link.loss.p", Where: []figure.AxisMatch{{Path: "link.rtt", Text: "2"}}},
		{Kind: figure.Heatmap, X: "link.rtt", Y: "link.loss.p"},
		{Kind: figure.Line, X: "link.loss.p", Series: "message.size"},
	} {
		if err := CheckFigure(f, table); err != nil {
			t.Error(err)
		}
	}
	f := figure.Figure{Kind: figure.Line, X: "link.loss.p"}
	if err := CheckFigure(f, table); err == nil {
		t.Error("a figure of two sizes in one line passes")
	}
}

func TestSlowdownHasTheIntervalOfTheCompletionTime(t *testing.T) {
	r := result.NewRow(nil, "x")
	r.CompletionMean, r.CompletionMeanLo, r.CompletionMeanHi = 2, 1.5, 3
	r.SlowdownMean = 4
	m, err := measureOf(figure.Figure{Kind: figure.Line, Y: "slowdown", Stat: metric.Mean})
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := m.get(nil, &r); e.Value != 4 || e.Lo != 3 || e.Hi != 6 {
		t.Errorf("slowdown is %+v, want 4 [3, 6]", e)
	}
}

func TestPNGAndSVGAreTheSameWhenDrawnAgain(t *testing.T) {
	for _, e := range gallery()[:12:12] {
		if e.fig.Name != "line-p999" && e.fig.Name != "ccdf" && e.fig.Name != "heat-p999" {
			continue
		}
		var drawn [2][]byte
		for i := range drawn {
			dir := t.TempDir()
			if _, err := Draw(dir, e.table, e.fig); err != nil {
				t.Fatal(err)
			}
			drawn[i] = append(read(t, dir, e.fig.Name+".svg"), read(t, dir, e.fig.Name+".png")...)
		}
		if !bytes.Equal(drawn[0], drawn[1]) {
			t.Errorf("%s differs when drawn again", e.fig.Name)
		}
	}
}

// extremes are the numbers that break axes.
var extremes = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1, 1e-300, 1e300, 5e-324, math.MaxFloat64, 1e-9,
	0.1, 0.1 + 1e-17, 12345.678,
}

// wildTable has rows of any numbers at one to three points.
func wildTable(t *rapid.T) result.Table {
	pick := rapid.SampledFrom(extremes)
	table := result.Table{Paths: []string{"link.loss.p"}}
	points := rapid.SliceOfNDistinct(rapid.SampledFrom([]float64{0, 1e-300, 1e-6, 0.5, 1, 1e300, -1}),
		1, 4, rapid.ID).Draw(t, "points")
	words := rapid.Bool().Draw(t, "words")
	for _, p := range points {
		a := number("link.loss.p", p)
		if words {
			a.Number = math.NaN()
		}
		for _, s := range []string{"a", "b"} {
			r := result.NewRow([]result.AxisValue{a}, s)
			for _, c := range metric.Fields() {
				if c.Number != nil {
					*c.Number(&r.Values) = pick.Draw(t, c.Name)
				}
			}
			table.Rows = append(table.Rows, r)
		}
	}
	return withWildDistributions(t, table)
}

func withWildDistributions(t *rapid.T, table result.Table) result.Table {
	if rapid.Bool().Draw(t, "distributions") {
		return table
	}
	for i := range table.Rows {
		table.Rows[i].CompletionP50 = rapid.SampledFrom([]float64{0, 1e-9, 1, 1e300}).Draw(t, "at")
	}
	small := withDistributions(result.Table{Paths: table.Paths, Rows: table.Rows[:1]})
	table.Distributions = small.Distributions
	return table
}

func TestNoTableMakesAFigurePanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := wildTable(t)
		quantities := []string{"completion", "slowdown", "speedup", "goodput", "overhead", "lost"}
		fig := figure.Figure{
			Kind: rapid.SampledFrom(figure.Kinds).Draw(t, "kind"), X: "link.loss.p", Over: "a",
			XScale: rapid.SampledFrom([]string{"", figure.LogScale, figure.LinearScale}).Draw(t, "x"),
			YScale: rapid.SampledFrom([]string{"", figure.LogScale, figure.LinearScale}).Draw(t, "y"),
			References: []figure.Reference{{Axis: "y", Value: rapid.SampledFrom(extremes).Draw(t, "ref"),
				Label: "ref"}},
		}
		quantity := rapid.SampledFrom(quantities).Draw(t, "quantity")
		switch fig.Kind {
		case figure.Heatmap:
			fig.Value, fig.Y = quantity, result.SchemeColumn
		case figure.Line, figure.Bar:
			fig.Y = quantity
		default:
			fig.X = ""
			fig.Where = []figure.AxisMatch{{Path: "link.loss.p",
				Text: table.Rows[0].Axes[0].Text}}
		}
		full, sel, err := complete(fig, table)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := full.compose(table, sel)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := p.svg()
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"NaN", "Inf"} {
			if at := bytes.Index(svg, []byte(bad)); at >= 0 {
				t.Fatalf("%s reached the SVG: %s", bad, svg[max(0, at-200):at+10])
			}
		}
	})
}

func TestKeysInSubtitlesAreSpeltAsTheyAre(t *testing.T) {
	for path, want := range map[string]string{
		"sdr.recv_depth": "sdr.recv_depth 4",
		"message.count":  "Messages 4",
		"part":           "Part 4",
		"link.mtu":       "MTU 4 B",
	} {
		table := sweep("link.loss.p", []float64{1e-3, 1e-2}, []string{"sr-rto"})
		table.Paths = append(table.Paths, path)
		for i := range table.Rows {
			table.Rows[i].Axes = append(table.Rows[i].Axes, number(path, 4))
		}
		fig, sel, err := complete(figure.Figure{Kind: figure.Line, X: "link.loss.p",
			Where: []figure.AxisMatch{{Path: path, Text: "4"}}}, table)
		if err != nil {
			t.Fatal(err)
		}
		if got := fig.subtitle(sel); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What a collective sends is a buffer, of which each message is a part.
func TestSizeOfACollectiveIsThatOfItsBuffer(t *testing.T) {
	table := sweep("message.size", []float64{1024, 4096}, []string{"sr-rto"})
	f := figure.Figure{Kind: figure.Line, Name: "f", X: "message.size", Y: "completion"}
	for _, want := range []string{"Message size", "Buffer size"} {
		full, _, err := complete(f, table)
		if err != nil {
			t.Fatal(err)
		}
		if got := full.pathName("message.size"); got != want {
			t.Errorf("the axis is called %q, want %q", got, want)
		}
		table.Rounds = []result.Round{{}}
	}
}
