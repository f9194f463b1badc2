package rc

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Config are the parameters of Go-Back-N.
type Config struct {
	// RTO is the retransmission timeout.
	RTO units.Span
	// Retries is how often the sender goes back to the same packet before the message is given up.
	Retries int
	Ack     sr.AckConfig
}

// Sender is the sending side of Go-Back-N for one message. It counts packets.
type Sender struct {
	cfg     Config
	rto     units.Duration
	t       schemes.Transfer
	handle  *sdr.SendHandle
	packets int64

	base  int64 // all packets before are acknowledged
	sent  int64 // all packets before have been sent
	first int64 // all packets before were handed out for the first time
	// again is where to go back to, while back is set.
	again    int64
	back     bool
	recalled bool // what was handed out to be sent again is void
	retries  int  // since the last progress
	timeout  units.Time
	// last is what HandleSent was told last, with the departure of its first packet, and the timeout
	// before it.
	last    sdr.Work
	depart  units.Time
	spacing units.Duration
	before  units.Time

	done     bool
	err      error
	counters schemes.SenderCounters
	reports  schemes.Reports
}

// NewSender builds a sender that takes on one message after the other.
func NewSender(cfg Config) *Sender { return &Sender{cfg: cfg} }

// Open takes on a new message.
func (s *Sender) Open(t schemes.Transfer) error {
	h, err := t.QP.StartStream(t.MR, t.Offset, t.Size, 0)
	if err != nil {
		return err
	}
	reports := s.reports
	*s = Sender{cfg: s.cfg, rto: s.cfg.RTO.Of(t.Path.RTT), t: t, handle: h, packets: h.PacketCount(),
		timeout: units.Never, reports: reports}
	return nil
}

// Start has nothing to prepare.
func (s *Sender) Start(units.Time) {}

// from is the packet to go back to, as far as it is not acknowledged meanwhile.
func (s *Sender) from() int64 { return max(s.again, s.base) }

// Urgent reports whether the sender has to go back.
func (s *Sender) Urgent() bool { return !s.done && s.back && s.from() < s.sent }

// Ready reports whether there is something to send.
func (s *Sender) Ready(units.Time) bool { return s.Urgent() || !s.done && s.first < s.packets }

// NextSend goes back first, then on.
func (s *Sender) NextSend(units.Time) (sdr.Work, bool) {
	switch {
	case s.Urgent():
		s.back = false
		from := s.from()
		return sdr.Work{Handle: s.handle, First: from, Count: s.sent - from, Repeat: true}, true
	case s.done || s.first == s.packets:
		return sdr.Work{}, false
	}
	w := sdr.Work{Handle: s.handle, First: s.first, Count: s.packets - s.first}
	s.first = s.packets
	return w, true
}

// Recall reports whether the packets that were handed out to be sent again are void.
func (s *Sender) Recall() bool {
	recalled := s.recalled
	s.recalled = false
	return recalled
}

// HandleSent starts the timer, where it does not run.
func (s *Sender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	s.last, s.depart, s.spacing, s.before = part, depart, spacing, s.timeout
	if part.Repeat {
		s.counters.Retransmits += s.chunks(part.First, part.Count)
	} else {
		s.sent = part.First + part.Count
		s.back = false // what was to be sent again has been acknowledged, else it would have gone first
	}
	if first := max(part.First, s.base); s.timeout == units.Never && first < part.First+part.Count {
		s.timeout = depart.Add(units.Duration(first-part.First) * spacing).Add(s.rto)
	}
}

// Unsend takes back packets that have not left.
func (s *Sender) Unsend(count int64) {
	s.last.Count -= count
	if s.last.Repeat {
		s.counters.Retransmits -= s.chunks(s.last.First+s.last.Count, count)
	} else {
		s.sent -= count
	}
	if s.last.Count == 0 {
		s.timeout = s.before
	}
}

// chunks is how many chunks begin in a range of packets.
func (s *Sender) chunks(first, count int64) int64 {
	n := s.handle.PacketsPerChunk()
	return (first+count+n-1)/n - (first+n-1)/n
}

// HandleControl takes an acknowledgement or a NAK.
func (s *Sender) HandleControl(now units.Time, msg []byte) error {
	kind, err := s.reports.Decode(s.t.Serial, msg)
	switch {
	case err != nil:
		return fmt.Errorf("rc: %w", err)
	case s.done:
		return nil // late
	case kind == wire.KindAck:
		return s.handleAck(now)
	}
	return s.handleNack(now)
}

func (s *Sender) handleAck(now units.Time) error {
	ack := &s.reports.Ack
	end := ack.Cumulative
	if ack.End() != end || end > s.sent || ack.Final && end != s.packets {
		return fmt.Errorf("rc: acknowledgement of %d packets of %d sent, final %v", ack.End(), s.sent,
			ack.Final)
	}
	s.progress(now, end)
	if ack.Final {
		s.finish(nil)
	}
	return nil
}

// progress notes that all packets before end have arrived, and starts the timer anew: from now, or
// from the departure of the next packet, which may have been told ahead of its time.
func (s *Sender) progress(now units.Time, end int64) {
	if end <= s.base {
		return
	}
	s.base, s.retries = end, 0
	switch {
	case s.base == s.sent:
		s.timeout = units.Never
	case s.timeout != units.Never:
		s.timeout = max(now, s.departed(s.base)).Add(s.rto)
	}
}

// departed is when a packet is sent for the first time, 0 where that was long ago.
func (s *Sender) departed(packet int64) units.Time {
	if i := packet - s.last.First; !s.last.Repeat && i >= 0 && i < s.last.Count {
		return s.depart.Add(units.Duration(i) * s.spacing)
	}
	return 0
}

func (s *Sender) handleNack(now units.Time) error {
	nack := &s.reports.Nack
	if nack.Submessages || len(nack.Missing) != 1 || nack.Missing[0].First >= s.sent {
		return fmt.Errorf("rc: NAK of %v, %d packets sent", nack.Missing, s.sent)
	}
	missing := nack.Missing[0].First
	if missing < s.base {
		return nil // overtaken
	}
	s.progress(now, missing)
	s.goBack()
	return nil
}

// HandleTimeout goes back to the oldest packet that is not acknowledged.
func (s *Sender) HandleTimeout(now units.Time) {
	if s.done || now < s.timeout {
		return
	}
	s.counters.Timeouts++
	s.goBack()
}

// goBack sends everything from the first packet that is not acknowledged again. The timer runs from
// its departure.
func (s *Sender) goBack() {
	s.again, s.back, s.recalled, s.timeout = s.base, true, true, units.Never
	if s.retries++; s.retries > s.cfg.Retries {
		s.finish(fmt.Errorf("%w: packet %d was sent %d times", schemes.ErrRetryLimit, s.base, s.retries))
	}
}

// finish ends the message; its id may be used again.
func (s *Sender) finish(err error) {
	s.done, s.err = true, err
	s.handle.Release()
}

// NextTimeout is the retransmission timer.
func (s *Sender) NextTimeout() (units.Time, bool) {
	return s.timeout, !s.done && s.timeout != units.Never
}

// Done reports whether the message was acknowledged or given up.
func (s *Sender) Done() bool { return s.done }

// Err says why the message was given up.
func (s *Sender) Err() error { return s.err }

// Counters returns what the sender has counted.
func (s *Sender) Counters() schemes.SenderCounters { return s.counters }

// State describes the sender in a line.
func (s *Sender) State() string {
	return fmt.Sprintf("rc sender: message %d, %d of %d packets acknowledged, %d sent, "+
		"back %v to %d, %v", s.t.Serial, s.base, s.packets, s.sent, s.back, s.again, s.err)
}
