package sweep

import (
	"fmt"
	"math"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
)

// precise tells whether the intervals are as tight as the point asks for. Asking for nothing is
// always met.
func (r *Record) precise(p *spec.Point) bool { return len(r.missed(p)) == 0 }

// missed lists what the point asks for and does not get, for the results. A value or an end that
// the samples do not carry is not precise.
func (r *Record) missed(p *spec.Point) (list []string) {
	if len(p.Precision) == 0 {
		return nil
	}
	r = r.whole()
	sorted, _ := stats.Sorted(r.seconds(r.completion))
	times := r.estimates(sorted)
	for _, w := range p.Precision {
		e := r.estimateOf(w.Quantity, times)
		switch {
		case r.shares != nil:
			e = r.strataEstimate(w.Quantity)
		case r.weight != nil:
			e = r.weightedEstimate(w.Quantity)
		}
		side := max(e.Hi-e.Value, e.Value-e.Lo)
		carried := e.Warning == "" || r.accountsFor(w.Quantity)
		if carried && r.enough(w.Quantity) && side <= float64(w.Relative*e.Value) {
			continue // never where an end is NaN
		}
		reached := "not carried by the samples"
		if within := side / e.Value; carried && within < math.Inf(1) {
			reached = fmt.Sprintf("within %.3g %%", 100*within)
		}
		list = append(list, fmt.Sprintf("precision: %s %s, asked for %.3g %%, at samples_max %d",
			w.Quantity, reached, 100*w.Relative, max(p.Samples, p.SamplesMax)))
	}
	return list
}

// minPrecise is the least number of samples that a mean can be precise with, where they differ by
// chance.
const minPrecise = 20

// enough reports whether there are as many samples as a quantity needs to be precise at all.
func (r *Record) enough(quantity string) bool {
	_, quantile := quantiles[quantity]
	return quantile || r.certain() || r.samples >= minPrecise
}

// accountsFor reports whether the interval of a mean or of a rate has room for events that few
// samples met: the scheme tells what they cost, they come alone, and one was seen.
func (r *Record) accountsFor(quantity string) bool {
	_, quantile := quantiles[quantity]
	return !quantile && r.about.penalty > 0 && !r.about.bursts && r.weight == nil &&
		r.unseen() == ""
}

// quantiles are those that a precision can be asked of.
var quantiles = map[string]float64{
	spec.PrecisionP50: 0.5, spec.PrecisionP99: 0.99, spec.PrecisionP999: 0.999,
	spec.PrecisionLatencyP99: 0.99, spec.PrecisionLatencyP999: 0.999,
}

// estimateOf is a quantity of latencies, or of completion times.
func (r *Record) estimateOf(quantity string, completion timesOf) stats.Estimate {
	if r.wait == nil || !strings.HasPrefix(quantity, "latency_") {
		return completion.estimate(quantity)
	}
	return r.latencyEstimates().estimate(quantity)
}

// estimate is a quantity that a precision can be asked of.
func (t timesOf) estimate(quantity string) stats.Estimate {
	switch q, ok := quantiles[quantity]; {
	case ok:
		return t.of(q)
	case quantity == spec.PrecisionMean || quantity == spec.PrecisionLatencyMean:
		return t.mean()
	case quantity == spec.PrecisionGoodput:
		return t.record.goodput()
	}
	panic("BUG: sweep: no precision of " + quantity)
}

// weightedEstimate is the same of samples that count for more or less than one.
func (r *Record) weightedEstimate(quantity string) stats.Estimate {
	if quantity == spec.PrecisionGoodput {
		return r.goodput()
	}
	w := r.weighted(r.completion)
	if q, ok := quantiles[quantity]; ok {
		return w.Quantile(q)
	}
	return w.Mean()
}
