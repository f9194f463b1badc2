package model

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

// drawSR draws a model over the whole range: P from 1e-12 to 1/2, M to 2^31.
func drawSR(t *rapid.T) SR {
	chunks := int64(math.Exp2(rapid.Float64Range(0, 31).Draw(t, "log2 M")))
	return SR{
		Link: Link{
			ChunkTime: units.Duration(rapid.Int64Range(1, 1e8).Draw(t, "T_inj")),
			RTT:       units.Duration(rapid.Int64Range(0, 1e11).Draw(t, "RTT")),
		},
		Chunks:  chunks,
		RTO:     units.Duration(rapid.Int64Range(0, 4e11).Draw(t, "RTO")),
		P:       math.Pow(10, rapid.Float64Range(-12, math.Log10(0.5)).Draw(t, "log10 P")),
		Packets: rapid.SampledFrom([]int64{0, 1, 2, 16, 64}).Draw(t, "packets"),
	}
}

// notBelow leaves room for the rounding of the sums.
func notBelow(t *rapid.T, what string, greater, less float64) {
	if !(greater >= less*(1-1e-11)) {
		t.Fatalf("%s: %.17g is below %.17g", what, greater, less)
	}
}

func TestSRGrowsWithEveryParameter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSR(t)
		excess := s.excess()
		if !(excess > 0) || math.IsInf(excess, 0) {
			t.Fatalf("excess %v", excess)
		}
		more := s
		more.P = min(0.6, s.P*rapid.Float64Range(1, 3).Draw(t, "more P"))
		notBelow(t, "P", more.excess(), excess)
		more = s
		more.Chunks += rapid.Int64Range(1, 1000).Draw(t, "more M")
		notBelow(t, "M", more.excess(), excess)
		more = s
		more.RTO += units.Duration(rapid.Int64Range(1, 1e9).Draw(t, "more RTO"))
		notBelow(t, "RTO", more.excess(), excess)
		more = s
		more.Packets = max(1, s.Packets) + 1
		notBelow(t, "packets", more.excess(), excess)
	})
}

// One chunk alone is the least that can happen, the sum over the chunks the most.
func TestSRLiesBetweenOneChunkAndTheSumOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSR(t)
		one := s
		one.Chunks = 1
		round := float64(s.round())
		notBelow(t, "one chunk", s.excess(), one.excess())
		sum := round * float64(s.Chunks) * float64(max(1, s.Packets)) * s.P / (1 - s.P)
		notBelow(t, "union bound", sum, s.excess())
	})
}

// Accumulated arrivals help: the mean lies below that of a chunk that must arrive whole.
func TestSRAccumulatedIsNotAboveTheMemorylessModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSR(t)
		s.Packets = rapid.Int64Range(2, 64).Draw(t, "N")
		s.P = min(s.P, 0.02)
		whole := s
		whole.P, whole.Packets = ChunkLoss(s.P, s.Packets), 0
		notBelow(t, "whole chunks", whole.excess(), s.excess())
	})
}

func TestSRQuantileInvertsTheCDF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSR(t)
		q := rapid.Float64Range(1e-6, 1-1e-9).Draw(t, "q")
		target := math.Log(q)
		at := units.Duration(math.Round(s.Quantile(q).Seconds * 1e12))
		// Seconds hold an instant to 53 bits; the step may lie that far off.
		slack := units.Duration(float64(at)*4e-16) + 1
		if s.logCDF(at+slack) < target {
			t.Fatalf("CDF(%d) = %v is below %v", at, s.CDF(at), q)
		}
		if at-slack > s.base() && s.logCDF(at-slack-1) >= target {
			t.Fatalf("CDF reaches %v before %d", q, at)
		}
	})
}

func TestSRDistributionIsMonotoneAndComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSR(t)
		at := s.base() + units.Duration(rapid.Int64Range(-1, 8*s.round()).Draw(t, "t"))
		later := at + units.Duration(rapid.Int64Range(0, s.round()).Draw(t, "later"))
		notBelow(t, "CDF", s.CDF(later), s.CDF(at))
		if sum := s.CDF(at) + s.Survival(at); math.Abs(sum-1) > 1e-12 {
			t.Fatalf("CDF and survival sum to %v", sum)
		}
		if s.CDF(s.base()-1) != 0 {
			t.Fatal("completes before the lossless time")
		}
	})
}

// The mean is the integral of the survival function that quantiles come from: bounds by steps.
func TestSRMeanLiesBetweenSumsOfItsSurvival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSR(t)
		const steps = 2000
		end := s.base() + units.Duration(s.round()*(s.levels()+2))
		width := (end - s.base()) / steps
		if width == 0 {
			t.Skip("too short to divide")
		}
		sum := 0.0
		for i := range units.Duration(steps) {
			sum += float64(width) * s.Survival(s.base()+i*width)
		}
		notBelow(t, "upper sum", sum+1, s.excess())
		notBelow(t, "lower sum", s.excess(), sum-float64(width)*s.Survival(s.base()))
	})
}

func TestMissedSumIsTheSumOfItsTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Int64Range(1, 2000).Draw(t, "count")
		last := -math.Pow(10, rapid.Float64Range(-15, 2).Draw(t, "log10 -last"))
		step := math.Pow(10, rapid.Float64Range(-18, 1).Draw(t, "log10 step"))
		first := last - float64(step*float64(count-1))
		want := 0.0
		for k := range count {
			want -= math.Expm1(first + float64(step*float64(k)))
		}
		if got := missedSum(first, step, count); math.Abs(got-want) > 2e-12*want {
			t.Fatalf("got %.17g, want %.17g (%g)", got, want, got/want-1)
		}
	})
}
