package sweep

import (
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
)

// roundRows turns the times of the rounds of a collective into their rows: of each round, over the
// samples that were delivered. Samples that count for more or less than one have none.
func (r *Record) roundRows(p *spec.Point, scheme string) []result.Round {
	if r.weight != nil {
		return nil
	}
	list := make([]result.Round, r.rounds)
	axes := AxesOf(p)
	times := make([]float64, 0, r.samples)
	for number := range list {
		times = times[:0]
		for i, n := range r.delivered[:r.samples] {
			if n > 0 {
				times = append(times, r.round[i*r.rounds+number].Seconds())
			}
		}
		sorted, _ := stats.Sorted(times)
		list[number] = result.Round{
			Axes: axes, Scheme: scheme, Number: int64(number), Samples: int64(len(times)),
			Mean: stats.Sum(times) / float64(len(times)),
			P50:  stats.Quantile(sorted, 0.5).Value,
			P99:  stats.Quantile(sorted, 0.99).Value,
			P999: stats.Quantile(sorted, 0.999).Value,
		}
	}
	return list
}
