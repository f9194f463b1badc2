package experiment

import (
	"fmt"

	"sdrsim/link/nic"
	"sdrsim/schemes"
	"sdrsim/sim/units"
)

// tracedSender tells of the timeouts of a sender: the instants at which it counts one.
type tracedSender struct {
	schemes.Sender
	hop    *tracedHop
	serial uint32
}

// Open implements schemes.Sender.
func (s *tracedSender) Open(t schemes.Transfer) error {
	s.serial = t.Serial
	return s.Sender.Open(t)
}

// HandleTimeout implements schemes.Endpoint.
func (s *tracedSender) HandleTimeout(now units.Time) {
	before := s.Counters()
	s.Sender.HandleTimeout(now)
	if n := s.Counters().Timeouts - before.Timeouts; n > 0 {
		s.hop.tell(now, EventTimeout, n,
			fmt.Sprintf("message %d: %d timers expired for want of an ACK", s.serial, n))
	}
}

// tracedReceiver tells of the timeouts of a receiver.
type tracedReceiver struct {
	schemes.Receiver
	hop    *tracedHop
	serial uint32
}

// Open implements schemes.Receiver.
func (r *tracedReceiver) Open(t schemes.Transfer) error {
	r.serial = t.Serial
	return r.Receiver.Open(t)
}

// HandleTimeout implements schemes.Endpoint.
func (r *tracedReceiver) HandleTimeout(now units.Time) {
	before := r.Counters()
	r.Receiver.HandleTimeout(now)
	if n := r.Counters().Timeouts - before.Timeouts; n > 0 {
		r.hop.tellReceiver(now, EventTimeout, n,
			fmt.Sprintf("message %d: %d timers expired for want of data", r.serial, n))
	}
}

// tracedStream tells of the ends of messages.
type tracedStream struct {
	*stream
	hop *tracedHop
}

// SenderDone implements nic.Application.
func (s *tracedStream) SenderDone(now units.Time, c nic.Completion) {
	if err := c.Sender.Err(); err != nil {
		s.hop.tell(now, EventGivenUp, 1, fmt.Sprintf("message %d: %v", c.Serial, err))
	} else {
		s.hop.tell(now, EventCompleted, 1, fmt.Sprintf("message %d, %v after its first bit",
			c.Serial, now.Sub(c.Started)))
	}
	s.stream.SenderDone(now, c)
}

// ReceiverDone implements nic.Application.
func (s *tracedStream) ReceiverDone(now units.Time, tag int64, ep schemes.Receiver) {
	at, _ := ep.DeliveredAt()
	s.hop.tellReceiver(at, EventDelivered, 1,
		fmt.Sprintf("message %d", s.receivers[tag].message))
	s.stream.ReceiverDone(now, tag, ep)
}
