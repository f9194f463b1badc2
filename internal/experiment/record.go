package experiment

import (
	"slices"

	"sdrsim/units"
	"sdrsim/wire"
)

// PacketTracer is a Tracer that is also handed the packets and control messages themselves, and
// the messages of the application as they end.
type PacketTracer interface {
	Tracer
	// TracePackets is handed packets; the run is only valid during the call.
	TracePackets(p Packets)
	// TraceControl is handed a control message; its bytes are only valid during the call.
	TraceControl(c Control)
	TraceMessage(m Message)
}

// Packets are data packets of one message, back to back, as they leave a hop's near end or arrive
// at its far end.
type Packets struct {
	// Hop is the link of a ring, 0 elsewhere.
	Hop int
	// Arrived tells an arrival from a departure. Depart of the run is then the time at which the
	// first packet has arrived, Spacing the time from one arrival to the next.
	Arrived bool
	Run     wire.Run
	// Lost is how many packets, the last of the run, are lost on the way; 0 in an arrival.
	Lost int64
}

// Control is a control message as it leaves one end or arrives at the other, last bit included.
type Control struct {
	Hop int
	// Forward tells the direction of data from that of acknowledgements.
	Forward bool
	Arrived bool
	At      units.Time
	Bytes   []byte
	// Lost tells that it is lost on the way; false in an arrival.
	Lost bool
}

// Message is a message of the application from its first injection to its end at the sender.
type Message struct {
	Hop            int
	Serial         int64
	Started, Ended units.Time
	// Failed tells that the scheme gave it up.
	Failed bool
}

// Record collects everything that happens in a sample.
type Record struct {
	Log      Trace
	Packets  []Packets
	Control  []Control
	Messages []Message
}

// Trace implements Tracer.
func (r *Record) Trace(e Event) { r.Log.Trace(e) }

// TracePackets implements PacketTracer.
func (r *Record) TracePackets(p Packets) {
	p.Run.Data = slices.Clone(p.Run.Data)
	r.Packets = append(r.Packets, p)
}

// TraceControl implements PacketTracer.
func (r *Record) TraceControl(c Control) {
	c.Bytes = slices.Clone(c.Bytes)
	r.Control = append(r.Control, c)
}

// TraceMessage implements PacketTracer.
func (r *Record) TraceMessage(m Message) { r.Messages = append(r.Messages, m) }
