package wire

import "sdrsim/units"

// Run is consecutive packets of one message, sent back to back. Packet j of the run (from 0)
// leaves the sender, last bit included, at Depart + j*Spacing.
type Run struct {
	// Count is the number of packets, at least one.
	Count int64
	// Generation names the set of internal queue pairs that carries the message.
	Generation uint32
	// User is the user immediate, of which each packet carries the fragment that its offset selects.
	User uint32
	// Message is the message id, First the offset of the first packet in the message, in packets.
	// Both are what the immediate says, unpacked: see Imm.
	Message uint32
	First   int64
	// Serial is the running number of the message at its sender, from 0. Unlike Message it does not
	// wrap; it is not on the wire, and serves loss models and traces.
	Serial int64
	// Payload is the payload of each packet. The last packet of a message may be shorter than the
	// others; it then travels as a run of its own.
	Payload units.Bytes
	// Depart is when the first packet has left, Spacing the time between two packets.
	Depart  units.Time
	Spacing units.Duration
	// Repeat marks packets that the sender has sent before.
	Repeat bool
	// Data holds the bytes of the packets, Count*Payload of them; nil with virtual payload.
	Data []byte
}

// End is the offset after the last packet of the run.
func (r *Run) End() int64 { return r.First + r.Count }

// DepartureOf returns when packet i of the message has left; First <= i < End.
func (r *Run) DepartureOf(i int64) units.Time {
	return r.Depart.Add(units.Duration(i-r.First) * r.Spacing)
}

// Imm is the immediate of the first packet.
func (r *Run) Imm(split Split) uint32 { return split.Pack(r.Message, r.First, r.User) }

// Sub returns the packets [skip, skip+count) of the run, as a run.
func (r *Run) Sub(skip, count int64) Run {
	s := *r
	s.Skip(skip)
	s.Keep(count)
	return s
}

// Skip takes the first n packets off the run.
func (r *Run) Skip(n int64) {
	r.First += n
	r.Count -= n
	r.Depart = r.Depart.Add(units.Duration(n) * r.Spacing)
	if r.Data != nil {
		r.Data = r.Data[n*int64(r.Payload):]
	}
}

// Keep leaves the first n packets of the run.
func (r *Run) Keep(n int64) {
	r.Count = n
	if r.Data != nil {
		r.Data = r.Data[:n*int64(r.Payload)]
	}
}
