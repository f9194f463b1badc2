package sr

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Sender is the sending side of Selective Repeat for one message.
type Sender struct {
	// What most calls read comes first.
	handle   *sdr.SendHandle
	next     int64 // first chunk that was not handed out yet
	serial   uint32
	done     bool
	err      error
	counters schemes.SenderCounters
	cfg      *Config
	window   Window
	path     schemes.Path
}

// NewSender builds a sender that takes on one message after the other. It keeps cfg, which any
// number of endpoints of one host may share: they are called one at a time.
func NewSender(cfg *Config) *Sender {
	if cfg.reports == nil {
		cfg.reports = new(schemes.Reports)
	}
	return &Sender{cfg: cfg}
}

// Open takes on a new message as a stream send.
func (s *Sender) Open(t schemes.Transfer) error {
	h, err := t.QP.StartStream(t.MR, t.Offset, t.Size, 0)
	if err != nil {
		return err
	}
	s.serial, s.path, s.handle = t.Serial, t.Path, h
	s.next, s.done, s.err = 0, false, nil
	s.counters = schemes.SenderCounters{}
	// RTO = RTT + alpha*RTT. arXiv:2505.05366 §4.1.1
	s.window.Open(h, s.cfg.RTO.Of(t.Path.RTT), s.cfg.Retries)
	return nil
}

// Start has nothing to prepare.
func (s *Sender) Start(units.Time) {}

// NextSend hands out repeats first, then everything that was never sent.
func (s *Sender) NextSend(units.Time) (sdr.Work, bool) {
	if s.done {
		return sdr.Work{}, false
	}
	if first, count, ok := s.window.NextRepeat(); ok {
		s.counters.Retransmits += count
		return s.send(first, count), true
	}
	if s.next == s.handle.Chunks() {
		return sdr.Work{}, false
	}
	first := s.next
	s.next = s.handle.Chunks()
	return s.send(first, s.next-first), true
}

// Ready reports whether there is something to send.
func (s *Sender) Ready(units.Time) bool {
	return !s.done && (s.next < s.handle.Chunks() || s.window.Waiting())
}

func (s *Sender) send(first, count int64) sdr.Work {
	w, err := s.handle.Continue(first, count)
	if err != nil {
		panic(fmt.Sprintf("BUG: sr: %v", err))
	}
	return w
}

// Urgent tells that a repeat waits.
func (s *Sender) Urgent() bool { return !s.done && s.window.Waiting() }

// HandleSent starts the timeouts of the chunks that have left.
func (s *Sender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	s.window.Sent(part, depart, spacing)
}

// Unsend takes back packets that have not left.
func (s *Sender) Unsend(count int64) { s.window.Unsend(count) }

// DefersControl implements schemes.ControlDeferrer: timers run from departures.
func (s *Sender) DefersControl() {}

// HandleControl takes an acknowledgement or a report of holes.
func (s *Sender) HandleControl(now units.Time, msg []byte) error {
	kind, err := s.cfg.reports.Decode(s.serial, msg)
	switch {
	case err != nil:
		return fmt.Errorf("sr: %w", err)
	case s.done:
		return nil // late
	case kind == wire.KindAck:
		return s.handleAck(now)
	}
	return s.handleNack(now, s.path.ControlTime(len(msg)))
}

func (s *Sender) handleAck(now units.Time) error {
	ack := &s.cfg.reports.Ack
	if err := s.checkAck(now); err != nil {
		return err
	}
	if err := s.window.HandleAck(ack); err != nil {
		return err
	}
	if s.window.Done() {
		s.finish(nil)
	}
	return nil
}

// checkAck refuses what no receiver of this message can say.
func (s *Sender) checkAck(now units.Time) error {
	ack := &s.cfg.reports.Ack
	end, chunks := ack.End(), s.handle.Chunks()
	switch {
	case end > chunks, ack.Final && end != chunks:
		return fmt.Errorf("sr: acknowledgement of %d chunks of %d, final %v", end, chunks, ack.Final)
	case end > 0 && !s.window.left(end-1, now):
		return fmt.Errorf("sr: acknowledgement of chunk %d, which was not sent yet", end-1)
	}
	return nil
}

// handleNack takes a report that took so long to send. What arrived while it was sent is not in it.
func (s *Sender) handleNack(now units.Time, took units.Duration) error {
	nack := &s.cfg.reports.Nack
	if nack.Submessages {
		return fmt.Errorf("sr: report of submessages; message %d has none", s.serial)
	}
	if err := CheckRanges(nack.Missing, s.handle.Chunks()); err != nil {
		return err
	}
	for _, r := range nack.Missing {
		s.window.Reported(now, r, s.path.RTT+took)
	}
	if s.window.Failed() {
		s.giveUp()
	}
	return nil
}

// HandleTimeout requests the repeat of the chunks whose timeout is due.
func (s *Sender) HandleTimeout(now units.Time) {
	if s.done {
		return
	}
	s.counters.Timeouts += s.window.Expire(now)
	if s.window.Failed() {
		s.giveUp()
	}
}

func (s *Sender) giveUp() {
	s.finish(fmt.Errorf("%w: a chunk was sent %d times", schemes.ErrRetryLimit, s.cfg.Retries+1))
}

// finish ends the message; its id may be used again.
func (s *Sender) finish(err error) {
	s.done, s.err = true, err
	s.handle.Release()
}

// NextTimeout is the earliest timeout of a chunk.
func (s *Sender) NextTimeout() (units.Time, bool) {
	if s.done {
		return 0, false
	}
	return s.window.Deadline()
}

// Done tells that the message was acknowledged or given up.
func (s *Sender) Done() bool { return s.done }

// Err says why the message was given up.
func (s *Sender) Err() error { return s.err }

// Counters returns what the sender has counted.
func (s *Sender) Counters() schemes.SenderCounters { return s.counters }

// State describes the sender in a line.
func (s *Sender) State() string {
	return fmt.Sprintf("sr sender: message %d, %d of %d chunks acknowledged, first send at %d, %v",
		s.serial, s.window.Acked(), s.handle.Chunks(), s.next, s.err)
}

// HandleAck applies an acknowledgement.
func (w *Window) HandleAck(a *wire.Ack) error {
	if a.Final {
		w.AckBelow(w.chunks)
		return nil
	}
	if a.End() > w.chunks {
		return fmt.Errorf("sr: acknowledgement of %d chunks of %d", a.End(), w.chunks)
	}
	w.AckBelow(a.Cumulative)
	for _, r := range a.Selective {
		if news := w.acked.NextClear(r.First); news < r.End() { // most ranges were named before
			w.acked.SetRange(news, r.End()-news)
		}
	}
	w.ackBits(&a.Bits)
	return nil
}

// CheckRanges tells whether all ranges of a control message, which ascend, lie within the chunks of
// a message.
func CheckRanges(ranges []wire.Range, chunks int64) error {
	if n := len(ranges); n > 0 && ranges[n-1].End() <= chunks {
		return nil // nor does any before the last go beyond
	}
	for _, r := range ranges {
		if r.First < 0 || r.Count < 1 || r.Count > chunks-r.First {
			return fmt.Errorf("sr: control message names chunks %d (+%d) of %d",
				r.First, r.Count, chunks)
		}
	}
	return nil
}
