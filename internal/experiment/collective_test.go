package experiment

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// ringText is a scenario of a ring; hops are entries of collective.hops.
func ringText(datacenters int, size string, hops ...string) string {
	return fmt.Sprintf(`
name: ring
link: {bandwidth: 400Gbps, rtt: 5ms, mtu: 4KiB, encapsulation: none, loss: none, ack_loss: none}
message: {size: %s, chunk: 4KiB}
collective: {kind: all-reduce, datacenters: %d, hops: [%s]}
schemes:
  - {name: sr-rto, rto: 3RTT}
  - {name: sr-nack}
  - {name: ec-mds, k: 8, m: 2}
  - {name: ec-xor, k: 8, m: 2}
samples: 1
`, size, datacenters, strings.Join(hops, ", "))
}

var ringSchemes = []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"}

// replay runs sample 0 of a point under a scheme.
func replay(t rapid.TB, p *spec.Point, label string) Sample {
	t.Helper()
	var s Sample
	if err := newTestRunner(t, p, label).Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// alone is the message of a hop in one round, on a link that nothing else uses. The script
// of the hop is cut down to that round, which erasure coding numbers by data and parity. Without a
// ring, no code of rings is involved.
func alone(p *spec.Point, label string, hop, round int) *spec.Point {
	sends := int64(1) // SDR messages of a round
	if strings.HasPrefix(label, "ec-") {
		sends = 2 // data, and parity
	}
	single := *p
	single.Collective = spec.Collective{}
	single.Link = p.Collective.Hops[hop]
	single.Message.Size = p.Collective.Part(p.Message.Size)
	var drops []spec.Drop
	for _, d := range single.Link.Loss.Drops {
		if d.Message/sends == int64(round) {
			d.Message %= sends
			drops = append(drops, d)
		}
	}
	single.Link.Loss.Drops = drops
	return &single
}

// expectedRing is the recursion of a ring, written down once more: from how long each message takes
// by itself, from its start to its delivery and to its acknowledgement.
type expectedRing struct {
	completion, delivery units.Duration
	rounds               []units.Duration
	starts               [][]units.Duration // by hop and round
}

// expect computes start(i, r) = max(delivery(i-1, r-1), completion(i, r-1)) by recursion.
func expect(t rapid.TB, p *spec.Point, label string) expectedRing {
	t.Helper()
	n := p.Collective.Datacenters
	last := 2*n - 3
	type cell struct{ start, delivered, completed units.Duration }
	known := map[[2]int]cell{}
	var at func(hop, round int) cell
	at = func(hop, round int) cell {
		key := [2]int{hop, round}
		if c, ok := known[key]; ok {
			return c
		}
		var c cell
		if round > 0 {
			before := (hop + n - 1) % n
			c.start = max(at(before, round-1).delivered, at(hop, round-1).completed)
		}
		took := replay(t, alone(p, label, hop, round), label)
		c.delivered, c.completed = c.start+took.Delivery[0], c.start+took.Completion[0]
		known[key] = c
		return c
	}
	e := expectedRing{starts: make([][]units.Duration, n)}
	end := units.Duration(0)
	for round := range last + 1 {
		slowest := units.Duration(0)
		for hop := range n {
			c := at(hop, round)
			slowest, e.delivery = max(slowest, c.completed), max(e.delivery, c.delivered)
			e.starts[hop] = append(e.starts[hop], c.start)
		}
		e.rounds = append(e.rounds, slowest-end)
		end = slowest
	}
	e.completion = end
	return e
}

// compareRing wants a sample of a ring to be what the recursion says, to the picosecond.
func compareRing(t rapid.TB, got Sample, want expectedRing) {
	t.Helper()
	if len(got.Completion) != 1 || got.Completion[0] != want.completion {
		t.Errorf("completion %v, want %v", got.Completion, want.completion)
	}
	if len(got.Delivery) != 1 || got.Delivery[0] != want.delivery {
		t.Errorf("delivery %v, want %v", got.Delivery, want.delivery)
	}
	if !slices.Equal(got.Rounds, want.rounds) {
		t.Errorf("rounds %v, want %v", got.Rounds, want.rounds)
	}
	if got.Elapsed != want.completion {
		t.Errorf("elapsed %v, want %v", got.Elapsed, want.completion)
	}
}

// On equal hops without loss, no datacenter waits for another: delivery(i-1, r-1) is before
// completion(i, r-1), so every round takes as long as one message alone.
func TestLosslessRingTakesItsRoundsOneAfterTheOther(t *testing.T) {
	for _, n := range []int{2, 3, 4, 9} {
		p := points(t, ringText(n, "9000001B"))[0]
		for _, label := range ringSchemes {
			one := replay(t, alone(&p, label, 0, 0), label)
			got := replay(t, &p, label)
			want := units.Duration(2*n-2) * one.Completion[0]
			if got.Completion[0] != want || got.Ideal != want {
				t.Errorf("%s over %d: completion %v, ideal %v; want %d * %v = %v", label, n,
					got.Completion[0], got.Ideal, 2*n-2, one.Completion[0], want)
			}
			for r, took := range got.Rounds {
				if took != one.Completion[0] {
					t.Errorf("%s over %d: round %d takes %v", label, n, r, took)
				}
			}
			compareRing(t, got, expect(t, &p, label))
		}
	}
}

// A ring is as slow as its slowest hop, wherever that is, in time of flight or in bandwidth.
func TestRingIsBoundByItsSlowestHop(t *testing.T) {
	for slowest := range 4 {
		p := points(t, ringText(4, "8MiB",
			fmt.Sprintf("{hop: %d, rtt: 21ms, bandwidth: 100Gbps}", slowest),
			fmt.Sprintf("{hop: %d, rtt: 15ms}", (slowest+1)%4)))[0]
		for _, label := range ringSchemes {
			got := replay(t, &p, label)
			want := 6 * replay(t, alone(&p, label, slowest, 0), label).Completion[0]
			if got.Completion[0] != want || got.Ideal != want {
				t.Errorf("%s, hop %d: completion %v, ideal %v; want %v", label, slowest,
					got.Completion[0], got.Ideal, want)
			}
			compareRing(t, got, expect(t, &p, label))
		}
	}
}

// scriptedHop is a hop that drops units of a script.
func scriptedHop(hop int, drops string) string {
	return fmt.Sprintf("{hop: %d, loss: {model: script, per: chunk, drops: [%s]}}", hop, drops)
}

// One chunk lost in the first round on hop 1 delays that hop by D = RTO + T_inj less what of the
// message was still to be sent. Later rounds of the hop follow one after the other, so that the
// operation is late by D too.
func TestOneLossDelaysTheRingByItsRepeat(t *testing.T) {
	const lost = 5
	p := points(t, ringText(4, "8MiB", scriptedHop(1, fmt.Sprintf("{first: %d}", lost))))[0]
	got := replay(t, &p, "sr-rto")
	chunk := p.Link.Bandwidth.TransmitTime(p.Message.Chunk)
	// X_i = i*T_inj + (RTO + T_inj)(Y_i - 1), i from 1. arXiv:2505.05366 §4.2.1
	after := (lost+1)*chunk + 3*p.Link.RTT() + chunk - 512*chunk
	one := replay(t, alone(&p, "sr-rto", 0, 0), "sr-rto").Completion[0]
	if want := 6*one + after; got.Completion[0] != want {
		t.Errorf("completion %v; want 6 * %v + %v = %v", got.Completion[0], one, after, want)
	}
	if got.Rounds[0] != one+after || got.Lost != 1 || got.Retransmits != 1 {
		t.Errorf("round 0 takes %v; %+v", got.Rounds[0], got.Counters)
	}
	compareRing(t, got, expect(t, &p, "sr-rto"))
}

// A delay travels around the ring, a hop a round. It loses half a round trip on each, for a
// datacenter sends on what was delivered to it, before its peer knows. So a second loss, met by
// the delay on its way, costs what is left of the first on top.
func TestDelayTravelsAroundTheRing(t *testing.T) {
	p := points(t, ringText(4, "8MiB", scriptedHop(0, "{first: 0}"), scriptedHop(2,
		"{message: 2, first: 511}")))[0]
	got, want := replay(t, &p, "sr-rto"), expect(t, &p, "sr-rto")
	compareRing(t, got, want)
	lossless := replay(t, alone(&p, "sr-rto", 1, 0), "sr-rto")
	whole, slack := lossless.Completion[0], lossless.Completion[0]-lossless.Delivery[0]
	first := replay(t, alone(&p, "sr-rto", 0, 0), "sr-rto").Completion[0] - whole
	second := replay(t, alone(&p, "sr-rto", 2, 2), "sr-rto").Completion[0] - whole
	t.Logf("# late by %v and %v, slack %v", first, second, slack)
	// Hop 1 learns of it in round 1, hop 2 in round 2.
	if late := want.starts[2][2] - 2*whole; late != first-2*slack {
		t.Errorf("hop 2 starts round 2 late by %v; want %v", late, first-2*slack)
	}
	if late := got.Completion[0] - 6*whole; late != first-2*slack+second {
		t.Errorf("late by %v; want %v", late, first-2*slack+second)
	}
}

// TestRingCountsItsBufferOnce holds the counters of an operation to their meaning.
func TestRingCountsItsBufferOnce(t *testing.T) {
	p := points(t, ringText(3, "3MiB", scriptedHop(0,
		"{first: 0, last: 9}, {message: 2, first: 0, last: 9}")))[0]
	for _, label := range ringSchemes {
		s := replay(t, &p, label)
		if s.PayloadBytes != 3<<20 || s.Lost < 10 || s.FellBack > 1 || s.Failed != 0 {
			t.Errorf("%s: %+v", label, s)
		}
		// Three hops of four rounds carry the third part of the buffer each.
		if least := int64(12 << 20); s.WireBytes < least || s.WireBytes > least*3/2 {
			t.Errorf("%s: %d bytes on the wire; want %d at least", label, s.WireBytes, least)
		}
	}
	if s := replay(t, &p, "ec-mds"); s.FellBack != 1 || s.Fallbacks < 2 {
		t.Errorf("ten losses in a row, twice: %d fallbacks in %d messages", s.Fallbacks, s.FellBack)
	}
}

// A ring whose hops give up, one of them or all at the same instant, is one failed operation,
// however packets are grouped.
func TestRingThatGivesUpIsOneFailedOperation(t *testing.T) {
	dead := "{message: 2, first: 3, transmission: every}"
	for name, hops := range map[string][]string{
		"one hop":  {scriptedHop(2, dead)},
		"two hops": {scriptedHop(0, dead), scriptedHop(2, "{message: 2, first: 9, transmission: every}")},
		"all hops": {scriptedHop(0, dead), scriptedHop(1, dead), scriptedHop(2, dead)},
	} {
		text := strings.ReplaceAll(ringText(3, "3MiB", hops...), "{name: sr-nack}",
			"{name: sr-nack, retries: 2}")
		text = strings.ReplaceAll(text, "3RTT}", "3RTT, retries: 2}")
		p := points(t, text)[0]
		for _, label := range []string{"sr-rto", "sr-nack"} {
			want := replay(t, &p, label)
			if want.Failed != 1 || want.Failure == "" || want.PayloadBytes != 0 ||
				len(want.Completion)+len(want.Delivery)+len(want.Rounds) != 0 {
				t.Errorf("%s, %s: %+v", name, label, want)
			}
			// What the endpoints of a message that was given up have counted is not lost.
			if name == "all hops" && want.Retransmits != 3*2 || label == "sr-nack" && want.Nacks == 0 {
				t.Errorf("%s, %s: %d repeats, %d reports of holes", name, label, want.Retransmits,
					want.Nacks)
			}
			single := p
			single.Engine.MaxRun = 1
			got := replay(t, &single, label)
			got.Events, want.Events = 0, 0
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: single packets\n got %+v\nwant %+v", name, label, got, want)
			}
		}
	}
}

// A runner is as good as new for every sample: after a failure, and in any order.
func TestRingSamplesDoNotDependOnEachOther(t *testing.T) {
	text := strings.Replace(ringText(3, "3MiB"), "loss: none, ack",
		"loss: {model: iid, p: 0.12}, ack", 1)
	text = strings.Replace(text, "3RTT}", "3RTT, retries: 3}", 1)
	p := points(t, text)[0]
	used := newTestRunner(t, &p, "sr-rto")
	failed := 0
	for _, i := range []int{3, 0, 2, 1, 0, 3} {
		var got, want Sample
		if err := used.Sample(i, &got); err != nil {
			t.Fatal(err)
		}
		if err := newTestRunner(t, &p, "sr-rto").Sample(i, &want); err != nil {
			t.Fatal(err)
		}
		failed += want.Failed
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("sample %d:\n got %+v\nwant %+v", i, got, want)
		}
	}
	if failed == 0 || failed == 6 {
		t.Errorf("%d of 6 samples failed; the case wants some", failed)
	}
}

func TestRingSamplesAllocateNothing(t *testing.T) {
	p := points(t, strings.Replace(ringText(3, "3MiB"), "loss: none, ack",
		"loss: {model: iid, p: 0.001}, ack", 1))[0]
	for _, label := range ringSchemes {
		r := newTestRunner(t, &p, label)
		var s Sample
		i := 0
		sample := func() {
			if err := r.Sample(i%8, &s); err != nil {
				t.Fatal(err)
			}
			i++
		}
		for range 16 {
			sample()
		}
		if n := testing.AllocsPerRun(16, sample); n != 0 {
			t.Errorf("%s: %v allocations a sample", label, n)
		}
	}
}
