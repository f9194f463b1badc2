package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sdrsim/units"
)

// sample draws n times and returns the mean and its standard error, in seconds.
func sample(n int, draw func() units.Duration) (mean, stderr float64) {
	sum, squares := 0.0, 0.0
	for range n {
		x := draw().Seconds()
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(n)
	return mean, math.Sqrt(max(0, squares/float64(n)-mean*mean) / float64(n))
}

// seen reports whether so many samples show an event often enough for their standard error to
// mean something, or practically never.
func seen(n int, p float64) bool { return float64(n)*p > 50 || float64(n)*p < 1e-9 }

// agrees holds a closed form against a sampled mean: five standard errors, for a fixed seed.
func agrees(t *testing.T, what string, form, mean, stderr float64) {
	t.Helper()
	if math.Abs(form-mean) > 5*stderr+1e-11 {
		t.Errorf("%s: closed form %.6g s, sampled %.6g +- %.2g", what, form, mean, stderr)
	}
}

func TestSampledSRMeanIsTheClosedForm(t *testing.T) {
	s := NewSampler(rand.NewPCG(1, 1))
	const draws = 1500
	compared := 0
	for _, p := range []float64{0, 1e-5, 1e-3, 1e-2, 0.1} {
		for _, packets := range []int64{0, 16} {
			for _, chunks := range []int64{1, 32, 1024} {
				m := planetSR(chunks, 3, p)
				m.Packets = packets
				if !seen(draws, m.Survival(m.base())) {
					continue
				}
				compared++
				mean, stderr := sample(draws, func() units.Duration { return s.SR(m) })
				agrees(t, fmt.Sprintf("%+v", m), m.Mean().Seconds, mean, stderr)
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d points could be compared", compared)
	}
}

// The whole distribution, beyond M*T_inj = RTO too: Kolmogorov's distance of 4000 samples exceeds
// 2/sqrt(4000) with probability 7e-4; the seed is fixed.
func TestSampledSRDistributionIsTheClosedForm(t *testing.T) {
	s := NewSampler(rand.NewPCG(2, 2))
	for _, m := range []SR{
		planetSR(chunksOf128MiB, 3, 1e-3),
		planetSR(8*chunksOf1GiB, 3, 1e-6),
		{Link: Link{ChunkTime: 1000, RTT: 5000}, Chunks: 40, RTO: 7300, P: 0.4},
		{Link: Link{ChunkTime: 1000, RTT: 5000}, Chunks: 12, RTO: 7300, P: 0.3, Packets: 4},
	} {
		const n = 4000
		times := make([]units.Duration, n)
		for i := range times {
			times[i] = s.SR(m)
		}
		slices.Sort(times)
		distance := 0.0
		for i, x := range times {
			if i+1 < n && times[i+1] == x {
				continue // the staircase is compared on top of its steps
			}
			distance = max(distance, math.Abs(float64(i+1)/n-m.CDF(x)))
		}
		if distance > 2/math.Sqrt(n) {
			t.Errorf("%+v: distance %v", m, distance)
		}
	}
}

func TestSampledECMeanIsTheClosedForm(t *testing.T) {
	s := NewSampler(rand.NewPCG(3, 3))
	const draws = 800
	compared := 0
	for _, code := range []Code{MDS, XOR} {
		for _, p := range []float64{0, 1e-3, 1e-2, 0.1, 0.3} {
			for _, chunks := range []int64{1, 32, 50, 1024} {
				e := planetEC(chunks, code, p)
				if !seen(draws, e.PFallback()) {
					continue
				}
				for _, e.Ack = range []AckRule{AckAllArrived, AckRecoverable} {
					compared++
					mean, stderr := sample(draws, func() units.Duration { return s.EC(e) })
					agrees(t, fmt.Sprintf("%+v", e), e.Mean().Seconds, mean, stderr)
				}
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d points could be compared", compared)
	}
}

func TestSampledFailuresFollowTheirProbability(t *testing.T) {
	s := NewSampler(rand.NewPCG(4, 4))
	for _, code := range []Code{MDS, XOR} {
		e := planetEC(32*200, code, 0.12)
		const n = 300
		failed := int64(0)
		for range n {
			failed += s.failedChunks(e)
		}
		trials := 200.0 * n
		q := e.PFailed()
		got := float64(failed) / 32 / trials
		if math.Abs(got-q) > 5*math.Sqrt(q*(1-q)/trials) {
			t.Errorf("%s: %v of the submessages fail, want %v", code, got, q)
		}
	}
}

func TestAllReduceOfEqualRoundsIsTheBound(t *testing.T) {
	s := NewSampler(rand.NewPCG(5, 5))
	for _, n := range []int{2, 3, 8} {
		got := s.AllReduce(n, func() units.Duration { return 7 * units.Second })
		want := AllReduce(int64(n), Value{Seconds: 7, Validity: Exact}).Seconds
		if got.Seconds() != want || want != float64(2*n-2)*7 {
			t.Errorf("n = %d: sampled %v, bound %v", n, got.Seconds(), want)
		}
	}
}

func TestAllReduceOfRandomRoundsLiesAboveTheBound(t *testing.T) {
	s := NewSampler(rand.NewPCG(6, 6))
	m := planetSR(8192, 3, 1e-5)
	mean, stderr := sample(2000, func() units.Duration {
		return s.AllReduce(4, func() units.Duration { return s.SR(m) })
	})
	bound := AllReduce(4, m.Mean())
	if bound.Validity != LowerBound || !(mean-5*stderr > bound.Seconds) {
		t.Errorf("sampled %v +- %v, bound %v", mean, stderr, bound)
	}
	if worst := 4 * bound.Seconds; mean > worst {
		t.Errorf("sampled %v exceeds one ring after the other, %v", mean, worst)
	}
}

func TestAllReduceWithoutAValueSaysWhy(t *testing.T) {
	if v := AllReduce(1, Value{Seconds: 1}); v.Validity != NotApplicable {
		t.Errorf("one datacenter: %v", v)
	}
	if v := AllReduce(4, planetSR(-1, 3, 0).Mean()); v.Validity != NotApplicable {
		t.Errorf("no mean of a round: %v", v)
	}
}

func TestEqualSeedsGiveEqualSamples(t *testing.T) {
	a, b := NewSampler(rand.NewPCG(7, 7)), NewSampler(rand.NewPCG(7, 7))
	e := planetEC(4096, XOR, 0.01)
	for range 100 {
		if x, y := a.EC(e), b.EC(e); x != y {
			t.Fatalf("%v and %v", x, y)
		}
	}
}

func TestSamplingAllocatesNothing(t *testing.T) {
	s := NewSampler(rand.NewPCG(8, 8))
	sr, mds, xor := planetSR(4096, 3, 0.01), planetEC(4096, MDS, 0.1), planetEC(4096, XOR, 0.01)
	n := testing.AllocsPerRun(50, func() {
		s.SR(sr)
		s.EC(mds)
		s.EC(xor)
		s.AllReduce(4, func() units.Duration { return s.SR(sr) })
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSamplingAnInvalidModelIsABug(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a certain loss was sampled")
		}
	}()
	NewSampler(rand.NewPCG(9, 9)).SR(planetSR(1, 3, 1))
}
