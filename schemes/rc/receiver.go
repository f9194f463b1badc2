package rc

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
	every    int64 // packets of a message of which the last requests an acknowledgement
	expected int64 // the PSN of the first packet that has not arrived
	highest  int64 // behind the highest PSN that has arrived
	nakSent  bool  // the gap that is open was reported
	// again says that the last packet was a duplicate: the first of them is acknowledged, others where
	// that is requested.
	again    bool
	counters schemes.ReceiverCounters
	buf      []byte
	bits     wire.Bits
}

// NewReceiver builds a receiver.
func NewReceiver(cfg *Config) *Receiver { return &Receiver{cfg: cfg} }

// Connect begins a connection.
func (r *Receiver) Connect(c schemes.Connection) {
	receives, buf, bits := r.Receives, r.buf, r.bits
	*r = Receiver{Receives: receives, cfg: r.cfg, buf: buf, bits: bits}
	r.Receives.Connect(c)
	r.every = r.cfg.ackEveryOn(c.Path)
}

// Open posts the receive of a message. Under Go-Back-N it takes packets in order only, and none
// before the messages before it are complete.
func (r *Receiver) Open(t schemes.Transfer) error {
	h, err := r.Post(t)
	if err != nil || r.cfg.Selective {
		return err
	}
	h.SetOrdered()
	if head, _, _ := r.Head(); head != h {
		h.Block()
	}
	return nil
}

// request is how many packets of an arrival there are up to the first that requests an
// acknowledgement, that included; none where ok is false.
func (r *Receiver) request(a sdr.Arrival) (count int64, ok bool) {
	at := min(a.First/r.every*r.every+r.every, a.Recv.PacketCount())
	count = at - a.First
	return min(count, a.Count), count <= a.Count
}

// Quiet ends at the first packet that is answered.
func (r *Receiver) Quiet(a sdr.Arrival) (packets int64, silent bool) {
	psn, live := r.PSN(a)
	switch {
	case r.cfg.Selective:
		if a.Repeat || live && psn > r.highest {
			return 1, false
		}
	case a.Discarded && live && psn > r.expected:
		if r.nakSent {
			return a.Count, true
		}
		return 1, false
	case !r.again && r.duplicate(psn, live):
		return 1, false
	}
	count, ok := r.request(a)
	return count, !ok
}

// Patience is none: whether a packet is answered depends on which it is.
func (r *Receiver) Patience(*sdr.RecvHandle) int64 { return 0 }

// HandleArrival acknowledges where that is requested, and reports what is out of order.
func (r *Receiver) HandleArrival(now units.Time, a sdr.Arrival) {
	psn, live := r.PSN(a)
	end := psn + a.Count
	if r.cfg.Selective {
		r.place(now, a, psn, live)
		return
	}
	if a.Discarded && live && psn > r.expected {
		r.refuse()
		return
	}
	answer := !r.again && r.duplicate(psn, live)
	r.again = r.duplicate(psn, live)
	if live && end > r.expected {
		r.expected, r.nakSent, r.again = end, false, false
		r.deliver(now)
	}
	if _, ok := r.request(a); ok || answer {
		r.acknowledge()
	}
}

// duplicate reports whether a packet has arrived before.
func (r *Receiver) duplicate(psn int64, live bool) bool { return !live || psn < r.expected }

// deliver delivers what is complete; under Go-Back-N the next message may then come.
func (r *Receiver) deliver(now units.Time) {
	if h, _, _ := r.Head(); h == nil || h.Missing() > 0 || !r.Deliver(now) {
		return
	}
	if h, _, _ := r.Head(); h != nil && !r.cfg.Selective {
		h.Admit()
	}
}

// refuse answers a packet that is out of order: one NAK for each gap.
func (r *Receiver) refuse() {
	if r.nakSent {
		return
	}
	r.nakSent = true
	missing := [1]wire.Range{{First: r.expected, Count: 1}}
	r.buf, _ = wire.AppendNack(r.buf[:0], &wire.Nack{Missing: missing[:]}, controlSize)
	r.Control.Send(r.buf)
	r.counters.Nacks++
}

// controlSize is the greatest size of an acknowledgement: a bitmap of 32768 PSNs.
const controlSize = 4 << 10

// place is HandleArrival with selective recovery: a packet is answered where that is requested,
// where it reveals a hole, and where it is a retransmission.
func (r *Receiver) place(now units.Time, a sdr.Arrival, psn int64, live bool) {
	answer := a.Repeat || live && psn > r.highest
	if live {
		r.highest = max(r.highest, psn+a.Count)
		if psn <= r.expected {
			r.deliver(now)
			r.expected = r.Expected()
		}
	}
	if _, ok := r.request(a); ok || answer {
		r.acknowledge()
	}
}

// acknowledge reports what has arrived: all before the PSN that is expected and, with selective
// recovery, a bitmap beyond.
func (r *Receiver) acknowledge() {
	ack := wire.Ack{Cumulative: r.expected}
	if r.cfg.Selective && r.highest > r.expected {
		r.Beyond(r.expected, min(r.highest, r.expected+1+r.cfg.Bitmap), &r.bits)
		if len(r.bits.Words) > 0 {
			ack.Bits = r.bits
		}
	}
	r.buf = wire.AppendAck(r.buf[:0], &ack, controlSize)
	r.Control.Send(r.buf)
	r.counters.Acks++
}

// HandleControl fails: a receiver takes no control messages.
func (r *Receiver) HandleControl(units.Time, []byte) error {
	return fmt.Errorf("rc: a receiver takes no control messages")
}

// HandleTimeout does nothing: a responder has no timer.
func (r *Receiver) HandleTimeout(units.Time) {}

// NextTimeout is none.
func (r *Receiver) NextTimeout() (units.Time, bool) { return 0, false }

// Done reports whether a message was delivered.
func (r *Receiver) Done() bool { return r.HasDelivered() }

// Counters returns what the receiver has counted.
func (r *Receiver) Counters() schemes.ReceiverCounters { return r.counters }

// State describes the receiver in a line.
func (r *Receiver) State() string {
	return fmt.Sprintf("rc receiver: PSN %d expected, %d highest of %d, NAK sent %v", r.expected,
		r.highest, r.Posted, r.nakSent)
}
