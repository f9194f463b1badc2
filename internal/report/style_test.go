package report

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// visions are kinds of colour vision as matrices on linear RGB: Machado, Oliveira and Fernandes,
// 2009, of full severity.
var visions = map[string][3][3]float64{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"no long": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}},
	"no medium": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}},
	"no short": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
		{0.004733, 0.691367, 0.303900}},
}

// lab is a colour as a kind of vision sees it, in CIE L*a*b* under D65.
func lab(c color.NRGBA, vision [3][3]float64) (out [3]float64) {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	apply := func(m [3][3]float64, v [3]float64) (w [3]float64) {
		for i := range m {
			for k := range v {
				w[i] += m[i][k] * v[k]
			}
		}
		return w
	}
	seen := apply(vision, [3]float64{linear(c.R), linear(c.G), linear(c.B)})
	for i := range seen {
		seen[i] = min(max(seen[i], 0), 1)
	}
	xyz := apply([3][3]float64{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722},
		{0.0193, 0.1192, 0.9505}}, seen)
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x, y, z := f(xyz[0]/0.95047), f(xyz[1]), f(xyz[2]/1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// TestSeriesAreToldApartInEveryColourVision compares fourteen series in pairs. A difference of ten
// is plain to see side by side; where colours come closer, dashes and markers both differ.
func TestSeriesAreToldApartInEveryColourVision(t *testing.T) {
	const plain = 10
	for name, vision := range visions {
		for i := range palette {
			for k := range i {
				a, b := lookOf(i), lookOf(k)
				p, q := lab(a.color, vision), lab(b.color, vision)
				apart := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
				others := fmt.Sprint(a.shape) != fmt.Sprint(b.shape) &&
					(!slices.Equal(a.dashes, b.dashes) || a.hatched != b.hatched)
				if apart < plain && !others {
					t.Errorf("%s: series %d and %d are %.1f apart", name, i, k, apart)
				}
			}
			white := lab(paper, vision)
			if p := lab(palette[i], vision); white[0]-p[0] < 15 {
				t.Errorf("%s: series %d is as light as the paper: %.0f", name, i, p[0])
			}
		}
	}
}

func TestLooksDoNotRepeat(t *testing.T) {
	seen := map[string]int{}
	for i := range 280 {
		l := lookOf(i)
		key := fmt.Sprint(l.color, l.dashes, l.shape)
		if first, double := seen[key]; double {
			t.Fatalf("series %d looks as series %d", i, first)
		}
		seen[key] = i
	}
}

// A scheme is drawn alike in every figure: with others or alone, first or last, and the schemes of
// a user leave the looks of those that come with the program alone.
func TestSchemesKeepTheirLooks(t *testing.T) {
	all := schemeLooks([]string{"mine", "sr-rto", "sr-nack", "ec-mds", "ec-xor", "yours"})
	for _, part := range [][]string{{"ec-mds"}, {"sr-nack", "sr-rto"}, {"mine", "ec-xor"}} {
		for name, l := range schemeLooks(part) {
			if !reflect.DeepEqual(l, all[name]) {
				t.Errorf("%s among %v: another look than among all", name, part)
			}
		}
	}
	t.Log("# as many as there are, no two look alike")
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprint("scheme ", i))
	}
	looks := schemeLooks(append(many, "ec-mds"))
	if len(looks) != 41 {
		t.Fatalf("%d looks for 41 schemes", len(looks))
	}
	for a, la := range looks {
		for b, lb := range looks {
			if a != b && reflect.DeepEqual(la, lb) {
				t.Errorf("%s and %s look alike", a, b)
			}
		}
	}
}

// A figure of a part of the schemes draws them as one of all.
func TestFigureOfSomeSchemesHasTheirLooks(t *testing.T) {
	f := figure.Figure{Kind: figure.Line, Name: "f", X: "link.loss.p", Y: "completion",
		Schemes: []string{"ec-mds"}}
	table := result.Table{Paths: []string{"link.loss.p"}}
	for _, scheme := range []string{"sr-rto", "ec-mds"} {
		r := result.NewRow([]result.AxisValue{{Path: "link.loss.p", Text: "0.1", Number: 0.1}}, scheme)
		r.CompletionMean = 1
		table.Rows = append(table.Rows, r)
	}
	full, sel, err := complete(f, table)
	if err != nil {
		t.Fatal(err)
	}
	got := full.group(sel, columnMeasure(columnOf("completion", metric.Mean)), axisValues(sel.rows,
		full.X))
	if len(got) != 1 || !reflect.DeepEqual(got[0].look, lookOf(2)) {
		t.Errorf("ec-mds alone is drawn as %+v", got)
	}
}
