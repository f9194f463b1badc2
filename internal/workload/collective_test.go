package workload

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

// at400 takes 20 ps a byte.
const at400 = 400 * units.Gbps

// star is hops of one latency, a port for each pair of ranks.
func star(alpha units.Duration) func(int, int) Hop {
	return func(int, int) Hop { return Hop{Alpha: alpha, Rate: at400, Port: Any} }
}

// took is how long a collective takes over some hops.
func took(t rapid.TB, c Collective, hop func(int, int) Hop) units.Duration {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	end, err := Run(Config{Source: c.Source(), Hop: hop, Credits: c.Credits()})
	if err != nil {
		t.Fatal(err)
	}
	return end.Sub(0)
}

// seeded fills a buffer with bytes that no two ranks share.
func seeded(rank int, buffer []byte) {
	key := uint64(rank)*0x9e3779b97f4a7c15 + 1
	for i := range buffer {
		key = key*6364136223846793005 + 1442695040888963407
		buffer[i] = byte(key >> 56)
	}
}

func drawCollective(t *rapid.T) Collective {
	kind := rapid.SampledFrom(Kinds()).Draw(t, "kind")
	c := Collective{Kind: kind,
		Algorithm: rapid.SampledFrom(Algorithms(kind)).Draw(t, "algorithm"),
		Ranks:     rapid.IntRange(2, 13).Draw(t, "ranks"), Datacenters: 1,
		Size:     units.Bytes(rapid.IntRange(1, 5000).Draw(t, "size")),
		Channels: rapid.IntRange(1, 3).Draw(t, "channels"),
		Chunk:    units.Bytes(rapid.IntRange(0, 700).Draw(t, "chunk")),
	}
	if kind == PointToPoint {
		c.Ranks += c.Ranks % 2
	}
	if c.Hierarchical() {
		c.Datacenters = rapid.IntRange(1, 5).Draw(t, "datacenters")
		c.Ranks = max(2, c.Datacenters*rapid.IntRange(1, 4).Draw(t, "each"))
		if c.Ranks%c.Datacenters != 0 {
			c.Datacenters = 1
		}
	}
	c.Root = rapid.IntRange(0, c.Ranks-1).Draw(t, "root")
	c.Rate = rapid.SampledFrom([]units.Rate{0, at400, 8 * units.Gbps}).Draw(t, "rate")
	if rapid.Bool().Draw(t, "slots") && c.Algorithm != HalvingDoubling {
		c.Protocol, _ = ProtocolNamed(rapid.SampledFrom([]string{Simple, LL, LL128}).
			Draw(t, "protocol"), kind)
		c.Protocol.Slot = units.Bytes(rapid.IntRange(1, 100).Draw(t, "slot"))
	}
	return c
}

// Every rank ends with the right bytes, whatever the latencies of its hops are.
func TestCollectivesFormTheSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCollective(t)
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		odd := uint64(rapid.IntRange(1, 1000).Draw(t, "odd"))
		hop := func(from, to int) Hop {
			h := (uint64(from)*31+uint64(to)*17+odd)*0x9e3779b97f4a7c15>>40 + 1
			return Hop{Alpha: units.Duration(h), Rate: at400, Port: from}
		}
		d := NewData(c.Ranks, c.Buffer(), seeded)
		t.Logf("%+v", c)
		cfg := Config{Source: c.Source(), Hop: hop, Credits: c.Credits(), Data: d}
		if _, err := Run(cfg); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if err := c.Verify(d); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
	})
}

// The table of collectives without pipelining: alpha and beta of every hop alike.
func TestLosslessCollectivesTakeTheTimesOfTheirFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(1, 5).Draw(t, "n")
		part := units.Bytes(rapid.IntRange(1, 1<<20).Draw(t, "part"))
		a := units.Duration(rapid.Int64Range(0, 1e10).Draw(t, "alpha"))
		gamma := units.Duration(rapid.IntRange(0, 20).Draw(t, "gamma"))
		size := part * units.Bytes(n)
		c := Collective{Ranks: n, Size: size, Channels: 1}
		if gamma > 0 {
			c.Rate = units.Rate(8e12 / int64(gamma))
			if 8e12%int64(gamma) != 0 {
				c.Rate, gamma = at400, 20
			}
		}
		b := units.Duration(20 * part) // of a part
		g := gamma * units.Duration(part)
		m := units.Duration(n - 1)
		k := units.Duration(0)
		for 1<<k < n {
			k++
		}
		for _, f := range []struct {
			kind, algorithm string
			want            units.Duration
		}{
			{ReduceScatter, Ring, m * (a + b + g)},
			{AllGather, Ring, m * (a + b)},
			{AllReduce, Ring, 2*m*(a+b) + m*g},
			{AllReduce, HalvingDoubling, 2*k*a + m*(2*b+g)},
			{Broadcast, Chain, m * (a + units.Duration(n)*b)},
			{ReduceTo, Chain, m * (a + units.Duration(n)*(b+g))},
			{Broadcast, Binomial, k * (a + units.Duration(n)*b)},
			{ReduceTo, Binomial, k * (a + units.Duration(n)*(b+g))},
			{AllToAll, Pairwise, m * (a + b)},
			{PointToPoint, Direct, a + units.Duration(n)*b},
		} {
			c.Kind, c.Algorithm = f.kind, f.algorithm
			if got := took(t, c, star(a)); got != f.want {
				t.Errorf("%s, %s of %d ranks, part %v, alpha %v, gamma %d: %v, want %v", f.kind, f.algorithm,
					n, part, a, gamma, got, f.want)
			}
		}
		c.Kind, c.Algorithm = AllToAll, Direct
		shared := func(from, to int) Hop { return Hop{Alpha: a, Rate: at400, Port: from} }
		if got := took(t, c, shared); got != m*b+a {
			t.Errorf("all-to-all posted at once: %v, want %v", got, m*b+a)
		}
	})
}
