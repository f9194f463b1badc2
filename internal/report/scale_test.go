package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/figure"

	"pgregory.net/rapid"

	"sdrsim/internal/result"
)

// labels are the labelled ticks of an axis.
func labels(s scale) (out []string) {
	for _, t := range s.ticks {
		if !t.IsMinor() {
			out = append(out, t.Label)
		}
	}
	return out
}

func TestAxesAreLabelledAsPeopleWould(t *testing.T) {
	for _, c := range []struct {
		name  string
		spec  axisSpec
		title string
		want  []string
	}{
		{"decades of probability", axisSpec{name: "p", unit: plain, values: []float64{1e-5, 1e-1}},
			"p", []string{"10^{−5}", "10^{−4}", "10^{−3}", "10^{−2}", "10^{−1}"}},
		{"many decades", axisSpec{name: "p", unit: plain, values: []float64{1e-15, 1}},
			"p", []string{"10^{−15}", "10^{−12}", "10^{−9}", "10^{−6}", "10^{−3}", "1"}},
		{"milliseconds from zero", axisSpec{name: "t", unit: seconds, values: []float64{0.02, 0.28}},
			"t (ms)", []string{"0", "50", "100", "150", "200", "250"}},
		{"two decades of time", axisSpec{name: "t", unit: seconds, values: []float64{0.027, 1}},
			"t (ms)", []string{"50", "100", "200", "500", "1000"}},
		{"rates", axisSpec{name: "r", unit: bitRate, values: []float64{1e9, 396e9},
			want: figure.LinearScale},
			"r (Gbit/s)", []string{"0", "100", "200", "300", "400"}},
		{"sizes", axisSpec{name: "s", unit: bytesUnit, values: []float64{1 << 17, 1 << 33}},
			"s", []string{"256 KiB", "1 MiB", "4 MiB", "16 MiB", "64 MiB", "256 MiB", "1 GiB", "4 GiB"}},
		{"a few sizes", axisSpec{name: "s", unit: bytesUnit, values: []float64{1 << 17, 1 << 33},
			ticks: []float64{1 << 17, 1 << 27, 1 << 33}}, "s", []string{"128 KiB", "128 MiB", "8 GiB"}},
		{"one value", axisSpec{name: "t", unit: seconds, values: []float64{0.1},
			ticks: []float64{0.1}}, "t (ms)", []string{"100"}},
		{"zero on a log axis", axisSpec{name: "p", unit: plain, values: []float64{0, 1e-4, 1e-1}},
			"p", []string{"10^{−4}", "10^{−3}", "10^{−2}", "10^{−1}", "0"}},
		{"no value", axisSpec{name: "t", unit: plain},
			"t", []string{"0", "0.2", "0.4", "0.6", "0.8", "1"}},
	} {
		s := newScale(c.spec)
		if s.title != c.title || !slices.Equal(labels(s), c.want) {
			t.Errorf("%s: %q %q, want %q %q", c.name, s.title, labels(s), c.title, c.want)
		}
	}
}

func TestEveryValueHasAPlaceInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e12), rapid.Just(0.0))
		values := rapid.SliceOfN(value, 1, 12).Draw(t, "values")
		s := newScale(axisSpec{
			unit:   rapid.SampledFrom([]unit{plain, seconds, bytesUnit, bitRate}).Draw(t, "unit"),
			want:   rapid.SampledFrom([]string{"", figure.LogScale, figure.LinearScale}).Draw(t, "want"),
			values: values,
		})
		slices.Sort(values)
		last := -1.0
		for _, v := range values {
			at, ok := s.at(v)
			if !ok || at < 0 || at > 1 || at < last {
				t.Fatalf("%v is at %v (%v), after %v", v, at, ok, last)
			}
			last = at
		}
		major := labels(s)
		if len(major) > maxTicks+1 {
			t.Fatalf("%d labels: %q", len(major), major)
		}
		for _, tick := range s.ticks {
			if tick.Value < -1e-9 || tick.Value > 1+1e-9 {
				t.Fatalf("tick %q at %v", tick.Label, tick.Value)
			}
		}
		slices.Sort(major)
		if n := len(major); len(slices.Compact(major)) != n {
			t.Fatalf("a label occurs twice: %q", labels(s))
		}
	})
}

func TestCategoriesLabelWhatFits(t *testing.T) {
	var values []result.AxisValue
	for _, p := range dropRates() {
		values = append(values, number("link.loss.p", p))
	}
	s := newCategories("p", values, func(string) float64 { return 0.08 })
	want := []string{"10^{−6}", "10^{−5}", "10^{−4}", "10^{−3}", "10^{−2}", "10^{−1}"}
	if got := labels(s); !slices.Equal(got, want) {
		t.Errorf("labels are %q, want %q", got, want)
	}
	if at := s.places[values[0].Text]; math.Abs(at-0.5/16) > 1e-12 {
		t.Errorf("the first place is %v", at)
	}
}

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{seconds.text(0.0277, 3), "27.7 ms"},
		{seconds.text(0, 3), "0 s"},
		{seconds.text(81920e-12, 6), "81.92 ns"},
		{seconds.text(math.NaN(), 3), "?"},
		{bitRate.text(400e9, 6), "400 Gbit/s"},
		{bytesUnit.text(1<<27, 6), "128 MiB"},
		{bytesUnit.text(1500, 6), "1.46484 KiB"},
		{metres.text(3750e3, 6), "3750 km"},
		{plain.text(1e-5, 6), "1e-5"},
		{plain.text(2.15e-6, 6), "2.15e-6"},
		{plain.text(0.01, 6), "0.01"},
		{powers("2.15e-6"), "2.15×10^{−6}"},
		{powers("1e-5"), "10^{−5}"},
		{powers("sr-rto"), "sr-rto"},
		{powers("hello-1"), "hello-1"},
		{powers("10e"), "10e"},
		{richWords("at (1e-5, 0.1)."), "at (10^{−5}, 0.1)."},
		{threeDigits(9.996), "10.0"},
		{threeDigits(0.98), "0.98"},
		{threeDigits(1234), "1234"},
		{factorText(1.042), "1.042x"},
		{factorText(6.5), "6.50x"},
		{factorText(123.4), "123x"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestTextSplitsAtRaisedAndLoweredParts(t *testing.T) {
	for _, c := range []struct {
		text string
		want []fragment
	}{
		{"10^{−5}", []fragment{{"10", 0}, {"−5", 1}}},
		{"T_{inj} (s)", []fragment{{"T", 0}, {"inj", -1}, {" (s)", 0}}},
		{"open^{brace", []fragment{{"open^{brace", 0}}},
		{"^{a}_{b}", []fragment{{"a", 1}, {"b", -1}}},
		{"", nil},
	} {
		if got := fragments(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q splits into %v, want %v", c.text, got, c.want)
		}
	}
}

func TestTextIsWrappedAndShortenedToTheWidth(t *testing.T) {
	sty := textStyle(smallText, ink)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-zé^{}]{0,30} ?){0,12}`).Draw(t, "text")
		for _, line := range wrap(text, sty, 120) {
			if w := sty.Width(line); w > 120.001 {
				t.Fatalf("%q is %v wide", line, w)
			}
		}
	})
}

func TestShortenedTextIsTheLongestThatFits(t *testing.T) {
	sty := textStyle(titleSize, ink)
	for _, text := range []string{
		strings.Repeat("wide title ", 30), strings.Repeat("i", 5_000), strings.Repeat("Ü", 500_000),
	} {
		got := []rune(shorten(text, sty, 300))
		kept := len(got) - 1
		if got[kept] != '…' || string(got[:kept]) != string([]rune(text)[:kept]) {
			t.Fatalf("%.50q... became %q", text, string(got))
		}
		longer := string([]rune(text)[:kept+1]) + "…"
		if sty.Width(string(got)) > 300 || sty.Width(longer) <= 300 {
			t.Errorf("%.50q...: kept %d letters, not the most that fit", text, kept)
		}
	}
}
