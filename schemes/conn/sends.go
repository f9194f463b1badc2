package conn

import (
	"sdrsim/internal/ring"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// Most is how many packets may be under way, so that a PSN of 24 bits tells an old one from a new
// one. InfiniBand Architecture Specification, volume 1, section 9.7.2.
const Most = 1 << 23

// Sends are the messages that a sender was handed and that are not acknowledged.
type Sends struct {
	schemes.Connection
	messages ring.Ring[message] // by the Index of their sends
	ended    ring.Ring[schemes.Outcome]
	// Posted is the PSN behind all messages, First that of the next packet to be sent for the first
	// time, Sent that behind the packets that have left, as far as the host has reported them.
	Posted, First, Sent int64
}

type message struct {
	handle     *sdr.SendHandle
	serial     uint32
	first, end int64 // PSNs
	started    units.Time
}

// Connect begins a connection.
func (s *Sends) Connect(c schemes.Connection) {
	s.Connection = c
	s.messages.Reset()
	s.ended.Reset()
	s.Posted, s.First, s.Sent = 0, 0, 0
}

// Post takes a message on, behind the others. It fails as sdr.QP.StartStream does.
func (s *Sends) Post(t schemes.Transfer) error {
	h, err := t.QP.StartStream(t.MR, t.Offset, t.Size, 0)
	if err != nil {
		return err
	}
	if h.Index() != s.messages.Next() {
		panic("BUG: conn: a send that is not of the connection")
	}
	s.messages.Append(message{handle: h, serial: t.Serial, first: s.Posted,
		end: s.Posted + h.PacketCount(), started: units.Never})
	s.Posted += h.PacketCount()
	return nil
}

// Len is how many messages are under way.
func (s *Sends) Len() int { return s.messages.Len() }

// of is the message that has a PSN, which is of one under way.
func (s *Sends) of(psn int64) *message {
	lo, hi := s.messages.First(), s.messages.Next()
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; s.messages.At(mid).first <= psn {
			lo = mid
		} else {
			hi = mid
		}
	}
	return s.messages.At(lo)
}

// Work is the packets from a PSN on to another, exclusive, as far as they are of one message.
func (s *Sends) Work(from, to int64) sdr.Work {
	m := s.of(from)
	return sdr.Work{Handle: m.handle, First: from - m.first, Count: min(to, m.end) - from}
}

// Next hands out packets for the first time, up to a PSN; none where that is not beyond First.
func (s *Sends) Next(limit int64) (sdr.Work, bool) {
	if limit = min(limit, s.Posted); s.First >= limit {
		return sdr.Work{}, false
	}
	w := s.Work(s.First, limit)
	s.First += w.Count
	return w, true
}

// Left notes a departure, and returns the PSN of its first packet; ok is false where the message is
// not under way any more.
func (s *Sends) Left(
	part sdr.Work, depart units.Time, spacing units.Duration,
) (psn int64, ok bool) {
	if part.Handle.Index() < s.messages.First() {
		return 0, false
	}
	m := s.messages.At(part.Handle.Index())
	psn = m.first + part.First
	if !part.Repeat {
		s.Sent = psn + part.Count
		if m.started == units.Never {
			m.started = depart.Add(-spacing)
		}
	}
	return psn, true
}

// Took back notes that the last packets of what was reported last have not left.
func (s *Sends) TookBack(part sdr.Work, count int64) {
	if part.Repeat {
		return
	}
	if s.Sent -= count; part.First == 0 && part.Count == count {
		s.messages.At(part.Handle.Index()).started = units.Never
	}
}

// Acknowledge ends the messages of which all packets are before a PSN.
func (s *Sends) Acknowledge(una int64) (ended bool) {
	for m := s.messages.Head(); m != nil && m.end <= una; m = s.messages.Head() {
		s.end(m, nil)
		ended = true
	}
	return ended
}

// end ends the oldest message.
func (s *Sends) end(m *message, err error) {
	m.handle.Release()
	s.ended.Append(schemes.Outcome{Serial: m.serial, Started: m.started, Err: err})
	s.messages.Pop()
}

// Break ends the oldest message, and with it the connection.
func (s *Sends) Break(err error) {
	if m := s.messages.Head(); m != nil {
		s.end(m, err)
	}
}

// Ended reports whether Completed has something to return.
func (s *Sends) Ended() bool { return s.ended.Len() > 0 }

// Completed returns a message that has ended.
func (s *Sends) Completed() (o schemes.Outcome, ok bool) {
	head := s.ended.Head()
	if head == nil {
		return o, false
	}
	o = *head
	s.ended.Pop()
	return o, true
}

// Oldest describes the oldest message under way.
func (s *Sends) Oldest() (serial uint32, first, end int64) {
	if m := s.messages.Head(); m != nil {
		return m.serial, m.first, m.end
	}
	return 0, s.Posted, s.Posted
}

// Chunks is how many chunks begin in the packets of a part.
func Chunks(part sdr.Work) int64 {
	n := part.Handle.PacketsPerChunk()
	return (part.First+part.Count+n-1)/n - (part.First+n-1)/n
}
