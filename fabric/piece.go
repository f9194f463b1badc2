package fabric

import "sdrsim/units"

// Piece is packets of one flow that pass a point at equal distances. It is final.
type Piece struct {
	// At is when the first packet has passed, last bit included; the others follow Spacing apart.
	At      units.Time
	Spacing units.Duration
	// First is the number of the first packet in its flow, in order of sending. Count is at least
	// one.
	First, Count int64
	// Size is what each packet takes on the wire.
	Size units.Bytes
	Flow *Flow
	// Hop is how many stages of the flow's route lie behind it.
	Hop int32
	// Marked tells that a queue has marked the packets: congestion experienced. RFC 3168.
	Marked bool
	// Control marks control messages: they are neither marked nor joined, nor counted as data.
	Control bool
	// Trimmed tells that a queue had no room for the packets, and only their headers are left.
	Trimmed bool
}

// Last is when the last packet passes.
func (p *Piece) Last() units.Time {
	return p.At.Add(units.Duration(p.Count-1) * p.Spacing)
}

// Skip takes the first n packets off.
func (p *Piece) Skip(n int64) {
	p.First += n
	p.Count -= n
	p.At = p.At.Add(units.Duration(n) * p.Spacing)
}

// join adds the packets of a piece which has the next numbers, if they go on where this one ends,
// at
// the same distance, and not if they are to stay single.
func (p *Piece) join(next *Piece, single bool) bool {
	if single || p.Flow != next.Flow || p.Size != next.Size || p.Marked != next.Marked ||
		p.Hop != next.Hop || p.Control || next.Control || p.Trimmed != next.Trimmed {
		return false
	}
	gap := next.At.Sub(p.Last())
	if gap <= 0 || p.Count > 1 && gap != p.Spacing || next.Count > 1 && gap != next.Spacing {
		return false
	}
	p.Count += next.Count
	p.Spacing = gap
	return true
}

// Taker is a stage of a route.
type Taker interface {
	// Take takes a piece, which is only valid during the call. Pieces come in order of time.
	Take(p *Piece)
}

// Source is what a stage gets its packets from.
type Source interface {
	// Pull hands on everything that is final at now, the time of the engine.
	Pull(now units.Time)
	// Known is until when, inclusive, everything that passes was handed on by Pull(now).
	Known(now units.Time) units.Time
	// Flush hands on everything that was sent, at the end of a sample.
	Flush()
}

// Flow is packets that take one route, in order, or, where there is a Choice, several.
type Flow struct {
	// Route is the stages that packets pass, the last of them where they arrive.
	Route []Taker
	Stats FlowStats

	of *Flow // of which it is one way, behind a choice; nil: it is all of it
}

// whole is the flow that counts.
func (f *Flow) whole() *Flow {
	if f.of != nil {
		return f.of
	}
	return f
}

// Total is the statistics of the flow to which packets belong, whatever way they take.
func (f *Flow) Total() *FlowStats { return &f.whole().Stats }

// FlowStats counts the packets of a flow.
type FlowStats struct {
	Dropped        int64 // data packets that a queue had no room for
	DroppedControl int64 // control messages
	Lost           int64 // data packets that were lost on a link between queues
	LostControl    int64 // control messages
	Marked         int64 // data packets, once for each queue that marked them
	Trimmed        int64 // data packets that lost their payload
	DroppedHeaders int64 // of them, those of which a queue has dropped the header too
}

// Gone is how many data packets and control messages do not arrive.
func (s *FlowStats) Gone() int64 {
	return s.Dropped + s.DroppedControl + s.Lost + s.LostControl + s.Trimmed
}

// Forward hands a piece to the next stage of its route.
func Forward(p *Piece) {
	next := p.Flow.Route[p.Hop]
	p.Hop++
	next.Take(p)
}
