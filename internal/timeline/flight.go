package timeline

import (
	"cmp"
	"slices"

	"sdrsim/units"
	"sdrsim/wire"
)

// deltas are changes of a counter.
type deltas []point

// ramp adds the bytes of packets as they pass, in at most so many steps.
func (d *deltas) ramp(run *wire.Run, sign int64) {
	const steps = 64
	each := max(1, (run.Count+steps-1)/steps)
	for done := int64(0); done < run.Count; {
		n := min(each, run.Count-done)
		done += n
		at := run.DepartureOf(run.First + done - 1)
		*d = append(*d, point{at, sign * n * int64(run.Payload)})
	}
}

// sum is the counter over time.
func (d deltas) sum() []point {
	slices.SortStableFunc(d, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	var list []point
	total := int64(0)
	for _, p := range d {
		total += p.bytes
		if n := len(list); n > 0 && list[n-1].at == p.at {
			list[n-1].bytes = total
			continue
		}
		list = append(list, point{p.at, total})
	}
	return list
}

// nanoseconds since the start of the sample.
func nanoseconds(t units.Time) uint64 { return uint64(t) / uint64(units.Nanosecond) }
