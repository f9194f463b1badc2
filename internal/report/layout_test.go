package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"

	"gonum.org/v1/plot/vg"
	"sdrsim/internal/result"
)

// compose makes the page of a figure without drawing it.
func compose(t *testing.T, table result.Table, fig figure.Figure) (*page, *notes) {
	t.Helper()
	full, sel, err := complete(fig, table)
	if err != nil {
		t.Fatal(err)
	}
	p, n, err := full.compose(table, sel)
	if err != nil {
		t.Fatal(err)
	}
	return p, n
}

func disjoint(a, b vg.Rectangle) bool {
	return a.Max.X <= b.Min.X || b.Max.X <= a.Min.X || a.Max.Y <= b.Min.Y || b.Max.Y <= a.Min.Y
}

func TestRegionsOfEveryFigureAreApartAndOnThePage(t *testing.T) {
	for _, e := range gallery() {
		p, _ := compose(t, e.table, e.fig)
		r := p.split()
		regions := map[string]vg.Rectangle{
			"title": r.title, "plot": r.plot, "side": r.side, "foot": r.foot,
		}
		for a, ra := range regions {
			if ra.Min.X < 0 || ra.Min.Y < 0 || ra.Max.X > pageWidth || ra.Max.Y > r.height ||
				ra.Min.X > ra.Max.X || ra.Min.Y > ra.Max.Y {
				t.Errorf("%s: %s is %v", e.fig.Name, a, ra)
			}
			for b, rb := range regions {
				if a < b && !disjoint(ra, rb) {
					t.Errorf("%s: %s %v and %s %v overlap", e.fig.Name, a, ra, b, rb)
				}
			}
		}
		if size := r.plot.Size(); size.X < 0.55*pageWidth || size.Y < 0.4*pageHeight {
			t.Errorf("%s: the plot is only %v", e.fig.Name, size)
		}
	}
}

// svgText is a text of an SVG with its place on the page.
type svgText struct {
	text string
	x, y float64
}

var turned = regexp.MustCompile(`rotate`)

// texts reads the texts of an SVG, which must be well-formed; turned ones have no place.
func texts(t *testing.T, svg []byte) (out []svgText) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(string(svg)))
	rotated := 0
	var stack []bool
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("SVG is not well-formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			turn := false
			var x, y float64
			for _, a := range e.Attr {
				turn = turn || turned.MatchString(a.Value)
				switch a.Name.Local {
				case "x":
					fmt.Sscan(a.Value, &x)
				case "y":
					fmt.Sscan(a.Value, &y)
				}
			}
			stack = append(stack, turn)
			if turn {
				rotated++
			}
			if e.Name.Local == "text" {
				out = append(out, svgText{x: x, y: -y})
				if rotated > 0 {
					out[len(out)-1] = svgText{x: math.NaN(), y: math.NaN()}
				}
			}
		case xml.EndElement:
			if stack[len(stack)-1] {
				rotated--
			}
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if n := len(out); n > 0 && out[n-1].text == "" {
				out[n-1].text = strings.TrimSpace(string(e))
			}
		}
	}
}

func TestSVGNamesItsAxesWithUnitsAndKeepsTheLegendOffThePlot(t *testing.T) {
	for _, e := range gallery() {
		p, _ := compose(t, e.table, e.fig)
		svg, err := p.svg()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]svgText{}
		for _, s := range texts(t, svg) {
			found[s.text] = s
			if s.x < 0 || s.x > float64(pageWidth) || s.y < 0 || s.y > float64(p.split().height) {
				t.Errorf("%s: %q is off the page", e.fig.Name, s.text)
			}
		}
		for _, want := range []string{p.title, p.x.title, p.y.title} {
			if _, ok := found[want]; !ok {
				t.Errorf("%s: no text %q", e.fig.Name, want)
			}
		}
		l, ok := p.side.(legend)
		if !ok {
			continue
		}
		plot := p.split().plot
		for _, entry := range l {
			s, ok := found[entry.label]
			inside := s.x < float64(plot.Max.X) && s.y > float64(plot.Min.Y)
			if ok && inside {
				t.Errorf("%s: legend entry %q is on the plot", e.fig.Name, entry.label)
			}
			if !ok && !strings.Contains(entry.label, "^{") {
				t.Errorf("%s: no legend entry %q", e.fig.Name, entry.label)
			}
		}
	}
}

func TestAxisTitlesHaveTheUnitOfTheirNumbers(t *testing.T) {
	for _, c := range []struct {
		fig  figure.Figure
		x, y string
	}{
		{figure.Figure{Kind: figure.Line}, "Drop probability", "Mean completion time (ms)"},
		{figure.Figure{Kind: figure.Line, Y: "goodput"}, "Drop probability", "Goodput (Gbit/s)"},
		{figure.Figure{Kind: figure.Line, Y: "completion_p99_s"}, "Drop probability",
			"p99 completion time (ms)"},
		{figure.Figure{Kind: figure.Line, Y: "speedup", Over: "sr-rto", Stat: metric.P999},
			"Drop probability",
			"Speed-up, p99.9 completion time"},
	} {
		p, _ := compose(t, sweep("link.loss.p", dropRates(), fourSchemes), c.fig)
		if p.x.title != c.x || p.y.title != c.y {
			t.Errorf("axes are %q and %q, want %q and %q", p.x.title, p.y.title, c.x, c.y)
		}
	}
}

func TestDoubtfulQuantilesAreNoted(t *testing.T) {
	_, n := compose(t, sweep("link.loss.p", dropRates(), fourSchemes[:2]),
		figure.Figure{Kind: figure.Line, Stat: metric.P999})
	const want = "Hollow: fewer than 10 samples beyond p99.9: every series (0.001 to 0.1)."
	if len(n.warnings) != 1 || n.warnings[0] != want {
		t.Errorf("warnings are %q, want %q", n.warnings, want)
	}
	_, n = compose(t, sweep("link.loss.p", dropRates(), fourSchemes[:2]),
		figure.Figure{Kind: figure.Line, Stat: metric.P99})
	if len(n.warnings) != 0 {
		t.Errorf("p99 is carried, warnings are %q", n.warnings)
	}
}

// A mean of times needs more than one sample; what is counted may be the same in all.
func TestTimesOfOneSampleAreHollow(t *testing.T) {
	table := sweep("link.loss.p", dropRates()[:3], fourSchemes[:2])
	for i := range table.Rows {
		if table.Rows[i].Samples = 1; i == 0 {
			table.Rows[i].Samples, table.Rows[i].Failed = 4, 2
		}
	}
	const survived = "Hollow: others of the samples were given up: sr-rto (1e-6)."
	const hollow = "Hollow: of one sample: sr-rto (2.15e-6, 4.64e-6); sr-nack (everywhere). " +
		survived
	for _, c := range []struct {
		fig  figure.Figure
		want string
	}{
		{figure.Figure{Kind: figure.Line}, hollow},
		{figure.Figure{Kind: figure.Bar, Y: "delivery"}, hollow},
		{figure.Figure{Kind: figure.Line, Y: "goodput"}, survived},
		{figure.Figure{Kind: figure.Line, Y: "lost"}, ""},
	} {
		p, n := compose(t, table, c.fig)
		text := strings.Join(n.warnings[1:], " ")
		if text != c.want {
			t.Errorf("%s of %s: warnings are %q, want %q", c.fig.Kind, c.fig.Y, text, c.want)
		}
		for _, b := range p.body {
			l, ok := b.(curve)
			if ok && (l.data[1].hollow() != strings.Contains(c.want, "one sample") ||
				l.label == "sr-rto" && l.data[0].hollow() != (c.want != "")) {
				t.Errorf("%s of %s: drawn as if it were certain", c.fig.Kind, c.fig.Y)
			}
		}
	}
}

func TestBarsOfZeroAreNoted(t *testing.T) {
	_, n := compose(t, equal(), figure.Figure{Kind: figure.Bar, X: "link.loss.p", Y: "retransmits"})
	if fmt.Sprint(n.warnings) != "[Every value is zero.]" {
		t.Errorf("warnings are %q", n.warnings)
	}
}

// A speed-up rests on both schemes, whichever of them is drawn.
func TestFailuresOfBothSchemesOfASpeedupAreNoted(t *testing.T) {
	table := grid2()
	table.Rows[0].Failed, table.Rows[2].Failed = 3, 5 // sr-rto, ec-mds
	_, n := compose(t, table, figure.Figure{Kind: figure.Heatmap, X: "link.loss.p", Y: "message.size",
		Value: "speedup", Of: "ec-mds", Over: "sr-rto"})
	const want = "[8 samples that were given up are left out: ec-mds, sr-rto. " +
		"Dashed: others of the samples were given up in 1 of 96 cells.]"
	if fmt.Sprint(n.warnings) != want {
		t.Errorf("warnings are %q, want %s", n.warnings, want)
	}
}

func TestMissingAndFailedAreNoted(t *testing.T) {
	_, n := compose(t, withGaps(), figure.Figure{Kind: figure.Line})
	want := []string{"8000 samples that were given up are left out: ec-xor.",
		"No value: sr-rto (0.001); ec-xor (0.01, 0.1)."}
	if fmt.Sprint(n.warnings) != fmt.Sprint(want) {
		t.Errorf("warnings are %q, want %q", n.warnings, want)
	}
}

func TestProbabilityOfEqualSamplesIsFromZeroToOne(t *testing.T) {
	where := []figure.AxisMatch{{Path: "link.loss.p", Text: "1e-3"}}
	for _, kind := range []string{figure.CCDF, figure.CDF} {
		p, _ := compose(t, equal(), figure.Figure{Kind: kind, Where: where})
		if p.y.kind != linearScale || p.y.lo != 0 || p.y.hi != 1 {
			t.Errorf("%s: the axis is from %v to %v", kind, p.y.lo, p.y.hi)
		}
		p, n := compose(t, equal(), figure.Figure{Kind: kind, Where: where, YScale: figure.LogScale})
		if p.y.kind != linearScale || p.y.lo != 0 || p.y.hi != 1 || len(n.warnings) != 1 {
			t.Errorf("%s: the axis is from %v to %v, warnings are %q", kind, p.y.lo, p.y.hi, n.warnings)
		}
	}
}

func TestAxisThatCannotBeLogarithmicIsNoted(t *testing.T) {
	const want = "The y axis is not logarithmic: no value is positive."
	for _, kind := range []string{figure.Line, figure.Bar} {
		fig := figure.Figure{Kind: kind, X: "link.loss.p", Y: "retransmits", YScale: figure.LogScale}
		p, n := compose(t, equal(), fig)
		if fmt.Sprint(n.warnings) != fmt.Sprint([]string{want}) || p.y.kind != linearScale {
			t.Errorf("%s of zeros: warnings are %q", kind, n.warnings)
		}
		if p.y.lo != 0 {
			t.Errorf("%s: the axis of a count begins at %v", kind, p.y.lo)
		}
		t.Log("# zero among others has a place of its own")
		p, n = compose(t, withZero(), fig)
		if len(n.warnings) != 0 || p.y.kind != logScale || !p.y.zero {
			t.Errorf("%s of some zeros: warnings are %q", kind, n.warnings)
		}
	}
}

// TestEndsOfAColourBarAreClearOfItsLabels has a label at the very end of the column.
func TestEndsOfAColourBarAreClearOfItsLabels(t *testing.T) {
	p, _ := compose(t, oneSided(), figure.Figure{Kind: figure.Heatmap, X: "link.loss.p",
		Y:     "message.size",
		Value: "speedup", Of: "ec-mds", Over: "sr-rto"})
	svg, err := p.svg()
	if err != nil {
		t.Fatal(err)
	}
	var end, label svgText
	for _, s := range texts(t, svg) {
		switch s.text {
		case "ec-mds faster":
			end = s
		case "8":
			label = s
		}
	}
	if end.text == "" || label.text == "" {
		t.Fatal("a text is missing")
	}
	if space := end.y - label.y; space < float64(tickSize)*0.8 { // between base lines
		t.Errorf("%q is %.1f points above %q", end.text, space, label.text)
	}
}

func TestBarsOfManySchemesAreNamed(t *testing.T) {
	tags := longTags(13)
	p, _ := compose(t, sweep("link.loss.p", []float64{1e-3}, tags),
		figure.Figure{Kind: figure.Bar, X: "scheme"})
	l, ok := p.side.(legend)
	if !ok || len(l) < len(tags) {
		t.Fatalf("the legend has %d entries", len(l))
	}
	for i, name := range tags {
		if l[i].label != name {
			t.Errorf("entry %d is %q, want %q", i, l[i].label, name)
		}
	}
	p, _ = compose(t, sweep("link.loss.p", []float64{1e-3}, fourSchemes),
		figure.Figure{Kind: figure.Bar, X: "scheme"})
	if p.side != nil || len(p.x.ticks) != len(fourSchemes) {
		t.Error("names that fit below their bars have a legend")
	}
}
