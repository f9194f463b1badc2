package experiment

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// exactPoint is a drawn point inside the domain in which the equations are exact: whole chunks, no
// lost acknowledgement, first transmissions over before the first timeout, and a timeout that
// leaves the acknowledgements time to come back.
type exactPoint struct {
	rate, mtu, perChunk, chunks int64
	rtt, rto                    units.Duration
	loss                        string
}

func drawExact(t *rapid.T, perChunk []int64) exactPoint {
	p := exactPoint{
		rate:     rapid.SampledFrom([]int64{400e9, 100e9, 33.3e9, 1e9}).Draw(t, "rate"),
		mtu:      rapid.SampledFrom([]int64{512, 1000, 4096}).Draw(t, "mtu"),
		perChunk: rapid.SampledFrom(perChunk).Draw(t, "packets a chunk"),
	}
	chunk := units.Rate(p.rate).TransmitTime(units.Bytes(p.mtu)) * units.Duration(p.perChunk)
	// The round trip is long enough for the acknowledgements of a poll, which share the way back.
	rtts := rapid.IntRange(40, 400).Draw(t, "chunks a round trip")
	p.rtt = 2 * (units.Duration(rtts) * chunk / 2)
	p.rto = p.rtt.Scale(rapid.Int64Range(150, 400).Draw(t, "timeout in hundredths"), 100)
	p.chunks = rapid.Int64Range(1, int64(p.rto/chunk)).Draw(t, "chunks")
	p.loss = fmt.Sprintf("{model: iid, per: %s, p: %s}",
		rapid.SampledFrom([]string{"packet", "chunk"}).Draw(t, "unit"),
		rapid.SampledFrom([]string{"1e-3", "0.01", "0.1", "0.3"}).Draw(t, "p"))
	return p
}

// point builds the point with one scheme.
func (p exactPoint) point(t testing.TB, scheme string, seed int) spec.Point {
	text := fmt.Sprintf(`
name: exact
seed: %d
samples: 1
link: {bandwidth: %dbps, rtt: %dps, mtu: %dB, encapsulation: none, loss: %s, ack_loss: none}
message: {size: %dB, chunk: %dB}
schemes:
  - {name: %s, rto: %dps}
`, seed, p.rate, int64(p.rtt), p.mtu, p.loss, p.chunks*p.perChunk*p.mtu, p.perChunk*p.mtu,
		scheme, int64(p.rto))
	return points(t, text)[0]
}

// Selective Repeat takes what T_SR = max_i X_i + RTT says, for the losses that were drawn: to the
// picosecond, unless the final acknowledgement waits for one of a poll.
// Reference: section 4.2.1; packets of a chunk accumulate over attempts.
func TestSelectiveRepeatFollowsItsEquationSampleBySample(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := drawExact(rt, []int64{1, 1, 2, 16})
		p := e.point(t, "sr-rto", rapid.IntRange(0, 1<<30).Draw(rt, "seed"))
		r := newTestRunner(t, &p, "sr-rto")
		w := newTwin(r, &p, e.rto)
		for sample := range 3 {
			var s Sample
			if err := r.Sample(sample, &s); err != nil {
				rt.Fatal(err)
			}
			w.begin(sample)
			if want := w.sr(); !w.agrees(s.Completion[0], want) || s.Spurious != 0 {
				rt.Fatalf("%+v sample %d: %v, equation %v; %+v", e, sample, s.Completion[0], want,
					s.Counters)
			}
		}
	})
}

// Erasure coding is acknowledged when the last chunk that it needed has arrived; where a submessage
// fails, the fallback timeout and a Selective Repeat of the failed submessages follow.
// Reference: section 4.2.2.
func TestErasureCodingFollowsItsEquationSampleBySample(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := drawExact(rt, []int64{1})
		c := split{k: rapid.Int64Range(1, 12).Draw(rt, "k"), xor: rapid.Bool().Draw(rt, "xor")}
		c.m = rapid.Int64Range(1, c.k).Draw(rt, "m")
		beta := rapid.Int64Range(1, 3).Draw(rt, "beta")
		c.beta = units.Duration(beta) * e.rtt
		name := map[bool]string{false: "ec-mds", true: "ec-xor"}[c.xor]
		scheme := fmt.Sprintf("%s, k: %d, m: %d, beta: %d", name, c.k, c.m, beta)
		p := e.point(t, scheme, rapid.IntRange(0, 1<<30).Draw(rt, "seed"))
		r := newTestRunner(t, &p, name)
		w := newTwin(r, &p, e.rto)
		for sample := range 3 {
			var s Sample
			if err := r.Sample(sample, &s); err != nil {
				rt.Fatal(err)
			}
			w.begin(sample)
			want, failed, ok := w.ec(c)
			if ok && (!w.agrees(s.Completion[0], want) || s.Fallbacks != failed) {
				rt.Fatalf("%+v %+v sample %d: %v, equation %v; %d failed; %+v", e, c, sample,
					s.Completion[0], want, failed, s.Counters)
			}
		}
	})
}
