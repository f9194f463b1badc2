package rules

import (
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/spec"
)

// doublings is how often samples are doubled at most where samples_max does not say.
const doublings = 6

var precisionQuantities = []string{
	spec.PrecisionMean, spec.PrecisionP50, spec.PrecisionP99, spec.PrecisionP999,
	spec.PrecisionGoodput,
	spec.PrecisionLatencyMean, spec.PrecisionLatencyP99, spec.PrecisionLatencyP999,
}

// precision is how tight the intervals of the point shall be.
func (d point) precision() (list []spec.Precision) {
	for _, q := range precisionQuantities {
		if s := d.Get("precision." + q); s.Has() {
			list = append(list, spec.Precision{Quantity: q, Relative: s.Number})
		}
	}
	return list
}

// samplesMax is the most samples that a precision may take; 0 where none is asked for.
func (d point) samplesMax() int {
	if len(d.precision()) == 0 {
		return 0
	}
	if most := d.Get("samples_max"); most.Has() {
		return int(most.Whole)
	}
	return min(d.count("samples")<<doublings, 1e9)
}

// checkPrecision wants room for more samples, and something that they are for.
func checkPrecision(d point, f *format.Faults) {
	most, samples := d.Get("samples_max"), d.Get("samples")
	if !most.Has() {
		return
	}
	if len(d.precision()) == 0 {
		f.Blame("goes with precision, which says what more samples are for", nil, most)
	}
	if samples.Has() && most.Whole < samples.Whole {
		f.Blame("must be at least samples, which is %s", []any{samples.Text}, most)
	}
}
