package openrdma

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/conn"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Receiver is the responder of a connection.
type Receiver struct {
	conn.Receives
	cfg      *Config
	poll     units.Duration
	base     int64      // the first PSN of the bitmap
	expected int64      // the first PSN that has not arrived
	due      units.Time // the next poll; Never: there is nothing to report
	counters schemes.ReceiverCounters
	buf      []byte
}

// NewReceiver builds a receiver.
func NewReceiver(cfg *Config) *Receiver { return &Receiver{cfg: cfg} }

// Connect begins a connection.
func (r *Receiver) Connect(c schemes.Connection) {
	receives, buf := r.Receives, r.buf
	*r = Receiver{Receives: receives, cfg: r.cfg, buf: buf, due: units.Never}
	r.Receives.Connect(c)
	r.poll = max(1, r.cfg.Poll.Of(c.Path.RTT))
}

// Open posts the receive of a message.
func (r *Receiver) Open(t schemes.Transfer) error {
	_, err := r.Post(t)
	return err
}

// slides is the first PSN of an arrival at which a slice slides out of the bitmap that has a hole;
// ok is false where none does.
func (r *Receiver) slides(first, count int64) (psn int64, ok bool) {
	hole := r.FirstMissing(r.base, first)
	if hole == first {
		return 0, false
	}
	psn = max(first, hole/r.cfg.Slide*r.cfg.Slide+r.cfg.Bitmap)
	return psn, psn < first+count
}

// answered reports whether the last packet of an arrival is answered at once: the last of a
// message, in a retransmission.
func answered(a sdr.Arrival) bool {
	return a.Repeat && a.First+a.Count == a.Recv.PacketCount()
}

// Quiet ends at the first packet that is answered, and at the first while no poll is due.
func (r *Receiver) Quiet(a sdr.Arrival) (packets int64, silent bool) {
	if r.due == units.Never {
		a.Count = 1
	}
	if psn, live := r.PSN(a); live {
		if at, ok := r.slides(psn, a.Count); ok {
			a.Count = at - psn + 1
			return min(a.Count, r.completed(a)), false
		}
	}
	if n, ok := r.Completes(a); ok {
		return n, false
	}
	return a.Count, !answered(a)
}

// completed is how many leading packets of an arrival there are up to the one that completes a
// message, or all.
func (r *Receiver) completed(a sdr.Arrival) int64 {
	if n, ok := r.Completes(a); ok {
		return n
	}
	return a.Count
}

// Patience is none: whether a packet is answered depends on which it is.
func (r *Receiver) Patience(*sdr.RecvHandle) int64 { return 0 }

// HandleArrival has the bitmap slide, and reports what slid out with a hole.
func (r *Receiver) HandleArrival(now units.Time, a sdr.Arrival) {
	if psn, live := r.PSN(a); live {
		r.slide(psn + a.Count - 1)
		if psn <= r.expected {
			r.Deliver(now)
			r.expected = r.Expected()
		}
	}
	if answered(a) {
		r.report()
	} else if r.due == units.Never {
		r.due = units.Time((int64(now)/int64(r.poll) + 1) * int64(r.poll))
	}
}

// slide has the bitmap slide until it has a bit for a PSN. Slices that slide out with a hole are
// reported together, with the bitmap behind them.
func (r *Receiver) slide(psn int64) {
	if psn < r.base+r.cfg.Bitmap {
		return
	}
	was := r.base
	r.base = (psn-r.cfg.Bitmap)/r.cfg.Slide*r.cfg.Slide + r.cfg.Slide
	hole := r.FirstMissing(was, r.base)
	if hole == r.base {
		return
	}
	missing := [1]wire.Range{{First: hole, Count: psn + 1 - hole}}
	r.buf, _ = wire.AppendNack(r.buf[:0], &wire.Nack{Missing: missing[:]}, 64)
	r.Control.Send(r.buf)
	r.counters.Nacks++
}

// report acknowledges.
func (r *Receiver) report() {
	r.buf = wire.AppendAck(r.buf[:0], &wire.Ack{Cumulative: r.expected}, 64)
	r.Control.Send(r.buf)
	r.counters.Acks++
	r.due = units.Never
}

// HandleControl fails: a receiver takes no control messages.
func (r *Receiver) HandleControl(units.Time, []byte) error {
	return fmt.Errorf("openrdma: a receiver takes no control messages")
}

// HandleTimeout reports.
func (r *Receiver) HandleTimeout(now units.Time) {
	if now >= r.due {
		r.report()
	}
}

// NextTimeout is the next poll.
func (r *Receiver) NextTimeout() (units.Time, bool) { return r.due, r.due != units.Never }

// Done reports whether a message was delivered.
func (r *Receiver) Done() bool { return r.HasDelivered() }

// Counters returns what the receiver has counted.
func (r *Receiver) Counters() schemes.ReceiverCounters { return r.counters }

// State describes the receiver in a line.
func (r *Receiver) State() string {
	return fmt.Sprintf("openrdma receiver: PSN %d expected of %d, bitmap from %d, poll %v", r.expected,
		r.Posted, r.base, r.due)
}
