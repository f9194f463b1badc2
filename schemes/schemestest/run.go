package schemestest

import (
	"fmt"
	"testing"

	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Scheme is what is tested: how to make the two ends of a scheme.
type Scheme struct {
	NewSender   func() (schemes.Sender, error)
	NewReceiver func() (schemes.Receiver, error)
}

// spacings are how far packets are apart, by the seed of a play: at line rate, and where a path has
// become slower or faster than the ends believe.
var spacings = [...]units.Duration{packetTime, packetTime / 2,
	packetTime + packetTime/100, 8 * packetTime}

// plays are the messages that each pair of ends is put through, one after the other.
func plays() (list []play) {
	for _, packets := range []int64{1, 3, 16, 41, 200} {
		for _, perChunk := range []int64{1, 4} {
			for _, loss := range []float64{0, 0.02, 0.2} {
				for seed := range uint64(7) {
					if seed > 3 && loss < 0.2 {
						continue
					}
					list = append(list, play{
						packets: packets, perChunk: perChunk, loss: loss, ackLoss: loss * float64(seed%2),
						short: units.Bytes(seed % 3), seed: seed + 1, spacing: spacings[max(3, seed)-3],
					})
				}
			}
		}
	}
	return list
}

func (p play) String() string {
	return fmt.Sprintf("%d packets in chunks of %d, %v apart, loss %v, of control %v, seed %d",
		p.packets, p.perChunk, p.spacing, p.loss, p.ackLoss, p.seed)
}

// Run tests a scheme. It fails the test where a clause of the contract is broken.
func Run(t *testing.T, s Scheme) {
	t.Helper()
	check(t, s)
}

func check(t testing.TB, s Scheme) {
	t.Helper()
	for _, perChunk := range []int64{1, 4} {
		all, plain := connectAll(t, s, hosts, perChunk), connectAll(t, s, plainHosts, perChunk)
		connected := connectionOf(all[0].tx, all[0].rx).sender != nil
		for _, p := range plays() {
			switch {
			case p.perChunk != perChunk:
			case !connected:
				compare(t, all, p)
				compare(t, plain, p)
			case p.packets <= mostOfConnection || p.loss < 0.2: // Go-Back-N would go back all day
				compare(t, all, p)
			}
		}
	}
	refuse(t, s)
}

// connectAll makes the ends of a connection for each host.
func connectAll(t testing.TB, s Scheme, hosts []host, perChunk int64) (all []*ends) {
	t.Helper()
	for _, h := range hosts {
		all = append(all, connect(t, s, h, perChunk))
	}
	return all
}

// ends are the ends of a connection under one host, which take one message after the other.
type ends struct {
	scheme     Scheme
	host       host
	tx         schemes.RunSender
	rx         schemes.RunReceiver
	here, away schemes.Transfer
	serial     uint32
}

// connect makes the ends of a connection.
func connect(t testing.TB, s Scheme, h host, perChunk int64) *ends {
	t.Helper()
	e := &ends{scheme: s, host: h}
	tx, err := s.NewSender()
	if err != nil {
		t.Fatal(err)
	}
	rx, err := s.NewReceiver()
	if err != nil {
		t.Fatal(err)
	}
	if e.tx = schemes.AsRunSender(tx); h.plain {
		e.tx = &schemes.SingleSender{Sender: tx}
	}
	if e.rx = schemes.AsRunReceiver(rx); h.each {
		e.rx = &schemes.SingleReceiver{Receiver: rx}
	}
	for _, side := range []*schemes.Transfer{&e.here, &e.away} {
		if side.Context, err = sdr.NewContext(sdr.DeviceConfig{}); err != nil {
			t.Fatal(err)
		}
		side.QP, err = side.Context.CreateQP(sdr.QPConfig{MTU: mtu, Chunk: mtu * units.Bytes(perChunk),
			Split: wire.DefaultSplit, Channels: 1, Generations: 4})
		if err != nil {
			t.Fatal(err)
		}
		if side.MR, err = side.Context.RegisterMR(units.MiB, nil); err != nil {
			t.Fatal(err)
		}
		side.Path = schemes.Path{RTT: 2 * oneWay, PacketTime: packetTime}
	}
	if err := e.here.QP.Connect(e.away.QP.Info()); err != nil {
		t.Fatal(err)
	}
	if err := e.away.QP.Connect(e.here.QP.Info()); err != nil {
		t.Fatal(err)
	}
	return e
}

// begin opens the next message.
func (e *ends) begin(t testing.TB, p play) *world {
	w := &world{t: t, play: p, host: e.host, qp: e.away.QP, times: map[place]int64{},
		after: map[units.Time]units.Time{}}
	_, plain := e.tx.(*schemes.SingleSender)
	w.tx = sendGuard{guard{w, "sender, " + e.host.name, e.tx}, e.tx, plain, map[place]bool{}}
	w.rx = recvGuard{guard: guard{w, "receiver, " + e.host.name, e.rx}, rx: e.rx}
	e.serial++
	here, away := e.here, e.away
	for _, side := range []*schemes.Transfer{&here, &away} {
		side.Serial, side.Size = e.serial, units.Bytes(p.packets)*mtu-p.short
	}
	here.Control, away.Control = mute{w}, w
	w.open(here, away)
	return w
}

// compare plays the same under every host.
func compare(t testing.TB, all []*ends, p play) {
	t.Helper()
	var want *world
	for _, e := range all {
		if e.host.fresh || connectionOf(e.tx, e.rx).sender != nil {
			serial := e.serial
			*e = *connect(t, e.scheme, e.host, p.perChunk)
			e.serial = serial
		}
		w := e.begin(t, p)
		w.single = want
		w.run()
		if want == nil {
			want = w
			continue
		}
		part(want, w, want.sent, w.sent)
		part(want, w, want.log, w.log)
	}
}

// part fails the test at the first event at which two hosts differ.
func part(a, b *world, as, bs []event) {
	a.t.Helper()
	for i := range max(len(as), len(bs)) {
		var x, y event
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if x != y {
			clause := clauseHost
			if b.host.fresh {
				clause = clauseForget
			}
			a.t.Fatalf("%v: %s\n  event %d, %s: %v %s\n  event %d, %s: %v %s", a.play, clause,
				i, a.host.name, x.at, x.what, i, b.host.name, y.at, y.what)
		}
	}
}

// refuse hands in control messages that are malformed, or of another message, at every step of a
// message.
func refuse(t testing.TB, s Scheme) {
	e := connect(t, s, hosts[0], 1)
	w := e.begin(t, play{packets: 16, perChunk: 1, seed: 1, spacing: packetTime})
	other := wire.Ack{Message: e.serial + 1, Cumulative: 3}
	junk := [][]byte{nil, {1}, {99, 0, 0, 0, 0, 1, 0}, wire.AppendAck(nil, &other, 64),
		wire.AppendAck(nil, &wire.Ack{Message: e.serial, Cumulative: 1 << 40}, 64)}
	for !w.ended() {
		for _, msg := range junk {
			w.tx.garbage(msg)
			w.rx.garbage(msg)
		}
		w.step()
		if at := w.next(); at != units.Never {
			w.now = at
		}
	}
}
