package scenarios

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	table []sizePoint
	// Lognormal: exp(mu + sigma*Z) of a normal Z, where that is within the bounds, else the bound.
	mu, sigma float64
	low, high units.Bytes
}

// sizePoint says that a message has at most so many bytes with the probability p.
type sizePoint struct {
	bytes int64
	p     float64
}

// uniformSizes has every size from low to high, equally likely.
func uniformSizes(low, high units.Bytes) *Sizes {
	return &Sizes{table: []sizePoint{{int64(low) - 1, 0}, {int64(high), 1}}}
}

// Of is the size below which the share u of all messages is, for u in [0, 1).
func (s *Sizes) Of(u float64) units.Bytes {
	if s.table == nil {
		// The normal quantile; u is kept away from 0, which has none.
		z := math.Sqrt2 * portable.Erfinv(2*max(u, 1e-300)-1)
		return s.bounded(z)
	}
	i, _ := slices.BinarySearchFunc(s.table, u, func(p sizePoint, u float64) int {
		if p.p <= u {
			return -1
		}
		return 1
	})
	if i == 0 {
		return units.Bytes(s.table[0].bytes)
	}
	from, to := s.table[i-1], s.table[i]
	share := (u - from.p) / (to.p - from.p) // below 1
	return units.Bytes(min(to.bytes, from.bytes+1+int64(share*float64(to.bytes-from.bytes))))
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
	return units.Bytes(s.table[len(s.table)-1].bytes)
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
	bytes = float64(first.p * float64(first.bytes))
	packets = float64(first.p * float64(units.CeilDiv(max(first.bytes, 0), int64(mtu))))
	for i, to := range s.table[1:] {
		from := s.table[i]
		p := to.p - from.p
		if from.bytes == to.bytes {
			bytes += float64(p * float64(to.bytes))
			packets += float64(p * float64(units.CeilDiv(to.bytes, int64(mtu))))
			continue
		}
		bytes += float64(p * (float64(from.bytes) + float64(to.bytes) + 1) / 2)
		n := float64(to.bytes - from.bytes)
		packets += float64(p * (packetsUpTo(to.bytes, mtu) - packetsUpTo(from.bytes, mtu)) / n)
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

// parseSizes reads a file of lines "bytes probability": the share of messages that have at most so
// many bytes, which grows to 1, or to 100 in percent.
//
//	0      0
//	10000  15     15 % of all messages have from 1 to 10 000 bytes, equally likely
//	20000  100
//
// Probabilities may have the sign, all or none: 15%. A first line with a probability above 0, and
// one with the bytes of the line before, say that so many messages have just that size.
func parseSizes(text string) (any, error) {
	s := &Sizes{}
	signs, lines := 0, 0
	err := eachLine(text, func(words []string) error {
		if len(words) != 2 {
			return errors.New("must be bytes and a probability")
		}
		bytes, err := strconv.ParseInt(words[0], 10, 64)
		number, sign := strings.CutSuffix(words[1], "%")
		p, err2 := parseDecimal(number)
		if lines++; sign {
			signs++
		}
		last := sizePoint{0, 0}
		if n := len(s.table); n > 0 {
			last = s.table[n-1]
		}
		switch {
		case err != nil || bytes < 0 || bytes > 1<<50:
			return fmt.Errorf("%q: must be an integer of bytes up to 2^50", words[0])
		case err2 != nil || p < 0 || p > 100:
			return fmt.Errorf("%q: must be a probability", words[1])
		case bytes < last.bytes || p < last.p:
			return errors.New("bytes and probabilities must not become less from line to line")
		case signs > 0 && signs < lines:
			return fmt.Errorf("%q: %s", words[1], mixedPercent)
		case p > 0 && bytes == 0:
			return errors.New("a message has at least one byte")
		}
		s.table = append(s.table, sizePoint{bytes, p})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(s.table) == 0 {
		return nil, errors.New("holds no lines of bytes and probability")
	}
	return s, s.normalize(signs > 0)
}

// mixedPercent is the fault of a file that means two things by its numbers.
const mixedPercent = "must be fractions of 1 or percent in every line; in percent, write % in all"

// normalize makes the probabilities end at 1, and drops what is beyond.
func (s *Sizes) normalize(percent bool) error {
	total := s.table[len(s.table)-1].p
	before := 0.0 // the greatest below the last
	for _, p := range s.table {
		if p.p < total {
			before = p.p
		}
	}
	switch {
	case percent && total != 100:
		return fmt.Errorf("the last probability is %v%%; must be 100%%", total)
	case total != 1 && total != 100:
		return fmt.Errorf("the last probability is %v; must be 1, or 100 in percent", total)
	case !percent && total == 100 && before > 0 && before <= 1:
		return fmt.Errorf("the probabilities grow to %v, and then to 100: %s", before, mixedPercent)
	}
	for i := range s.table {
		s.table[i].p /= total
	}
	end := slices.IndexFunc(s.table, func(p sizePoint) bool { return p.p == 1 })
	s.table = s.table[:end+1]
	return nil
}
