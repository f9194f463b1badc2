package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"sdrsim/internal/portable"
	"sdrsim/internal/result"
)

// newCategories makes an axis with one place for each value. A label takes as much of the axis as
// size tells; where not all labels fit, those of round numbers stay, or every n-th. Words, which
// nobody could guess from their neighbours, all stay and are shortened.
func newCategories(title string, values []result.AxisValue, size func(label string) float64) scale {
	s := scale{kind: categories, title: title, places: map[string]float64{}}
	n := float64(len(values))
	s.width = 1 / max(n, 1)
	labels := categoryLabels(values)
	for i, v := range values {
		s.places[v.Text] = (float64(i) + 0.5) / n
	}
	picked := pickLabels(values, labels, size)
	if len(picked) < len(values) && !slices.ContainsFunc(values, numbered) {
		s.shortened = true
		for i := range labels {
			labels[i] = shortenTo(labels[i], s.width, size)
		}
		picked = pickLabels(values, labels, size)
	}
	for _, i := range picked {
		s.ticks = append(s.ticks, plot.Tick{Value: s.places[values[i].Text], Label: labels[i]})
	}
	return s
}

func numbered(a result.AxisValue) bool { return !math.IsNaN(a.Number) }

// shortenTo cuts the middle of a label until it takes no more than a share of the axis: names of
// places begin alike.
func shortenTo(label string, share float64, size func(string) float64) string {
	short := squeeze(label, maxText)
	for n := len([]rune(short)) - 1; n > 0 && size(short) > share; n-- {
		short = squeeze(label, n)
	}
	return short
}

// upWords is the part of a page that words beside an axis may take.
const upWords = 0.25

// shortenWords shortens words beside an upright axis, on a page of a width.
func (s *scale) shortenWords(width vg.Length) {
	for i := range s.ticks {
		s.ticks[i].Label = shortenTo(s.ticks[i].Label, upWords, func(label string) float64 {
			return float64(textStyle(tickSize, ink).Width(label) / width)
		})
	}
}

// categoryLabels writes values alike: where one number needs a power of ten, all have it.
func categoryLabels(values []result.AxisValue) []string {
	labels := make([]string, len(values))
	asPowers := false
	for _, v := range values {
		a := math.Abs(v.Number)
		small := unitOf(v.Path).steps[0].symbol == "" && a > 0 && (a < 1e-3 || a >= 1e6)
		asPowers = asPowers || small
	}
	for i, v := range values {
		labels[i] = axisText(v)
		if asPowers && !math.IsNaN(v.Number) {
			labels[i] = tickLabel(v.Number, true)
		}
	}
	return labels
}

// pickLabels chooses which of many values are labelled.
func pickLabels(values []result.AxisValue, labels []string, size func(string) float64) []int {
	var all, round []int
	for i, v := range values {
		all = append(all, i)
		if isRound(v) {
			round = append(round, i)
		}
	}
	fits := func(picked []int) bool {
		for k := 1; k < len(picked); k++ {
			apart := float64(picked[k]-picked[k-1]) / float64(len(values))
			if (size(labels[picked[k]])+size(labels[picked[k-1]]))/2 > apart {
				return false
			}
		}
		return true
	}
	if fits(all) {
		return all
	}
	if len(round) >= 3 {
		all = round
	}
	for stride := 1; ; stride++ {
		var picked []int
		for i := 0; i < len(all); i += stride {
			picked = append(picked, all[i])
		}
		if fits(picked) {
			return picked
		}
	}
}

// isRound reports whether a value is a power of ten, or of two for sizes.
func isRound(a result.AxisValue) bool {
	if !(a.Number > 0) {
		return false
	}
	exponent := portable.Log10(a.Number)
	if unitOf(a.Path).binary {
		exponent = portable.Log2(a.Number)
	}
	return math.Abs(exponent-math.Round(exponent)) < 1e-9
}
