package schemes

import (
	"sdrsim/sdr"
	"sdrsim/units"
)

// Endpoint is what both sides of a scheme have in common: one message, one deadline out.
//
// Calling HandleTimeout early is harmless; calling it late only costs latency.
type Endpoint interface {
	// HandleControl takes an encoded control message from the peer. A malformed message or one of
	// a kind that this side does not expect is an error; the state is then unchanged. What is due
	// at now is done at once: a timeout that it sets lies later.
	HandleControl(now units.Time, msg []byte) error
	// HandleTimeout does whatever is due at now. Before NextTimeout it changes nothing.
	HandleTimeout(now units.Time)
	// NextTimeout is the earliest instant at which HandleTimeout has something to do.
	NextTimeout() (at units.Time, ok bool)
	// Done reports whether this side has nothing more to do of its own accord. A receiver that is
	// done still answers retransmissions.
	Done() bool
	// State describes the machine in a line, for the report of a run that got stuck.
	State() string
}

// Sender is the sending side of a scheme. It takes on one message after the other.
type Sender interface {
	Endpoint
	// Open takes on a new message; everything of the last one is forgotten. It fails with
	// sdr.ErrNoCTS or sdr.ErrRetry where the message has to wait, and is tried again later.
	Open(t Transfer) error
	// Start reports that the message may go, at now.
	Start(now units.Time)
	// NextSend is asked when the link is free: which consecutive packets should go now?
	// Retransmissions come first, and are marked by Repeat. The packets returned belong to the host
	// from now on, which reports their departure by HandleSent: a sender neither changes nor
	// withdraws them, except as a Recaller does, and hands out no packet twice as a first
	// transmission. A sender that has nothing to send is not asked again before another of its
	// methods was called.
	NextSend(now units.Time) (work sdr.Work, ok bool)
	// HandleSent reports the departure of a part of the work of a NextSend, in order: its packet j
	// leaves at depart + j*spacing, which lies in the future. The rest is reported later. How much is
	// reported at a time, and how long before it leaves, is up to the host: what the sender does must
	// follow from the times of departure alone.
	HandleSent(part sdr.Work, depart units.Time, spacing units.Duration)
	// Err says why the message could not be delivered; nil while it still can, or was.
	Err() error
	// Counters returns what the sender has counted.
	Counters() SenderCounters
}

// ControlDeferrer is a RunSender whose outcome does not depend on when it is handed a passive
// control message (wire.Passive), as long as that is before anything else that its host does. So a
// passive message must not bring NextTimeout forward. A host may leave out what is wire.Plain where
// the next acknowledgement follows at once. Any other sender, such as one whose timers run from
// acknowledgements, gets every control message on time, and none is left out.
type ControlDeferrer interface {
	// DefersControl marks the sender. It is not called.
	DefersControl()
}

// Recaller is a Sender that may go back: what it has handed out to be sent again is then void. A
// host asks once whether a sender is one.
type Recaller interface {
	// Recall reports whether the packets that were handed out with Repeat set, and of which no
	// departure was reported, are void; once for each time. A host asks after each HandleControl and
	// HandleTimeout, takes back what is on the link by Unsend, and asks for work anew.
	Recall() bool
}

// Receiver is the receiving side of a scheme. It takes on one message after the other.
type Receiver interface {
	Endpoint
	// Open posts the receives of a new message; everything of the last one is forgotten. It fails
	// with sdr.ErrRetry where no message id is free, and is tried again later.
	Open(t Transfer) error
	// HandleArrival reports that the queue pair has taken the packets of the arrival, of which the
	// last arrived at now. What is due at now is done at once: a timeout that it sets lies later.
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
	// ReverseRate is that of the way back, and ControlOverhead what a control message has on it beside
	// its own bytes. A rate of 0: control messages take no time.
	ReverseRate     units.Rate
	ControlOverhead units.Bytes
	// Reorders tells that packets may overtake each other.
	Reorders bool
}

// ControlTime is how long a control message of so many bytes occupies the way back.
func (p *Path) ControlTime(bytes int) units.Duration {
	if p.ReverseRate == 0 {
		return 0
	}
	return p.ReverseRate.TransmitTime(units.Bytes(bytes) + p.ControlOverhead)
}

// Control takes encoded control messages to the peer. The bytes are copied before Send returns, and
// Send calls no method of any endpoint: an endpoint may be in the middle of a change.
type Control interface {
	// Send returns when the last bit of the message will have left, as far as it is known what goes
	// before; now where messages take no time. An endpoint has no use for saying more before that:
	// it would wait behind.
	Send(msg []byte) (left units.Time)
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
