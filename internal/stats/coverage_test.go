package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func exponentials(rng *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = rng.ExpFloat64()
	}
	return xs
}

func normals(rng *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 10 + rng.NormFloat64()
	}
	return xs
}

// trial is an experiment that is repeated: how often its intervals hold the truth, and how wide
// they are.
type trial struct {
	name         string
	replications int
	truth        float64
	// ideal is the width of an interval of normal samples of the true deviation; 0: not compared.
	ideal float64
	// least is the share of intervals that must hold the truth, most the mean width over the ideal.
	least, most float64
	estimate    func(*rand.Rand) Estimate
}

// run repeats a trial. An end that is not known is as far as can be.
func (c trial) run(t *testing.T, number uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2505, number))
	hits, width := 0, 0.0
	for range c.replications {
		e := c.estimate(rng)
		if !(e.Lo > c.truth) && !(e.Hi < c.truth) {
			hits++
		}
		width += (e.Hi - e.Lo) / float64(c.replications)
	}
	share := float64(hits) / float64(c.replications)
	t.Logf("%-42s %.3f hold the truth", c.name, share)
	if share < c.least {
		t.Errorf("%s: %.3f of the intervals hold the truth, want %.3f", c.name, share, c.least)
	}
	relative := width / c.ideal
	if c.most > 0 && !(relative <= c.most) {
		t.Errorf("%s: width %.2f, want at most %.2f", c.name, relative, c.most)
	}
}

// Three standard errors of a trial below 95 %: of 2000 replications, and of 400.
const (
	holds2000 = .935
	holds400  = .917
)

// events draws what rare events add to a sample, of which one in expectation adds mean, and their
// squares add square.
type events struct {
	name         string
	draw         func(*rand.Rand) float64
	mean, square float64
	penalty      float64
}

var rare = []events{
	{"constant", func(*rand.Rand) float64 { return 1 }, 1, 1, 1},
	{"again in 30 %", func(r *rand.Rand) float64 {
		n := 1.0
		for r.Float64() < .3 {
			n++
		}
		return n
	}, 1 / .7, 1.3 / (.7 * .7), 1},
	{"1, or 10 in 1 of 11", func(r *rand.Rand) float64 {
		if r.IntN(11) == 0 {
			return 10
		}
		return 1
	}, 20. / 11, 110. / 11, 10},
}

func TestMeanIntervalsHoldWhateverIsRare(t *testing.T) {
	const n = 400
	number := uint64(0)
	for _, e := range rare {
		for _, lambda := range []float64{.1, 1, 3, 10, 30, 100} {
			number++
			p := lambda / n
			dev := math.Sqrt(p*e.square - p*p*e.mean*e.mean)
			c := trial{
				name: fmt.Sprintf("%s, %v expected", e.name, lambda), replications: 2000,
				truth: 1 + p*e.mean, ideal: 2 * z * dev / math.Sqrt(n), least: holds2000,
			}
			if lambda >= 10 {
				c.most = 1.5
			}
			c.estimate = func(rng *rand.Rand) Estimate {
				xs := make([]float64, n)
				for i := range xs {
					xs[i] = 1
					if rng.Float64() < p {
						xs[i] += e.draw(rng)
					}
				}
				return MeanWith(xs, Assumed{Penalty: e.penalty, Floor: 1})
			}
			c.run(t, number)
		}
	}
	t.Log("# nearly all met one, and few are fast")
	for _, n := range []int{30, 100} {
		number++
		trial{
			name: fmt.Sprintf("fast in 3 %% of %d", n), replications: 2000, truth: .97,
			least: holds2000, ideal: 2 * z * math.Sqrt(.97*.03/float64(n)),
			estimate: func(rng *rand.Rand) Estimate {
				xs := make([]float64, n)
				for i := range xs {
					if rng.Float64() < .97 {
						xs[i] = 1
					}
				}
				return MeanWith(xs, Assumed{Penalty: 1, Floor: 0})
			},
		}.run(t, number)
	}
}

func TestMeanIntervalsOfOrdinarySamplesHold(t *testing.T) {
	for i, c := range []struct {
		n     int
		draw  func(*rand.Rand, int) []float64
		truth float64
	}{{10, exponentials, 1}, {100, exponentials, 1}, {10, normals, 10}, {400, normals, 10}} {
		trial{
			name: fmt.Sprintf("%d of mean %v", c.n, c.truth), replications: 2000, truth: c.truth,
			least: holds2000, ideal: 2 * z / math.Sqrt(float64(c.n)), most: 2,
			estimate: func(rng *rand.Rand) Estimate { return Mean(c.draw(rng, c.n)) },
		}.run(t, 100+uint64(i))
	}
}

// pairs draws samples of two schemes that met the same losses.
func pairs(rng *rand.Rand, n int, draw func(*rand.Rand) (a, b float64)) (as, bs []float64) {
	for range n {
		a, b := draw(rng)
		as, bs = append(as, a), append(bs, b)
	}
	return as, bs
}

func TestSpeedupIntervalsHold(t *testing.T) {
	number := uint64(200)
	for _, c := range []struct {
		name          string
		truth         float64
		first, second float64
		draw          func(*rand.Rand) (a, b float64)
	}{
		{"timeout 3 against report 1, in 2 %", 1.06 / 1.02, 3, 1,
			func(rng *rand.Rand) (a, b float64) {
				if rng.Float64() < .02 {
					return 4, 2
				}
				return 1, 1
			}},
		{"a code that falls back in 1 %", 1.3 / 1.13, 3, 3,
			func(rng *rand.Rand) (a, b float64) {
				a, b = 1, 1.1
				u := rng.Float64()
				if u < .1 {
					a += 3
				}
				if u < .01 {
					b += 3
				}
				return a, b
			}},
	} {
		for _, n := range []int{20, 200} {
			number++
			trial{
				name: fmt.Sprintf("%s, %d pairs", c.name, n), replications: 400, truth: c.truth,
				least: holds400,
				estimate: func(rng *rand.Rand) Estimate {
					a, b := pairs(rng, n, c.draw)
					return Speedup(Paired{a, Assumed{Penalty: c.first, Floor: 1}},
						Paired{b, Assumed{Penalty: c.second, Floor: 1}})
				},
			}.run(t, number)
		}
	}
	trial{
		name: "rate of times that are long in 5 %", replications: 400, truth: 1 / 1.15,
		least: holds400,
		estimate: func(rng *rand.Rand) Estimate {
			times, _ := pairs(rng, 20, func(rng *rand.Rand) (float64, float64) {
				if rng.Float64() < .05 {
					return 4, 0
				}
				return 1, 0
			})
			return Rate(1, times, Assumed{Penalty: 3, Floor: 1})
		},
	}.run(t, 250)
}

// bursts draws the messages of a stream: each slot of 20 of them is a burst of one severity with a
// chance of 2 %, so that the share of messages beyond x is 0.02 exp(-x).
func bursts(rng *rand.Rand, samples int) Messages {
	var all [][]float64
	for range samples {
		times := make([]float64, 1000)
		for slot := 0; slot < len(times); slot += 20 {
			if rng.Float64() < .02 {
				severity := rng.ExpFloat64()
				for i := range 20 {
					times[slot+i] = severity
				}
			}
		}
		all = append(all, times)
	}
	return NewMessages(all, func(_ int, times []float64) bool {
		for _, x := range times {
			if x > 0 {
				return true
			}
		}
		return false
	})
}

func TestIntervalsOfStreamsHold(t *testing.T) {
	for i, c := range []struct {
		q       float64
		samples int
	}{{.99, 20}, {.99, 50}, {.999, 50}} {
		trial{
			name:         fmt.Sprintf("%s of %d streams", QuantileName(c.q), c.samples),
			replications: 400, truth: math.Log(.02 / (1 - c.q)), least: holds400,
			estimate: func(rng *rand.Rand) Estimate { return bursts(rng, c.samples).Quantile(c.q) },
		}.run(t, 300+uint64(i))
	}
	trial{
		name: "mean of 50 streams", replications: 400, truth: .02, least: holds400,
		estimate: func(rng *rand.Rand) Estimate {
			return bursts(rng, 50).Mean(Assumed{Floor: math.NaN()})
		},
	}.run(t, 310)
}

func TestIntervalsOfSharesAndQuantilesHold(t *testing.T) {
	quantile := func(n int, q float64) func(*rand.Rand) Estimate {
		return func(rng *rand.Rand) Estimate {
			sorted, _ := Sorted(exponentials(rng, n))
			return Quantile(sorted, q)
		}
	}
	share := func(n int, p float64) func(*rand.Rand) Estimate {
		return func(rng *rand.Rand) Estimate {
			hits := 0
			for range n {
				if rng.Float64() < p {
					hits++
				}
			}
			return Share(hits, n)
		}
	}
	for i, c := range []trial{
		{name: "median of 101", truth: math.Ln2, estimate: quantile(101, .5)},
		{name: "p99 of 1000", truth: math.Log(100), estimate: quantile(1000, .99)},
		{name: "share .05 of 80", truth: .05, estimate: share(80, .05)},
		{name: "share .001 of 500", truth: .001, estimate: share(500, .001)},
		{name: "p99.9 of as few as have both ends", truth: math.Log(1000), replications: 400,
			least: holds400, estimate: quantile(3688, .999)},
	} {
		if c.replications == 0 {
			c.replications, c.least = 2000, holds2000
		}
		c.run(t, 400+uint64(i))
	}
}

// A weighted sum over strata holds the mean where one loss always costs the same and a second one,
// which few samples meet, costs as much again.
func TestStrataIntervalsHold(t *testing.T) {
	const pi, again = .01, .05
	for i, n := range []int{20, 200} {
		trial{
			name: fmt.Sprintf("strata of %d", n), replications: 2000, truth: 1 + pi*(1+again),
			least: holds2000,
			estimate: func(rng *rand.Rand) Estimate {
				lossy := make([]float64, n)
				for i := range lossy {
					lossy[i] = 2
					if rng.Float64() < again {
						lossy[i] = 3
					}
				}
				return StrataMean(1, []Stratum{
					{Share: 1 - pi, Values: []float64{1}},
					{Share: pi, Values: lossy, Penalty: 1},
				})
			},
		}.run(t, 500+uint64(i))
	}
}

func TestPairingNarrowsTheRatio(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	common := exponentials(rng, 400)
	a, b := make([]float64, len(common)), make([]float64, len(common))
	for i, c := range common {
		a[i], b[i] = 2+2*c+0.1*rng.Float64(), 1+c+0.1*rng.Float64()
	}
	paired, apart := Speedup(Paired{Values: a}, Paired{Values: b}), RatioOf(Mean(a), Mean(b))
	if wide, narrow := apart.Hi-apart.Lo, paired.Hi-paired.Lo; narrow > wide/5 {
		t.Errorf("paired width %v, independent width %v", narrow, wide)
	}
}
