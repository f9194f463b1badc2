package sr

import (
	"errors"
	"strings"
	"testing"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/wire"
)

var (
	_ schemes.Sender   = (*Sender)(nil)
	_ schemes.Receiver = (*Receiver)(nil)
)

// halfway is a sender with 20 of 40 chunks sent at 20 us, of which 0, 1 and 5 are acknowledged.
func halfway(t *testing.T) *Sender {
	h := newHost(t, testConfig(), 40, 1)
	s := h.sender
	work, _ := s.NextSend(0)
	work.Count = 20
	s.HandleSent(work, us(1), packetTime)
	ack := wire.Ack{Message: 7, Cumulative: 2, Selective: []wire.Range{{First: 5, Count: 1}}}
	check(t, s.HandleControl(us(110), wire.AppendAck(nil, &ack, 100)))
	return s
}

// someAck and someNack encode what a peer might say.
func someAck(message uint32, cumulative int64, selective ...wire.Range) []byte {
	a := wire.Ack{Message: message, Cumulative: cumulative, Selective: selective}
	return wire.AppendAck(nil, &a, 4096)
}

func someNack(message uint32, missing wire.Range) []byte {
	n := wire.Nack{Message: message, Missing: []wire.Range{missing}}
	msg, _ := wire.AppendNack(nil, &n, 4096)
	return msg
}

// What no receiver of the message can have sent is refused, and changes nothing.
func TestMalformedControlMessagesAreErrors(t *testing.T) {
	submessages := someNack(7, wire.Range{First: 1, Count: 1})
	submessages[1] |= 1
	for name, msg := range map[string][]byte{
		"nothing":                  nil,
		"a truncated header":       {1, 0, 0, 0},
		"an unknown kind":          {9, 0, 0, 0, 0, 7, 0},
		"a truncated ack":          {1, 0, 0, 0, 0, 7},
		"an ack with a tail":       append(final(7, 40), 0),
		"a truncated nack":         {2, 0, 0, 0, 0, 7, 1},
		"an empty nack":            {2, 0, 0, 0, 0, 7},
		"another message's ack":    someAck(8, 10),
		"another message's nack":   someNack(8, wire.Range{First: 1, Count: 1}),
		"more chunks than are":     someAck(7, 41),
		"a chunk that is not":      someAck(7, 0, wire.Range{First: 39, Count: 2}),
		"a final that is not all":  final(7, 19),
		"a final of more":          final(7, 41),
		"all before all is sent":   final(7, 40),
		"a chunk never sent":       someAck(7, 21),
		"a selective never sent":   someAck(7, 0, wire.Range{First: 20, Count: 1}),
		"a report past the end":    someNack(7, wire.Range{First: 40, Count: 1}),
		"a report of submessages":  submessages,
		"a report of far too much": someNack(7, wire.Range{First: 0, Count: 1 << 60}),
	} {
		s := halfway(t)
		before := s.State()
		at, _ := s.NextTimeout()
		if err := s.HandleControl(us(120), msg); err == nil {
			t.Errorf("%s is taken", name)
		}
		due, _ := s.NextTimeout()
		if s.State() != before || due != at || s.Urgent() || s.Done() {
			t.Errorf("%s is refused and yet changes\n%s\nto\n%s", name, before, s.State())
		}
	}
}

// An acknowledgement cannot be older than what it acknowledges: a packet that is on the wire has
// not arrived.
func TestAcknowledgementOfWhatHasNotLeftIsRefused(t *testing.T) {
	h := newHost(t, testConfig(), 40, 1)
	work, _ := h.sender.NextSend(0)
	h.sender.HandleSent(work, us(1), packetTime)
	msg := wire.AppendAck(nil, &wire.Ack{Message: 7, Cumulative: 10}, 100)
	if err := h.sender.HandleControl(us(10)-1, msg); err == nil {
		t.Error("ten chunks are acknowledged before the tenth has left")
	}
	if err := h.sender.HandleControl(us(10), msg); err != nil {
		t.Error(err)
	}
}

// A receiver takes no control messages at all.
func TestReceiverRefusesControlMessages(t *testing.T) {
	h := newHost(t, testConfig(), 40, 1)
	if err := h.receiver.HandleControl(us(1), final(7, 40)); err == nil {
		t.Error("a receiver takes an acknowledgement")
	}
}

// Packets of other messages and of older generations are no business of a receiver.
func TestReceiverIgnoresOtherMessages(t *testing.T) {
	h := newHost(t, nackConfig(), 10, 1)
	h.receiver.HandleArrival(us(1), sdr.Arrival{Recv: new(sdr.RecvHandle), First: 3, Count: 2})
	if _, ok := h.receiver.NextTimeout(); ok || len(h.controls) > 0 {
		t.Error("something is due because of another message")
	}
	a := sdr.Arrival{Recv: new(sdr.RecvHandle), First: 3, Count: 2}
	if n, silent := h.receiver.Quiet(a); n != 2 || !silent {
		t.Errorf("quiet about %d packets of another message, silent %v", n, silent)
	}
}

func TestDeliveredAtIsTheLastPacketThatWasNeeded(t *testing.T) {
	h := newHost(t, testConfig(), 30, 1)
	h.lose = losePackets(1, 12)
	if _, ok := h.receiver.DeliveredAt(); ok || h.receiver.Done() {
		t.Error("delivered before anything was sent")
	}
	h.run()
	at, ok := h.receiver.DeliveredAt()
	if !ok || !h.receiver.Done() {
		t.Error("acknowledged and not delivered")
	}
	wantTime(t, "delivered", at, us(13+300+1+50))
	if n := h.receiver.Counters(); n.Acks != int64(len(h.acknowledgements())) || n.Nacks != 0 {
		t.Errorf("counted %+v of %d acknowledgements", n, len(h.acknowledgements()))
	}
}

// A message waits for its receive, and for a message id.
func TestOpenPassesOnWhatTheQueuePairSays(t *testing.T) {
	h := newHost(t, testConfig(), 10, 1)
	t.Log("# the one receive is taken; the next send has no clear-to-send")
	again := h.here
	cfg := testConfig()
	if err := NewSender(&cfg).Open(again); !errors.Is(err, sdr.ErrNoCTS) {
		t.Errorf("the sender says %v, want ErrNoCTS", err)
	}
	t.Log("# memory that is not there is a mistake of the caller")
	there := h.there
	there.Size *= 2
	if err := NewReceiver(&cfg).Open(there); !errors.Is(err, sdr.ErrOutOfRange) {
		t.Errorf("the receiver says %v, want ErrOutOfRange", err)
	}
}

// Endpoints take on one message after the other, and forget the last.
func TestEndpointsAreUsedAgain(t *testing.T) {
	h := newHost(t, nackConfig(), 60, 1)
	h.lose = losePackets(1, 3, 4, 59)
	first := h.run()
	here, there := h.here, h.there
	for round := range 3 {
		h.until(func() bool { return len(h.flying)+len(h.acks) == 0 })
		begun := h.now
		h.sent, h.controls = map[int64]int{}, nil
		here.Serial++
		there.Serial++
		h.open(here, there)
		if got := h.run().Sub(begun); got != first.Sub(0) {
			t.Errorf("message %d takes %v, the first took %v", round+2, got, first)
		}
		if c := h.sender.Counters(); c.Retransmits != 3 || h.sender.Err() != nil {
			t.Errorf("message %d: counted %+v, %v", round+2, c, h.sender.Err())
		}
	}
}

func TestStateNamesTheMessageAndHowFarItIs(t *testing.T) {
	s := halfway(t)
	for _, part := range []string{"message 7", "3 of 40"} {
		if !strings.Contains(s.State(), part) {
			t.Errorf("%q does not say %q", s.State(), part)
		}
	}
	h := newHost(t, testConfig(), 40, 1)
	if got := h.receiver.State(); !strings.Contains(got, "message 7, 40 packets missing") {
		t.Errorf("the receiver says %q", got)
	}
}

// Nothing but the whole message is final, also when all of it was sent.
func TestFinalAcknowledgementIsOfAllChunks(t *testing.T) {
	h := newHost(t, testConfig(), 40, 1)
	work, _ := h.sender.NextSend(0)
	h.sender.HandleSent(work, us(1), packetTime)
	if err := h.sender.HandleControl(us(200), final(7, 39)); err == nil || h.sender.Done() {
		t.Errorf("39 chunks of 40 are final: done %v", h.sender.Done())
	}
	if err := h.sender.HandleControl(us(200), final(7, 40)); err != nil || !h.sender.Done() {
		t.Errorf("40 chunks of 40 are not: %v", err)
	}
}
