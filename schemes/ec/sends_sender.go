package ec

import (
	"fmt"

	"sdrsim/link/wire"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim/units"
)

// pieceSender is a Sender that posts the data of each submessage, and its parity, as a send of its
// own. A send starts when its receive was announced. That the id was announced again, for a later
// send, tells that its receive was completed: the submessage needs nothing more, and what was not
// handed out of it is dropped.
type pieceSender struct {
	Sender
	sends sends
	// handles has the sends that are open, by place. Those before closed are not any more, those
	// from started on not yet. handed is the first that was not handed out.
	handles                 []*sdr.SendHandle
	closed, started, handed int64
	// timed is the first place whose data goes out under the timers of the fallback.
	timed int64
	// rest is what is left of a repeat that concerns several submessages.
	rest wire.Range
	// lastFirst and lastRepeat are the places whose work the host may not be done with.
	lastFirst, lastRepeat int64
}

// newPieceSender builds a sender that takes on one message after the other.
func newPieceSender(cfg Config) (*pieceSender, error) {
	s, err := NewSender(cfg)
	return &pieceSender{Sender: *s}, err
}

// Open takes on a new message and starts the first of its sends, as far as they were announced.
func (s *pieceSender) Open(t schemes.Transfer) error {
	s.sends.open(&s.cfg, &t)
	s.layout = s.sends.layout
	if err := s.register(&t); err != nil {
		return err
	}
	s.t = t
	h, err := s.post(0)
	if err != nil {
		return err
	}
	s.reset()
	s.handles = handles(s.handles, s.sends.total())
	s.handles[0], s.sends.base = h, h.Index()
	s.closed, s.started, s.handed, s.timed = 0, 1, 0, s.sends.total()
	s.rest, s.lastFirst, s.lastRepeat = wire.Range{}, -1, -1
	s.Post()
	return nil
}

// post starts the send of a place.
func (s *pieceSender) post(place int64) (*sdr.SendHandle, error) {
	offset, length, parity := s.sends.region(place)
	if parity {
		return s.t.QP.StartStream(s.memory, offset, length, 0)
	}
	return s.t.QP.StartStream(s.t.MR, s.t.Offset+offset, length, 0)
}

// Post closes the sends whose ids were announced again, and starts those that were announced.
func (s *pieceSender) Post() (whole bool) {
	if s.done {
		return true
	}
	again := s.t.QP.Announced() - s.sends.ids - s.sends.base
	for s.closed < min(s.started, again) {
		s.close()
	}
	for s.started < s.sends.total() {
		h, err := s.post(s.started)
		if err != nil {
			break // no receive was announced
		}
		s.handles[s.started] = h
		s.started++
	}
	s.skip()
	return s.started == s.sends.total()
}

// close is done with the first send that is open. All data of its submessage is there.
func (s *pieceSender) close() {
	place := s.closed
	h := s.handles[place]
	if place == s.lastFirst || place == s.lastRepeat {
		h.Detach()
	} else {
		h.Release()
	}
	s.handles[place] = nil
	s.closed++
	sub, parity := s.sends.at(place)
	if parity || !s.fallback {
		return
	}
	first, count := s.layout.data(sub)
	s.window.Ack(first, count)
	if end := first + count; s.rest.Count > 0 && s.rest.First < end {
		drop := min(end-s.rest.First, s.rest.Count)
		s.rest.First += drop
		s.rest.Count -= drop
	}
}

// skip passes over sends that are not to go out: what was closed, and parity in the fallback.
func (s *pieceSender) skip() {
	for ; s.handed < s.started; s.handed++ {
		_, parity := s.sends.at(s.handed)
		if s.handed >= s.closed && !(parity && s.fallback) {
			break
		}
	}
	if !s.fallback {
		s.nextParity = s.sends.parityBefore(s.handed) * s.layout.m
	}
}

// NextSend hands out repeats first, then submessages in the order of the configuration.
func (s *pieceSender) NextSend(now units.Time) (sdr.Work, bool) {
	switch {
	case s.done:
		return sdr.Work{}, false
	case s.probe:
		return s.sendProbe(), true
	}
	if s.fallback && s.rest.Count == 0 {
		s.rest.First, s.rest.Count, _ = s.window.NextRepeat()
	}
	if s.rest.Count > 0 {
		return s.nextRepeat(), true
	}
	return s.nextFirst(now)
}

// sendProbe repeats a chunk to provoke an answer: the first, or where that has been received, one
// of the send that started last, whose receive still answers. That may be parity which was never
// sent, and whose time the encoder has not come to: what is in it has to be right all the same.
func (s *pieceSender) sendProbe() sdr.Work {
	place := int64(0)
	if s.closed > 0 {
		place = s.started - 1
	}
	if sub, parity := s.sends.at(place); parity {
		s.encodeOne(sub)
	}
	s.probe = false
	s.counters.Retransmits++
	w := s.send(s.handles[place], 0, 1)
	w.Repeat = true
	s.probing, s.lastRepeat = w.Count, place
	return w
}

// nextRepeat hands out what is to be repeated of the next submessage.
func (s *pieceSender) nextRepeat() sdr.Work {
	sub := s.rest.First / s.layout.k
	first, chunks := s.layout.data(sub)
	count := min(s.rest.End(), first+chunks) - s.rest.First
	place := s.sends.dataPlace(sub)
	w := s.send(s.handles[place], s.rest.First-first, count)
	w.Repeat = true
	s.lastRepeat = place
	s.rest.First += count
	s.rest.Count -= count
	s.counters.Retransmits += count
	return w
}

// nextFirst hands out the next send that never was.
func (s *pieceSender) nextFirst(now units.Time) (sdr.Work, bool) {
	if !s.hasFirst(now) {
		return sdr.Work{}, false
	}
	place := s.handed
	sub, parity := s.sends.at(place)
	if parity {
		s.encodeOne(sub)
	}
	h := s.handles[place]
	w := s.send(h, 0, h.Chunks())
	w.Repeat = false // also where a probe has been all of it
	s.lastFirst = place
	s.handed++
	s.skip()
	return w, true
}

// hasFirst tells whether nextFirst has something.
func (s *pieceSender) hasFirst(now units.Time) bool {
	if s.handed == s.started {
		return false
	}
	sub, parity := s.sends.at(s.handed)
	return !parity || s.encodedBy(now) > sub
}

// encodeOne fills the parity of a submessage with real payload.
func (s *pieceSender) encodeOne(sub int64) {
	if s.memory.Virtual() {
		return
	}
	_, count := s.layout.data(sub)
	s.shards = s.sends.shards(s.shards[:0], sub, &s.t, s.memory)
	if err := s.coders.of(count).Encode(s.shards[:count], s.shards[count:]); err != nil {
		panic(fmt.Sprintf("BUG: ec: encode: %v", err))
	}
}

// Ready tells whether there is something to send.
func (s *pieceSender) Ready(now units.Time) bool {
	return s.Urgent() || !s.done && s.hasFirst(now)
}

// Urgent tells that a repeat waits.
func (s *pieceSender) Urgent() bool {
	return !s.done && (s.rest.Count > 0 || s.Sender.Urgent())
}

// HandleSent starts the timers, as that of Sender does. What goes out for the first time in the
// fallback is timed as its repeats are.
func (s *pieceSender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	perChunk := part.Handle.PacketsPerChunk()
	if s.probeAt == units.Never {
		s.begin(depart, perChunk)
	}
	place := part.Handle.Index() - s.sends.base
	sub, parity := s.sends.at(place)
	switch {
	case part.Repeat && s.probing > 0:
		s.last = sentProbe
		s.probing -= part.Count
	case parity || !part.Repeat && place < s.timed:
		s.last = sentFirst
	default:
		s.last = sentRepeat
		part.First += sub * s.layout.k * perChunk
		s.window.Sent(part, depart, spacing)
	}
}

// HandleControl takes what that of Sender takes.
func (s *pieceSender) HandleControl(now units.Time, msg []byte) error {
	if kind, _, err := wire.Header(msg); err != nil || s.done || kind != wire.KindNack {
		err := s.Sender.HandleControl(now, msg)
		s.release()
		return err
	}
	if err := wire.DecodeNack(msg, &s.nack); err != nil {
		return err
	}
	return s.handleNack(now)
}

// handleNack begins the fallback, or adds to it.
func (s *pieceSender) handleNack(now units.Time) error {
	if err := s.checkNack(); err != nil {
		return err
	}
	if !s.fallback {
		s.fallBack()
	}
	s.heard(now)
	for _, r := range s.nack.Missing {
		s.fall(s.chunksOf(r))
	}
	return nil
}

// fallBack begins the fallback. What was not handed out goes out in it, whether or not it is part
// of the report that has come: as data only, in the order of posting, and behind all repeats.
func (s *pieceSender) fallBack() {
	l := &s.layout
	s.fallback, s.nextParity = true, l.parity()
	s.window.Open(s.sends.shape(s.t.QP.Config().MTU), s.cfg.SR.RTO.Of(s.t.Path.RTT),
		s.cfg.SR.Retries-1)
	s.window.AckBelow(l.chunks)
	s.known.Reset(l.chunks)
	s.skip()
	s.timed = s.handed
	if first := s.sends.dataBefore(s.handed) * l.k; first < l.chunks {
		s.known.SetRange(first, l.chunks-first)
		s.window.Unack(first, l.chunks-first)
	}
}

// fall puts chunks into the fallback, each once, unless news of their arrival has overtaken the
// report.
func (s *pieceSender) fall(r wire.Range) {
	from, to := r.First/s.layout.k, (r.End()-1)/s.layout.k
	s.counters.Fallbacks += s.fallen.SetRange(from, to-from+1)
	there := min(s.sends.dataBefore(s.closed)*s.layout.k, s.layout.chunks)
	for i := s.known.NextClear(max(r.First, there)); i < r.End(); i = s.known.NextClear(i) {
		end := min(s.known.NextSet(i), r.End())
		s.known.SetRange(i, end-i)
		s.window.Offer(i, end-i)
	}
}

// HandleTimeout repeats what is overdue.
func (s *pieceSender) HandleTimeout(now units.Time) {
	s.Sender.HandleTimeout(now)
	s.release()
}

// release closes all sends once the message has ended. The sends whose receives were announced and
// that did not start are passed over, so that those of the next message land in its own receives:
// a receiver that is done posts nothing more, and has announced what it posted.
func (s *pieceSender) release() {
	if !s.done || s.closed == s.sends.total() {
		return
	}
	for ; s.closed < s.started; s.closed++ {
		s.handles[s.closed].Release()
	}
	for ; s.started < s.sends.total(); s.started++ {
		h, err := s.post(s.started)
		if err != nil {
			break
		}
		h.Release()
	}
	s.closed = s.sends.total()
}

// State describes the sender in a line.
func (s *pieceSender) State() string {
	return fmt.Sprintf("ec sender: message %d, sends %d of %d started, %d handed out, %d closed, "+
		"%d submessages fell back, %d probes, %v", s.t.Serial, s.started, s.sends.total(), s.handed,
		s.closed, s.fallen.Count(), s.probes, s.err)
}
