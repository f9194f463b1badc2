package model

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sdrsim/units"
)

// A message is given up where a submessage cannot be recovered and all repeats of one of its chunks
// are lost: the sum over every pattern of loss.
func TestGivesUpIsTheSumOverAllPatterns(t *testing.T) {
	for _, e := range shapes() {
		e.Limit = &Limit{Attempts: 2, AckLoss: 0.05}
		want := 0.0
		for lost := range uint(1) << (e.Chunks + (e.Chunks+e.K-1)/e.K*e.M) {
			_, failed, ok := brutePattern(e, lost)
			if ok {
				continue
			}
			packets := max(1, e.Packets)
			if e.Chunks == 1 && e.Last > 0 {
				packets = max(1, e.LastPackets)
			}
			unheard := e.P + (1-e.P)*0.05
			heard := math.Pow(1-unheard*unheard, float64(failed*packets))
			want += weigh(e, lost) * (1 - heard)
		}
		near(t, fmt.Sprintf("%+v", e), e.GivesUp(), want, 1e-12)
	}
}

// The mean of a protocol that gives up after so many attempts is compared with that of the form, in
// the case that can be written down: a chunk alone.
func TestHarmlessLimitLeavesTheMeanAlone(t *testing.T) {
	for _, p := range []float64{1e-4, 1e-3, 1e-2, 0.1, 0.5, 0.9} {
		for _, rto := range []units.Duration{1, 3, 1000} {
			s := SR{Link: Link{ChunkTime: 100, RTT: 10_000}, Chunks: 1, P: p, RTO: rto * 10_000}
			unlimited := s.Mean().Seconds * 1e12
			applied := false
			for attempts := range int64(400) {
				s.Limit = &Limit{Attempts: attempts}
				sum, weight := 0.0, 0.0
				for a := range attempts {
					w := math.Pow(p, float64(a)) * (1 - p)
					sum += w * (float64(s.base()) + float64(a)*float64(s.RTO+s.ChunkTime))
					weight += w
				}
				v := s.Mean()
				if v.Validity == NotApplicable {
					if applied {
						t.Fatalf("P %v, RTO %v: %d attempts do, %d do not", p, s.RTO, attempts-1, attempts)
					}
					continue
				}
				applied = true
				near(t, fmt.Sprintf("P %v, RTO %v, %d attempts", p, s.RTO, attempts), sum/weight,
					unlimited, harmless)
			}
			if !applied {
				t.Errorf("P %v, RTO %v: 400 attempts are too few", p, s.RTO)
			}
		}
	}
}

func TestLimitThatShowsLeavesNoValue(t *testing.T) {
	s := SR{Link: Link{ChunkTime: 100, RTT: 10_000}, Chunks: 256, RTO: 30_000, P: 0.1,
		Limit: &Limit{Attempts: 2}}
	// 1 - 0.99^256
	near(t, "256 chunks, two attempts", s.GivesUp(), 0.92368, 1e-4)
	for what, v := range map[string]Value{"mean": s.Mean(), "excess": s.Excess(),
		"quantile": s.Quantile(0.5)} {
		if v.Validity != NotApplicable || !math.IsNaN(v.Seconds) ||
			!strings.Contains(v.Why, "the retry limit is met with probability 0.924") {
			t.Errorf("%s: %v", what, v)
		}
	}
	if !math.IsNaN(s.CDF(1e6)) || !math.IsNaN(s.Survival(1e6)) {
		t.Error("there is a distribution")
	}
	s.P = 0
	if v := s.Mean(); v.Validity != Exact {
		t.Errorf("nothing is lost: %v", v)
	}
	s.Limit.Attempts = 0
	if v := s.Mean(); v.Validity != NotApplicable {
		t.Errorf("no attempt is allowed: %v", v)
	}
	e := early(MDS, 200, 7, 3)
	e.P, e.Limit = 0, &Limit{}
	if v := e.Mean(); v.Validity != Exact {
		t.Errorf("nothing falls back: %v", v)
	}
	// Few are given up; of very many messages that all have to complete, one is.
	e.P, e.Limit = 0.1, &Limit{Attempts: 12}
	if v := e.Mean(); v.Validity != Exact {
		t.Errorf("twelve repeats: %v", v)
	}
	e.Limit.Messages = 1e12
	if v, q := e.Mean(), e.Quantile(0.5); v.Validity != NotApplicable ||
		q.Validity != NotApplicable || !math.IsNaN(e.CDF(1e9)) {
		t.Errorf("twelve repeats of 1e12 messages: %v, %v", v, q)
	}
}
