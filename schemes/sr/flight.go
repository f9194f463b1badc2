package sr

import "sdrsim/units"

// flight is the transmissions under way, in order of departure. It is a ring like those of
// internal/ring, without what generic code costs at every loss.
type flight struct {
	slots []stretch // length a power of two, or zero
	// head and tail are running numbers: stretch n, head <= n < tail, is slots[n mod len(slots)].
	head, tail uint64
}

// stretch is consecutive chunks that left one after the other. The last packet of its first chunk
// left at depart, and those of the next ones spacing apart. Chunks may have been asked for since.
type stretch struct {
	first, count uint32 // a message has no more packets than 32 bits can tell apart
	depart       units.Time
	spacing      units.Duration
}

// end is the chunk after the last.
func (s *stretch) end() int64 { return int64(s.first) + int64(s.count) }

// departureOf is when the last packet of a chunk of the stretch leaves, or of one that continues
// it.
func (s *stretch) departureOf(chunk int64) units.Time {
	return s.depart.Add(units.Duration(chunk-int64(s.first)) * s.spacing)
}

// reset forgets all stretches and keeps the memory.
func (f *flight) reset() { f.head, f.tail = 0, 0 }

// empty tells that nothing is under way.
func (f *flight) empty() bool { return f.head == f.tail }

// at is stretch n.
func (f *flight) at(n uint64) *stretch { return &f.slots[n&uint64(len(f.slots)-1)] }

// oldest is the stretch that left first; there must be one.
func (f *flight) oldest() *stretch { return f.at(f.head) }

// youngest is the stretch that left last; there must be one.
func (f *flight) youngest() *stretch { return f.at(f.tail - 1) }

// skip drops the first chunk of the oldest stretch, which is s.
func (f *flight) skip(s *stretch) {
	if s.count == 1 {
		f.head++
		return
	}
	s.first++
	s.count--
	s.depart = s.depart.Add(s.spacing)
}

// append adds count chunks, the first of which leaves at depart, to the youngest stretch where they
// continue it, else as a stretch of their own.
func (f *flight) append(first, count int64, depart units.Time, spacing units.Duration) {
	if !f.empty() {
		s := f.youngest()
		if s.end() == first && s.spacing == spacing && s.departureOf(first) == depart {
			s.count += uint32(count)
			return
		}
	}
	if f.tail-f.head == uint64(len(f.slots)) {
		f.grow()
	}
	*f.at(f.tail) = stretch{uint32(first), uint32(count), depart, spacing}
	f.tail++
}

func (f *flight) grow() {
	bigger := flight{slots: make([]stretch, max(8, 2*len(f.slots))), head: f.head, tail: f.tail}
	for n := f.head; n < f.tail; n++ {
		*bigger.at(n) = *f.at(n)
	}
	*f = bigger
}

// land takes the chunks from first on out of the youngest stretches.
func (f *flight) land(first int64) {
	for !f.empty() && f.youngest().end() > first {
		s := f.youngest()
		if int64(s.first) < first {
			s.count = uint32(first) - s.first
			return
		}
		f.tail--
	}
}

// landLast takes the youngest chunk out, if there is one.
func (f *flight) landLast() {
	if f.empty() {
		return
	}
	if s := f.youngest(); s.count > 1 {
		s.count--
		return
	}
	f.tail--
}
