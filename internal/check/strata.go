package check

import (
	"math"

	"sdrsim/internal/stats"
)

// divide divides a number of each sample into the strata that the samples are of, without those
// that failed.
func (m *measurement) divide(of func(*sample) float64) []stats.Stratum {
	values, stratum := make([]float64, len(m.sample)), make([]uint8, len(m.sample))
	for i := range m.sample {
		values[i], stratum[i] = math.NaN(), uint8(m.sample[i].stratum)
		if m.sample[i].failed == 0 {
			values[i] = of(&m.sample[i])
		}
	}
	return stats.Divide(m.plan.Strata.Shares, stratum, values)
}

// over is the mean over strata of a number of each sample, none below zero. Its interval allows for
// one more event that no sample had, which adds so much.
func (m *measurement) over(event float64, of func(*sample) float64) stats.Estimate {
	list := m.divide(of)
	for k := range list[1:] {
		list[1+k].Penalty = event
	}
	return stats.StrataMean(math.Inf(1), list)
}
