package nic

import (
	"fmt"
	"strings"
	"testing"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// Time never decreases at an endpoint: a host that lets it is a bug of this program.
func TestTimeNeverDecreasesAtAnEndpoint(t *testing.T) {
	for name, call := range map[string]func(s *stand, now units.Time){
		"a control message": func(s *stand, now units.Time) { s.nic.handleControl(now, ack(0)) },
		"a timeout":         func(s *stand, now units.Time) { s.nic.expireSender(now, 0) },
		"a question for work": func(s *stand, now units.Time) {
			s.nic.senders[0].nextSend(now)
		},
		"an arrival": func(s *stand, now units.Time) {
			s.nic.tell(now, sdr.Arrival{Recv: s.nic.recent, Count: 1})
		},
		"a timeout of a receiver": func(s *stand, now units.Time) {
			s.nic.setDeadline(0, 0)
			s.nic.expireReceivers(now)
		},
	} {
		s := newStand(t, standConfig{})
		s.newSender(3).host(0)
		r, _ := s.newReceiver(0, 3)
		s.nic.recent = r.handle
		r.wake = units.Never
		call(s, us(10))
		call(s, us(10)) // the same instant is none before
		if text := panicOf(func() { call(s, us(10)-1) }); !strings.Contains(text, "BUG: nic: time decr") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// ack is a control message for the sender of a serial.
func ack(serial uint32) []byte {
	return []byte{1, 0, byte(serial >> 24), byte(serial >> 16), byte(serial >> 8), byte(serial), 0}
}

// panicOf is what a function panics with.
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// hidden endpoints show nothing of what runs need.
type (
	hiddenSender   struct{ schemes.Sender }
	hiddenReceiver struct{ schemes.Receiver }
)

// The packet of a sender that handles no runs is not cut, even by a control message at the instant
// at which it begins; its work is sent packet by packet, before any retransmission.
func TestPlainSendersAreNotCut(t *testing.T) {
	s := newStand(t, standConfig{})
	p := s.newSender(3)
	s.at(0, func(now units.Time) {
		s.nic.AddSender(now, uint32(p.serial), hiddenSender{p})
		s.nic.Send(message("abc"))
		s.nic.Fire(now)
	})
	s.at(us(1)/2, func(units.Time) { p.again(0, 1) })
	s.engine.Run()
	got := fmt.Sprint(s.wire())
	want := "[0:0@1us abc@1.1us 0:1@2.1us 0:2@3.1us again 0:0@4.1us]"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A receiver that handles no runs is told of each packet at its time, and the application is given
// the endpoints that were attached.
func TestPlainReceiversAreToldOfEachPacket(t *testing.T) {
	s := newStand(t, standConfig{})
	r, h := s.incoming(0, 3)
	ep := &scriptedReceiver{stand: s, handle: r, wake: units.Never, patience: 100,
		quiet: func(a sdr.Arrival) (int64, bool) { return a.Count, true }}
	s.nic.AddReceiver(0, hiddenReceiver{ep})
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 3, false) })
	s.engine.Run()
	got := strings.Join(s.log, " ")
	if want := "0:0+1@11us 0:1+1@12us 0:2+1@13us"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if given := s.nic.receivers[0].given(); given != (hiddenReceiver{ep}) {
		t.Errorf("the application is given %T", given)
	}
	s.nic.AddReceiver(0, ep)
	if given := s.nic.receivers[0].given(); given != schemes.Receiver(ep) {
		t.Errorf("then %T", given)
	}
}

// goer is a hidden sender that may go back.
type goer struct {
	schemes.Sender
	recall *bool
}

func (g goer) Recall() bool {
	recall := *g.recall
	*g.recall = false
	return recall
}

// A sender that handles no runs may go back all the same, and is given back as it was attached.
func TestPlainSendersMayGoBack(t *testing.T) {
	s := newStand(t, standConfig{})
	p, recall := s.newSender(3), false
	p.firsts = nil
	p.again(0, 3)
	var given schemes.Sender
	s.onSenderDone = func(_ units.Time, c Completion) { given = c.Sender }
	p.onControl = func(units.Time, []byte) error {
		recall = true
		p.again(2, 1)
		return nil
	}
	p.onWake = func(units.Time) { p.done = true }
	p.wake = us(20)
	ep := goer{p, &recall}
	s.at(0, func(now units.Time) { s.nic.AddSender(now, uint32(p.serial), ep) })
	s.at(us(3)/2, func(now units.Time) {
		s.nic.handleControl(now, ack(uint32(p.serial)))
		s.nic.Fire(now)
	})
	s.engine.Run()
	got := fmt.Sprint(s.wire())
	if want := "[again 0:0@1us again 0:1@2us again 0:2@3us]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(p.sent) != 3 || p.sent[2].packet != 2 {
		t.Errorf("the sender was told of %v", p.sent)
	}
	if given != schemes.Sender(ep) {
		t.Errorf("the application is given %T", given)
	}
}
