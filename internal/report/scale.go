package report

import (
	"math"

	"gonum.org/v1/plot"
)

// scale maps the values of an axis to positions from 0 to 1, so that zero has a place on a
// logarithmic axis, words have places at all, and nothing can lie outside of the plot.
type scale struct {
	title string
	ticks []plot.Tick // at positions
	step  step        // the multiple of the unit that labels are in; factor 1 where they name it

	kind   scaleKind
	lo, hi float64 // the values at the ends, or at zeroShare and the upper end
	// zero tells that a logarithmic axis has a place for zero, at zeroAt.
	zero bool
	// places are the positions of categories, by text.
	places map[string]float64
	width  float64 // of a category
}

type scaleKind int

const (
	linearScale scaleKind = iota
	logScale
	categories
)

// zeroShare is the part of a logarithmic axis that is left to zero, zeroAt where in it zero is.
const (
	zeroShare = 0.09
	zeroAt    = 0.03
)

// extent is what the values of an axis span.
type extent struct {
	min, max         float64 // of all finite values
	positive         float64 // the least positive value
	values, zeros    int
	negative, finite bool
}

func extentOf(values []float64) extent {
	e := extent{min: math.Inf(1), max: math.Inf(-1), positive: math.Inf(1)}
	for _, v := range values {
		if !usable(v) {
			continue
		}
		v = flush(v)
		e.values++
		e.finite = true
		e.min, e.max = min(e.min, v), max(e.max, v)
		switch {
		case v > 0:
			e.positive = min(e.positive, v)
		case v == 0:
			e.zeros++
		default:
			e.negative = true
		}
	}
	return e
}

// usable tells whether a number can be on an axis: it is finite, and so are its neighbours.
func usable(v float64) bool { return math.Abs(v) <= 1e200 }

// flush takes numbers too small for the arithmetic of an axis as zero.
func flush(v float64) float64 {
	if math.Abs(v) < 1e-200 {
		return 0
	}
	return v
}

// logarithmic decides the scale where the figure leaves it open: values over a factor of 20, or,
// where zeros are among them, a factor of 100.
func (e extent) logarithmic() bool {
	if e.negative || !(e.positive < e.max) {
		return false
	}
	if e.zeros > 0 {
		return e.max/e.positive >= 100
	}
	return e.max/e.positive >= 20
}

// geometric tells whether ascending values are spread by factors rather than by steps: 100, 200,
// 400, 800.
func geometric(values []float64) bool {
	least, most := math.Inf(1), 0.0
	for i := 1; i < len(values); i++ {
		if values[i-1] <= 0 {
			return false
		}
		factor := values[i] / values[i-1]
		least, most = min(least, factor), max(most, factor)
	}
	return len(values) >= 3 && least >= 1.4 && most <= 1.4*least
}

// axisSpec is what an axis is made from.
type axisSpec struct {
	name   string
	unit   unit
	values []float64
	want   string // ScaleLog, ScaleLinear, or empty
	// base tells where a linear axis starts: at zero always (bars), or if zero is near.
	base axisBase
	// exact keeps the ends at the outermost values.
	exact bool
	// headroom is the part of a linear axis left free above the values; 0 is a little.
	headroom float64
	// ticks are where labels are preferred, if they have room: the few values of a sweep.
	ticks []float64
}

type axisBase int

const (
	baseNear axisBase = iota
	baseZero
)

// newScale makes a numeric axis. Values that cannot be on it are the caller's to leave out; see
// scale.at.
func newScale(spec axisSpec) scale {
	e := extentOf(spec.values)
	if !e.finite {
		e = extent{min: 0, max: 1, positive: 1, finite: true}
	}
	useLog := spec.want == ScaleLog || (spec.want == "" && e.logarithmic())
	if useLog && !math.IsInf(e.positive, 0) && e.max > 0 {
		return newLogScale(spec, e)
	}
	return newLinearScale(spec, e)
}

func newLinearScale(spec axisSpec, e extent) scale {
	s := scale{kind: linearScale, lo: e.min, hi: e.max}
	nearZero := e.min >= 0 && e.min <= 0.4*e.max
	if spec.base == baseZero || nearZero {
		s.lo, s.hi = min(s.lo, 0), max(s.hi, 0)
	}
	if s.hi-s.lo <= 1e-9*max(math.Abs(s.lo), math.Abs(s.hi)) { // a single value gets room on both sides
		room := max(math.Abs(s.lo)*0.2, math.SmallestNonzeroFloat64*1e10)
		if s.lo == 0 {
			room = 1
		}
		s.lo, s.hi = s.lo-room, s.hi+room
	} else if !spec.exact {
		pad := 0.04 * (s.hi - s.lo)
		if s.lo != 0 {
			s.lo -= pad
		}
		if s.hi != 0 {
			s.hi += max(pad, spec.headroom*(s.hi-s.lo))
		}
	}
	unitStep := spec.unit.pick(max(math.Abs(s.lo), math.Abs(s.hi)))
	scaled := linearMarks(s.lo/unitStep.factor, s.hi/unitStep.factor, maxTicks)
	for i := range scaled {
		scaled[i] *= unitStep.factor
	}
	if s.roomFor(spec.ticks) {
		scaled = spec.ticks
	}
	s.ticks = ticksAt(labelMarks(scaled, nil, unitStep), s.place)
	s.title, s.step = axisTitle(spec.name, unitStep), unitStep
	return s
}

func newLogScale(spec axisSpec, e extent) scale {
	s := scale{kind: logScale, lo: e.positive, hi: e.max, zero: e.zeros > 0}
	span := math.Log(s.hi / s.lo)
	switch {
	case span < 1e-9:
		s.lo, s.hi = s.lo/2, s.hi*2
	case !spec.exact:
		pad := math.Exp(0.04 * span)
		s.lo, s.hi = s.lo/pad, s.hi*pad
	}
	marks, unitStep := s.logMarks(spec)
	s.ticks = ticksAt(marks, s.place)
	if s.zero {
		s.ticks = append(s.ticks, plot.Tick{Value: zeroAt, Label: "0"})
	}
	s.title, s.step = axisTitle(spec.name, unitStep), unitStep
	return s
}

// roomFor tells whether labels at these values, ascending, would not run into each other.
func (s *scale) roomFor(values []float64) bool {
	last := -1.0
	for _, v := range values {
		at := s.place(v)
		if !usable(v) || at-last < 0.95/maxTicks {
			return false
		}
		last = at
	}
	return len(values) > 0
}

// logMarks labels a logarithmic axis. Sizes have a unit in every label, as they run through
// several.
func (s *scale) logMarks(spec axisSpec) ([]mark, step) {
	lo, hi, u := s.lo, s.hi, spec.unit
	if u.binary {
		values := binaryMarks(lo, hi, maxTicks)
		if s.roomFor(spec.ticks) {
			values = spec.ticks
		}
		var marks []mark
		for _, v := range values {
			if v > 0 {
				marks = append(marks, mark{v, u.text(v, 6)})
			}
		}
		return marks, step{factor: 1}
	}
	unitStep := u.pick(lo)
	if hi/unitStep.factor > 1.1e4 {
		unitStep = u.pick(hi)
	}
	if lo/unitStep.factor < 0.9e-3 {
		unitStep = u.pick(math.Sqrt(lo) * math.Sqrt(hi))
	}
	labelled, minor := logMarks(lo/unitStep.factor, hi/unitStep.factor, maxTicks)
	for i := range labelled {
		labelled[i] *= unitStep.factor
	}
	for i := range minor {
		minor[i] *= unitStep.factor
	}
	if s.roomFor(spec.ticks) {
		labelled = positives(spec.ticks)
	}
	return labelMarks(labelled, minor, unitStep), unitStep
}

func axisTitle(name string, s step) string {
	if s.symbol == "" {
		return name
	}
	return name + " (" + s.symbol + ")"
}

// newCategories makes an axis with one place for each value. A label takes as much of the axis as
// size tells, both 1 at most; where not all labels fit, those of round numbers stay, or every n-th.
func newCategories(title string, values []AxisValue, size func(label string) float64) scale {
	s := scale{kind: categories, title: title, places: map[string]float64{}}
	n := float64(len(values))
	s.width = 1 / max(n, 1)
	labels := categoryLabels(values)
	for i, v := range values {
		s.places[v.Text] = (float64(i) + 0.5) / n
	}
	for _, i := range pickLabels(values, labels, size) {
		s.ticks = append(s.ticks, plot.Tick{Value: s.places[values[i].Text], Label: labels[i]})
	}
	return s
}

// categoryLabels writes values alike: where one number needs a power of ten, all have it.
func categoryLabels(values []AxisValue) []string {
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
func pickLabels(values []AxisValue, labels []string, size func(string) float64) []int {
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

// isRound tells whether a value is a power of ten, or of two for sizes.
func isRound(a AxisValue) bool {
	if !(a.Number > 0) {
		return false
	}
	exponent := math.Log10(a.Number)
	if unitOf(a.Path).binary {
		exponent = math.Log2(a.Number)
	}
	return math.Abs(exponent-math.Round(exponent)) < 1e-9
}

// at returns the position of a value; false where it has none.
func (s *scale) at(v float64) (float64, bool) {
	v = flush(v)
	if !usable(v) || s.kind == categories {
		return 0, false
	}
	if s.kind == logScale && (v < 0 || (v == 0 && !s.zero)) {
		return 0, false
	}
	return s.place(v), true
}

// place is at for values that have a position.
func (s *scale) place(v float64) float64 {
	v = flush(v)
	if s.kind == linearScale {
		return (v - s.lo) / (s.hi - s.lo)
	}
	if v <= 0 {
		if s.zero && v == 0 {
			return zeroAt
		}
		return 0
	}
	share := math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	if s.zero {
		share = zeroShare + (1-zeroShare)*share
	}
	return share
}

// clamp returns the position of a value, or the end of the axis that it lies beyond.
func (s *scale) clamp(v float64) float64 {
	return min(max(s.place(v), 0), 1)
}
