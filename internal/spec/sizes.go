package spec

import (
	"math"
	"slices"

	"sdrsim/internal/portable"
	"sdrsim/units"
)

// Models of the size of messages.
const (
	SizeFixed     = "fixed"
	SizeUniform   = "uniform"
	SizeLognormal = "lognormal"
	SizeCDF       = "cdf"
)

// Sizes is a distribution of the sizes of messages, which Of draws from.
type Sizes struct {
	// table is the distribution of all models but lognormal: between two of its points sizes are
	// equally likely.
	table []SizePoint
	// Lognormal: exp(mu + sigma*Z) of a normal Z, where that is within the bounds, else the bound.
	mu, sigma float64
	low, high units.Bytes
}

// SizePoint says that a message has at most so many bytes with the probability p.
type SizePoint struct {
	Bytes int64
	P     float64
}

// UniformSizes has every size from low to high, equally likely.
func UniformSizes(low, high units.Bytes) *Sizes {
	return TabledSizes([]SizePoint{{int64(low) - 1, 0}, {int64(high), 1}})
}

// TabledSizes has, between each two points of a table, sizes that are equally likely. Bytes and
// probabilities do not fall, and the last probability is 1.
func TabledSizes(table []SizePoint) *Sizes { return &Sizes{table: table} }

// LognormalSizes has sizes whose logarithms are normal with mean mu and deviation sigma, cut off at
// low and high.
func LognormalSizes(mu, sigma float64, low, high units.Bytes) *Sizes {
	return &Sizes{mu: mu, sigma: sigma, low: low, high: high}
}

// Of is the size below which the share u of all messages is, for u in [0, 1).
func (s *Sizes) Of(u float64) units.Bytes {
	if s.table == nil {
		// The normal quantile; u is kept away from 0, which has none.
		z := math.Sqrt2 * portable.Erfinv(2*max(u, 1e-300)-1)
		return s.bounded(z)
	}
	i, _ := slices.BinarySearchFunc(s.table, u, func(p SizePoint, u float64) int {
		if p.P <= u {
			return -1
		}
		return 1
	})
	if i == 0 {
		return units.Bytes(s.table[0].Bytes)
	}
	from, to := s.table[i-1], s.table[i]
	share := (u - from.P) / (to.P - from.P) // below 1
	return units.Bytes(min(to.Bytes, from.Bytes+1+int64(share*float64(to.Bytes-from.Bytes))))
}

// bounded is the lognormal size of a normal z.
func (s *Sizes) bounded(z float64) units.Bytes {
	x := portable.Exp(s.mu + float64(s.sigma*z))
	if x >= float64(s.high) {
		return s.high
	}
	return max(s.low, units.Bytes(math.Round(x)))
}

// Largest is the size that no message exceeds.
func (s *Sizes) Largest() units.Bytes {
	if s.table == nil {
		return s.high
	}
	return units.Bytes(s.table[len(s.table)-1].Bytes)
}

// Mean is the mean size in bytes, and that on the wire where each packet of mtu has an overhead.
func (s *Sizes) Mean(mtu, overhead units.Bytes) (bytes, wire float64) {
	packets := 0.0
	if s.table == nil {
		bytes, packets = s.normalMean(mtu)
	} else {
		bytes, packets = s.tableMean(mtu)
	}
	return bytes, bytes + float64(packets*float64(overhead))
}

// tableMean sums over the pieces of a table, each of which has sizes that are equally likely.
func (s *Sizes) tableMean(mtu units.Bytes) (bytes, packets float64) {
	first := s.table[0]
	bytes = float64(first.P * float64(first.Bytes))
	packets = float64(first.P * float64(units.CeilDiv(max(first.Bytes, 0), int64(mtu))))
	for i, to := range s.table[1:] {
		from := s.table[i]
		p := to.P - from.P
		if from.Bytes == to.Bytes {
			bytes += float64(p * float64(to.Bytes))
			packets += float64(p * float64(units.CeilDiv(to.Bytes, int64(mtu))))
			continue
		}
		bytes += float64(p * (float64(from.Bytes) + float64(to.Bytes) + 1) / 2)
		n := float64(to.Bytes - from.Bytes)
		packets += float64(p * (packetsUpTo(to.Bytes, mtu) - packetsUpTo(from.Bytes, mtu)) / n)
	}
	return bytes, packets
}

// packetsUpTo is how many packets messages of 1, 2, .. n bytes have, one of each.
func packetsUpTo(n int64, mtu units.Bytes) float64 {
	whole, rest := float64(n/int64(mtu)), float64(n%int64(mtu))
	return float64(float64(mtu)*whole*(whole+1)/2) + float64(rest*(whole+1))
}

// normalMean integrates over the normal density, beyond whose ends nothing is left.
func (s *Sizes) normalMean(mtu units.Bytes) (bytes, packets float64) {
	const end, steps = 8.5, 8192
	sum := 0.0
	for i := range steps + 1 {
		z := end * float64(2*i-steps) / steps
		density := portable.Exp(-float64(z*z) / 2)
		size := s.bounded(z)
		sum += density
		bytes += float64(density * float64(size))
		packets += float64(density * float64(units.CeilDiv(int64(size), int64(mtu))))
	}
	return bytes / sum, packets / sum
}
