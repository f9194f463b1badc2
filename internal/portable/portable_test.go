package portable_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"sdrsim/internal/portable"
)

// On amd64 package math is up to two units off where it is assembly, infinite for an exponential
// above 1.6e308, and its logarithm of a
// subnormal number is that of another one; these arguments are left out.

// draws are arguments over all magnitudes, and the ends of ranges.
func draws(low, high float64) []float64 {
	random := rand.New(rand.NewPCG(1, 2))
	list := []float64{low, high, (low + high) / 2}
	for range 20_000 {
		x := low + (high-low)*random.Float64()
		list = append(list, x, x*math.Pow(10, -17*random.Float64()))
	}
	var inside []float64
	for _, x := range list {
		if low <= x && x <= high {
			inside = append(inside, x)
		}
	}
	return inside
}

// ulps is how many floating-point numbers lie between a and b.
func ulps(a, b float64) float64 {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return 0
	}
	unit := math.Abs(math.Nextafter(b, math.Inf(1)) - b)
	return math.Abs(a-b) / unit
}

func TestFunctionsAgreeWithPackageMath(t *testing.T) {
	cases := []struct {
		name      string
		got, want func(float64) float64
		low, high float64
		ulps      float64
	}{
		{"Exp", portable.Exp, math.Exp, -708, 709, 2},
		{"Exp", portable.Exp, math.Exp, -2, 2, 2},
		{"Expm1", portable.Expm1, math.Expm1, -50, 709.7, 1},
		{"Expm1", portable.Expm1, math.Expm1, -2, 2, 1},
		{"Log", portable.Log, math.Log, 0, 1e300, 1},
		{"Log", portable.Log, math.Log, 0, 2, 1},
		{"Log1p", portable.Log1p, math.Log1p, -1, 1e300, 1},
		{"Log1p", portable.Log1p, math.Log1p, -1, 2, 1},
		{"Log1p", portable.Log1p, math.Log1p, 1, 1e5, 1},
		{"Log2", portable.Log2, math.Log2, 0, 1e6, 2},
		{"Log10", portable.Log10, math.Log10, 0, 1e6, 2},
		{"Erfinv", portable.Erfinv, math.Erfinv, -1, 1, 8},
		{"Exp2", portable.Exp2, math.Exp2, -1000, 1000, 2},
	}
	for _, c := range cases {
		differ, worst, list := 0, 0.0, draws(c.low, c.high)
		for _, x := range list {
			distance := ulps(c.got(x), c.want(x))
			if worst = max(worst, distance); !(distance <= c.ulps) {
				t.Fatalf("%s(%v) is %v, package math says %v", c.name, x, c.got(x), c.want(x))
			}
			if distance > 0 {
				differ++
			}
		}
		t.Logf("%s on [%g, %g]: %d of %d differ, by %g units at most",
			c.name, c.low, c.high, differ, len(list), worst)
	}
}

func TestSpecialCasesAreThoseOfPackageMath(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	list := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, -2, 3, 3e-308, 1e308, -1e308,
		710, -746, -38.9, 1 << 53, 1e19, inf, -inf, nan, 0.9999999999999999, -0.29, 0.42}
	same := func(a, b float64) bool {
		return ulps(a, b) <= 1 && math.Signbit(a) == math.Signbit(b) || math.IsNaN(a) && math.IsNaN(b)
	}
	for _, x := range list {
		for name, pair := range map[string][2]float64{
			"Exp":   {portable.Exp(x), math.Exp(x)},
			"Expm1": {portable.Expm1(x), math.Expm1(x)},
			"Log":   {portable.Log(x), math.Log(x)},
			"Log1p": {portable.Log1p(x), math.Log1p(x)},
			"Log2":  {portable.Log2(x), math.Log2(x)},
		} {
			if !same(pair[0], pair[1]) {
				t.Errorf("%s(%v) is %v, package math says %v", name, x, pair[0], pair[1])
			}
		}
		for _, y := range list {
			if got, want := portable.Pow(x, y), math.Pow(x, y); !same(got, want) {
				t.Errorf("Pow(%v, %v) is %v, package math says %v", x, y, got, want)
			}
			if got, want := portable.Hypot(x, y), math.Hypot(x, y); !same(got, want) {
				t.Errorf("Hypot(%v, %v) is %v, package math says %v", x, y, got, want)
			}
		}
	}
}

func TestPowersAgreeWithPackageMath(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 50_000 {
		x, y := math.Pow(10, 20*random.Float64()-10), 20*random.Float64()-10
		if random.IntN(2) == 0 {
			y = math.Round(y)
		}
		if got, want := portable.Pow(x, y), math.Pow(x, y); !(ulps(got, want) <= 3) {
			t.Fatalf("Pow(%v, %v) is %v, package math says %v", x, y, got, want)
		}
	}
}

func TestLogFactorialAgreesWithLgamma(t *testing.T) {
	for _, n := range []int64{0, 1, 2, 5, 19, 20, 21, 22, 100, 65_537, 1 << 30, 1 << 52} {
		want, _ := math.Lgamma(float64(n + 1))
		if got := portable.LogFactorial(n); !(ulps(got, want) <= 10) {
			t.Errorf("LogFactorial(%d) is %v, Lgamma says %v", n, got, want)
		}
	}
}

// TestExpAndLogAreWithinOneUnitOfTheirSeries computes e^x exactly enough, without package math.
func TestExpAndLogAreWithinOneUnitOfTheirSeries(t *testing.T) {
	for _, x := range []float64{-700.25, -30.1, -1, -0.34, -1e-5, 1e-9, 0.2, 0.35, 1, 17.7, 700.25} {
		sum, term := number(1), number(1)
		for n := 1; n < 3000; n++ {
			term.Mul(term, number(x)).Quo(term, number(float64(n)))
			sum.Add(sum, term)
		}
		want, _ := sum.Float64()
		if got := portable.Exp(x); !(ulps(got, want) <= 1) {
			t.Errorf("Exp(%v) is %v, its series %v", x, got, want)
		}
		less, _ := sum.Sub(sum, number(1)).Float64()
		if got := portable.Expm1(x); !(ulps(got, less) <= 1) {
			t.Errorf("Expm1(%v) is %v, its series %v", x, got, less)
		}
		// The logarithm of the rounded power is off by half a unit of the power at most.
		if got := portable.Log(want); math.Abs(got-x) > 2e-16*max(1, math.Abs(x)) {
			t.Errorf("Log(Exp(%v)) is %v", x, got)
		}
	}
}

func number(x float64) *big.Float { return new(big.Float).SetPrec(4000).SetFloat64(x) }
