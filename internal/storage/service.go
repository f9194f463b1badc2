package storage

import (
	"math"

	"sdrsim/units"
)

// Operations of files.
const (
	Read  = "read"
	Write = "write"
)

// measured is one row of the published tables, in microseconds: of one operation at a time, how
// long submitting it takes, the mean of the rest, and quantiles of the rest.
type measured struct {
	size      units.Bytes
	submit    float64
	mean      float64
	quantiles [8]float64 // at levels
}

// levels are the probabilities of the quantiles that were published.
var levels = [8]float64{0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999}

// beyond is how much longer than its last quantile an operation takes at most.
const beyond = 1.3

const kib = units.KiB

// The tables: of the NFS client on the DPU with its server over a local network, and of virtio and
// the DPU alone, which answers by itself.
var (
	remoteReads = []measured{
		{4 * kib, 5.5, 91.5, [8]float64{85, 87, 89, 105, 129, 149, 235, 322}},
		{16 * kib, 6.8, 109.0, [8]float64{101, 103, 108, 133, 143, 169, 233, 302}},
		{64 * kib, 10.0, 174.3, [8]float64{157, 163, 180, 225, 243, 255, 297, 347}},
		{128 * kib, 12.2, 261.4, [8]float64{235, 251, 269, 314, 343, 363, 437, 537}},
	}
	remoteWrites = []measured{
		{4 * kib, 6.4, 95.5, [8]float64{85, 93, 96, 114, 135, 153, 231, 314}},
		{16 * kib, 9.7, 135.4, [8]float64{116, 133, 145, 153, 176, 198, 251, 355}},
		{64 * kib, 11.1, 223.6, [8]float64{206, 219, 227, 265, 281, 289, 338, 412}},
		{128 * kib, 16.2, 339.6, [8]float64{322, 334, 347, 355, 371, 412, 611, 644}},
	}
	localReads = []measured{
		{4 * kib, 4.5, 38.6, [8]float64{32, 34, 40, 52, 67, 95, 113, 133}},
		{16 * kib, 6.0, 49.4, [8]float64{41, 45, 56, 65, 80, 106, 125, 147}},
		{64 * kib, 13.0, 92.7, [8]float64{79, 87, 99, 111, 137, 157, 172, 210}},
		{128 * kib, 18.9, 142.4, [8]float64{125, 135, 151, 172, 188, 202, 233, 375}},
	}
	localWrites = []measured{
		{4 * kib, 5.3, 43.3, [8]float64{34, 40, 49, 59, 73, 100, 119, 145}},
		{16 * kib, 7.0, 54.6, [8]float64{45, 49, 61, 71, 88, 115, 133, 157}},
		{64 * kib, 7.9, 83.0, [8]float64{72, 80, 94, 98, 128, 145, 161, 204}},
		{128 * kib, 13.6, 129.9, [8]float64{113, 123, 137, 165, 180, 190, 219, 355}},
	}
)

// Service is the distribution of what an operation takes without a network: between the quantiles
// that were published times are equally likely.
type Service struct {
	submit    float64 // microseconds
	quantiles [8]float64
}

// Remote is the service of the client on the DPU and of its server.
func Remote(operation string, size units.Bytes) Service {
	if operation == Write {
		return between(remoteWrites, size)
	}
	return between(remoteReads, size)
}

// Local is that of virtio and the DPU alone, of data that it has.
func Local(operation string, size units.Bytes) Service {
	if operation == Write {
		return between(localWrites, size)
	}
	return between(localReads, size)
}

// between is the service of a size: between two rows of the table as the line through both says,
// and beyond the last row longer as the mean grew to it.
func between(rows []measured, size units.Bytes) Service {
	i := 1
	for i < len(rows)-1 && rows[i].size < size {
		i++
	}
	a, b := &rows[i-1], &rows[i]
	share := max(0, float64(size-a.size)/float64(b.size-a.size))
	inside := min(1, share)
	line := func(x, y float64) float64 { return x + float64(inside*(y-x)) }
	more := float64((share - inside) * (b.mean - a.mean))
	s := Service{submit: line(a.submit, b.submit)}
	for k := range s.quantiles {
		s.quantiles[k] = line(a.quantiles[k], b.quantiles[k]) + more
	}
	return s
}

// Of is the time that the share u of all operations does not exceed, for u in [0, 1).
func (s *Service) Of(u float64) units.Duration {
	low, high := 0.0, levels[0]
	from, to := s.quantiles[0], s.quantiles[0]
	for i := 1; u >= high; i++ {
		low, from = high, to
		if i == len(levels) {
			high, to = 1, beyond*from
			break
		}
		high, to = levels[i], s.quantiles[i]
	}
	us := from + float64((u-low)/(high-low)*(to-from))
	return units.Duration(math.Round((s.submit + us) * float64(units.Microsecond)))
}

// Least is the least time.
func (s *Service) Least() units.Duration { return s.Of(0) }
