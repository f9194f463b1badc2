package schemes

import (
	"sdrsim/sdr"
	"sdrsim/sim/units"
)

// Endpoint is what both sides of a scheme have in common: one message, one deadline out.
//
// Calling HandleTimeout early is harmless; calling it late only costs latency.
type Endpoint interface {
	// HandleControl takes an encoded control message from the peer. A malformed message or one of
	// a kind that this side does not expect is an error; the state is then unchanged. What is due
	// at now is done at once: a timeout that it sets lies later. A host may hand in what is
	// wire.Passive before anything else that it does, so that this must not bring NextTimeout
	// forward, and leave out what is wire.Plain where the next acknowledgement follows at once.
	HandleControl(now units.Time, msg []byte) error
	// HandleTimeout does whatever is due at now.
	HandleTimeout(now units.Time)
	// NextTimeout is the earliest instant at which HandleTimeout has something to do.
	NextTimeout() (at units.Time, ok bool)
	// Done tells that this side has nothing more to do of its own accord. A receiver that is done
	// still answers repeats.
	Done() bool
	// State describes the machine in a line, for the report of a run that got stuck.
	State() string
}

// Sender is the sending side of a scheme for one message.
type Sender interface {
	Endpoint
	// Open takes on a new message; everything of the last one is forgotten. It fails with
	// sdr.ErrNoCTS or sdr.ErrRetry where the message has to wait, and is tried again later.
	Open(t Transfer) error
	// Start tells that the message may go, at now.
	Start(now units.Time)
	// NextSend is asked when the link is free: which consecutive packets should go now? Repeats
	// come first. The packets returned count as sent; HandleSent follows.
	NextSend(now units.Time) (work sdr.Work, ok bool)
	// Ready tells whether NextSend has something to hand out. It changes nothing.
	Ready(now units.Time) bool
	// Urgent tells that a repeat waits. The host then cuts a first transmission that is under way.
	Urgent() bool
	// HandleSent reports the departure of a part of the work of a NextSend, in order: its packet j
	// leaves at depart + j*spacing. The rest is reported later.
	HandleSent(part sdr.Work, depart units.Time, spacing units.Duration)
	// Unsend takes back the last count packets of the last HandleSent, which have not left.
	// The packets will be reported again by HandleSent.
	Unsend(count int64)
	// Err says why the message could not be delivered; nil while it still can, or was.
	Err() error
	// Counters returns what the sender has counted.
	Counters() SenderCounters
}

// Receiver is the receiving side of a scheme for one message.
type Receiver interface {
	Endpoint
	// Open posts the receives of a new message; everything of the last one is forgotten. It fails
	// with sdr.ErrRetry where no message id is free, and is tried again later.
	Open(t Transfer) error
	// Quiet returns how many leading packets of the arrival could be taken, one after the other,
	// without the receiver having anything to do or to say before the last of them, and whether it
	// is silent at the last, too: says nothing and is not done, though it may set its timeout. It
	// changes nothing. Returning less than the truth only costs time.
	//
	// Packets before the last may put off the timeout where the last does so again. A host that takes
	// fewer asks about these before.
	Quiet(a sdr.Arrival) (packets int64, silent bool)
	// Patience is how many packets of a receive, whichever they are, would be taken in silence and
	// without moving the timeout. It changes nothing. Returning less than the truth only costs time.
	Patience(h *sdr.RecvHandle) int64
	// HandleArrival reports that the queue pair has taken the packets of the arrival.
	HandleArrival(now units.Time, a sdr.Arrival)
	// DeliveredAt is when the last bit that was needed arrived; ok is false before.
	DeliveredAt() (at units.Time, ok bool)
	// Counters returns what the receiver has counted.
	Counters() ReceiverCounters
}

// Transfer is one message as its endpoints see it. Sender and receiver have a Transfer each, with
// the memory and the queue pair of their own side.
type Transfer struct {
	// Serial names the message in control messages.
	Serial uint32
	// Tag is put on receive handles, so that the host finds the receiver of an arrival.
	Tag     int64
	QP      *sdr.QP
	Context *sdr.Context // where a scheme registers memory of its own, such as parity
	MR      *sdr.MR      // the message is Size bytes at Offset
	Offset  units.Bytes
	Size    units.Bytes
	Path    Path
	Control Control
}

// Path is what an endpoint knows of the way to its peer.
type Path struct {
	RTT        units.Duration // propagation there and back
	PacketTime units.Duration // time of a full packet on the wire
}

// Control takes encoded control messages to the peer. The bytes are copied before Send returns.
type Control interface {
	Send(msg []byte)
}

// SenderCounters is what a sender counts for one message, in chunks where it counts data.
type SenderCounters struct {
	Retransmits int64 // chunks sent again
	Timeouts    int64 // timers that expired for want of an acknowledgement
	Fallbacks   int64 // submessages that erasure coding could not recover
}

// ReceiverCounters is what a receiver counts for one message.
type ReceiverCounters struct {
	Acks         int64 // acknowledgements sent
	Nacks        int64 // negative acknowledgements sent
	Timeouts     int64 // timers that expired for want of data
	UsefulParity int64 // parity chunks that a reconstruction used
}
