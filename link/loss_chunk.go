package link

import (
	"fmt"

	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// PerChunk makes whole transmissions of chunks the unit that a model loses, as the completion-time
// model of arXiv:2505.05366 §4.2 assumes: all packets of a chunk arrive, or none of them does.
//
// The fate of a transmission is decided when its first packet goes and holds for the rest of it,
// also where a repeat cuts in and the rest goes later. A packet belongs to the transmission under
// way if it is the next packet of the same chunk of the same message and both are first
// transmissions, or both repeats; any other packet begins a transmission.
type PerChunk struct {
	model   LossModel
	packets int64
	// open are the transmissions under way: of a chunk that goes for the first time, and of a repeat.
	open [2]transmission
	// unit is what the inner model is asked about: a run whose packets are chunk transmissions.
	// It is kept here because the call through the interface would move it to the heap.
	unit wire.Run
}

// transmission is a chunk of which some packets have been sent.
type transmission struct {
	serial int64
	next   int64 // offset of the packet that would continue it
	under  bool  // next is in the same chunk
	lost   bool
}

// NewPerChunk returns a model in which the unit of inner is the transmission of a chunk of so many
// packets.
func NewPerChunk(inner LossModel, packetsPerChunk int64) *PerChunk {
	if packetsPerChunk < 1 {
		panic(fmt.Sprintf("BUG: link: chunks of %d packets", packetsPerChunk))
	}
	return &PerChunk{model: inner, packets: packetsPerChunk}
}

// Reset implements LossModel.
func (m *PerChunk) Reset(s *sim.Stream) {
	m.open = [2]transmission{}
	m.model.Reset(s)
}

// class returns the transmission under way of the kind that the run is of.
func (m *PerChunk) class(r *wire.Run) *transmission {
	if r.Repeat {
		return &m.open[1]
	}
	return &m.open[0]
}

// head is how many leading packets of the run continue a transmission that is under way.
func (m *PerChunk) head(r *wire.Run) int64 {
	t := m.class(r)
	if !t.under || t.serial != r.Serial || t.next != r.First {
		return 0
	}
	return min(r.Count, m.packets-r.First%m.packets)
}

// units prepares the question about the transmissions that begin in packets first..end-1 of r. Each
// begins with its first packet and takes the time of a whole chunk; one that begins inside of a
// chunk is asked about alone, because the next one begins sooner than that.
func (m *PerChunk) units(r *wire.Run, first, end int64) *wire.Run {
	chunk := first / m.packets
	m.unit = wire.Run{
		Serial: r.Serial, Repeat: r.Repeat, First: chunk, Count: (end-1)/m.packets + 1 - chunk,
		Spacing: units.Duration(m.packets) * r.Spacing,
	}
	m.unit.Depart = r.DepartureOf(first).Add(m.unit.Spacing - r.Spacing)
	if first%m.packets != 0 {
		m.unit.Count = 1
	}
	return &m.unit
}

// Peek implements LossModel. The answer goes neither beyond the run nor beyond a transmission that
// was under way before: what begins after that may yet be sent at another time.
func (m *PerChunk) Peek(r *wire.Run) (pass, drop int64) {
	if head := m.head(r); head > 0 {
		return split(m.class(r).lost, head)
	}
	u := m.units(r, r.First, r.End())
	passed, dropped := m.model.Peek(u)
	if passed > 0 {
		pass = m.end(r, min(passed, u.Count)) - r.First
	}
	return pass, m.end(r, min(passed+dropped, u.Count)) - r.First - pass
}

// end returns the packet of r after the first n transmissions of the question asked last.
func (m *PerChunk) end(r *wire.Run, n int64) int64 {
	return min((m.unit.First+n)*m.packets, r.End())
}

// split names a fate of n packets.
func split(lost bool, n int64) (pass, drop int64) {
	if lost {
		return 0, n
	}
	return n, 0
}

// Advance implements LossModel.
func (m *PerChunk) Advance(r *wire.Run, n int64) {
	if n == 0 {
		return
	}
	t := m.class(r)
	head := min(m.head(r), n)
	if head < n {
		u := m.units(r, r.First+head, r.First+n)
		for u.Count > 0 {
			pass, drop := m.model.Peek(u)
			step := min(u.Count, pass+drop)
			t.lost = step > pass
			m.model.Advance(u, step)
			u.Skip(step)
		}
	}
	t.serial, t.next = r.Serial, r.First+n
	t.under = t.next%m.packets != 0
}
