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

// over is the mean over strata of a number of each sample, none below zero. One more rare event may
// add as much as the largest that was seen.
func (m *measurement) over(of func(*sample) float64) stats.Estimate {
	e := stats.StrataMean(0, m.divide(of))
	e.Warning = ""
	return e
}
