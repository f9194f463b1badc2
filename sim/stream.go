package sim

import "math/rand/v2"

// Stream is a stream of random numbers with a name. Streams that differ in seed, name or index
// draw independently of each other.
//
// The numbers are those of PCG-DXSM with 128 bits of state as in math/rand/v2, which keeps them
// unchanged across versions of Go; TestStreamGolden would notice if it did not. A stream must not
// be copied.
type Stream struct {
	*rand.Rand
	pcg rand.PCG
}

// NewStream returns the stream of that seed, name and index. The index is the number of the
// replication, or 0.
func NewStream(seed uint64, name string, index uint64) *Stream {
	s := &Stream{}
	s.Seed(seed, name, index)
	return s
}

// Seed turns s into the stream of that seed, name and index, at its start. It allocates only on
// a zero Stream, so one Stream can serve all replications.
func (s *Stream) Seed(seed uint64, name string, index uint64) {
	if s.Rand == nil {
		s.Rand = rand.New(&s.pcg)
	}
	n := fnv1a(name)
	s.pcg.Seed(chain(gammaA, seed, n, index), chain(gammaB, seed, n, index))
}

// Two odd constants make two independent halves of the state: the fractional parts of the golden
// ratio and of the square root of three.
const (
	gammaA = 0x9e3779b97f4a7c15
	gammaB = 0xbb67ae8584caa73b
)

// chain mixes three words into one. For any two of them fixed, it is a bijection of the third.
func chain(gamma, seed, name, index uint64) uint64 {
	h := mix(seed + gamma)
	h = mix(h ^ name + gamma)
	return mix(h ^ mix(index+gamma))
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014): a bijection of 64 bits in
// which every input bit changes every output bit half of the time.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hashStart is the hash of no events.
const hashStart = gammaA

// fnv1a is the 64-bit FNV-1a hash.
func fnv1a(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}
