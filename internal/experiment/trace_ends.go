package experiment

import (
	"fmt"

	"sdrsim/nic"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
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

// Recall implements schemes.Recaller, where the sender does.
func (s *tracedSender) Recall() bool {
	r, ok := s.Sender.(schemes.Recaller)
	return ok && r.Recall()
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

// tracedRunSender is a tracedSender whose sender handles runs.
type tracedRunSender struct {
	*tracedSender
	runs schemes.RunSender
}

// Ready implements schemes.RunSender.
func (s tracedRunSender) Ready(now units.Time) bool { return s.runs.Ready(now) }

// Urgent implements schemes.RunSender.
func (s tracedRunSender) Urgent() bool { return s.runs.Urgent() }

// Unsend implements schemes.RunSender.
func (s tracedRunSender) Unsend(count int64) { s.runs.Unsend(count) }

// tracedDeferrer is a tracedRunSender whose sender may be handed passive acknowledgements late.
type tracedDeferrer struct{ tracedRunSender }

// DefersControl implements schemes.ControlDeferrer.
func (tracedDeferrer) DefersControl() {}

// tracedConnectionSender is a tracedRunSender whose sender lives as long as its connection.
type tracedConnectionSender struct {
	tracedRunSender
	conn schemes.ConnectionSender
}

// Connect implements schemes.ConnectionSender.
func (s tracedConnectionSender) Connect(c schemes.Connection) { s.conn.Connect(c) }

// Completed implements schemes.ConnectionSender.
func (s tracedConnectionSender) Completed() (schemes.Outcome, bool) { return s.conn.Completed() }

// traceSender has the timeouts of a sender traced, which handles runs or not as before.
func traceSender(ep schemes.Sender, h *tracedHop) schemes.Sender {
	traced := &tracedSender{Sender: ep, hop: h}
	runs, ok := ep.(schemes.RunSender)
	if !ok {
		return traced
	}
	handler := tracedRunSender{traced, runs}
	if conn, ok := ep.(schemes.ConnectionSender); ok {
		return tracedConnectionSender{handler, conn}
	}
	if _, defers := ep.(schemes.ControlDeferrer); defers {
		return tracedDeferrer{handler}
	}
	return handler
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

// Follows implements schemes.Follower, where the receiver does.
func (r *tracedReceiver) Follows() bool {
	f, ok := r.Receiver.(schemes.Follower)
	return ok && f.Follows()
}

// HandleLater implements schemes.Follower.
func (r *tracedReceiver) HandleLater(now units.Time) {
	r.Receiver.(schemes.Follower).HandleLater(now)
}

// tracedRunReceiver is a tracedReceiver whose receiver handles runs.
type tracedRunReceiver struct {
	*tracedReceiver
	runs schemes.RunReceiver
}

// Quiet implements schemes.RunReceiver.
func (r tracedRunReceiver) Quiet(a sdr.Arrival) (packets int64, silent bool) {
	return r.runs.Quiet(a)
}

// Patience implements schemes.RunReceiver.
func (r tracedRunReceiver) Patience(h *sdr.RecvHandle) int64 { return r.runs.Patience(h) }

// tracedConnectionReceiver is a tracedRunReceiver whose receiver lives as long as its connection.
type tracedConnectionReceiver struct {
	tracedRunReceiver
	conn schemes.ConnectionReceiver
}

// Connect implements schemes.ConnectionReceiver.
func (r tracedConnectionReceiver) Connect(c schemes.Connection) { r.conn.Connect(c) }

// Delivered implements schemes.ConnectionReceiver.
func (r tracedConnectionReceiver) Delivered() (schemes.Delivery, bool) { return r.conn.Delivered() }

// traceReceiver has the timeouts of a receiver traced, which handles runs or not as before.
func traceReceiver(ep schemes.Receiver, h *tracedHop) schemes.Receiver {
	traced := &tracedReceiver{Receiver: ep, hop: h}
	runs, ok := ep.(schemes.RunReceiver)
	if !ok {
		return traced
	}
	if conn, ok := ep.(schemes.ConnectionReceiver); ok {
		return tracedConnectionReceiver{tracedRunReceiver{traced, runs}, conn}
	}
	return tracedRunReceiver{traced, runs}
}

// tracedStream tells of the ends of messages.
type tracedStream struct {
	*stream
	hop *tracedHop
}

// SenderDone implements nic.Application.
func (s *tracedStream) SenderDone(now units.Time, c nic.Completion) {
	if t, ok := s.hop.tracer.(PacketTracer); ok {
		t.TraceMessage(Message{Hop: s.hop.hop, Serial: int64(c.Serial), Started: c.Started,
			Ended: now, Failed: c.Err != nil})
	}
	if err := c.Err; err != nil {
		s.hop.tell(now, EventGivenUp, 1, fmt.Sprintf("message %d: %v", c.Serial, err))
	} else {
		s.hop.tell(now, EventCompleted, 1, fmt.Sprintf("message %d, %v after its first bit",
			c.Serial, now.Sub(c.Started)))
	}
	s.stream.SenderDone(now, c)
}

// ReceiverDone implements nic.Application.
func (s *tracedStream) ReceiverDone(now units.Time, d schemes.Delivery) {
	s.hop.tellReceiver(d.At, EventDelivered, 1,
		fmt.Sprintf("message %d", s.receivers[d.Tag].message))
	s.stream.ReceiverDone(now, d)
}
