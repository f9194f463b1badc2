package scenarios

import (
	"math/bits"

	"sdrsim/units"
)

// coded tells whether the scheme sends parity.
func (s *schemeDraft) coded() bool { return s.entry.Coded }

// Limits of the Reed-Solomon codecs: over GF(2^8), and over GF(2^16), which works on shards of
// multiples of 64 bytes and rounds their number of parity up to a power of two.
const (
	maxShards     = 256
	maxWideShards = 65536
	wideShard     = 64
)

// checkCode applies the limits of the codes.
func checkCode(d *draft, s *schemeDraft, f *faults) {
	k, m, chunk := s.get("k"), s.get("m"), d.chunk()
	if !usable(k, m) {
		return
	}
	if s.entry.Disjoint {
		if m.whole > k.whole {
			f.blame("m %d must not be above k %d: each parity chunk covers a data chunk",
				[]any{m.whole, k.whole}, m, k)
		}
		return
	}
	shards, padded := k.whole+m.whole, int64(1)<<bits.Len64(uint64(m.whole-1))
	switch {
	case shards > maxShards && k.whole+padded > maxWideShards:
		f.blame("k is %d and m is %d, rounded up to a power of two %d; together they must be "+
			"at most %d", []any{k.whole, m.whole, padded, maxWideShards}, k, m)
	case shards > maxShards && chunk.has() && chunk.whole%wideShard != 0:
		f.blame("k+m is %d; above %d message.chunk must be a multiple of %dB, and is %dB",
			[]any{shards, maxShards, wideShard, chunk.whole}, k, m, chunk)
	}
}

// checkCoding keeps the work of encoders and decoders inside the clock. Submessages are coded one
// after the other, the last as if it were whole.
func checkCoding(d *draft, s *schemeDraft, f *faults) {
	k, chunk, size, cores := s.get("k"), d.chunk(), d.largestSize(), s.get("cores")
	parts, count := d.get("collective.datacenters"), d.get("message.count")
	if !usable(k, chunk, size, cores, count) || parts.state == broken {
		return
	}
	subs := ceilDiv(ceilDiv(d.size(), chunk.whole), k.whole)
	bits := 8 * float64(subs) * float64(k.whole) * float64(chunk.whole) * float64(d.turns())
	for _, path := range []string{"encode.rate", "decode.rate"} {
		rate := s.get(path)
		if rate.has() && bits > maxSendSeconds*float64(rate.whole)*float64(cores.whole) {
			f.blame("coding %v in submessages of %v takes more than 11 days of simulated time, the "+
				"most that there is", []any{units.Bytes(d.size()), units.Bytes(k.whole * chunk.whole)},
				rate, k, cores, chunk, size, count, parts)
		}
	}
}
