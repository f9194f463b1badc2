package rc

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Receiver is the receiving side of Go-Back-N for one message.
type Receiver struct {
	cfg         Config
	t           schemes.Transfer
	handle      *sdr.RecvHandle
	acker       sr.Acker
	nacked      bool // the gap that is open was reported
	done        bool
	deliveredAt units.Time
	nacks       int64
	buf         []byte
}

// NewReceiver builds a receiver that takes on one message after the other.
func NewReceiver(cfg Config) *Receiver { return &Receiver{cfg: cfg} }

// Open posts the receive of a new message, which takes packets in order only.
func (r *Receiver) Open(t schemes.Transfer) error {
	h, err := t.QP.PostRecv(t.MR, t.Offset, t.Size)
	if err != nil {
		return err
	}
	h.SetTag(t.Tag)
	h.SetOrdered()
	r.t, r.handle, r.done, r.nacked, r.nacks = t, h, false, false, 0
	r.acker.Open(&r.cfg.Ack, &r.t, h.PacketBitmap(), 1)
	return nil
}

// Quiet ends where the message is complete, at the first packet out of order, and at the first
// packet while no poll is due: that one only sets the poll.
func (r *Receiver) Quiet(a sdr.Arrival) (packets int64, silent bool) {
	switch {
	case a.Recv != r.handle:
		return a.Count, true
	case r.done:
		return r.acker.QuietLate(a.Count)
	case a.Discarded && !r.nacked:
		return 1, false
	case a.Discarded:
		return a.Count, true
	case !r.acker.Armed():
		a.Count = 1
	}
	if last, ok := sr.Completes(r.handle, a); ok {
		return last, false
	}
	return a.Count, true
}

// Patience is none: whether a packet is in order depends on which it is.
func (r *Receiver) Patience(*sdr.RecvHandle) int64 { return 0 }

// HandleArrival acknowledges what is in order, and reports the first packet that is not.
func (r *Receiver) HandleArrival(now units.Time, a sdr.Arrival) {
	switch {
	case a.Recv != r.handle:
	case r.done:
		r.acker.Late(now)
	case a.Discarded:
		r.refuse()
	default:
		if a.Fresh > 0 {
			r.nacked = false
		}
		r.acker.Note(now, a.First, a.First+a.Count-1)
		if r.handle.Missing() == 0 {
			r.complete(now)
		}
	}
}

// refuse answers a packet that is out of order: one NAK for each gap.
func (r *Receiver) refuse() {
	if r.nacked {
		return
	}
	r.nacked = true
	missing := wire.Range{First: r.handle.PacketBitmap().FirstClear(), Count: 1}
	r.buf, _ = wire.AppendNack(r.buf[:0],
		&wire.Nack{Message: r.t.Serial, Missing: []wire.Range{missing}}, int(r.cfg.Ack.Size))
	r.t.Control.Send(r.buf)
	r.nacks++
}

// complete hands the buffer to the user: whatever arrives from now on is discarded.
func (r *Receiver) complete(now units.Time) {
	if err := r.handle.Complete(); err != nil {
		panic(fmt.Sprintf("BUG: rc: %v", err))
	}
	r.done, r.deliveredAt = true, now
	r.acker.Final(now)
}

// HandleControl fails: a receiver takes no control messages.
func (r *Receiver) HandleControl(units.Time, []byte) error {
	return fmt.Errorf("rc: receiver of message %d takes no control messages", r.t.Serial)
}

// HandleTimeout polls.
func (r *Receiver) HandleTimeout(now units.Time) { r.acker.Poll(now) }

// NextTimeout is the next poll.
func (r *Receiver) NextTimeout() (units.Time, bool) { return r.acker.Deadline() }

// Done reports whether the message was delivered.
func (r *Receiver) Done() bool { return r.done }

// DeliveredAt is when the last packet arrived.
func (r *Receiver) DeliveredAt() (units.Time, bool) { return r.deliveredAt, r.done }

// Counters returns what the receiver has counted.
func (r *Receiver) Counters() schemes.ReceiverCounters {
	return schemes.ReceiverCounters{Acks: r.acker.Sent(), Nacks: r.nacks}
}

// State describes the receiver in a line.
func (r *Receiver) State() string {
	return fmt.Sprintf("rc receiver: message %d, %d packets missing, NAK sent %v, delivered %v",
		r.t.Serial, r.handle.Missing(), r.nacked, r.done)
}
