package workload

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

const us = units.Microsecond

// places are ranks in datacenters of equally many: short hops inside, long ones between; the long
// ones of a datacenter share its uplink where that is set.
type places struct {
	each        int
	short, long units.Duration
	uplink      units.Rate // of a connection between datacenters
}

func (p places) hop(from, to int) Hop {
	if from/p.each == to/p.each {
		return Hop{Alpha: p.short, Rate: at400, Port: Any}
	}
	return Hop{Alpha: p.long, Rate: p.uplink, Port: Any}
}

// Worked examples of collectives over hops of constant latency and rate.
func TestCollectivesTakeTheTimesThatWereWorkedOut(t *testing.T) {
	ring := func(n int, size units.Bytes) Collective {
		return Collective{Kind: AllReduce, Algorithm: Ring, Ranks: n, Size: size, Channels: 1}
	}
	chunked := func(c Collective, algorithm string, chunk units.Bytes) Collective {
		c.Algorithm, c.Chunk = algorithm, chunk
		return c
	}
	of := func(c Collective, datacenters int) Collective {
		c.Algorithm, c.Datacenters = Hierarchical, datacenters
		return c
	}
	long := star(2500 * us)
	near := star(5 * us)
	// 16 or 256 ranks have 1/16 or 1/256 of the uplink each.
	sixteen := places{16, 5 * us, 12500 * us, at400 / 16}.hop
	many := places{256, 5 * us, 12500 * us, at400 / 256}.hop
	fast := func(int, int) Hop { return Hop{Rate: 400 * units.Gbps, Port: Any} }
	for _, c := range []struct {
		name string
		c    Collective
		hop  func(int, int) Hop
		want units.Duration
	}{
		{"8 ranks, 100 MB, 50 GB/s", ring(8, 100e6), fast, 3500 * us},
		{"the same, 1 us", ring(8, 100e6), star(us), 3514 * us},
		{"4 ranks over 2.5 ms", ring(4, 64*units.MiB), long, 17013265920},
		{"the same in 16 slices", chunked(ring(4, 64*units.MiB), Ring, units.MiB), long, 15440401920},
		{"64 ranks, double tree", chunked(ring(64, 64*units.MiB), DoubleTree, 512*units.KiB), near,
			846432 * us / 1000},
		{"64 ranks, halving and doubling", chunked(ring(64, 64*units.MiB), HalvingDoubling, 0), near,
			2702412 * us / 1000},
		{"64 ranks, ring", ring(64, 64*units.MiB), near, 3272412 * us / 1000},
		{"4 x 16, hierarchical", of(ring(64, units.GiB), 4), sixteen, 147627600 * us / 1000},
		{"4 x 256, hierarchical", of(ring(1024, units.GiB), 4), many, 152544 * us},
	} {
		got := took(t, c.c, c.hop)
		if diff := got - c.want; diff < -us/2 || diff > us/2 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A flat ring over two datacenters, parts of 21 us: messages may follow each other on a long hop,
// or have two places at its end.
func TestCreditsBoundARingOverALongHop(t *testing.T) {
	far := places{32, 5 * us, 12500 * us, at400}.hop
	c := Collective{Kind: AllReduce, Algorithm: Ring, Ranks: 64, Channels: 1, Size: 64 * 1050000}
	for _, f := range []struct {
		credits int
		want    units.Duration
	}{{0, 53256 * us}, {2, 1563849 * us}} {
		end, err := Run(Config{Source: c.Source(), Hop: far, Credits: f.credits})
		if err != nil {
			t.Fatal(err)
		}
		if end.Sub(0) != f.want {
			t.Errorf("%d credits: %v, want %v", f.credits, end.Sub(0), f.want)
		}
	}
}

// The ring, the chain and the double tree, cut into slices, take what their pipelines say.
func TestPipelinesTakeTheTimesOfTheirFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		c := rapid.IntRange(1, 9).Draw(t, "c")
		bytes := rapid.IntRange(1, 1<<20).Draw(t, "b")
		a := units.Duration(rapid.Int64Range(0, 1e9).Draw(t, "alpha"))
		gamma := rapid.SampledFrom([]units.Duration{0, 1, 2, 5, 10, 20}).Draw(t, "gamma")
		rate := units.Rate(0)
		if gamma > 0 {
			rate = units.Rate(8e12 / int64(gamma))
		}
		b, g := units.Duration(20*bytes), gamma*units.Duration(bytes)
		count := units.Duration(c)
		ring := Collective{Kind: AllReduce, Algorithm: Ring, Ranks: n, Channels: 1, Rate: rate,
			Chunk: units.Bytes(bytes), Size: units.Bytes(n * c * bytes)}
		want := count*b + a
		for k := 1; k <= 2*n-3; k++ {
			added := g
			if k > n-1 {
				added = 0
			}
			want += max(count*b, a+b+added)
		}
		if n == 2 {
			// The part that was received last is added once more before it goes back: in step 1 = n-1.
			want = count*b + a + max(count*b, a+b+g)
		}
		if got := took(t, ring, star(a)); got != want {
			t.Errorf("ring: %v, want %v", got, want)
		}
		chain := ring
		chain.Kind, chain.Algorithm = ReduceTo, Chain
		chain.Size = units.Bytes(c * bytes)
		if got, want := took(t, chain, star(a)), units.Duration(n-1)*(a+b+g)+(count-1)*b; got != want {
			t.Errorf("chain: %v, want %v", got, want)
		}
		tree := ring
		tree.Algorithm, tree.Rate, tree.Size = DoubleTree, 0, units.Bytes(2*c*bytes)
		h := units.Duration(0)
		for 1<<h < n {
			h++
		}
		if got, want := took(t, tree, star(a)), 2*h*(a+b)+(count-1)*b; got != want {
			t.Errorf("double tree of %d ranks: %v, want %v", n, got, want)
		}
	})
}

// What a channel of slots carries over a hop: all that its rate allows, or as many slots a round
// trip as there are.
func TestCreditsBoundWhatAChannelCarries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		a := units.Duration(rapid.Int64Range(0, 1e9).Draw(t, "alpha"))
		p, _ := ProtocolNamed(Simple, Broadcast)
		x := at400.TransmitTime(p.Slot)
		c := Collective{Kind: Broadcast, Algorithm: Chain, Ranks: 2, Channels: 1, Protocol: p,
			Size: p.Slot * units.Bytes(n)}
		w := c.Credits()
		count := units.Duration(n)
		want := count*x + a
		if units.Duration(w)*x < x+2*a {
			want = units.Duration((n-1)/w)*(x+2*a) + units.Duration((n-1)%w)*x + x + a
		}
		if got := took(t, c, star(a)); got != want {
			t.Errorf("%d slots, %d at a time, %v: %v, want %v", n, w, a, got, want)
		}
	})
}

// Parents of both trees of eight ranks; no rank is inner in both.
func TestDoubleTreeIsThatOfItsSource(t *testing.T) {
	first, second := []int{-1, 2, 4, 2, 0, 6, 4, 6}, []int{1, 3, 1, 7, 5, 3, 5, -1}
	for r := range 8 {
		if a, b := treeOf(r, 8), secondTree(r, 8); a.parent != first[r] || b.parent != second[r] {
			t.Errorf("rank %d: parents %d and %d", r, a.parent, b.parent)
		}
	}
	for n := 2; n < 200; n++ {
		both := 0
		for r := range n {
			for _, at := range []func(int, int) tree{treeOf, secondTree} {
				tr := at(r, n)
				for _, c := range tr.children.all() {
					if at(int(c), n).parent != r {
						t.Fatalf("%d ranks: %d is no child of %d", n, c, r)
					}
				}
			}
			if a, b := treeOf(r, n), secondTree(r, n); a.children.n > 0 && b.children.n > 0 {
				both++
			}
		}
		if want := n % 2; n > 2 && both != want {
			t.Errorf("%d ranks: %d are inner in both trees", n, both)
		}
	}
}
