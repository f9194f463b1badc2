package scenarios

import (
	"fmt"
	"math"
	"strconv"

	"sdrsim/internal/portable"
	"sdrsim/schemes"
	"sdrsim/units"

	"gopkg.in/yaml.v3"
)

// span reads a range: from, to, and one of points (with scale), step and factor.
func (r *axisReader) span(n *yaml.Node) bool {
	if r.key.wordy() {
		r.f.add(place(n), "must be a list; a range needs numbers",
			Error{Key: "sweep." + r.key.Path})
		return false
	}
	b := newBlock(r.key.rangeKeys(), "sweep."+r.key.Path+".", place(n))
	d := decoder{f: r.f}
	before := r.f.count()
	for _, e := range entries(n, "sweep."+r.key.Path, r.f) {
		if s := b.lookup(e.key); s != nil {
			d.scalar(s, b.key(e.key), e.val)
		} else {
			addUnknown(r.f, e, "sweep."+r.key.Path, b.set.names())
		}
	}
	r.checkRange(&b)
	if r.f.count() > before || r.f.full() {
		return false
	}
	return r.expand(&b)
}

// rangeKeys are the keys of a range; its ends and its step are what the axis is.
func (k *Key) rangeKeys() *keySet {
	end := *k
	end.Default = ""
	from, to, step := end, end, end
	from.Path, to.Path, step.Path = "from", "to", "step"
	return newKeySet([]Key{from, to,
		{Path: "points", Kind: schemes.KindCount, Min: 2, Max: maxValues},
		{Path: "scale", Kind: schemes.KindChoice, Default: "linear",
			Choices: []string{"log", "linear"}},
		step,
		{Path: "factor", Kind: schemes.KindNumber, Min: 1.0001, Max: 1e12}})
}

// wordy reports whether values of the key are not numbers.
func (k *Key) wordy() bool {
	return k.Kind == schemes.KindChoice || k.Kind == KindSplit || k.Kind == KindRuns ||
		k.Kind == KindFile || k.Kind == KindHosts
}

// checkRange reports what is missing or does not go together.
func (r *axisReader) checkRange(b *block) {
	for _, name := range []string{"from", "to"} {
		if s := b.get(name); s.state == absent {
			r.f.add(s.at, "missing; must be "+r.key.Allowed(), Error{Key: s.name})
		}
	}
	from, to, points := b.get("from"), b.get("to"), b.get("points")
	step, factor, scale := b.get("step"), b.get("factor"), b.get("scale")
	spacings := 0
	for _, s := range []*setting{points, step, factor} {
		if s.state != absent {
			spacings++
		}
	}
	if spacings != 1 {
		r.f.add(from.at, "must have exactly one of points, step and factor",
			Error{Key: "sweep." + r.key.Path})
	}
	if scale.wrote() && points.state == absent {
		r.f.blame("scale goes with points", nil, scale)
	}
	if usable(from, to) {
		r.checkEnds(b)
	}
}

// checkEnds reports a range that leads nowhere.
func (r *axisReader) checkEnds(b *block) {
	from, to, step := b.get("from"), b.get("to"), b.get("step")
	if (from.span.Multiple != 0) != (to.span.Multiple != 0) {
		r.f.blame("from and to must both be times, or both multiples of the round-trip time",
			nil, to)
		return
	}
	if r.key.Kind == KindStay && from.timed() != to.timed() {
		r.f.blame("from and to must both be times, or both numbers of packets", nil, to)
		return
	}
	if r.base(to) <= r.base(from) {
		r.f.blame("to must be above from", nil, to)
	}
	if (b.get("scale").text == "log" || b.get("factor").has()) && r.base(from) <= 0 {
		r.f.blame("from must be above 0 on a log scale", nil, from)
	}
	if step.has() && r.base(step) <= 0 {
		r.f.blame("step must be above 0", nil, step)
	}
	if step.has() && ((step.span.Multiple != 0) != (to.span.Multiple != 0) ||
		r.key.Kind == KindStay && step.timed() != to.timed()) {
		r.f.blame("step must be of the kind that from and to are", nil, step)
	}
}

// base is the number that a range is computed in: the integers of kinds that have them.
func (r *axisReader) base(s *setting) float64 {
	if r.key.fractional(s.value) {
		return s.number
	}
	return float64(s.whole)
}

// fractional reports whether values like v need not be whole.
func (k *Key) fractional(v value) bool {
	return k.Kind == KindProbability || k.Kind == schemes.KindNumber || k.Kind == KindShare ||
		k.Kind == KindStay && !v.timed()
}

// expand computes the values of a range that has been checked.
func (r *axisReader) expand(b *block) bool {
	from, to := r.base(b.get("from")), r.base(b.get("to"))
	points := b.get("points")
	switch step, factor := b.get("step"), b.get("factor"); {
	case step.has():
		return r.walk(b, func(i int) float64 { return from + float64(float64(i)*r.base(step)) })
	case factor.has():
		r.axis.Log = true
		return r.walk(b, func(i int) float64 { return from * portable.Pow(factor.number, float64(i)) })
	}
	last := float64(points.whole - 1)
	r.axis.Log = b.get("scale").text == "log"
	for i := range int(points.whole) {
		x := from + (to-from)*float64(i)/last
		if r.axis.Log {
			x = from * portable.Pow(to/from, float64(i)/last)
		}
		if i == int(points.whole)-1 {
			x = to
		}
		if !r.append(b, x) {
			return false
		}
	}
	return true
}

// walk appends values until the end of the range, which is met within rounding or passed over.
func (r *axisReader) walk(b *block, at func(i int) float64) bool {
	to := r.base(b.get("to"))
	for i := 0; at(i) <= to*(1+1e-9); i++ {
		if i >= maxValues {
			r.f.add(b.get("from").at, fmt.Sprintf("more than %d values", maxValues),
				Error{Key: "sweep." + r.key.Path})
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
func (r *axisReader) append(b *block, x float64) bool {
	v := r.valueOf(x, b.get("to").value)
	list := r.axis.settings
	if n := len(list); n > 0 && list[n-1].text == v.text {
		r.f.add(b.get("from").at, "", Error{Key: "sweep." + r.key.Path, Value: r.pretty(v),
			Message: "comes twice, for the values are rounded to whole ones; " +
				"ask for fewer points"})
		return false
	}
	if !r.key.inRange(v) {
		r.f.add(b.get("from").at, "must be "+r.key.Allowed(),
			Error{Key: "sweep." + r.key.Path, Value: r.pretty(v)})
		return false
	}
	r.axis.settings = append(list, setting{
		value: v, name: r.key.Path, raw: r.pretty(v), at: b.get("from").at, state: swept,
	})
	return true
}

// valueOf makes a value of a number: rounded to 12 digits, so that 1e-8 to 1e-1 in 15 steps prints
// as short numbers, or to a whole quantity. It is of the kind that the end of the range has.
func (r *axisReader) valueOf(x float64, end value) value {
	if r.key.fractional(end) {
		return plain(round12(x))
	}
	q := r.key.quantum()
	n := int64(math.Round(x/float64(q))) * q
	switch {
	case r.key.Kind == schemes.KindSpan && end.span.Multiple != 0:
		return spanValue(units.RTTs(n))
	case r.key.Kind == schemes.KindSpan || r.key.Kind == KindDuration || r.key.Kind == KindStay:
		return spanOfTime(units.Duration(n))
	}
	return whole(n)
}

// round12 rounds to 12 significant digits.
func round12(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 11, 64), 64)
	if err != nil {
		panic("BUG: scenarios: " + err.Error())
	}
	return v
}

// pretty prints a value with its unit, as a user would write it.
func (r *axisReader) pretty(v value) string {
	switch r.key.Kind {
	case schemes.KindBytes:
		return units.Bytes(v.whole).String()
	case schemes.KindRate:
		return units.Rate(v.whole).String()
	case KindDistance:
		return units.Distance(v.whole).String()
	case KindDuration, schemes.KindSpan:
		return v.span.String()
	case KindStay:
		if v.timed() {
			return v.span.String()
		}
	}
	return v.text
}
