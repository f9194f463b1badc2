package experiment

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// settled is a point with the strata of its schemes.
func settled(t *testing.T, yaml string) *spec.Point {
	t.Helper()
	p := points(t, yaml)[0]
	p.Sampling = spec.SamplingStrata
	for i := range p.Schemes {
		plan, err := Settle(&p, &p.Schemes[i])
		if err != nil {
			t.Fatal(err)
		}
		if plan.Strata == nil {
			t.Fatal("no strata")
		}
		p.Schemes[i].Plan = plan
	}
	return &p
}

// watched are what strata and brute force have to agree about.
var watched = []struct {
	name string
	of   func(*Sample) float64
}{
	{"completion", func(s *Sample) float64 { return s.Completion[0].Seconds() }},
	{"delivery", func(s *Sample) float64 { return s.Delivery[0].Seconds() }},
	{"squared", func(s *Sample) float64 { return math.Pow(s.Completion[0].Seconds(), 2) }},
	{"lost", func(s *Sample) float64 { return float64(s.Lost) }},
	{"repeats", func(s *Sample) float64 { return float64(s.Retransmits) }},
	{"spurious", func(s *Sample) float64 { return float64(s.Spurious) }},
	{"acks", func(s *Sample) float64 { return float64(s.Acks) }},
	{"timeouts", func(s *Sample) float64 { return float64(s.Timeouts) }},
	{"fell back", func(s *Sample) float64 { return float64(s.FellBack) }},
	{"slow", func(s *Sample) float64 {
		return float64(min(s.Completion[0]/(9*units.Millisecond), 1))
	}},
}

// watch runs samples and returns what is watched of each, with its stratum.
func watch(t *testing.T, p *spec.Point, label string, n int) (xs [][]float64, of []uint8) {
	t.Helper()
	r := newTestRunner(t, p, label)
	xs = make([][]float64, len(watched))
	var s Sample
	for i := range n {
		if err := r.Sample(i, &s); err != nil {
			t.Fatal(err)
		}
		if s.Failed > 0 {
			t.Fatalf("sample %d: %s", i, s.Failure)
		}
		of = append(of, uint8(s.Stratum))
		for k := range watched {
			xs[k] = append(xs[k], watched[k].of(&s))
		}
	}
	return xs, of
}

// spread is a mean and the square of its standard error.
func spread(xs []float64) (mean, variance float64) {
	mean = stats.Sum(xs) / float64(len(xs))
	squares := make([]float64, len(xs))
	for i, x := range xs {
		squares[i] = (x - mean) * (x - mean)
	}
	return mean, stats.Sum(squares) / float64(len(xs)) / float64(len(xs))
}

// Strata give the means of plain samples, within four standard errors, where losses are many: of
// data alone, and of acknowledgements too, by packet and by chunk.
func TestStrataAgreeWithPlainSamples(t *testing.T) {
	const plainSamples, perStratum = 200_000, 20_000
	for _, c := range []struct{ name, per, acks, chunk, scheme string }{
		{"data alone", "packet", "none", "4KiB", "sr-rto"},
		{"acknowledgements too", "packet", "same", "4KiB", "sr-rto"},
		{"a code", "packet", "{model: iid, p: 0.4}", "4KiB", "ec-xor"},
		{"whole chunks", "chunk", "same", "8KiB", "sr-nack"},
	} {
		p := settled(t, `
name: t
link: {bandwidth: 1Gbps, rtt: 1ms, mtu: 4KiB, loss: {model: iid, per: `+c.per+`, p: 0.2},
  ack_loss: `+c.acks+`}
message: {size: 20KiB, chunk: `+c.chunk+`}
schemes: [sr-rto, sr-nack, {name: ec-xor, k: 4, m: 2}]
samples: 1
`)
		brute := *p
		brute.Schemes = slices.Clone(p.Schemes)
		of := slices.IndexFunc(p.Schemes, func(s spec.Scheme) bool { return s.Label == c.scheme })
		brute.Schemes[of].Plan = &spec.Plan{}
		plain, _ := watch(t, &brute, c.scheme, plainSamples)
		xs, strata := watch(t, p, c.scheme, 2*perStratum+1)
		for k := range watched {
			want, variance := spread(plain[k])
			got := 0.0
			for _, s := range stats.Divide(p.Schemes[of].Plan.Strata.Shares, strata, xs[k]) {
				if s.Share == 0 {
					continue
				}
				mean, v := spread(s.Values)
				got += s.Share * mean
				variance += s.Share * s.Share * v
			}
			if z := (got - want) / math.Sqrt(variance); math.Abs(z) > 4 || got == want && want != 0 {
				t.Errorf("%s: %s %v, of plain samples %v: %.2f standard errors apart", c.name,
					watched[k].name, got, want, z)
			}
		}
	}
}

// The share of each stratum is exact, and the samples of a stratum lose what it says among the
// draws that the message without loss makes.
func TestSharesOfStrataAreExact(t *testing.T) {
	p := settled(t, `
name: t
link: {bandwidth: 100Gbps, rtt: 1ms, mtu: 4KiB, loss: {model: iid, p: 1e-3}, ack_loss: none}
message: {size: 256KiB, chunk: 64KiB}
schemes: [sr-rto, {name: ec-mds, k: 2, m: 1}]
samples: 1
`)
	chunk := -math.Expm1(16 * math.Log1p(-1e-3))
	group := 3*chunk*chunk*(1-chunk) + chunk*chunk*chunk // two of three chunks are lost
	fails := group + group - group*group
	by := p.Schemes[1].Plan.Strata
	if by.Data != 96 { // 64 packets, and 32 of parity
		t.Errorf("%d draws of data, want 96", by.Data)
	}
	lossy := -math.Expm1(96 * math.Log1p(-1e-3))
	want := []float64{1 - lossy, lossy - fails, 0, fails}
	for k, share := range by.Shares {
		if math.Abs(share-want[k]) > 1e-15 {
			t.Errorf("share %d is %v, want %v", k, share, want[k])
		}
	}
	r := newTestRunner(t, p, "ec-mds")
	var s Sample
	for i := range 200 {
		if err := r.Sample(i, &s); err != nil {
			t.Fatal(err)
		}
		if (s.Lost > 0) != (i > 0) || (s.Stratum > 0) != (i > 0) {
			t.Errorf("sample %d of stratum %d lost %d packets", i, s.Stratum, s.Lost)
		}
	}
}

// Schemes that draw as many losses without one meet the same ones. What else is compared does not
// change them.
func TestSchemesThatDrawAlikeMeetTheSameLosses(t *testing.T) {
	const one = `
name: t
link: {bandwidth: 100Gbps, rtt: 1ms, mtu: 4KiB, loss: {model: iid, per: chunk, p: 1e-2},
  ack_loss: none}
message: {size: 64KiB, chunk: 4KiB}
samples: 1
schemes: `
	both := settled(t, one+
		"[sr-rto, {name: sr-rto, rto: 5RTT, label: slow}, {name: ec-mds, k: 8, m: 4}]")
	alone := settled(t, one+"[sr-rto]")
	for i, want := range []int64{16, 16, 24} {
		if got := both.Schemes[i].Plan.Strata.Data; got != want {
			t.Errorf("%d draws under %s, want %d", got, both.Schemes[i].Label, want)
		}
	}
	runners := []*Runner{newTestRunner(t, alone, "sr-rto"), newTestRunner(t, both, "sr-rto"),
		newTestRunner(t, both, "slow")}
	for i := range 100 {
		var s [3]Sample
		for k, r := range runners {
			if err := r.Sample(i, &s[k]); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(s[0], s[1]) || s[0].Lost != s[2].Lost {
			t.Errorf("sample %d: %+v alone, %+v beside others; slow %+v", i, s[0], s[1], s[2])
		}
	}
}

// Strata are for what they are exact for, and left where nearly every message loses something.
func TestSamplingIsSettledByWhatCanBeLost(t *testing.T) {
	for _, c := range []struct{ loss, message, how, want string }{
		{"{model: iid, p: 1e-3}", "{size: 1MiB}", "auto", "strata"},
		{"{model: iid, p: 1e-2}", "{size: 1MiB}", "auto", "plain"},
		{"{model: iid, p: 1e-2}", "{size: 1MiB}", "strata", "strata"},
		{"{model: iid, p: 1e-3}", "{size: 1MiB}", "none", "plain"},
		{"{model: iid, p: 1e-3}", "{size: 1MiB}", "tilt", "tilt"},
		{"{model: iid, p: 1e-3}", "{size: 1MiB, count: 2}", "auto", "plain"},
		{"{model: iid, p: 0}", "{size: 1MiB}", "auto", "plain"},
		{"none", "{size: 1MiB}", "auto", "plain"},
		{"{model: gilbert-elliott, mean: 1e-4, burst: 2}", "{size: 1MiB}", "auto", "plain"},
		{"{model: script, drops: [{first: 0}]}", "{size: 1MiB}", "auto", "plain"},
	} {
		p := points(t, "name: t\nlink: {bandwidth: 100Gbps, rtt: 1ms, loss: "+c.loss+"}\n"+
			"message: "+c.message+"\nschemes: [sr-rto]\nacceleration: "+c.how+"\n")[0]
		p.Sampling = c.how
		plan, err := Settle(&p, &p.Schemes[0])
		if err != nil {
			t.Fatal(err)
		}
		got := "plain"
		switch {
		case plan.Strata != nil:
			got = "strata"
		case len(plan.Tilts) > 0:
			got = "tilt"
		}
		if got != c.want {
			t.Errorf("%s, %s, %s: %s, want %s", c.loss, c.message, c.how, got, c.want)
		}
	}
}

// The usual tilts bring about one loss and three, each where that is more than there are.
func TestUsualTiltsFollowTheExpectedLosses(t *testing.T) {
	for _, c := range []struct {
		p     float64
		draws int64
		want  []float64
	}{
		{1e-4, 100, []float64{1, 100, 300}},
		{1e-2, 100, []float64{1, 3}},
		{1e-1, 100, nil},
		{0.3, 1, nil},
	} {
		got := usualTilts(c.p, c.draws)
		if len(got) != len(c.want) {
			t.Errorf("p %v of %d draws: %v, want %v", c.p, c.draws, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]/c.want[i]-1) > 1e-12 {
				t.Errorf("p %v of %d draws: %v, want %v", c.p, c.draws, got, c.want)
			}
		}
	}
}
