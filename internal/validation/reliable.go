package validation

import (
	"sdrsim/schemes/model"
	"sdrsim/sim/portable"
	"sdrsim/sim/units"
)

// Student's interval of a mean is of use where what makes the samples differ has happened in enough
// of them. It is empty where no sample, or every sample, has met the same number of timeouts, and
// too narrow where the few that met one more make up the variance.
const (
	// fewest is how many samples of a kind are enough.
	fewest = 20
	// negligible is the part of the variance that rare kinds of samples may make up.
	negligible = 0.05
)

// rounds is how many timeouts a message is followed through.
const rounds = 40

// reliableRepeat tells whether the interval of so many samples of Selective Repeat can be relied
// on. Samples are of a kind by the most often repeated chunk: its repeats make
//
//	T = RTT + i T_inj + k (RTO + T_inj),  0 < i <= M
//
// and the form gives the probability of each k. Beyond a timeout the kinds overlap; their
// probabilities still tell which are rare.
func (s setting) reliableRepeat(samples, timeout int64) bool {
	sr := s.sr(timeout)
	step := sr.RTO + sr.ChunkTime
	injection := units.Duration(sr.Chunks) * sr.ChunkTime
	var kinds [rounds]float64
	mean, below := 0.0, 0.0
	for k := range kinds {
		upTo := sr.CDF(sr.RTT + injection + units.Duration(k)*step)
		kinds[k], below = upTo-below, upTo
		mean += float64(float64(k) * kinds[k])
	}
	// Within a kind, i is spread over the message; without a loss it is M.
	within := portable.Pow(float64(injection)/float64(step), 2) / 12
	total, rare := 0.0, 0.0
	for k, p := range kinds {
		part := float64(p * portable.Pow(float64(k)-mean, 2))
		if k > 0 {
			part += float64(p * within)
		}
		total += part
		if p*float64(samples) < fewest {
			rare += part
		}
	}
	return total > 0 && rare <= float64(negligible*total)
}

// reliableMean tells whether the interval of a mean can be relied on. That of a code needs messages
// that lose data and wait for parity, and fallbacks that weigh nothing or are seen.
func (s setting) reliableMean(scheme string, samples int64) bool {
	if scheme == "sr-rto" {
		return s.reliableRepeat(samples, rtos)
	}
	lossy := -portable.Expm1(float64(s.chunks()) * portable.Log1p(-s.p))
	return lossy*float64(samples) >= fewest && s.reliable(scheme, samples)
}

// reliable tells the same of any scheme. That of a code depends on how many messages fall back, if
// their fallbacks weigh anything in the mean.
func (s setting) reliable(scheme string, samples int64) bool {
	code := model.MDS
	switch scheme {
	case "sr-rto":
		return s.reliableRepeat(samples, rtos)
	case "sr-nack":
		return s.reliableRepeat(samples, 1)
	case "ec-xor":
		code = model.XOR
	}
	fallback := s.ec(code).PFallback()
	const weightless = 1e-9
	return fallback < weightless || fallback*float64(samples) >= fewest
}
