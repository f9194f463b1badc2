package link

import (
	"math"
	"testing"

	"sdrsim/sim"
	"sdrsim/units"
)

// laws are the distribution functions of the models, by their definition, at x spreads.
var laws = map[JitterModel]func(x float64) float64{
	JitterUniform: func(x float64) float64 { return min(x/2, 1) },
	JitterNormal: func(x float64) float64 {
		if x >= 2 {
			return 1
		}
		return math.Erfc(-3*(x-1)/math.Sqrt2) / 2
	},
	JitterGamma:  func(x float64) float64 { return 1 - math.Exp(-2*x)*(1+2*x) },
	JitterPareto: func(x float64) float64 { return 1 - math.Pow(1+x/2, -3) },
}

// Draws follow their law (Kolmogorov and Smirnov, at one in a million), and their mean is the
// spread.
func TestJitterFollowsItsLaw(t *testing.T) {
	const n, spread = 200_000, units.Microsecond
	for model, law := range laws {
		j := &Jitter{Model: model, Spread: spread}
		j.Reset(sim.NewStream(7, "jitter", 0))
		var counts [1000]int // of draws below i hundredths of a spread
		sum, beyond := 0.0, 0
		for range n {
			d := j.draw()
			if d < 0 || d > j.Most() {
				t.Fatalf("%s: drew %v of at most %v", model, d, j.Most())
			}
			sum += float64(d) / float64(spread)
			if i := int(100 * d / spread); i < len(counts) {
				counts[i]++
			} else {
				beyond++
			}
		}
		const critical = 2.7 // 2 exp(-2 c^2) < 1e-6
		below := 0
		for i, c := range counts {
			below += c
			x := float64(i+1) / 100
			if i == 0 && model == JitterNormal {
				continue // what is cut off lies there
			}
			if d := math.Abs(float64(below)/n - law(x)); d > critical/math.Sqrt(n) {
				t.Fatalf("%s: %.5f of the draws are below %v spreads, want %.5f", model,
					float64(below)/n, x, law(x))
			}
		}
		// Pareto has a variance of three squares of the spread.
		if mean := sum / n; math.Abs(mean-1) > 6*math.Sqrt(3.0/n) {
			t.Errorf("%s: the mean is %.4f spreads", model, mean)
		}
	}
}

// Paths get their share of packets, of messages and of flowlets, and what is to stay together does.
func TestPathsAreTakenByWeight(t *testing.T) {
	const each = 20_000
	for _, by := range []SpreadBy{SpreadPacket, SpreadMessage, SpreadFlowlet} {
		s := &Spread{By: by, Gap: packetTime / 2, Ways: []Way{{Delay: delay, Weight: 1},
			{Delay: 2 * delay, Weight: 3}}}
		s.Reset(sim.NewStream(3, "paths", 0))
		l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: None{}, ControlLoss: None{},
			Spread: s})
		l.Inbox().SetSink(new(notes))
		left := map[int64]units.Time{}
		for i := range int64(each) {
			run := packets(3*i, 3)
			run.Serial = i / 2
			at := l.FreeAt()
			if i%2 == 0 {
				at = at.Add(packetTime) // two runs are a flowlet, and a message
			}
			l.Transmit(at, run)
			for j := range int64(3) {
				left[run.First+j] = run.DepartureOf(run.First + j)
			}
		}
		slow, parts := 0, 0
		ways := map[int64]bool{} // of packets
		for _, a := range drain(l) {
			ways[a.packet] = a.at.Sub(left[a.packet]) == 2*delay
			if ways[a.packet] {
				slow++
			} else if a.at.Sub(left[a.packet]) != delay {
				t.Fatalf("%s: packet %d takes %v", by, a.packet, a.at.Sub(left[a.packet]))
			}
		}
		for p := range int64(3 * each) {
			if p%6 > 0 && ways[p] != ways[p-1] {
				parts++
			}
		}
		share := float64(slow) / (3 * each)
		if math.Abs(share-0.75) > 5*math.Sqrt(0.75*0.25/(each/2)) {
			t.Errorf("%s: %.3f of the packets take the second path, want 0.75", by, share)
		}
		if (parts > 0) != (by == SpreadPacket) {
			t.Errorf("%s: what belongs together is parted %d times", by, parts)
		}
		if order := l.Inbox().Reordering(); order.Reordered == 0 || order.Extent < order.Reordered {
			t.Errorf("%s: %+v", by, order)
		}
	}
}

// Two paths of unequal length, packets in turn at random: a packet of the longer path is overtaken
// by those of the shorter one that leave in the difference of their delays. With d packets in it
// and a share w of the shorter path, it is reordered unless none of those takes that.
func TestReorderingOfTwoPathsByArithmetic(t *testing.T) {
	const n, d = 100_000, 5
	s := &Spread{By: SpreadPacket, Ways: []Way{{Delay: delay, Weight: 1},
		{Delay: delay + d*packetTime + packetTime/2, Weight: 1}}}
	s.Reset(sim.NewStream(5, "paths", 0))
	l := New(Config{Bandwidth: 8 * units.Gbps, Delay: delay, Loss: None{}, ControlLoss: None{},
		Spread: s})
	l.Inbox().SetSink(new(notes))
	l.Transmit(0, packets(0, n))
	drain(l)
	order := l.Inbox().Reordering()
	want := 0.5 * (1 - math.Pow(0.5, d))
	if got := float64(order.Reordered) / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)*d/n) {
		t.Errorf("%.4f of the packets are reordered, want %.4f", got, want)
	}
}
