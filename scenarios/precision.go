package scenarios

import "sdrsim/internal/spec"

// precisionKey is the key of a precision.
func precisionKey(quantity, name string) Key {
	return Key{Path: "precision." + quantity, Kind: KindShare, Min: 1e-6, Max: 1, Fixed: true,
		Doc: "samples are doubled until the interval of " + name + " is within so much of it, " +
			"each way"}
}

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
		if s := d.get("precision." + q); s.has() {
			list = append(list, spec.Precision{Quantity: q, Relative: s.number})
		}
	}
	return list
}

// samplesMax is the most samples that a precision may take; 0 where none is asked for.
func (d point) samplesMax() int {
	if len(d.precision()) == 0 {
		return 0
	}
	if most := d.get("samples_max"); most.has() {
		return int(most.whole)
	}
	return min(d.count("samples")<<doublings, 1e9)
}

// checkPrecision wants room for more samples, and something that they are for.
func checkPrecision(d point, f *faults) {
	most, samples := d.get("samples_max"), d.get("samples")
	if !most.has() {
		return
	}
	if len(d.precision()) == 0 {
		f.blame("goes with precision, which says what more samples are for", nil, most)
	}
	if samples.has() && most.whole < samples.whole {
		f.blame("must be at least samples, which is %s", []any{samples.text}, most)
	}
}
