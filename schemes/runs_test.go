package schemes

import (
	"testing"

	"sdrsim/sdr"
	"sdrsim/units"
)

// stub is a sender that hands out what is in work, one after the other. What is not needed panics.
type stub struct {
	Sender
	work   []sdr.Work
	asked  int
	done   bool
	recall bool
}

func (s *stub) Done() bool               { return s.done }
func (s *stub) HandleTimeout(units.Time) {}

func (s *stub) Recall() bool {
	recall := s.recall
	s.recall = false
	return recall
}

func (s *stub) NextSend(units.Time) (work sdr.Work, ok bool) {
	s.asked++
	if len(s.work) == 0 {
		return work, false
	}
	work, s.work = s.work[0], s.work[1:]
	return work, true
}

// expect asks for the next packet; -1 is none.
func expect(t *testing.T, s *SingleSender, packet int64) {
	t.Helper()
	work, ok := s.NextSend(0)
	switch {
	case ok != (packet >= 0):
		t.Errorf("packet %d: %+v, %v", packet, work, ok)
	case ok && (work.Count != 1 || work.First != packet):
		t.Errorf("%+v, want packet %d", work, packet)
	}
}

func TestWorkOfPlainSendersIsPassedOnPacketByPacket(t *testing.T) {
	ep := &stub{work: []sdr.Work{{First: 4, Count: 2}, {First: 9, Count: 1, Repeat: true}}}
	s := AsRunSender(ep).(*SingleSender)
	for _, packet := range []int64{4, 5, 9} {
		if !s.Ready(0) || s.Urgent() {
			t.Errorf("before packet %d: ready %v, urgent %v", packet, s.Ready(0), s.Urgent())
		}
		expect(t, s, packet)
	}
	if !s.Ready(0) {
		t.Error("it may be ready: it was not asked")
	}
	expect(t, s, -1)
	if s.Ready(0) {
		t.Error("ready, though the answer was no")
	}
	if s.HandleTimeout(0); !s.Ready(0) {
		t.Error("not ready, though it was told something")
	}
	if AsRunSender(s) != RunSender(s) {
		t.Error("a sender that handles runs needs none to stand for it")
	}
}

func TestPlainSendersThatAreDoneSendNothing(t *testing.T) {
	ep := &stub{work: []sdr.Work{{Count: 2}}}
	s := &SingleSender{Sender: ep}
	expect(t, s, 0)
	ep.done = true
	expect(t, s, -1)
	if s.Ready(0) {
		t.Error("ready")
	}
}

// Going back voids what is to be sent again, and nothing else.
func TestPlainSendersMayGoBack(t *testing.T) {
	ep := &stub{work: []sdr.Work{{First: 3, Count: 3, Repeat: true}, {First: 6, Count: 3}}}
	s := &SingleSender{Sender: ep}
	expect(t, s, 3)
	if s.Recall() {
		t.Error("nothing was recalled")
	}
	expect(t, s, 4)
	if ep.recall = true; !s.Recall() || s.Recall() {
		t.Error("not recalled once")
	}
	expect(t, s, 6)
	if ep.recall = true; !s.Recall() {
		t.Error("not recalled")
	}
	expect(t, s, 7)
	if ep.asked != 2 {
		t.Errorf("asked %d times for two pieces of work", ep.asked)
	}
}
