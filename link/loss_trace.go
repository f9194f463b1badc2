package link

import (
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// Lost are packets that a trace has lost, in the order in which a link sends them, from 0.
type Lost struct{ First, Last int64 }

// PacketTrace loses the packets that were lost once before, counted as the link sends them. It
// draws nothing.
type PacketTrace struct {
	list []Lost // rising, apart from each other
	next int    // the first that is not over
	sent int64
}

// NewPacketTrace replays losses, which are in order.
func NewPacketTrace(list []Lost) *PacketTrace { return &PacketTrace{list: list} }

// Reset implements LossModel.
func (m *PacketTrace) Reset(*sim.Stream) { m.next, m.sent = 0, 0 }

// Peek implements LossModel.
func (m *PacketTrace) Peek(*wire.Run) (pass, drop int64) {
	if m.next == len(m.list) {
		return forever, 0
	}
	l := m.list[m.next]
	pass = max(0, l.First-m.sent)
	return pass, l.Last + 1 - m.sent - pass
}

// Advance implements LossModel.
func (m *PacketTrace) Advance(_ *wire.Run, n int64) {
	for m.sent += n; m.next < len(m.list) && m.list[m.next].Last < m.sent; m.next++ {
	}
}

// Span is a time in which packets are lost, from its beginning to before its end.
type Span struct{ From, To units.Time }

// fate is what a span that ends after the first bit of a run does to its packets: every one is lost
// of which any bit is sent in it.
func (s Span) fate(r *wire.Run) (pass, drop int64) {
	pass = goneBy(r, s.From)
	return pass, max(0, begunBefore(r, s.To)-pass)
}

// TimeTrace loses what is sent at the times of losses before. It draws nothing.
type TimeTrace struct {
	list []Span // rising, apart from each other
	next int    // the first that is not over
}

// NewTimeTrace replays times of loss, which are in order.
func NewTimeTrace(list []Span) *TimeTrace { return &TimeTrace{list: list} }

// Reset implements LossModel.
func (m *TimeTrace) Reset(*sim.Stream) { m.next = 0 }

// Peek implements LossModel.
func (m *TimeTrace) Peek(r *wire.Run) (pass, drop int64) {
	for m.next < len(m.list) && m.list[m.next].To <= startOf(r) {
		m.next++
	}
	if m.next == len(m.list) {
		return forever, 0
	}
	return m.list[m.next].fate(r)
}

// Advance implements LossModel.
func (m *TimeTrace) Advance(*wire.Run, int64) {}
