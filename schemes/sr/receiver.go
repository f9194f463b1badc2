package sr

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// Receiver is the receiving side of Selective Repeat for one message.
type Receiver struct {
	// What an arrival and a poll read comes first.
	handle      *sdr.RecvHandle
	holes       *holes // nil where they are not reported
	cfg         *Config
	deliveredAt units.Time
	done        bool
	acker       Acker
	passed      schemes.Passed
}

// NewReceiver builds a receiver that takes on one message after the other. It keeps cfg, which any
// number of endpoints of one host may share: they are called one at a time.
func NewReceiver(cfg *Config) *Receiver {
	r := &Receiver{cfg: cfg}
	if cfg.Nack {
		r.holes = new(holes)
	}
	return r
}

// Open posts the receive of a new message.
func (r *Receiver) Open(t schemes.Transfer) error {
	h, err := t.QP.PostRecv(t.MR, t.Offset, t.Size)
	if err != nil {
		return err
	}
	h.SetTag(t.Tag)
	r.passed.Posted(t.QP, h)
	r.handle, r.done = h, false
	r.acker.Open(&r.cfg.Ack, &t, h.Bitmap(), h.PacketsPerChunk())
	if r.holes != nil {
		r.holes.open(h, &t, r.cfg)
	}
	return nil
}

// Quiet ends where the message is complete, where a hole is revealed, and at the first packet
// while no poll is due: that one only sets the poll.
func (r *Receiver) Quiet(a sdr.Arrival) (packets int64, silent bool) {
	switch {
	case a.Recv != r.handle:
		return a.Count, true
	case r.done:
		return r.acker.QuietLate(a.Count)
	case !r.acker.Armed():
		a.Count = 1
	}
	packets, silent = a.Count, true
	if r.holes != nil && a.First > r.holes.judged() {
		packets, silent = r.holes.quiet(a.First, a.Count)
	}
	if r.holes != nil {
		if n := r.holes.inTime(&a); n < packets {
			packets, silent = n, true
		}
	}
	if r.handle.Missing() <= a.Count {
		if last, ok := Completes(r.handle, a); ok && last <= packets {
			return last, false
		}
	}
	return packets, silent
}

// Completes tells whether an arrival brings everything that a receive misses, and by which of its
// packets, counted from one.
func Completes(h *sdr.RecvHandle, a sdr.Arrival) (packets int64, ok bool) {
	if h.Missing() > a.Count {
		return 0, false
	}
	bits, end := h.PacketBitmap(), a.First+a.Count
	if bits.FirstClear() < a.First || end < bits.Len() && bits.NextClear(end) < bits.Len() {
		return 0, false
	}
	last, ok := bits.LastClear(a.First, a.Count)
	return last - a.First + 1, ok
}

// HandleArrival acknowledges, reports holes, and completes the message.
func (r *Receiver) HandleArrival(now units.Time, a sdr.Arrival) {
	if a.Recv != r.handle {
		return
	}
	if r.done {
		r.acker.Late(now)
		return
	}
	r.acker.Note(now, r.handle.ChunkOf(a.First), r.handle.ChunkOf(a.First+a.Count-1))
	if r.holes != nil {
		r.holes.arrive(now, a.First, a.First+a.Count)
	}
	if r.handle.Missing() == 0 {
		r.complete(now)
	}
}

// Follows implements schemes.Follower: where holes are reported, and packets that overtake others
// are waited for.
func (r *Receiver) Follows() bool {
	return r.holes != nil && (r.holes.window > 0 || !r.holes.reorders)
}

// HandleLater reports what is missing: all of it has been sent.
func (r *Receiver) HandleLater(now units.Time) {
	if !r.done && r.holes != nil {
		r.holes.end(now)
	}
}

// complete hands the buffer to the user: whatever arrives from now on is discarded.
func (r *Receiver) complete(now units.Time) {
	if err := r.handle.Complete(); err != nil {
		panic(fmt.Sprintf("BUG: sr: %v", err))
	}
	r.done, r.deliveredAt = true, now
	r.acker.Final(now)
}

// HandleControl fails: a receiver takes no control messages.
func (r *Receiver) HandleControl(units.Time, []byte) error {
	return fmt.Errorf("sr: receiver of message %d takes no control messages", r.acker.message)
}

// HandleTimeout polls the bitmap and reports overdue holes.
func (r *Receiver) HandleTimeout(now units.Time) {
	r.acker.Poll(now)
	if !r.done && r.holes != nil {
		r.holes.timeouts += r.holes.expire(now)
	}
}

// NextTimeout is the next poll or overdue hole.
func (r *Receiver) NextTimeout() (at units.Time, ok bool) {
	at, ok = r.acker.Deadline()
	if r.done || r.holes == nil {
		return at, ok
	}
	if !ok {
		at = units.Never
	}
	at = r.holes.sooner(at)
	return at, at != units.Never
}

// Done tells that the message was delivered.
func (r *Receiver) Done() bool { return r.done }

// DeliveredAt is when the last packet arrived.
func (r *Receiver) DeliveredAt() (units.Time, bool) { return r.deliveredAt, r.done }

// Counters returns what the receiver has counted.
func (r *Receiver) Counters() schemes.ReceiverCounters {
	c := schemes.ReceiverCounters{Acks: r.acker.Sent()}
	if r.holes != nil {
		c.Nacks, c.Timeouts = r.holes.sent, r.holes.timeouts
	}
	return c
}

// State describes the receiver in a line.
func (r *Receiver) State() string {
	return fmt.Sprintf("sr receiver: message %d, %d packets missing, delivered %v",
		r.acker.message, r.handle.Missing(), r.done)
}
