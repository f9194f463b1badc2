package nic

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// host notes the sender of a slot.
func (s *senderSlot) host(ep schemes.Sender) {
	runs, ok := ep.(schemes.RunSender)
	if !ok {
		if s.single == nil {
			s.single = new(schemes.SingleSender)
		}
		*s.single = schemes.SingleSender{Sender: ep}
		runs = s.single
	}
	s.ep = runs
	if _, ok := runs.(schemes.Recaller); ok {
		s.is |= isRecaller
	}
	if _, ok := ep.(schemes.ConnectionSender); ok {
		s.is |= isConnection
	}
}

// given is the sender as it was attached.
func (s *senderSlot) given() schemes.Sender {
	if single, ok := s.ep.(*schemes.SingleSender); ok {
		return single.Sender
	}
	return s.ep
}

// nextSend asks the sender for work.
func (s *senderSlot) nextSend(now units.Time) (sdr.Work, bool) {
	s.clock.advance(now)
	return s.ep.NextSend(now)
}

// host notes the receiver of a slot.
func (r *receiverSlot) host(ep schemes.Receiver) {
	r.reported, r.clock = false, clock{}
	_, r.connection = ep.(schemes.ConnectionReceiver)
	if runs, ok := ep.(schemes.RunReceiver); ok {
		r.ep = runs
		return
	}
	if r.single == nil {
		r.single = new(schemes.SingleReceiver)
	}
	r.single.Receiver = ep
	r.ep = r.single
}

// given is the receiver as it was attached.
func (r *receiverSlot) given() schemes.Receiver {
	if s, ok := r.ep.(*schemes.SingleReceiver); ok {
		return s.Receiver
	}
	return r.ep
}

// clock is the latest time that an endpoint was handed.
type clock struct{ now units.Time }

// advance notes the time that an endpoint is handed, which never decreases.
func (c *clock) advance(now units.Time) {
	if now < c.now {
		c.decreased(now)
	}
	c.now = now
}

func (c *clock) decreased(now units.Time) {
	panic(fmt.Sprintf("BUG: nic: time decreases at an endpoint, from %v to %v", c.now, now))
}

// grow makes a slice longer by one element, which is what was there before where there was one.
func grow[T any](s []T) []T {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	var zero T
	return append(s, zero)
}
