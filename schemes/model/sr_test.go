package model

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"sdrsim/units"
)

// planet is the link of the paper: 400 Gbit/s, 4 KiB chunks, 25 ms.
var planet = Link{ChunkTime: 81920 * units.Picosecond, RTT: 25 * units.Millisecond}

const (
	chunksOf128MiB = 32768
	chunksOf1GiB   = 262144
)

func planetSR(chunks int64, rtts units.Duration, p float64) SR {
	return SR{Link: planet, Chunks: chunks, RTO: rtts * planet.RTT, P: p}
}

// near fails unless got is within a relative distance of want.
func near(t testing.TB, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s: got %.17g, want %.17g (relative %g)", what, got, want, got/want-1)
	}
}

func TestSRMeanOfThePaperLink(t *testing.T) {
	// Milliseconds, to the digits given. arXiv:2505.05366 §4.2.1 evaluated for figures 3 and 9.
	for _, test := range []struct {
		chunks int64
		p      float64
		rtts   units.Duration
		want   string
	}{
		{chunksOf128MiB, 0, 3, "27.684"}, {chunksOf128MiB, 0, 1, "27.684"},
		{chunksOf128MiB, 1e-5, 3, "48.29"}, {chunksOf128MiB, 1e-5, 1, "34.32"},
		{chunksOf128MiB, 1e-3, 3, "104.98"}, {chunksOf128MiB, 1e-3, 1, "53.37"},
		{chunksOf128MiB, 1e-2, 3, "176.6"}, {chunksOf128MiB, 1e-2, 1, "76.84"},
		{chunksOf1GiB, 1e-5, 3, "109.99"}, {chunksOf1GiB, 1e-5, 1, "63.62"},
	} {
		value := planetSR(test.chunks, test.rtts, test.p).Mean()
		var digits int
		for i := range test.want {
			if test.want[i] == '.' {
				digits = len(test.want) - i - 1
			}
		}
		got := fmt.Sprintf("%.*f", digits, value.Seconds*1e3)
		if got != test.want || value.Validity != Exact {
			t.Errorf("M=%d P=%g RTO=%dRTT: %s ms (%s), want %s ms exact",
				test.chunks, test.p, test.rtts, got, value.Validity, test.want)
		}
	}
}

func TestSRExcessIsTheIntegralOfTheDefinition(t *testing.T) {
	// Shapes that put boundaries everywhere: D a multiple of T or not, less than T*M or more.
	for _, shape := range []struct{ chunks, period, rto int64 }{
		{1, 1, 0}, {1, 3, 10}, {2, 3, 10}, {2, 7, 1}, {5, 1, 4}, {5, 2, 5}, {9, 3, 7}, {12, 4, 8},
		{20, 3, 14}, {20, 1, 19}, {20, 1, 20}, {20, 1, 18}, {33, 5, 13}, {40, 2, 1},
	} {
		for _, p := range []float64{1e-12, 1e-6, 1e-3, 0.1, 0.5} {
			for _, packets := range []int64{0, 16} {
				s := SR{
					Link:   Link{ChunkTime: units.Duration(shape.period), RTT: 11},
					Chunks: shape.chunks, RTO: units.Duration(shape.rto), P: p, Packets: packets,
				}
				attempts := int64(math.Ceil(45/-math.Log(p))) + 1
				want := bruteExcess(s, attempts)
				near(t, fmt.Sprintf("%+v", s), s.excess(), want, 1e-13)
			}
		}
	}
}

func TestSRCDFIsTheProductOfTheDefinition(t *testing.T) {
	for _, shape := range []struct{ chunks, period, rto int64 }{
		{1, 3, 10}, {5, 2, 5}, {20, 3, 14}, {20, 1, 19}, {40, 2, 1},
	} {
		for _, p := range []float64{1e-9, 0.1, 0.5} {
			s := SR{
				Link:   Link{ChunkTime: units.Duration(shape.period), RTT: 11},
				Chunks: shape.chunks, RTO: units.Duration(shape.rto), P: p, Packets: 3,
			}
			for q := s.base() - 2; q < s.base()+units.Duration(4*s.round()); q++ {
				near(t, fmt.Sprintf("%+v at %d", s, q), s.CDF(q), bruteCDF(s, q), 1e-13)
			}
		}
	}
}

// The chunk that is sent alone: E = T_inj + RTT + (RTO + T_inj) P/(1-P).
func TestSROfOneChunkIsAGeometricMean(t *testing.T) {
	for _, p := range []float64{1e-300, 1e-12, 1e-5, 0.1, 0.5, 0.9, 0.999} {
		s := planetSR(1, 3, p)
		want := (s.RTO + s.ChunkTime).Seconds() * p / (1 - p)
		near(t, fmt.Sprint("P = ", p), s.Excess().Seconds, want, 1e-13)
		near(t, fmt.Sprint("P = ", p), s.Mean().Seconds, s.base().Seconds()+want, 1e-13)
	}
}

// For P -> 0 only single losses count: chunk j from the end delays by D - j*T if it is positive.
func TestSROfRareLossesIsLinearInP(t *testing.T) {
	for _, chunks := range []int64{1, 1000, 1 << 20, 1 << 31} {
		s := planetSR(chunks, 3, 1e-16)
		round, period := float64(s.round()), float64(s.ChunkTime)
		n := min(float64(chunks), math.Floor(round/period)+1)
		delay := n*round - period*n*(n-1)/2
		near(t, fmt.Sprint("M = ", chunks), s.excess(), 1e-16*delay, 1e-9)
	}
}

// For P = 1/2 and an injection that is short beside the timeout, the greatest of M geometric
// numbers has mean log2(M) + gamma/log(2) + 1/2, up to a ripple of 1.6e-6
// and terms of order 1/M.
func TestSROfManyLossesGrowsWithTheLogarithmOfM(t *testing.T) {
	const gamma = 0.57721566490153286
	for _, bits := range []int64{16, 20, 24, 30} {
		s := SR{Link: Link{ChunkTime: 1, RTT: 0}, Chunks: 1 << bits, RTO: 1 << 58, P: 0.5}
		rounds := s.excess() / float64(s.round())
		want := float64(bits) + gamma/math.Ln2 - 0.5
		if math.Abs(rounds-want) > 2e-6+1/math.Exp2(float64(bits)) {
			t.Errorf("M = 2^%d: %.8f rounds, want %.8f", bits, rounds, want)
		}
	}
}

func TestSRIsExactUntilRepetitionsMeetFirstTransmissions(t *testing.T) {
	s := SR{Link: Link{ChunkTime: 10, RTT: 100}, Chunks: 30, RTO: 300, P: 0.1}
	if v := s.Mean(); v.Validity != Exact {
		t.Errorf("M*T_inj = RTO: %v, want exact", v)
	}
	s.RTO = 299
	if v := s.Mean(); v.Validity != LowerBound {
		t.Errorf("M*T_inj > RTO: %v, want a lower bound", v)
	}
	s.P = 0
	if v := s.Mean(); v.Validity != Exact || v.Seconds != 400e-12 {
		t.Errorf("lossless: %v, want 400 ps exact", v)
	}
	s.Chunks, s.P = 0, 0.1
	if v := s.Mean(); v.Seconds != 100e-12 {
		t.Errorf("nothing to send: %v, want one RTT", v)
	}
}

func TestSRWithoutAValueSaysWhy(t *testing.T) {
	valid := planetSR(100, 3, 0.1)
	for _, test := range []struct {
		name   string
		change func(*SR)
		want   error
	}{
		{"P = 1", func(s *SR) { s.P = 1 }, ErrProbability},
		{"P near 1", func(s *SR) { s.P = 1 - 1e-15 }, ErrLossy},
		{"P < 0", func(s *SR) { s.P = -0.1 }, ErrProbability},
		{"P is not a number", func(s *SR) { s.P = math.NaN() }, ErrProbability},
		{"M < 0", func(s *SR) { s.Chunks = -1 }, ErrChunks},
		{"M huge", func(s *SR) { s.Chunks = 1 << 50 }, ErrChunks},
		{"no chunk time", func(s *SR) { s.ChunkTime = 0 }, ErrChunkTime},
		{"negative RTT", func(s *SR) { s.RTT = -1 }, ErrSpan},
		{"negative RTO", func(s *SR) { s.RTO = -1 }, ErrSpan},
		{"endless", func(s *SR) { s.Chunks, s.ChunkTime = 1<<40, 1<<30 }, ErrTooLong},
	} {
		s := valid
		test.change(&s)
		if err := s.Validate(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		v := s.Mean()
		if v.Validity != NotApplicable || v.Why != test.want.Error() || !math.IsNaN(v.Seconds) {
			t.Errorf("%s: mean is %v", test.name, v)
		}
		if !math.IsNaN(s.CDF(1)) || !math.IsNaN(s.Survival(1)) {
			t.Errorf("%s: the distribution has values", test.name)
		}
	}
	for _, q := range []float64{0, 1, -1, math.NaN()} {
		if v := valid.Quantile(q); v.Validity != NotApplicable {
			t.Errorf("quantile %v: %v", q, v)
		}
	}
}

func TestTransmissionsOfAccumulatedPackets(t *testing.T) {
	for _, test := range []struct {
		p                 float64
		model, accumulate string
	}{
		{1e-2, "1.174", "1.150"}, {1e-1, "5.397", "1.981"},
	} {
		got := fmt.Sprintf("%.3f", Transmissions(test.p, 16))
		with := fmt.Sprintf("%.3f", AccumulatedTransmissions(test.p, 16))
		if got != test.model || with != test.accumulate {
			t.Errorf("p = %g: %s and %s, want %s and %s",
				test.p, got, with, test.model, test.accumulate)
		}
	}
	near(t, "one packet", AccumulatedTransmissions(0.3, 1), 1/0.7, 1e-15)
}

func TestChunkLossOfFigure15(t *testing.T) {
	near(t, "64 packets", ChunkLoss(1e-5, 64), 6.398e-4, 1e-4)
	near(t, "rare", ChunkLoss(1e-20, 64), 64e-20, 1e-15)
	near(t, "one packet", ChunkLoss(0.25, 1), 0.25, 1e-15)
}
