package schemestest

import (
	"fmt"
	"strings"
	"testing"

	"sdrsim/schemes"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// config is Selective Repeat with reported holes, which has something of everything.
func config() sr.Config {
	return sr.Config{
		RTO: units.Span{Fixed: 300 * units.Microsecond}, Retries: 40, Nack: true,
		Ack: sr.AckConfig{Interval: units.Span{Fixed: 10 * units.Microsecond}, Repeat: 2, Size: 1024},
		// Slack of some packets.
		NackSlack: units.Span{Fixed: 5 * units.Microsecond},
	}
}

// mutant is a sender and a receiver of which some calls are replaced.
type mutant struct {
	clause   string // what the kit has to say
	sender   func(s *sr.Sender) schemes.Sender
	receiver func(r *sr.Receiver) schemes.Receiver
}

type (
	lateReady  struct{ *sr.Sender }
	noUrgency  struct{ *sr.Sender }
	keeps      struct{ *sr.Sender }
	hasty      struct{ *sr.Sender }
	gullible   struct{ *sr.Sender }
	eager      struct{ *sr.Sender }
	impatience struct {
		*sr.Sender
		forward units.Time
	}
	twice struct {
		*sr.Sender
		first sdr.Work
	}
	teller struct {
		*sr.Sender
		told int
	}
	elephant struct {
		*sr.Sender
		opened int
	}
	talker struct {
		*sr.Sender
		control schemes.Control
	}
	blind    struct{ *sr.Receiver }
	none     struct{ *sr.Receiver }
	silent   struct{ *sr.Receiver }
	patient  struct{ *sr.Receiver }
	greedy   struct{ *sr.Receiver }
	meddling struct{ *sr.Receiver }
	nervous  struct {
		*sr.Receiver
		seen int64
		wake units.Time
	}
	overdue struct{ *sr.Receiver }
	hunted  struct {
		*sr.Receiver
		control schemes.Control
	}
)

func (lateReady) Ready(units.Time) bool { return false }
func (noUrgency) Urgent() bool          { return false }
func (keeps) Unsend(int64)              {}
func (h hasty) HandleTimeout(now units.Time) {
	h.Sender.HandleTimeout(now.Add(units.Second))
}
func (g gullible) HandleControl(now units.Time, msg []byte) error {
	_ = g.Sender.HandleControl(now, msg)
	return nil
}
func (eager) Urgent() bool { return true }
func (i *impatience) HandleControl(now units.Time, msg []byte) error {
	if wire.Passive(msg) {
		i.forward = now.Add(units.Microsecond)
	}
	return i.Sender.HandleControl(now, msg)
}
func (i *impatience) NextTimeout() (units.Time, bool) {
	at, ok := i.Sender.NextTimeout()
	if ok && i.forward != 0 {
		return min(at, i.forward), true
	}
	return at, ok
}
func (w *twice) NextSend(now units.Time) (sdr.Work, bool) {
	work, ok := w.Sender.NextSend(now)
	if ok && !work.Repeat && w.first.Handle != work.Handle {
		w.first = work
	}
	if work.Repeat {
		work, work.Repeat = w.first, false
	}
	return work, ok
}
func (w *twice) Urgent() bool { return false }
func (l *teller) Open(t schemes.Transfer) error {
	l.told = 0
	return l.Sender.Open(t)
}
func (l *teller) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	l.told++
	l.Sender.HandleSent(part, depart, spacing)
}
func (l *teller) NextTimeout() (units.Time, bool) {
	at, ok := l.Sender.NextTimeout()
	return at.Add(units.Duration(l.told) * units.Microsecond), ok
}
func (e *elephant) Open(t schemes.Transfer) error {
	e.opened++
	return e.Sender.Open(t)
}
func (e *elephant) NextTimeout() (units.Time, bool) {
	at, ok := e.Sender.NextTimeout()
	return at.Add(units.Duration(e.opened) * units.Microsecond), ok
}
func (s *talker) Open(t schemes.Transfer) error {
	s.control = t.Control
	return s.Sender.Open(t)
}
func (s *talker) Ready(now units.Time) bool {
	s.control.Send([]byte{1})
	return s.Sender.Ready(now)
}
func (none) Quiet(sdr.Arrival) (int64, bool)    { return 0, false }
func (blind) Quiet(a sdr.Arrival) (int64, bool) { return a.Count, false }
func (s silent) Quiet(a sdr.Arrival) (int64, bool) {
	n, _ := s.Receiver.Quiet(a)
	return n, true
}
func (patient) Patience(*sdr.RecvHandle) int64   { return 1000 }
func (greedy) Quiet(a sdr.Arrival) (int64, bool) { return a.Count + 1, false }
func (m meddling) Quiet(a sdr.Arrival) (int64, bool) {
	m.Receiver.HandleTimeout(1 << 60)
	return m.Receiver.Quiet(a)
}
func (n *nervous) Open(t schemes.Transfer) error {
	n.seen, n.wake = 0, units.Never
	return n.Receiver.Open(t)
}
func (n *nervous) HandleArrival(now units.Time, a sdr.Arrival) {
	if n.seen += a.Count; n.seen-a.Count < 2 && n.seen >= 2 {
		n.wake = now.Add(packetTime / 4)
	}
	n.Receiver.HandleArrival(now, a)
}
func (n *nervous) HandleTimeout(now units.Time) {
	if n.wake <= now {
		n.wake = units.Never
	}
	n.Receiver.HandleTimeout(now)
}
func (n *nervous) NextTimeout() (units.Time, bool) {
	at, ok := n.Receiver.NextTimeout()
	if !ok {
		at = units.Never
	}
	at = min(at, n.wake)
	return at, at != units.Never
}
func (o overdue) NextTimeout() (units.Time, bool) {
	at, ok := o.Receiver.NextTimeout()
	return at.Add(-20 * units.Microsecond), ok
}

func (h *hunted) Open(t schemes.Transfer) error {
	h.control = t.Control
	return h.Receiver.Open(t)
}
func (h *hunted) HandleLater(now units.Time) {
	h.control.Send([]byte{1})
	h.Receiver.HandleLater(now)
}

var mutants = map[string]mutant{
	"whole": {},
	"a sender that is never ready": {clause: clauseReady,
		sender: func(s *sr.Sender) schemes.Sender { return lateReady{s} }},
	"a sender whose retransmissions do not hurry": {clause: clauseUrgent,
		sender: func(s *sr.Sender) schemes.Sender { return noUrgency{s} }},
	"a sender that takes nothing back": {clause: clauseHost,
		sender: func(s *sr.Sender) schemes.Sender { return keeps{s} }},
	"a sender whose timeouts expire early": {clause: clauseEarly,
		sender: func(s *sr.Sender) schemes.Sender { return hasty{s} }},
	"a sender that takes anything": {clause: "is an error",
		sender: func(s *sr.Sender) schemes.Sender { return gullible{s} }},
	"a sender that is always urgent": {clause: clauseUrgent,
		sender: func(s *sr.Sender) schemes.Sender { return eager{s} }},
	"a sender that an acknowledgement wakes": {clause: clausePassive,
		sender: func(s *sr.Sender) schemes.Sender { return &impatience{Sender: s} }},
	"a sender that hands packets out twice": {clause: clauseOwned,
		sender: func(s *sr.Sender) schemes.Sender { return &twice{Sender: s} }},
	"a sender that counts what it is told": {clause: clauseHost,
		sender: func(s *sr.Sender) schemes.Sender { return &teller{Sender: s} }},
	"a sender that does not forget": {clause: clauseForget,
		sender: func(s *sr.Sender) schemes.Sender { return &elephant{Sender: s} }},
	"a sender that sends when asked": {clause: clauseAsk,
		sender: func(s *sr.Sender) schemes.Sender { return &talker{Sender: s} }},
	"a receiver that takes nothing": {clause: clauseQuiet,
		receiver: func(r *sr.Receiver) schemes.Receiver { return none{r} }},
	"a receiver that takes whatever comes": {clause: clauseHost,
		receiver: func(r *sr.Receiver) schemes.Receiver { return blind{r} }},
	"a receiver that breaks its silence": {clause: clauseSilent,
		receiver: func(r *sr.Receiver) schemes.Receiver { return silent{r} }},
	"a receiver that loses its patience": {clause: clausePatient,
		receiver: func(r *sr.Receiver) schemes.Receiver { return patient{r} }},
	"a receiver with a timer that it does not ask for": {clause: clauseWithin,
		receiver: func(r *sr.Receiver) schemes.Receiver { return &nervous{Receiver: r} }},
	"a receiver that answers for more than was asked": {clause: clauseQuiet,
		receiver: func(r *sr.Receiver) schemes.Receiver { return greedy{r} }},
	"a receiver that acts when asked": {clause: clauseAsk,
		receiver: func(r *sr.Receiver) schemes.Receiver { return meddling{r} }},
	"a receiver that a later message always makes send": {clause: clauseLater,
		receiver: func(r *sr.Receiver) schemes.Receiver { return &hunted{Receiver: r} }},
	"a receiver that is always late": {clause: clauseDueNow,
		receiver: func(r *sr.Receiver) schemes.Receiver { return overdue{r} }},
}

// failure is the first failure of a test that is not to fail the one that runs.
type failure struct {
	testing.TB
	text string
}

type stop struct{}

func (f *failure) Helper() {}

func (f *failure) Fatalf(format string, args ...any) {
	f.text = fmt.Sprintf(format, args...)
	panic(stop{})
}

// The kit finds what it says it does, and nothing in ends that are whole.
func TestBrokenClausesAreNamed(t *testing.T) {
	for name, m := range mutants {
		cfg := config()
		s := Scheme{
			NewSender: func() (schemes.Sender, error) {
				if m.sender != nil {
					return m.sender(sr.NewSender(&cfg)), nil
				}
				return sr.NewSender(&cfg), nil
			},
			NewReceiver: func() (schemes.Receiver, error) {
				if m.receiver != nil {
					return m.receiver(sr.NewReceiver(&cfg)), nil
				}
				return sr.NewReceiver(&cfg), nil
			},
		}
		f := &failure{TB: t}
		f.test(s)
		switch {
		case m.clause == "" && f.text != "":
			t.Errorf("%s: %s", name, f.text)
		case m.clause != "" && !strings.Contains(f.text, m.clause):
			t.Errorf("%s: the kit says %q, want %q", name, f.text, m.clause)
		}
	}
}

// test runs the kit to its first failure.
func (f *failure) test(s Scheme) {
	defer func() {
		if r := recover(); r != nil && r != (stop{}) {
			panic(r)
		}
	}()
	check(f, s)
}
