package axes

import (
	"fmt"
	"math"
	"strconv"

	"sdrsim/internal/portable"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/schemes"
	"sdrsim/units"

	"gopkg.in/yaml.v3"
)

// span reads a range: from, to, and one of points (with scale), step and factor.
func (r *axisReader) span(n *yaml.Node) bool {
	if r.key.Wordy() {
		r.f.Add(format.Place(n), "must be a list; a range needs numbers",
			format.Error{Key: "sweep." + r.key.Path})
		return false
	}
	b := keys.NewBlock(r.key.RangeKeys(), "sweep."+r.key.Path+".", format.Place(n))
	d := draft.Decoder{Faults: r.f}
	before := r.f.Count()
	for _, e := range format.Entries(n, "sweep."+r.key.Path, r.f) {
		if s := b.Lookup(e.Key); s != nil {
			d.Scalar(s, b.Key(e.Key), e.Val)
		} else {
			format.AddUnknown(r.f, e, "sweep."+r.key.Path, b.Set.Names())
		}
	}
	r.checkRange(&b)
	if r.f.Count() > before || r.f.Full() {
		return false
	}
	return r.expand(&b)
}

// checkRange reports what is missing or does not go together.
func (r *axisReader) checkRange(b *keys.Block) {
	for _, name := range []string{"from", "to"} {
		if s := b.Get(name); s.State == keys.Absent {
			r.f.Add(s.At, "missing; must be "+r.key.Allowed(), format.Error{Key: s.Name})
		}
	}
	from, to, points := b.Get("from"), b.Get("to"), b.Get("points")
	step, factor, scale := b.Get("step"), b.Get("factor"), b.Get("scale")
	spacings := 0
	for _, s := range []*keys.Setting{points, step, factor} {
		if s.State != keys.Absent {
			spacings++
		}
	}
	if spacings != 1 {
		r.f.Add(from.At, "must have exactly one of points, step and factor",
			format.Error{Key: "sweep." + r.key.Path})
	}
	if scale.Wrote() && points.State == keys.Absent {
		r.f.Blame("scale goes with points", nil, scale)
	}
	if keys.Usable(from, to) {
		r.checkEnds(b)
	}
}

// checkEnds reports a range that leads nowhere.
func (r *axisReader) checkEnds(b *keys.Block) {
	from, to, step := b.Get("from"), b.Get("to"), b.Get("step")
	if (from.Span.Multiple != 0) != (to.Span.Multiple != 0) {
		r.f.Blame("from and to must both be times, or both multiples of the round-trip time",
			nil, to)
		return
	}
	if r.key.Kind == keys.KindStay && from.Timed() != to.Timed() {
		r.f.Blame("from and to must both be times, or both numbers of packets", nil, to)
		return
	}
	if r.base(to) <= r.base(from) {
		r.f.Blame("to must be above from", nil, to)
	}
	if (b.Get("scale").Text == "log" || b.Get("factor").Has()) && r.base(from) <= 0 {
		r.f.Blame("from must be above 0 on a log scale", nil, from)
	}
	if step.Has() && r.base(step) <= 0 {
		r.f.Blame("step must be above 0", nil, step)
	}
	if step.Has() && ((step.Span.Multiple != 0) != (to.Span.Multiple != 0) ||
		r.key.Kind == keys.KindStay && step.Timed() != to.Timed()) {
		r.f.Blame("step must be of the kind that from and to are", nil, step)
	}
}

// base is the number that a range is computed in: the integers of kinds that have them.
func (r *axisReader) base(s *keys.Setting) float64 {
	if r.key.Fractional(s.Value) {
		return s.Number
	}
	return float64(s.Whole)
}

// expand computes the values of a range that has been checked.
func (r *axisReader) expand(b *keys.Block) bool {
	from, to := r.base(b.Get("from")), r.base(b.Get("to"))
	points := b.Get("points")
	switch step, factor := b.Get("step"), b.Get("factor"); {
	case step.Has():
		return r.walk(b, func(i int) float64 { return from + float64(float64(i)*r.base(step)) })
	case factor.Has():
		r.axis.Log = true
		return r.walk(b, func(i int) float64 { return from * portable.Pow(factor.Number, float64(i)) })
	}
	last := float64(points.Whole - 1)
	r.axis.Log = b.Get("scale").Text == "log"
	for i := range int(points.Whole) {
		x := from + (to-from)*float64(i)/last
		if r.axis.Log {
			x = from * portable.Pow(to/from, float64(i)/last)
		}
		if i == int(points.Whole)-1 {
			x = to
		}
		if !r.append(b, x) {
			return false
		}
	}
	return true
}

// walk appends values until the end of the range, which is met within rounding or passed over.
func (r *axisReader) walk(b *keys.Block, at func(i int) float64) bool {
	to := r.base(b.Get("to"))
	for i := 0; at(i) <= to*(1+1e-9); i++ {
		if i >= keys.MaxValues {
			r.f.Add(b.Get("from").At, fmt.Sprintf("more than %d values", keys.MaxValues),
				format.Error{Key: "sweep." + r.key.Path})
			return false
		}
		if !r.append(b, min(at(i), to)) {
			return false
		}
	}
	return true
}

// append adds a value of the range. Two values that round to one are a fault: the range asks for
// more points than there are whole values.
func (r *axisReader) append(b *keys.Block, x float64) bool {
	v := r.valueOf(x, b.Get("to").Value)
	list := r.axis.settings
	if n := len(list); n > 0 && list[n-1].Text == v.Text {
		r.f.Add(b.Get("from").At, "", format.Error{Key: "sweep." + r.key.Path, Value: r.pretty(v),
			Message: "comes twice, for the values are rounded to whole ones; " +
				"ask for fewer points"})
		return false
	}
	if !r.key.InRange(v) {
		r.f.Add(b.Get("from").At, "must be "+r.key.Allowed(),
			format.Error{Key: "sweep." + r.key.Path, Value: r.pretty(v)})
		return false
	}
	r.axis.settings = append(list, keys.Setting{
		Value: v, Name: r.key.Path, Raw: r.pretty(v), At: b.Get("from").At, State: keys.Swept,
	})
	return true
}

// valueOf makes a value of a number: rounded to 12 digits, so that 1e-8 to 1e-1 in 15 steps prints
// as short numbers, or to a whole quantity. It is of the kind that the end of the range has.
func (r *axisReader) valueOf(x float64, end keys.Value) keys.Value {
	if r.key.Fractional(end) {
		return keys.Plain(round12(x))
	}
	q := r.key.Multiple()
	n := int64(math.Round(x/float64(q))) * q
	switch {
	case r.key.Kind == schemes.KindSpan && end.Span.Multiple != 0:
		return keys.SpanValue(units.RTTs(n))
	case r.key.Kind == schemes.KindSpan || r.key.Kind == keys.KindDuration ||
		r.key.Kind == keys.KindStay:
		return keys.SpanOfTime(units.Duration(n))
	}
	return keys.Whole(n)
}

// round12 rounds to 12 significant digits.
func round12(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 11, 64), 64)
	if err != nil {
		panic("BUG: axes: " + err.Error())
	}
	return v
}

// pretty prints a value with its unit, as a user would write it.
func (r *axisReader) pretty(v keys.Value) string {
	switch r.key.Kind {
	case schemes.KindBytes:
		return units.Bytes(v.Whole).String()
	case schemes.KindRate:
		return units.Rate(v.Whole).String()
	case keys.KindDistance:
		return units.Distance(v.Whole).String()
	case keys.KindDuration, schemes.KindSpan:
		return v.Span.String()
	case keys.KindStay:
		if v.Timed() {
			return v.Span.String()
		}
	}
	return v.Text
}
