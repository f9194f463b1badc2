package rc

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/conn"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Sender is the requester of a connection.
type Sender struct {
	conn.Sends
	cfg         *Config
	rto, rtoLow units.Duration
	window      int64
	una         int64 // all before are acknowledged
	timer       timer
	retries     int // without progress
	// retrying says that NAKs are ignored: one was obeyed, and nothing was acknowledged since.
	retrying bool
	repeats  repeats
	recalled bool // the retransmissions that were handed out are void
	// last is what was reported last, from PSN lastPSN on, with its departures, and when the timer
	// expired before it.
	last    sdr.Work
	lastPSN int64
	depart  units.Time
	spacing units.Duration
	before  units.Time

	err      error
	counters schemes.SenderCounters
	reports  schemes.Reports
}

// NewSender builds a sender.
func NewSender(cfg *Config) *Sender { return &Sender{cfg: cfg} }

// Connect begins a connection.
func (s *Sender) Connect(c schemes.Connection) {
	sends, holes, reports := s.Sends, s.repeats.sacked, s.reports
	*s = Sender{Sends: sends, cfg: s.cfg, reports: reports}
	s.Sends.Connect(c)
	s.repeats.sacked = holes[:0]
	s.rto, s.rtoLow = s.cfg.Timeout.Of(c.Path.RTT), s.cfg.TimeoutLow.Of(c.Path.RTT)
	s.timer.reset(s.cfg)
	s.window = s.cfg.windowOn(c.Path)
}

// Open posts a message.
func (s *Sender) Open(t schemes.Transfer) error { return s.Post(t) }

// Start has nothing to prepare.
func (s *Sender) Start(units.Time) {}

// Urgent reports whether a retransmission waits.
func (s *Sender) Urgent() bool {
	if s.err != nil {
		return false
	}
	from, to := s.pending()
	return from < to
}

// Ready reports whether there is something to send.
func (s *Sender) Ready(units.Time) bool {
	return s.err == nil && (s.First < min(s.Posted, s.una+s.window) || s.Urgent())
}

// NextSend retransmits first, then goes on.
func (s *Sender) NextSend(units.Time) (sdr.Work, bool) {
	if s.err != nil {
		return sdr.Work{}, false
	}
	if from, to := s.pending(); from < to {
		w := s.Work(from, to)
		w.Repeat = true
		r := &s.repeats
		r.next, r.resume = from+w.Count, false
		if r.to == asFarAsSent {
			r.to = s.Sent // what the host has cut did not leave
		}
		return w, true
	}
	return s.Next(s.una + s.window)
}

// Recall reports whether the retransmissions that were handed out are void.
func (s *Sender) Recall() bool {
	recalled := s.recalled
	s.recalled = false
	return recalled
}

// HandleSent starts the timer, where it does not run.
func (s *Sender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	psn, ok := s.Left(part, depart, spacing)
	s.last, s.lastPSN, s.depart, s.spacing, s.before = part, psn, depart, spacing, s.timer.at
	if part.Repeat {
		s.counters.Retransmits += conn.Chunks(part)
		s.repeats.left = psn + part.Count
	} else if s.repeats.to == asFarAsSent {
		s.repeats.active = false // what was to be retransmitted is acknowledged: it goes first
	}
	if first := max(psn, s.una); ok && s.timer.at == units.Never && first < psn+part.Count {
		s.arm(depart.Add(units.Duration(first-psn) * spacing))
	}
}

// Unsend takes back packets that have not left.
func (s *Sender) Unsend(count int64) {
	s.last.Count -= count
	s.TookBack(sdr.Work{Handle: s.last.Handle, First: s.last.First, Count: s.last.Count + count,
		Repeat: s.last.Repeat}, count)
	if s.last.Repeat {
		s.counters.Retransmits -= conn.Chunks(sdr.Work{Handle: s.last.Handle,
			First: s.last.First + s.last.Count, Count: count})
		s.repeats.left -= count
	}
	if s.last.Count == 0 {
		s.timer.at = s.before
	}
}

// departed is when a packet leaves that was reported last; 0 where that was long ago.
func (s *Sender) departed(psn int64) units.Time {
	if i := psn - s.lastPSN; !s.last.Repeat && i >= 0 && i < s.last.Count {
		return s.depart.Add(units.Duration(i) * s.spacing)
	}
	return 0
}

// HandleControl takes an acknowledgement or a NAK.
func (s *Sender) HandleControl(now units.Time, msg []byte) error {
	kind, err := s.reports.Decode(0, msg)
	switch {
	case err != nil:
		return fmt.Errorf("rc: %w", err)
	case s.err != nil:
		return nil
	case kind == wire.KindAck:
		return s.handleAck(now)
	}
	return s.handleNak(now)
}

// handleAck takes an acknowledgement, which reports what has arrived out of order too.
func (s *Sender) handleAck(now units.Time) error {
	ack := &s.reports.Ack
	if ack.End() > s.Sent || ack.Final || !s.cfg.Selective && ack.End() > ack.Cumulative {
		return fmt.Errorf("rc: acknowledgement of %d packets to %d, %d sent", ack.Cumulative, ack.End(),
			s.Sent)
	}
	progress := s.progress(now, ack.Cumulative)
	if ack.End() > ack.Cumulative && ack.End() > s.una {
		s.report()
	}
	if !progress && s.cfg.AnyRestarts && ack.Cumulative >= s.una {
		s.restart(now)
	}
	return nil
}

// progress notes that all packets before a PSN have arrived, and restarts the timer. It reports
// whether that is news.
func (s *Sender) progress(now units.Time, una int64) bool {
	if una <= s.una {
		return false
	}
	s.una, s.retries, s.retrying = una, 0, false
	s.timer.progress(s.cfg)
	s.restart(now)
	s.acknowledged()
	if s.Acknowledge(una) && s.repeats.active {
		// A message has ended of which retransmissions may wait at the host.
		s.recalled, s.repeats.resume = true, true
	}
	return true
}

// restart has the timer run from now, or from the departure of the oldest packet that is not
// acknowledged, which may have been reported ahead of its time. A retransmission that waits starts
// it when it leaves.
func (s *Sender) restart(now units.Time) {
	switch {
	case s.una == s.Sent:
		s.timer.at = units.Never
	case s.timer.at != units.Never || !s.Urgent():
		s.arm(max(now, s.departed(s.una)))
	}
}

// handleNak goes back to the PSN that the receiver expects.
func (s *Sender) handleNak(now units.Time) error {
	nack := &s.reports.Nack
	if s.cfg.Selective || nack.Submessages || len(nack.Missing) != 1 ||
		nack.Missing[0].First >= s.Sent {
		return fmt.Errorf("rc: NAK of %v, %d packets sent", nack.Missing, s.Sent)
	}
	psn := nack.Missing[0].First
	if psn < s.una {
		return nil // overtaken
	}
	if s.progress(now, psn); s.retrying {
		return nil
	}
	s.retrying = true
	s.retry()
	return nil
}

// HandleTimeout retransmits from the oldest packet that is not acknowledged.
func (s *Sender) HandleTimeout(now units.Time) {
	if s.err != nil || now < s.timer.at {
		return
	}
	if s.timer.low && s.inFlight(now) > s.cfg.FewInFlight {
		s.timer.low, s.timer.at = false, s.timer.from.Add(s.span(s.rto))
		return
	}
	s.counters.Timeouts++
	s.timer.expire(s.cfg)
	s.retry()
}

// inFlight is how many packets from the oldest on that is not acknowledged have left by now.
func (s *Sender) inFlight(now units.Time) int64 {
	left := s.Sent
	if !s.last.Repeat && s.last.Count > 0 && s.lastPSN+s.last.Count == left {
		for i := s.last.Count - 1; i >= 0 && s.depart.Add(units.Duration(i)*s.spacing) > now; {
			skip := max(1, int64(s.depart.Add(units.Duration(i)*s.spacing).Sub(now)/max(1, s.spacing)))
			i -= skip
			left -= skip
		}
	}
	return left - s.una
}

// retry has everything retransmitted that recovery wants, from the oldest packet on that is not
// acknowledged. The timer runs from its departure.
func (s *Sender) retry() {
	if s.retries++; s.retries > s.cfg.Retries {
		s.err = fmt.Errorf("%w: PSN %d was retransmitted %d times", schemes.ErrRetryLimit, s.una,
			s.retries-1)
		s.timer.at = units.Never
		s.Break(s.err)
		return
	}
	s.timer.at = units.Never
	s.goBack()
}

// NextTimeout is the retransmission timer.
func (s *Sender) NextTimeout() (units.Time, bool) {
	return s.timer.at, s.timer.at != units.Never
}

// Done reports whether a message has ended.
func (s *Sender) Done() bool { return s.Ended() }

// Err says why the connection is broken.
func (s *Sender) Err() error { return s.err }

// Counters returns what the sender has counted.
func (s *Sender) Counters() schemes.SenderCounters { return s.counters }

// State describes the sender in a line.
func (s *Sender) State() string {
	serial, first, end := s.Oldest()
	return fmt.Sprintf("rc sender: message %d of PSNs %d to %d, %d acknowledged, %d sent of %d, "+
		"%d retries, timer %v, %v", serial, first, end, s.una, s.Sent, s.Posted, s.retries, s.timer.at,
		s.err)
}
