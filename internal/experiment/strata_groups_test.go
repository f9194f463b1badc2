package experiment

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// codes are points of codes whose chunks are of one packet or several, the last of them short, in
// both orders, with losses of packets and of chunks.
func codes(acks string) (list []string) {
	for _, link := range []string{"per: packet", "per: chunk"} {
		for _, message := range []string{"{size: 40KiB, chunk: 4KiB}", "{size: 37KiB, chunk: 8KiB}"} {
			list = append(list, `
name: t
link: {bandwidth: 1Gbps, rtt: 1ms, mtu: 4KiB, encapsulation: none, ack_loss: `+acks+`,
  loss: {model: iid, `+link+`, p: 0.04}}
message: `+message+`
schemes: [{name: ec-mds, k: 4, m: 2}, {name: ec-xor, k: 4, m: 2, label: parity last},
  {name: ec-xor, k: 3, m: 2, order: interleaved, fallback: missing},
  {name: ec-mds, k: 3, m: 1, order: interleaved, decode.rate: 1Gbps, label: slow}]
samples: 1
`)
		}
	}
	return list
}

// What a code does not bear falls back, and what it does takes no longer than it says.
func TestOnlyFailingGroupsFallBack(t *testing.T) {
	for _, yaml := range append(codes("none"), codes("{model: iid, p: 0.1}")...) {
		p := settled(t, yaml)
		for i := range p.Schemes {
			s := &p.Schemes[i]
			by := s.Plan.Strata
			if by.Groups == nil {
				t.Fatalf("%s: no groups", s.Label)
			}
			r := newTestRunner(t, p, s.Label)
			var none units.Duration
			var sample Sample
			seen, most := [4]int{}, units.Duration(0)
			for n := range 800 {
				if err := r.Sample(n, &sample); err != nil {
					t.Fatal(err)
				}
				if n == 0 {
					none = sample.Completion[0]
				}
				seen[sample.Stratum]++
				late := sample.Completion[0] - none
				switch {
				case (sample.FellBack > 0) != (sample.Stratum == StratumFailing):
					t.Errorf("%s, sample %d of stratum %d: %d fell back, %d lost", s.Label, n,
						sample.Stratum, sample.FellBack, sample.Lost)
				case sample.Stratum == StratumBorne:
					if most = max(most, late); late > by.Borne {
						t.Errorf("%s, sample %d: %v late, at most %v are borne", s.Label, n, late, by.Borne)
					}
				}
			}
			if seen[0] != 1 || seen[StratumBorne] < 190 || seen[StratumFailing] < 190 ||
				by.Borne > 2*most {
				t.Errorf("%s: %v of the strata, %v late of %v", s.Label, seen, most, by.Borne)
			}
		}
	}
}

// overStrata is the mean over strata, that of squares, and the squared standard error of the first.
func overStrata(by []stats.Stratum) (mean, square, variance float64) {
	for _, s := range by {
		if s.Share == 0 {
			continue
		}
		m, v := spread(s.Values)
		mean += s.Share * m
		square += s.Share * (m*m + v*float64(len(s.Values)))
		variance += s.Share * s.Share * v
	}
	return mean, square, variance
}

// Strata of codes give the means of plain samples, within four standard errors, with lost
// acknowledgements and without.
func TestStrataOfCodesAgreeWithPlainSamples(t *testing.T) {
	const plainSamples, divided = 40_000, 8_000
	for i, yaml := range append(codes("none"), codes("{model: iid, p: 0.1}")...) {
		p := settled(t, yaml)
		s := p.Schemes[i%len(p.Schemes)]
		brute := *p
		brute.Schemes = slices.Clone(p.Schemes)
		brute.Schemes[i%len(p.Schemes)].Plan = &spec.Plan{}
		plain, _ := watch(t, &brute, s.Label, plainSamples)
		xs, strata := watch(t, p, s.Label, divided)
		for k := range watched {
			want, _ := spread(plain[k])
			got, square, variance := overStrata(stats.Divide(s.Plan.Strata.Shares, strata, xs[k]))
			variance += (square - got*got) / plainSamples // which also knows what those did not meet
			if z := (got - want) / math.Sqrt(variance); math.Abs(z) > 4 || got == want && want != 0 {
				t.Errorf("%d, %s: %s %v, of plain samples %v: %.2f standard errors apart", i, s.Label,
					watched[k].name, got, want, z)
			}
		}
	}
}

// At low loss the strata of a code are worth many plain samples: the variance of the mean is
// smaller by a factor of hundreds to hundreds of thousands. It is taken from a hundred thousand
// samples of strata; what plain ones would have follows from the same shares.
func TestStrataOfCodesAreWorthManySamples(t *testing.T) {
	for _, c := range []struct {
		scheme, size, p string
		gain            float64
	}{
		{"ec-mds", "128KiB", "5e-2", 2e4},
		{"ec-mds", "128KiB", "1e-1", 300},
		{"ec-xor", "1MiB", "3.125e-4", 5e4},
		{"ec-xor", "1MiB", "3.125e-3", 200},
	} {
		p := settled(t, fmt.Sprintf(`
name: t
link: {bandwidth: 400Gbps, rtt: 25ms, encapsulation: none, ack_loss: none,
  loss: {model: iid, per: chunk, p: %s}}
message: {size: %s, chunk: 4KiB}
schemes: [%s]
samples: 1
`, c.p, c.size, c.scheme))
		const n = 4000
		xs, strata := watch(t, p, c.scheme, n)
		by := stats.Divide(p.Schemes[0].Plan.Strata.Shares, strata, xs[0])
		mean, square, variance := overStrata(by)
		gain := (square - mean*mean) / n / variance
		t.Logf("%s %s p %s: P(fallback) %.3g, gain %.3g", c.scheme, c.size, c.p,
			by[StratumFailing].Share, gain)
		if !(gain > c.gain) {
			t.Errorf("%s %s p %s: a gain of %.3g, want more than %g", c.scheme, c.size, c.p, gain, c.gain)
		}
	}
}
