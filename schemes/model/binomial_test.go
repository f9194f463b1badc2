package model

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBinomialTailIsTheExactSum(t *testing.T) {
	for _, shape := range [][2]int64{{1, 0}, {2, 1}, {5, 1}, {40, 8}, {40, 39}, {40, 0}, {300, 20}} {
		for _, p := range []float64{1e-12, 1e-5, 1e-2, 0.1, 0.2, 0.25, 0.5, 0.9} {
			n, m := shape[0], shape[1]
			near(t, fmt.Sprintf("P(Bin(%d,%g) > %d)", n, p, m),
				binomialTail(n, m, p), bruteTail(n, m, p), 1e-12)
		}
	}
}

func TestBinomialTailAtItsEnds(t *testing.T) {
	for _, test := range []struct {
		n, m int64
		p    float64
		want float64
	}{{5, 5, 0.3, 0}, {5, 9, 0.3, 0}, {5, 2, 0, 0}, {5, 2, 1, 1}, {1, 0, 1e-300, 1e-300}} {
		near(t, fmt.Sprintf("P(Bin(%d,%g) > %d)", test.n, test.p, test.m),
			binomialTail(test.n, test.m, test.p), test.want, 1e-13)
	}
}

func TestBinomialNodesAreADistributionWithItsMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := int64(math.Exp2(rapid.Float64Range(0, 27).Draw(t, "log2 n")))
		p := rapid.OneOf(rapid.Float64Range(1e-9, 1e-3), rapid.Float64Range(1e-3, 1)).Draw(t, "p")
		nodes := binomialNodes(n, p)
		if len(nodes) > maxNodes {
			t.Fatalf("%d nodes", len(nodes))
		}
		weight, mean, square := 0.0, 0.0, 0.0
		for i, node := range nodes {
			if node.count < 0 || i > 0 && node.count <= nodes[i-1].count {
				t.Fatalf("node %d at %d", i, node.count)
			}
			d := float64(node.count) - float64(n)*p
			weight, mean, square = weight+node.weight, mean+node.weight*d, square+node.weight*d*d
		}
		variance := float64(n) * p * (1 - p)
		if math.Abs(weight-1) > 1e-12 || math.Abs(mean) > 1e-9*math.Sqrt(float64(n)) ||
			math.Abs(square-variance) > 1e-8*variance+1e-12 {
			t.Fatalf("weight %v, mean off by %v, variance %v of %v", weight, mean, square, variance)
		}
	})
}

// The nodes of a wide distribution against the distribution, for the kind of function they serve.
func TestBinomialNodesGiveTheMeanOfALogarithm(t *testing.T) {
	for _, n := range []int64{2000, 100_000, 10_000_000} {
		for _, p := range []float64{0.1, 0.5, 0.999} {
			low, weights := binomialWeights(n, p)
			want, got := 0.0, 0.0
			for i, w := range weights {
				want += w * math.Log(float64(low+int64(i)))
			}
			for _, node := range binomialNodes(n, p) {
				got += node.weight * math.Log(float64(node.count))
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("n = %d, p = %g: %.12g, want %.12g", n, p, got, want)
			}
		}
	}
}
