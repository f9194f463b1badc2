package link

import (
	"fmt"

	"sdrsim/sim"
	"sdrsim/wire"
)

// Drop names packets that a script drops: those with offsets First..Last of the message with
// running number Message (wire.Run.Serial), when they are sent for the Transmission-th time. That
// counts from 1; 0 is every time. Inside PerChunk the units are chunks instead of packets. Control
// packets are numbered by their link: they are packets 0, 1, 2, ... of message 0, each sent once.
type Drop struct {
	Message      int64
	First, Last  int64
	Transmission int64
}

// Script loses exactly the packets that its drops name. It draws nothing.
type Script struct {
	drops []scripted
}

// scripted is a drop and how often its packets have been sent.
type scripted struct {
	Drop
	// sent[i] counts the transmissions of packet First+i; packets beyond its end have none. Kept
	// only where the transmission matters.
	sent []int32
}

// NewScript returns a script of drops, which may overlap.
func NewScript(drops []Drop) (*Script, error) {
	m := &Script{drops: make([]scripted, 0, len(drops))}
	for i, d := range drops {
		if d.Message < 0 || d.First < 0 || d.Last < d.First || d.Transmission < 0 {
			return nil, fmt.Errorf("loss model script: drop %d is message %d, units %d to %d, "+
				"transmission %d; want numbers from 0, and first <= last",
				i, d.Message, d.First, d.Last, d.Transmission)
		}
		m.drops = append(m.drops, scripted{Drop: d})
	}
	return m, nil
}

// Reset implements LossModel.
func (m *Script) Reset(*sim.Stream) {
	for i := range m.drops {
		m.drops[i].sent = m.drops[i].sent[:0]
	}
}

// Peek implements LossModel. The answer never goes beyond the run.
func (m *Script) Peek(r *wire.Run) (pass, drop int64) {
	first := r.End()
	for i := range m.drops {
		first = min(first, m.drops[i].firstLost(r, first))
	}
	end := first
	for end < r.End() && m.lost(r, end) {
		end++
	}
	return first - r.First, end - first
}

// lost reports whether some drop takes packet p of the run.
func (m *Script) lost(r *wire.Run, p int64) bool {
	for i := range m.drops {
		if d := &m.drops[i]; d.Message == r.Serial && d.First <= p && p <= d.Last && d.takes(p) {
			return true
		}
	}
	return false
}

// Advance implements LossModel.
func (m *Script) Advance(r *wire.Run, n int64) {
	for i := range m.drops {
		m.drops[i].count(r, n)
	}
}

// firstLost returns the first packet of the run before end that the drop takes, else end.
func (d *scripted) firstLost(r *wire.Run, end int64) int64 {
	if d.Message != r.Serial {
		return end
	}
	for p := max(d.First, r.First); p < end && p <= d.Last; p++ {
		if d.takes(p) {
			return p
		}
	}
	return end
}

// takes reports whether packet p, one of the drop's, is lost when it is sent next.
func (d *scripted) takes(p int64) bool {
	if d.Transmission == 0 {
		return true
	}
	i, sent := p-d.First, int32(0)
	if i < int64(len(d.sent)) {
		sent = d.sent[i]
	}
	return int64(sent)+1 == d.Transmission
}

// count notes that the first n packets of the run have been sent.
func (d *scripted) count(r *wire.Run, n int64) {
	if d.Message != r.Serial || d.Transmission == 0 {
		return
	}
	end := min(d.Last+1, r.First+n)
	for p := max(d.First, r.First); p < end; p++ {
		for int64(len(d.sent)) <= p-d.First {
			d.sent = append(d.sent, 0)
		}
		d.sent[p-d.First]++
	}
}
