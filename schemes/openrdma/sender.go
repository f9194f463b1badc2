package openrdma

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/conn"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Config are the parameters of a connection.
type Config struct {
	// Timeout is that of the software, which looks at it every Check.
	Timeout units.Span
	Check   units.Span
	// Range retransmits on a NAK what slid out and the bitmap, else a NAK is a report only.
	Range   bool
	Retries int
	// Poll is the period of reports.
	Poll units.Span
	// Bitmap and Slide are the bits of the responder's bitmap, and by how many it slides.
	Bitmap, Slide int64
}

// Sender is the requester of a connection.
type Sender struct {
	conn.Sends
	cfg            *Config
	timeout, check units.Duration
	una            int64
	// expires is when the timer is found to have expired; Never: it does not run. At asked a packet
	// leaves that requests an acknowledgement, and restarts it; Never: that has happened.
	expires, asked units.Time
	retries        int // since the timer was restarted by something else
	// next to to, exclusive, is to be retransmitted; left is behind what of it has left.
	next, to, left int64
	resume         bool // what was handed out and has not left is void
	recalled       bool
	err            error
	timeouts       int64
	reports        schemes.Reports
}

// NewSender builds a sender.
func NewSender(cfg *Config) *Sender { return &Sender{cfg: cfg} }

// Connect begins a connection.
func (s *Sender) Connect(c schemes.Connection) {
	sends, reports := s.Sends, s.reports
	*s = Sender{Sends: sends, cfg: s.cfg, reports: reports, expires: units.Never,
		asked: units.Never}
	s.Sends.Connect(c)
	s.timeout, s.check = s.cfg.Timeout.Of(c.Path.RTT), max(1, s.cfg.Check.Of(c.Path.RTT))
}

// Open posts a message.
func (s *Sender) Open(t schemes.Transfer) error { return s.Post(t) }

// Start has nothing to prepare.
func (s *Sender) Start(units.Time) {}

// pending are the PSNs to be retransmitted next; none where from is not below to.
func (s *Sender) pending() (from, to int64) {
	if from = max(s.next, s.una); s.resume {
		from = max(s.left, s.una)
	}
	return from, min(s.to, s.Sent)
}

// Urgent reports whether a retransmission waits.
func (s *Sender) Urgent() bool {
	from, to := s.pending()
	return s.err == nil && from < to
}

// Ready reports whether there is something to send.
func (s *Sender) Ready(units.Time) bool {
	return s.err == nil && (s.First < min(s.Posted, s.una+conn.Most) || s.Urgent())
}

// NextSend retransmits first, then goes on.
func (s *Sender) NextSend(units.Time) (sdr.Work, bool) {
	if s.err != nil {
		return sdr.Work{}, false
	}
	if from, to := s.pending(); from < to {
		w := s.Work(from, to)
		w.Repeat = true
		s.next, s.to, s.resume = from+w.Count, to, false
		return w, true
	}
	return s.Next(s.una + conn.Most)
}

// Recall reports whether the retransmissions that were handed out are void.
func (s *Sender) Recall() bool {
	recalled := s.recalled
	s.recalled = false
	return recalled
}

// HandleSent restarts the timer where a new acknowledgement is requested: by the last packet of a
// message.
func (s *Sender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	psn, ok := s.Left(part, depart, spacing)
	if part.Repeat { // whose request is not a new one
		s.left = psn + part.Count
		return
	}
	s.to = min(s.to, psn) // what has left now was not to be retransmitted
	if last := depart.Add(units.Duration(part.Count-1) * spacing); ok && psn+part.Count > s.una &&
		part.First+part.Count == part.Handle.PacketCount() {
		s.settle(depart.Add(-spacing)) // whatever was asked before has left before
		s.asked = last
	}
}

// Unsend takes back packets that have not left.
func (s *Sender) Unsend(count int64) {
	rest := s.TakeBack(count)
	if rest.Repeat {
		s.left -= count
	}
	s.asked = units.Never // the last packet is among them
}

// expiry is when a timer that runs from an instant on is found to have expired: when the software
// looks next.
func (s *Sender) expiry(from units.Time) units.Time {
	at, period := int64(from.Add(s.timeout)), int64(s.check)
	return units.Time((at + period - 1) / period * period)
}

// settle has the timer restarted by a request that has left by now.
func (s *Sender) settle(now units.Time) {
	if s.asked <= now && s.expires > s.asked {
		s.expires, s.asked, s.retries = s.expiry(s.asked), units.Never, 0
	}
}

// HandleControl takes a report.
func (s *Sender) HandleControl(now units.Time, msg []byte) error {
	kind, err := s.reports.Decode(0, msg)
	switch {
	case err != nil:
		return fmt.Errorf("openrdma: %w", err)
	case s.err != nil:
		return nil
	case kind == wire.KindNack:
		return s.handleNak(now)
	}
	ack := &s.reports.Ack
	if ack.End() > s.Sent || ack.Final || ack.End() > ack.Cumulative {
		return fmt.Errorf("openrdma: report of %d packets, %d sent", ack.End(), s.Sent)
	}
	s.settle(now)
	s.reported(now)
	if ack.Cumulative > s.una {
		s.una = ack.Cumulative
		if s.Acknowledge(s.una) {
			s.recalled, s.resume = true, true
		}
	}
	if s.una >= s.LastEnd(s.LeftBy(now)) { // no request is open
		s.expires = units.Never
	}
	return nil
}

// reported restarts the timer, if it runs, and its retry counter: any report does.
func (s *Sender) reported(now units.Time) {
	s.retries = 0
	if s.expires != units.Never {
		s.expires = s.expiry(now)
	}
}

// handleNak takes a NAK: PSNs that slid out with a hole, and the bitmap behind them.
func (s *Sender) handleNak(now units.Time) error {
	nack := &s.reports.Nack
	if nack.Submessages || len(nack.Missing) != 1 || nack.Missing[0].First >= s.Sent {
		return fmt.Errorf("openrdma: NAK of %v, %d packets sent", nack.Missing, s.Sent)
	}
	s.settle(now)
	s.reported(now)
	if !s.cfg.Range {
		return nil
	}
	r := nack.Missing[0]
	end := min(r.End(), s.LeftBy(now))
	if s.left < s.to || s.Leaving(now) { // on with what is under way, to the end of this one
		s.to, s.resume, s.recalled = max(s.to, end), true, true
		return nil
	}
	s.next, s.to, s.left, s.resume = r.First, end, r.First, false
	return nil
}

// HandleTimeout retransmits everything from the oldest packet on that is not acknowledged.
func (s *Sender) HandleTimeout(now units.Time) {
	if at, _ := s.NextTimeout(); s.err != nil || now < at {
		return
	}
	s.settle(now)
	s.timeouts++
	if s.retries++; s.retries > s.cfg.Retries {
		s.err = fmt.Errorf("%w: PSN %d was retransmitted %d times", schemes.ErrRetryLimit, s.una,
			s.retries-1)
		s.expires = units.Never
		s.Break(s.err)
		return
	}
	s.next, s.to, s.left, s.resume, s.recalled = s.una, s.LeftBy(now), s.una, false, true
	s.expires = s.expiry(now)
}

// NextTimeout is when the software finds that its timer has expired.
func (s *Sender) NextTimeout() (units.Time, bool) {
	at := s.expires
	if s.asked < at && s.err == nil {
		at = s.expiry(s.asked)
	}
	return at, at != units.Never
}

// Done reports whether a message has ended.
func (s *Sender) Done() bool { return s.Ended() }

// Err says why the connection is broken.
func (s *Sender) Err() error { return s.err }

// Counters returns what the sender has counted.
func (s *Sender) Counters() schemes.SenderCounters {
	return schemes.SenderCounters{Retransmits: s.Retransmits, Timeouts: s.timeouts}
}

// State describes the sender in a line.
func (s *Sender) State() string {
	serial, first, end := s.Oldest()
	at, _ := s.NextTimeout()
	return fmt.Sprintf("openrdma sender: message %d of PSNs %d to %d, %d acknowledged, %d sent of "+
		"%d, %d retries, timer %v, %v", serial, first, end, s.una, s.Sent, s.Posted, s.retries, at, s.err)
}
