package sr

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
)

// flight is the transmissions under way, in order of departure.
type flight struct{ ring.Ring[stretch] }

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

// empty tells that nothing is under way.
func (f *flight) empty() bool { return f.Len() == 0 }

// oldest is the stretch that left first; there must be one.
func (f *flight) oldest() *stretch { return f.At(f.First()) }

// youngest is the stretch that left last; there must be one.
func (f *flight) youngest() *stretch { return f.At(f.Next() - 1) }

// skip drops the first chunk of the oldest stretch, which is s.
func (f *flight) skip(s *stretch) {
	if s.count == 1 {
		f.Pop()
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
	*f.Push() = stretch{uint32(first), uint32(count), depart, spacing}
}

// land takes the chunks from first on out of the youngest stretches.
func (f *flight) land(first int64) {
	for !f.empty() && f.youngest().end() > first {
		s := f.youngest()
		if int64(s.first) < first {
			s.count = uint32(first) - s.first
			return
		}
		f.PopTail()
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
	f.PopTail()
}
