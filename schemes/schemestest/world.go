package schemestest

import (
	"fmt"
	"slices"
	"testing"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// The path: a packet takes a microsecond, a round trip a hundred.
const (
	packetTime = units.Microsecond
	oneWay     = 50 * units.Microsecond
	mtu        = 1 * units.KiB
)

// play is what is played: a message over losses.
type play struct {
	packets, perChunk int64
	short             units.Bytes // what the last packet lacks
	loss, ackLoss     float64
	spacing           units.Duration // of packets, as they are sent and arrive
	seed              uint64
}

// host is how a host makes use of its freedom.
type host struct {
	name  string
	group int64 // packets at most that are handed over together; 0: as many as there are
	late  bool  // passive control messages wait until something else happens at their end
	early bool  // HandleTimeout is called at every event
	each  bool  // the receiver is asked nothing and told of each packet, as if it handled no runs
	plain bool  // the same, and the sender is treated as one that handles no runs
	fresh bool  // both ends are new at each message
}

// hosts are those that must make no difference. The first handles each packet by itself.
var hosts = []host{
	{name: "single packets", group: 1},
	{name: "groups of five", group: 5},
	{name: "as many as there are"},
	{name: "as many as there are, passive messages late", late: true},
	{name: "groups of five, early timeouts, passive messages late", group: 5, late: true, early: true},
	{name: "a plain receiver", each: true},
	{name: "new ends", fresh: true},
}

// plainHosts are those that make no use of runs at all, and must agree with each other: without
// runs a retransmission waits for what was handed out before.
var plainHosts = []host{
	{name: "a plain host", group: 1, each: true, plain: true},
	{name: "a plain host, early timeouts", each: true, plain: true, early: true},
	{name: "a plain host, new ends", each: true, plain: true, fresh: true},
}

// event is what can be seen of a play.
type event struct {
	at   units.Time
	what string
}

// packet is one on the link.
type packet struct {
	run    wire.Run // of one packet
	arrive units.Time
	lost   bool
}

// message is a control message under way.
type message struct {
	arrive units.Time
	bytes  []byte
}

// work is what a sender has handed out and is left to be sent.
type work struct{ sdr.Work }

// world is two ends, the link between them, and a clock.
type world struct {
	t    testing.TB
	play play
	host host
	now  units.Time
	tx   sendGuard
	rx   recvGuard
	qp   *sdr.QP // of the receiver

	free          units.Time // when the link is idle again
	first, repeat work       // handed out
	onWire        *work      // whose packets are on the link
	link          []packet   // in order of arrival; those that have not begun can be taken back
	reverse       []message
	waiting       []message // passive ones that the sender was not shown yet

	base  int64 // the first send of the message
	conn  connection
	awake bool            // the sender's host has something to do at this instant
	times map[place]int64 // transmissions of each packet
	// after is the deadline of the receiver after what arrived at an instant; single is the world in
	// which each packet was reported by itself, nil in that one.
	after  map[units.Time]units.Time
	single *world
	log    []event // what the receiver sent, and how it ended
	sent   []event // packets
}

// place is a packet of a send.
type place struct{ serial, packet int64 }

// lost draws whether the n-th transmission of a packet is lost, whatever was drawn before: a packet
// that is taken back has to be as if it had never been sent.
func (w *world) lost(rate float64, at place, n int64) bool {
	return chance(w.play.seed, uint64(at.serial), uint64(at.packet), uint64(n)) < rate
}

// chance is a number from 0 to 1 by a hash: SplitMix64 over the words.
func chance(words ...uint64) float64 {
	x := uint64(0)
	for _, word := range words {
		x += word + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return float64(x>>11) / (1 << 53)
}

// Send takes a control message of the receiver, which leaves at once.
func (w *world) Send(msg []byte) units.Time {
	w.record("control %x", msg)
	if !w.lost(w.play.ackLoss, place{-1, int64(len(w.log))}, 1) {
		w.reverse = append(w.reverse, message{w.now.Add(oneWay), slices.Clone(msg)})
	}
	return w.now
}

func (w *world) record(format string, args ...any) {
	w.log = append(w.log, event{w.now, fmt.Sprintf(format, args...)})
}

// mute is the control channel of a sender, which has nothing to send.
type mute struct{ w *world }

func (m mute) Send(msg []byte) units.Time {
	m.w.record("sender control %x", msg)
	return m.w.now
}

// open posts a message at both ends, which may have been through others.
func (w *world) open(here, there schemes.Transfer) {
	w.conn = connectionOf(w.tx.tx, w.rx.rx)
	for i := range w.conn.begin(here, there) {
		here.Serial, there.Serial, there.Tag = here.Serial+uint32(i), there.Serial+uint32(i), int64(i)
		if err := w.rx.rx.Open(there); err != nil {
			w.t.Fatalf("receiver: Open: %v", err)
		}
		here.QP.HandleCTS(there.QP.Posted())
		if err := w.tx.tx.Open(here); err != nil {
			w.t.Fatalf("sender: Open: %v", err)
		}
		w.tx.tx.Start(w.now)
	}
}

// run plays until the sender is done.
func (w *world) run() {
	w.t.Helper()
	const most = 2_000_000
	for range most {
		w.step()
		if w.ended() {
			w.finish()
			return
		}
		at := w.next()
		if at == units.Never {
			break
		}
		w.now = at
	}
	w.t.Fatalf("%s: no end at %v: %s; %s", w.host.name, w.now, w.tx.tx.State(), w.rx.rx.State())
}

// finish notes how it ended.
func (w *world) finish() {
	w.cut()
	at, ok := w.rx.rx.DeliveredAt()
	w.record("sender done, error %v, delivered %v at %v, %+v %+v", w.tx.tx.Err(), ok, at,
		w.tx.tx.Counters(), w.rx.rx.Counters())
	if w.tx.tx.Err() == nil && !ok {
		w.t.Fatalf("%s: acknowledged before it was delivered", w.host.name)
	}
	if work, ok := w.tx.tx.NextSend(w.now); ok {
		w.tx.broken(clauseDone, "hands out %+v", work)
	}
}

// step does what is due: arrivals, timeouts, and the link.
func (w *world) step() {
	w.awake = w.now >= w.free
	w.arrivals()
	w.controls()
	if w.host.early || deadline(w.rx.rx) <= w.now {
		w.rx.timeout()
	}
	if due := deadline(w.tx.tx) <= w.now; due || w.host.early {
		if due {
			w.show()
		}
		w.awake = w.awake || due
		w.tx.timeout()
		w.recall()
	}
	if w.awake {
		w.show()
		w.transmit()
	}
}

// next is when something is to be done.
func (w *world) next() units.Time {
	at := min(deadline(w.tx.tx), deadline(w.rx.rx), w.nextArrival())
	for _, m := range w.reverse {
		at = min(at, m.arrive)
	}
	if w.free > w.now {
		at = min(at, w.free)
	}
	return max(at, w.now)
}

// group is the leading packets on the link that one call may report, of those that arrive by a
// time: consecutive, equally spaced, and none of them lost. Before it come lead lost ones.
func (w *world) group(by units.Time) (lead int, run wire.Run, ok bool) {
	for lead < len(w.link) && w.link[lead].lost {
		lead++
	}
	for _, p := range w.link[lead:] {
		n := run.Count
		switch {
		case p.arrive > by || p.lost || w.host.group > 0 && n == w.host.group:
			return lead, run, n > 0
		case n == 0:
			run = p.run
		case p.run.First != run.End() || p.run.Serial != run.Serial || p.run.Repeat != run.Repeat ||
			p.run.Payload != run.Payload || p.run.Depart != run.Depart.Add(units.Duration(n)*w.play.spacing):
			return lead, run, true
		default:
			run.Count++
		}
	}
	return lead, run, run.Count > 0
}

// limit is how far arrivals may be reported together: to the deadline of the receiver, as one of
// them may put it off, or to the first of them where that comes later.
func (w *world) limit() units.Time {
	for _, p := range w.link {
		if !p.lost {
			return max(deadline(w.rx.rx), p.arrive)
		}
	}
	return units.Never
}

// nextArrival is when the receiver has something to do on account of what is under way.
func (w *world) nextArrival() units.Time {
	lead, run, ok := w.group(w.limit())
	if !ok {
		return units.Never
	}
	count, _ := w.ask(&run)
	return w.link[lead+int(count)-1].arrive
}

// ask is how many packets of a run the receiver takes together, and whether in silence.
func (w *world) ask(run *wire.Run) (count int64, silent bool) {
	a := w.qp.Preview(run)
	if a.Recv == nil {
		return run.Count, false
	}
	a.Count = min(a.Count, run.Count)
	return w.rx.quiet(a)
}

// arrivals reports the packets that have arrived.
func (w *world) arrivals() {
	now := w.now
	for {
		lead, run, ok := w.group(min(now, w.limit()))
		if !ok {
			break
		}
		count, silent := w.ask(&run)
		run.Keep(count)
		last := lead + int(count)
		w.now = w.link[last-1].arrive
		w.link = w.link[last:]
		if a := w.qp.Deliver(&run); a.Recv != nil {
			w.rx.arrive(a, silent)
			w.delivered()
		}
	}
	w.now = now
}

// controls hands in the control messages that have arrived; a host that is late keeps passive ones
// back.
func (w *world) controls() {
	for len(w.reverse) > 0 && w.reverse[0].arrive <= w.now {
		m := w.reverse[0]
		w.reverse = w.reverse[1:]
		w.waiting = append(w.waiting, m)
		if _, defers := w.tx.tx.(schemes.ControlDeferrer); !defers || !w.host.late ||
			!wire.Passive(m.bytes) {
			w.show()
			w.awake = true
		}
	}
}

// show hands in what has arrived, each with the time at which it did.
func (w *world) show() {
	now := w.now
	for i, m := range w.waiting {
		if w.host.late && i+1 < len(w.waiting) && wire.Plain(m.bytes) &&
			wire.Passive(w.waiting[i+1].bytes) {
			continue // the next says as much
		}
		w.now = m.arrive
		w.tx.control(m.bytes, wire.Passive(m.bytes))
		w.recall()
	}
	w.now, w.waiting = now, w.waiting[:0]
}

// recall drops what a sender that has gone back had handed out to be sent again.
func (w *world) recall() {
	s, ok := w.tx.tx.(schemes.Recaller)
	if !ok || !s.Recall() {
		return
	}
	if w.onWire == &w.repeat {
		w.cut()
		w.onWire = nil
	}
	w.repeat.Count = 0
}

// transmit sends what is there to send. A retransmission cuts a first transmission.
func (w *world) transmit() {
	if w.now < w.free && w.onWire == &w.first && w.tx.tx.Urgent() {
		w.cut()
	}
	if w.now < w.free || w.done() {
		return
	}
	c := w.pick()
	if w.onWire = c; c == nil {
		return
	}
	run := c.Handle.Run(c.First, c.Count)
	if g := w.host.group; g > 0 {
		run.Count = min(run.Count, g)
	}
	run.Repeat, run.Depart, run.Spacing = c.Repeat, w.now.Add(w.play.spacing), w.play.spacing
	part := c.Work
	part.Count = run.Count
	for i := range run.Count {
		w.put(run.Sub(i, 1))
	}
	w.free = w.now.Add(units.Duration(run.Count) * w.play.spacing)
	c.First += run.Count
	c.Count -= run.Count
	w.tx.tx.HandleSent(part, run.Depart, run.Spacing)
}

// put has a packet on the link.
func (w *world) put(p wire.Run) {
	if len(w.times) == 0 {
		w.base = p.Serial
	}
	at := place{p.Serial - w.base, p.First}
	w.times[at]++
	w.sent = append(w.sent, event{p.Depart,
		fmt.Sprintf("packet %d of send %d, repeat %v", p.First, at.serial, p.Repeat)})
	w.link = append(w.link, packet{run: p, arrive: p.Depart.Add(oneWay),
		lost: w.lost(w.play.loss, at, w.times[at])})
}

// cut takes back the packets that have not begun, unless the sender handles no runs.
func (w *world) cut() {
	if w.tx.plain {
		return
	}
	c, back := w.onWire, int64(0)
	for n := len(w.link); n > 0 && w.link[n-1].run.Depart >= w.now.Add(w.play.spacing); n-- {
		p := w.link[n-1]
		w.times[place{p.run.Serial - w.base, p.run.First}]--
		w.link, w.sent = w.link[:n-1], w.sent[:len(w.sent)-1]
		w.free = p.run.Depart.Add(-w.play.spacing)
		back++
	}
	if back > 0 {
		c.First -= back
		c.Count += back
		w.tx.tx.Unsend(back)
	}
}

// pick is the work that goes next: retransmissions first.
func (w *world) pick() *work {
	if w.repeat.Count == 0 && (w.first.Count == 0 || w.tx.tx.Urgent()) {
		if next, ok := w.tx.next(); ok && next.Repeat {
			w.repeat.Work = next
		} else if ok {
			w.first.Work = next
		}
	}
	switch {
	case w.repeat.Count > 0:
		return &w.repeat
	case w.first.Count > 0:
		return &w.first
	}
	return nil
}
