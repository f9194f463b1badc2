package sweep

import (
	"fmt"
	"math"

	"sdrsim/internal/stats"
	"sdrsim/scenarios"
)

// precise tells whether the intervals are as tight as the point asks for. Asking for nothing is
// always met.
func (r *Record) precise(p *scenarios.Point, s *scenarios.Scheme) bool {
	return len(r.missed(p, s)) == 0
}

// missed lists what the point asks for and does not get, for the results. A value or an end that
// the samples do not carry is not precise.
func (r *Record) missed(p *scenarios.Point, s *scenarios.Scheme) (list []string) {
	if len(p.Precision) == 0 {
		return nil
	}
	r = r.whole()
	sorted, _ := stats.Sorted(r.seconds(r.completion))
	for _, w := range p.Precision {
		e := r.estimate(w.Quantity, sorted)
		switch {
		case r.shares != nil:
			e = r.strataEstimate(w.Quantity, penaltyOf(p, s))
		case r.weight != nil:
			e = r.weightedEstimate(w.Quantity)
		}
		half := (e.Hi - e.Lo) / 2
		if e.Warning == "" && half <= float64(w.Relative*e.Value) {
			continue // never where an end is NaN
		}
		reached := "not carried by the samples"
		if within := half / e.Value; e.Warning == "" && within < math.Inf(1) {
			reached = fmt.Sprintf("within %.3g %%", 100*within)
		}
		list = append(list, fmt.Sprintf("precision: %s %s, asked for %.3g %%, at samples_max %d",
			w.Quantity, reached, 100*w.Relative, max(p.Samples, p.SamplesMax)))
	}
	return list
}

// quantiles are those that a precision can be asked of.
var quantiles = map[string]float64{
	scenarios.PrecisionP50: 0.5, scenarios.PrecisionP99: 0.99, scenarios.PrecisionP999: 0.999,
}

// estimate is a quantity that a precision can be asked of; sorted are the completion times.
func (r *Record) estimate(quantity string, sorted []float64) stats.Estimate {
	switch q, ok := quantiles[quantity]; {
	case ok:
		return stats.Quantile(sorted, q)
	case quantity == scenarios.PrecisionMean:
		return meanTime(r, r.completion)
	case quantity == scenarios.PrecisionGoodput:
		return r.goodput()
	}
	panic("BUG: sweep: no precision of " + quantity)
}

// weightedEstimate is the same of samples that count for more or less than one.
func (r *Record) weightedEstimate(quantity string) stats.Estimate {
	if quantity == scenarios.PrecisionGoodput {
		return r.goodput()
	}
	w := r.weighted(r.completion)
	if q, ok := quantiles[quantity]; ok {
		return w.Quantile(q)
	}
	return w.Mean()
}
