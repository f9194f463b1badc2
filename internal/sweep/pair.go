package sweep

import (
	"math"
	"slices"

	"sdrsim/internal/stats"
)

// pair compares the schemes of a complete group with the first of them, sample by sample: equal
// numbers have met equal losses, and what that makes them have in common is not in the interval.
func pair(g *group) {
	base := g.units[0].times
	for i := range g.units {
		if len(g.units) == 1 || base == nil {
			break // nothing to compare, or samples that are weighted
		}
		u := &g.units[i]
		e := stats.Estimate{Value: 1, Lo: 1, Hi: 1} // of the first over itself
		if i > 0 || !slices.ContainsFunc(base, delivered) {
			e = speedup(&g.units[0], u)
		}
		u.row.SpeedupMean, u.row.SpeedupLo, u.row.SpeedupHi = e.Value, e.Lo, e.Hi
	}
	for i := range g.units {
		g.units[i].times, g.units[i].drawn = nil, nil
	}
}

func delivered(time float64) bool { return !math.IsNaN(time) }

// speedup is the ratio of mean completion times of samples that both schemes have and that neither
// failed.
func speedup(base, other *reduced) stats.Estimate {
	if base.drawn != nil || other.drawn != nil {
		return strataSpeedup(base, other)
	}
	a := stats.Paired{Known: base.known}
	b := stats.Paired{Known: other.known}
	for i := range min(len(base.times), len(other.times)) {
		if delivered(base.times[i]) && delivered(other.times[i]) {
			a.Values = append(a.Values, base.times[i])
			b.Values = append(b.Values, other.times[i])
		}
	}
	return stats.Speedup(a, b)
}

// sampleTimes is the mean completion time of each sample in seconds, NaN where a message failed.
func (r *Record) sampleTimes() []float64 {
	times := make([]float64, r.samples)
	for i, n := range r.delivered[:r.samples] {
		times[i] = math.NaN()
		if int(n) == r.messages {
			times[i] = r.sampleTime(r.completion, i) / float64(n)
		}
	}
	return times
}
