package experiment

import (
	"fmt"
	"math"
	"testing"

	"sdrsim/schemes/model"
)

// coded is a point under erasure coding, with the closed form to compare it with.
type coded struct {
	size, p string
	code    model.Code
	k, m    int64
}

func (c coded) setting(seed int) setting {
	return setting{size: c.size, p: c.p, seed: seed,
		scheme: fmt.Sprintf("ec-%s, k: %d, m: %d, rto: 3RTT", c.code, c.k, c.m)}
}

// replays are the replications of a point that the tests below look at from three sides.
var replays = map[coded]observed{}

// observe replays a point once.
func (c coded) observe(t *testing.T, seed int) observed {
	o, ok := replays[c]
	if !ok {
		o = c.setting(seed).observe(t, samples(400))
		replays[c] = o
	}
	return o
}

func (c coded) model(t *testing.T, chunks int64) model.EC {
	return model.EC{Link: model.Link{ChunkTime: chunkTime, RTT: paperRTT}, Chunks: chunks,
		K: c.k, M: c.m, Code: c.code, Beta: 1, RTO: 3 * paperRTT, P: number(t, c.p)}
}

var codedPoints = []coded{
	{"128MiB", "1e-5", model.XOR, 32, 8},
	{"128MiB", "1e-4", model.XOR, 32, 8},
	{"128MiB", "1e-3", model.XOR, 32, 8},
	{"128MiB", "1e-2", model.XOR, 32, 8},
	{"16MiB", "1e-3", model.XOR, 32, 8},
	{"1MiB", "1e-2", model.XOR, 32, 8},
	{"128MiB", "1e-2", model.MDS, 32, 8},
	{"128MiB", "5e-2", model.MDS, 32, 8},
	{"16MiB", "1e-2", model.MDS, 16, 2},
	{"1MiB", "1e-1", model.MDS, 8, 2},
}

// A message falls back as often as P_fallback = 1 - P_EC^L says.
// Reference: section 4.2.2, appendix on P_MDS and P_XOR.
func TestErasureCodingFallsBackAsOftenAsTheClosedFormSays(t *testing.T) {
	for i, c := range codedPoints {
		o := c.observe(t, i)
		n := len(o.completions)
		p := c.model(t, o.chunks).PFallback()
		fell := float64(len(o.those(true)))
		// The count is binomial. One more for its skew, where failures are rare.
		mean := float64(n) * p
		allowed := sigmas*math.Sqrt(mean*(1-p)) + 1
		t.Logf("%v: %.0f of %d fell back, expected %.2f, %.2f allowed", c, fell, n, mean, allowed)
		if math.Abs(fell-mean) > allowed {
			t.Errorf("%v: %.0f of %d fell back, expected %.2f", c, fell, n, mean)
		}
	}
}

// Without fallback a message takes at least M*T_inj + RTT, as if there were no parity, and at most
// the paper's base time, with all of it: the receiver speaks as soon as it can recover everything.
// Reference: section 4.2.2.
func TestErasureCodingWithoutFallbackEndsWithinTheParity(t *testing.T) {
	for i, c := range codedPoints {
		o := c.observe(t, i)
		m := c.model(t, o.chunks)
		base := o.ideal + float64(m.ParityChunks())*chunkTime.Seconds()
		needed := 0
		for _, got := range o.those(false) {
			if got < o.ideal-1e-12 || got > base+1e-12 {
				t.Errorf("%v: %.6f ms is not between %.6f and %.6f", c, got*1e3, o.ideal*1e3, base*1e3)
			}
			if got > o.ideal {
				needed++
			}
		}
		t.Logf("%v: %d without fallback, of which %d needed parity", c, len(o.those(false)), needed)
	}
}

// With fallback the mean is that of the closed form: data, parity, the fallback timeout, the report
// and a Selective Repeat of the submessages that failed. The first packet must arrive before the
// timeout runs, which the closed form leaves out: one chunk time, more where it is lost.
// Reference: section 4.2.2.
func TestErasureCodingWithFallbackHasTheMeanOfTheClosedForm(t *testing.T) {
	for i, c := range codedPoints {
		o := c.observe(t, i)
		fell := o.those(true)
		if len(fell) < 30 {
			continue // too few for a standard error
		}
		mean, err := meanAndError(fell)
		m := c.model(t, o.chunks)
		all := m.Mean()
		// E[T] = E[T without fallback] (1 - P) + E[T with fallback] P
		injected := float64(m.Chunks+m.ParityChunks())*chunkTime.Seconds() + paperRTT.Seconds()
		want := injected + (all.Seconds-injected)/m.PFallback()
		off := mean - want
		extra := 2 * (chunkTime + control).Seconds()
		t.Logf("%v: %d, %.4f ms, closed form %.4f, off by %.4f of %.4f allowed", c, len(fell),
			mean*1e3, want*1e3, off*1e3, sigmas*err*1e3)
		if off < -sigmas*err || off > sigmas*err+extra || all.Validity != model.Exact {
			t.Errorf("%v: mean %.4f ms with fallback, closed form %.4f", c, mean*1e3, want*1e3)
		}
	}
}
