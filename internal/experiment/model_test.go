package experiment

import (
	"fmt"
	"math"
	"os"
	"testing"

	"sdrsim/schemes/model"
	"sdrsim/units"
)

// The simulation against the closed form. 4 KiB chunks at 400 Gbit/s over 25 ms, as the paper has
// it; chunks are lost as a whole and acknowledgements are not lost.

// sigmas is how many standard errors a mean may be off. With some fifty comparisons and fixed seeds
// a true statement fails once in three hundred choices of the seed.
const sigmas = 4

// samples is how many replications a comparison takes: more where SDRSIM_LONG is set.
func samples(n int) int {
	if os.Getenv("SDRSIM_LONG") != "" {
		return 20 * n
	}
	return n
}

const paperLink = `
name: model
seed: %d
link:
  bandwidth: 400Gbps
  rtt: 25ms
  mtu: 4KiB
  encapsulation: none
  loss: {model: iid, per: %s, p: %s}
  ack_loss: none
message: {size: %s, chunk: %s}
schemes:
  - {name: %s}
`

// setting is a point of the comparison with one scheme.
type setting struct {
	size, p, scheme string
	unit, chunk     string // of loss; of the bitmap. Default: chunk, 4KiB
	seed            int
}

func (s setting) String() string { return s.size + " at " + s.p + " under " + s.scheme }

// observed is what replications of a point have shown, in seconds.
type observed struct {
	completions []float64
	fellBack    []bool
	mean, err   float64 // mean completion and its standard error
	ideal       float64
	chunks      int64
}

// observe replays a point n times.
func (s setting) observe(t *testing.T, n int) observed {
	t.Helper()
	unit, chunk := s.unit, s.chunk
	if unit == "" {
		unit, chunk = "chunk", "4KiB"
	}
	p := points(t, fmt.Sprintf(paperLink, s.seed, unit, s.p, s.size, chunk, s.scheme))[0]
	r, err := NewRunner(&p, &p.Schemes[0])
	if err != nil {
		t.Fatal(err)
	}
	o := observed{chunks: p.Message.Chunks()}
	var sample Sample
	for i := range n {
		if err := r.Sample(i, &sample); err != nil {
			t.Fatal(err)
		}
		if sample.Failed > 0 {
			t.Fatalf("%v, sample %d: %s", s, i, sample.Failure)
		}
		o.completions = append(o.completions, sample.Completion[0].Seconds())
		o.fellBack = append(o.fellBack, sample.FellBack > 0)
	}
	o.ideal = sample.Ideal.Seconds()
	o.mean, o.err = meanAndError(o.completions)
	return o
}

// meanAndError is the mean of numbers and its standard error.
func meanAndError(xs []float64) (mean, err float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	squares := 0.0
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	n := float64(len(xs))
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// those returns the completions of the replications that did fall back, or did not.
func (o observed) those(fellBack bool) (list []float64) {
	for i, c := range o.completions {
		if o.fellBack[i] == fellBack {
			list = append(list, c)
		}
	}
	return list
}

const (
	chunkTime = 81_920 * units.Picosecond
	paperRTT  = 25 * units.Millisecond
	// control is more than the transmission of a control message: those of 4 KiB take 82 ns.
	control = 82 * units.Nanosecond
)

// selectiveRepeat is the closed form of a point.
func selectiveRepeat(chunks int64, rto units.Duration, p float64) model.SR {
	return model.SR{Link: model.Link{ChunkTime: chunkTime, RTT: paperRTT}, Chunks: chunks,
		RTO: rto, P: p}
}

// deviation is the standard deviation of T_SR by its distribution: a sample of rare losses that has
// not met one knows nothing of it.
func deviation(m model.SR) float64 {
	base := units.Duration(m.Chunks)*m.ChunkTime + m.RTT
	mean, square := 0.0, 0.0
	step := m.RTO / 200
	for x := step / 2; ; x += step {
		above := m.Survival(base + x)
		mean += above * step.Seconds()
		square += 2 * x.Seconds() * above * step.Seconds()
		if above < 1e-12 {
			return math.Sqrt(square - mean*mean)
		}
	}
}

func number(t *testing.T, text string) (p float64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Inside its exact domain, M*T_inj <= RTO, the mean of Selective Repeat is that of the closed form.
// Reference: section 4.2.1, figures 3 and 9.
func TestSelectiveRepeatHasTheMeanOfTheClosedForm(t *testing.T) {
	for i, size := range []string{"128KiB", "1MiB", "16MiB", "128MiB"} {
		for j, p := range []string{"1e-5", "1e-4", "1e-3", "1e-2"} {
			s := setting{size: size, p: p, scheme: "sr-rto, rto: 3RTT", seed: 1 + 10*i + j}
			n := samples(1000)
			o := s.observe(t, n)
			m := selectiveRepeat(o.chunks, 3*paperRTT, number(t, p))
			want := m.Mean()
			if want.Validity != model.Exact {
				t.Fatalf("%v: the closed form is %v", s, want)
			}
			allowed := sigmas * deviation(m) / math.Sqrt(float64(n))
			off := o.mean - want.Seconds
			t.Logf("%v: %.4f ms, closed form %.4f, off by %.4f of %.4f allowed", s, o.mean*1e3,
				want.Seconds*1e3, off*1e3, allowed*1e3)
			if off < -allowed || off > allowed+control.Seconds() {
				t.Errorf("%v: mean %.4f ms, closed form %v", s, o.mean*1e3, want)
			}
		}
	}
}

// Where repeats meet first transmissions the closed form is a lower bound.
// Reference: section 4.2.1; figure 3a beyond the bandwidth-delay product.
func TestSelectiveRepeatIsNotBelowItsBound(t *testing.T) {
	for _, c := range []struct {
		size, p    string
		hundredths int64 // of a round trip, the timeout
	}{{"2GiB", "1e-4", 150}, {"8GiB", "1e-5", 300}, {"8GiB", "1e-3", 300}} {
		rto := paperRTT.Scale(c.hundredths, 100)
		s := setting{size: c.size, p: c.p, scheme: fmt.Sprintf("sr-rto, rto: %dps", int64(rto))}
		o := s.observe(t, samples(10))
		want := selectiveRepeat(o.chunks, rto, number(t, s.p)).Mean()
		t.Logf("%v: %.3f ms, error %.3f, bound %v", s, o.mean*1e3, o.err*1e3, want)
		if want.Validity != model.LowerBound {
			t.Errorf("%v: the closed form is %v", s, want)
		}
		if o.mean+sigmas*o.err < want.Seconds {
			t.Errorf("%v: mean %.4f ms is below the bound %v", s, o.mean*1e3, want)
		}
	}
}

// With a packet bitmap the packets of a chunk that have arrived stay arrived, so a repeat need
// bring only the others: P(Y <= a) = (1 - p^a)^16. The message is whole with the last packet that
// was missing, which is up to a chunk time before the end of its repeat.
func TestPacketsThatHaveArrivedStayArrived(t *testing.T) {
	for i, p := range []string{"1e-3", "1e-2", "1e-1"} {
		s := setting{size: "16MiB", p: p, scheme: "sr-rto, rto: 3RTT", unit: "packet",
			chunk: "64KiB", seed: i}
		n := samples(500)
		o := s.observe(t, n)
		m := selectiveRepeat(o.chunks, 3*paperRTT, number(t, p))
		m.ChunkTime, m.Packets = 16*chunkTime, 16
		want := m.Mean()
		whole := m
		whole.Packets, whole.P = 1, model.ChunkLoss(m.P, 16)
		allowed := sigmas * deviation(m) / math.Sqrt(float64(n))
		off := o.mean - want.Seconds
		t.Logf("%v: %.4f ms, closed form %.4f, off by %.4f of %.4f allowed; chunks lost whole %.4f",
			s, o.mean*1e3, want.Seconds*1e3, off*1e3, allowed*1e3, whole.Mean().Seconds*1e3)
		if off < -allowed-m.ChunkTime.Seconds() || off > allowed+control.Seconds() {
			t.Errorf("%v: mean %.4f ms, closed form %v", s, o.mean*1e3, want)
		}
		if p == "1e-1" && o.mean > whole.Mean().Seconds-allowed {
			t.Errorf("%v: mean %.4f ms does not show that packets accumulate", s, o.mean*1e3)
		}
	}
}

// The paper models negative acknowledgements as RTO = 1 RTT. A real report of a hole leaves when
// the next chunk has arrived, so a repeat is on its way at the earliest 2 T_inj after that model
// has it; if the repeat is lost too, or the hole is at the tail where no chunk follows, the
// receiver waits out its slack first. So the mean lies between the closed form for RTO = RTT and
// that for RTO = RTT + slack + 3 chunk times and the transmission of the report.
// Reference: section 4.2.1, figure 10.
func TestNegativeAcknowledgementsCostLittleMoreThanARoundTrip(t *testing.T) {
	for i, size := range []string{"1MiB", "16MiB", "128MiB"} {
		for j, p := range []string{"1e-4", "1e-3", "1e-2"} {
			s := setting{size: size, p: p, scheme: "sr-nack", seed: 100 + 10*i + j}
			n := samples(400)
			o := s.observe(t, n)
			low := selectiveRepeat(o.chunks, paperRTT, number(t, p))
			high := low
			high.RTO += paperRTT/16 + 3*chunkTime + control
			allowed := sigmas * deviation(high) / math.Sqrt(float64(n))
			t.Logf("%v: %.4f ms, between %.4f and %.4f, %.4f allowed", s, o.mean*1e3,
				low.Mean().Seconds*1e3, high.Mean().Seconds*1e3, allowed*1e3)
			if o.mean < low.Mean().Seconds-allowed || o.mean > high.Mean().Seconds+allowed {
				t.Errorf("%v: mean %.4f ms is outside", s, o.mean*1e3)
			}
		}
	}
}
