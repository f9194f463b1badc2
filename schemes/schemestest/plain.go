package schemestest

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Plain is the smallest scheme that delivers: blocks of packets, of which each is sent when the one
// before is acknowledged, and again when that takes too long. It implements nothing that is
// optional, and is where a new scheme can begin.
func Plain(block int64) Scheme {
	return Scheme{
		NewSender:   func() (schemes.Sender, error) { return &plainSender{block: block}, nil },
		NewReceiver: func() (schemes.Receiver, error) { return new(plainReceiver), nil },
	}
}

// plainRetries is how often a block is sent again before the message is given up.
const plainRetries = 1000

type plainSender struct {
	block    int64
	t        schemes.Transfer
	handle   *sdr.SendHandle
	base     int64 // all packets before are acknowledged
	end      int64 // all packets before were handed out
	again    bool  // the rest of the block is to be sent again
	retries  int   // of this block
	timeout  units.Time
	done     bool
	err      error
	counters schemes.SenderCounters
	reports  schemes.Reports
}

func (s *plainSender) Open(t schemes.Transfer) error {
	h, err := t.QP.StartStream(t.MR, t.Offset, t.Size, 0)
	if err != nil {
		return err
	}
	*s = plainSender{block: s.block, t: t, handle: h, timeout: units.Never, reports: s.reports}
	return nil
}

func (s *plainSender) Start(units.Time) {}

func (s *plainSender) NextSend(units.Time) (sdr.Work, bool) {
	switch {
	case s.done:
		return sdr.Work{}, false
	case s.again:
		s.again = false
		s.counters.Retransmits += s.end - s.base
		return sdr.Work{Handle: s.handle, First: s.base, Count: s.end - s.base, Repeat: true}, true
	case s.base < s.end:
		return sdr.Work{}, false // until the block is acknowledged
	}
	s.end = min(s.base+s.block, s.handle.PacketCount())
	return sdr.Work{Handle: s.handle, First: s.base, Count: s.end - s.base}, true
}

// HandleSent starts the timer of the block anew with each of its packets.
func (s *plainSender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	if part.First+part.Count <= s.base {
		return // acknowledged meanwhile
	}
	rto := 3*s.t.Path.RTT + units.Duration(4*s.block)*s.t.Path.PacketTime
	s.timeout = depart.Add(units.Duration(part.Count-1) * spacing).Add(rto)
}

func (s *plainSender) HandleControl(now units.Time, msg []byte) error {
	kind, err := s.reports.Decode(s.t.Serial, msg)
	ack := &s.reports.Ack
	switch {
	case err != nil:
		return err
	case s.done:
		return nil // late
	case kind != wire.KindAck || ack.End() > s.end:
		return fmt.Errorf("plain: %v of %d packets, %d sent", kind, ack.End(), s.end)
	case ack.Cumulative <= s.base:
		return nil
	}
	if s.base = ack.Cumulative; s.base == s.end {
		s.timeout, s.retries, s.again = units.Never, 0, false
	}
	if s.base == s.handle.PacketCount() {
		s.finish(nil)
	}
	return nil
}

func (s *plainSender) HandleTimeout(now units.Time) {
	if s.done || now < s.timeout {
		return
	}
	s.timeout, s.again = units.Never, true
	s.counters.Timeouts++
	if s.retries++; s.retries > plainRetries {
		s.finish(schemes.ErrRetryLimit)
	}
}

func (s *plainSender) finish(err error) {
	s.done, s.err = true, err
	s.handle.Release()
}

func (s *plainSender) NextTimeout() (units.Time, bool) {
	return s.timeout, !s.done && s.timeout != units.Never
}

func (s *plainSender) Done() bool                       { return s.done }
func (s *plainSender) Err() error                       { return s.err }
func (s *plainSender) Counters() schemes.SenderCounters { return s.counters }

func (s *plainSender) State() string {
	return fmt.Sprintf("plain sender: message %d, block to %d, %d acknowledged, again %v",
		s.t.Serial, s.end, s.base, s.again)
}

type plainReceiver struct {
	t           schemes.Transfer
	handle      *sdr.RecvHandle
	done        bool
	deliveredAt units.Time
	acks        int64
	buf         []byte
}

func (r *plainReceiver) Open(t schemes.Transfer) error {
	h, err := t.QP.PostRecv(t.MR, t.Offset, t.Size)
	if err != nil {
		return err
	}
	h.SetTag(t.Tag)
	*r = plainReceiver{t: t, handle: h, buf: r.buf}
	return nil
}

// HandleArrival acknowledges each packet.
func (r *plainReceiver) HandleArrival(now units.Time, a sdr.Arrival) {
	if a.Recv != r.handle {
		return
	}
	if r.handle.Missing() == 0 && !r.done {
		if err := r.handle.Complete(); err != nil {
			panic(fmt.Sprintf("BUG: plain: %v", err))
		}
		r.done, r.deliveredAt = true, now
	}
	ack := wire.Ack{Message: r.t.Serial, Cumulative: r.handle.PacketCount(), Final: r.done}
	if !r.done {
		ack.Cumulative = r.handle.PacketBitmap().FirstClear()
	}
	r.buf = wire.AppendAck(r.buf[:0], &ack, 64)
	r.t.Control.Send(r.buf)
	r.acks++
}

func (r *plainReceiver) HandleControl(units.Time, []byte) error {
	return fmt.Errorf("plain: receiver of message %d takes no control messages", r.t.Serial)
}

func (r *plainReceiver) HandleTimeout(units.Time)        {}
func (r *plainReceiver) NextTimeout() (units.Time, bool) { return 0, false }
func (r *plainReceiver) Done() bool                      { return r.done }
func (r *plainReceiver) DeliveredAt() (units.Time, bool) { return r.deliveredAt, r.done }

func (r *plainReceiver) Counters() schemes.ReceiverCounters {
	return schemes.ReceiverCounters{Acks: r.acks}
}

func (r *plainReceiver) State() string {
	return fmt.Sprintf("plain receiver: message %d, %d packets missing, delivered %v", r.t.Serial,
		r.handle.Missing(), r.done)
}
