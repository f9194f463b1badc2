package report

import (
	"math"

	"gonum.org/v1/plot"

	"sdrsim/internal/figure"
	"sdrsim/internal/portable"
	"sdrsim/internal/result"
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
	// shortened tells that words for categories had no room.
	shortened bool
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

// axisSpec is what an axis is made from.
type axisSpec struct {
	name   string
	unit   unit
	values []float64
	want   string // figure.LogScale, figure.LinearScale, or empty
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
	useLog := spec.want == figure.LogScale || (spec.want == "" && e.logarithmic())
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
	// A single value gets room on both sides.
	if s.hi-s.lo <= 1e-9*max(math.Abs(s.lo), math.Abs(s.hi)) {
		room := max(math.Abs(s.lo)*0.2, math.SmallestNonzeroFloat64*1e10)
		s.lo, s.hi = s.lo-room, s.hi+room
		if e.max == 0 {
			s.lo, s.hi = 0, 1
		}
	} else if !spec.exact {
		pad := float64(0.04 * (s.hi - s.lo))
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
	span := portable.Log(s.hi / s.lo)
	switch {
	case span < 1e-9:
		s.lo, s.hi = s.lo/2, s.hi*2
	case !spec.exact:
		pad := portable.Exp(0.04 * span)
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

// roomFor reports whether labels at these values, ascending, would not run into each other.
func (s *scale) roomFor(values []float64) bool {
	last := -1.0
	for _, v := range values {
		at := s.place(v)
		if !result.Usable(v) || at-last < 0.95/maxTicks {
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

// at returns the position of a value; false where it has none.
func (s *scale) at(v float64) (float64, bool) {
	v = flush(v)
	if !result.Usable(v) || s.kind == categories {
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
	share := portable.Log(v/s.lo) / portable.Log(s.hi/s.lo)
	if s.zero {
		share = zeroShare + float64((1-zeroShare)*share)
	}
	return share
}

// clamp returns the position of a value, or the end of the axis that it lies beyond.
func (s *scale) clamp(v float64) float64 {
	return min(max(s.place(v), 0), 1)
}
