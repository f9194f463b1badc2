package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSumKeepsWhatPlainAdditionLoses(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{nil, 0},
		{[]float64{1e100, 1, -1e100}, 1},
		{[]float64{1, 1e-16, 1e-16}, 1.0000000000000002},
		{[]float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}, math.MaxFloat64},
		{[]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 1},
		{[]float64{math.Inf(1), 1}, math.Inf(1)},
	} {
		if got := Sum(c.xs); got != c.want {
			t.Errorf("Sum(%v) = %v, want %v", c.xs, got, c.want)
		}
	}
	if got := Sum([]float64{1, math.NaN()}); !math.IsNaN(got) {
		t.Errorf("Sum with NaN = %v, want NaN", got)
	}
}

func TestSumIsTheExactSumRoundedOnceInEveryOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e30, 1e30), 0, 50).Draw(t, "xs")
		exact := new(big.Float).SetPrec(3000)
		for _, x := range xs {
			exact.Add(exact, new(big.Float).SetFloat64(x))
		}
		want, _ := exact.Float64()
		if got := Sum(xs); got != want {
			t.Fatalf("Sum = %v, exact %v", got, want)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		if got := Sum(shuffled(xs, seed)); got != want {
			t.Fatalf("Sum in another order = %v, want %v", got, want)
		}
	})
}

func shuffled(xs []float64, seed uint64) []float64 {
	out := slices.Clone(xs)
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func BenchmarkSum(b *testing.B) {
	xs := exponentials(rand.New(rand.NewPCG(1, 1)), 100_000)
	b.ReportAllocs()
	for b.Loop() {
		Sum(xs)
	}
}
