package experiment

import (
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/link"
)

const small = `
name: small
seed: 5
samples: 1
payload: %s
link: {bandwidth: 100Gbps, rtt: 1ms, mtu: 1000B, encapsulation: none, loss: {model: iid, p: 0.02}}
message: {size: 99999B, chunk: 2000B, count: 6, in_flight: 2}
schemes:
  - {name: sr-rto, retries: 20}
  - {name: sr-nack, retries: 20}
  - {name: ec-mds, k: 8, m: 2, retries: 20}
  - {name: ec-xor, k: 8, m: 2, retries: 20}
`

func smallPoint(t testing.TB, payload string) spec.Point {
	return points(t, strings.Replace(small, "%s", payload, 1))[0]
}

// A run in which nothing new arrives for too long is a defect, and the error names the state.
func TestRunThatStandsStillNamesItsState(t *testing.T) {
	p := smallPoint(t, spec.PayloadVirtual)
	for i := range p.Schemes {
		label := p.Schemes[i].Label
		r := newTestRunner(t, &p, label)
		setLosses(r, &link.IID{P: 1}, link.None{})
		r.patience = 10 // events
		var s Sample
		err := r.Sample(0, &s)
		family, _, _ := strings.Cut(label, "-")
		if err == nil || !strings.Contains(err.Error(), "BUG: no new packet") ||
			!strings.Contains(err.Error(), family+" sender: message 0") ||
			!strings.Contains(err.Error(), family+" receiver: message 0") {
			t.Errorf("%s: %v", label, err)
		}
	}
}

// A message that cannot be delivered makes a failed sample and no error; the runner goes on with
// the next sample as if nothing had happened.
func TestMessageThatIsGivenUpFailsTheSample(t *testing.T) {
	p := smallPoint(t, spec.PayloadReal)
	for i := range p.Schemes {
		label := p.Schemes[i].Label
		r := newTestRunner(t, &p, label)
		want := Sample{}
		if err := r.Sample(1, &want); err != nil {
			t.Fatal(err)
		}
		losses := r.hops[0].pair.losses
		data, control := losses[0].model.(link.LossModel), losses[1].model.(link.LossModel)
		setLosses(r, &link.IID{P: 1}, control)
		var s Sample
		if err := r.Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		if s.Failed != 6 || len(s.Completion) != 0 || !strings.Contains(s.Failure, "retry limit") {
			t.Errorf("%s: %+v", label, s)
		}
		setLosses(r, data, control)
		if err := r.Sample(1, &s); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Completion, want.Completion) || s.Counters != want.Counters {
			t.Errorf("%s: after a failed sample\n got %+v\nwant %+v", label, s, want)
		}
	}
}

// Delivered bytes are compared with those that were sent, down to the last.
func TestWrongBytesAreFound(t *testing.T) {
	p := smallPoint(t, spec.PayloadReal)
	w := newTestRunner(t, &p, "sr-rto").hops[0].payload
	w.begin(1, 2)
	w.fill(0, 3, w.size)
	copy(slot(w.in, w.size, 1), slot(w.out, w.size, 0))
	if err := w.verify(0, 1, 3, w.size); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int64{0, 12345, 99998} {
		slot(w.in, w.size, 1)[at] ^= 1
		err := w.verify(0, 1, 3, w.size)
		if err == nil || !strings.Contains(err.Error(), "message 3") {
			t.Errorf("byte %d is wrong: %v", at, err)
		}
		slot(w.in, w.size, 1)[at] ^= 1
	}
	t.Log("# messages differ, so that one delivered for another is found")
	w.fill(0, 4, w.size)
	if err := w.verify(0, 1, 3, w.size); err == nil {
		t.Error("message 4 passes for message 3")
	}
	w.clear(1)
	if err := w.verify(0, 1, 3, w.size); err == nil {
		t.Error("no message at all passes for message 3")
	}
}

// The stream judges its schemes: a message that is delivered twice, or acknowledged before it is
// delivered, is a defect.
func TestStreamFindsDoubleAndMissingDelivery(t *testing.T) {
	p := smallPoint(t, spec.PayloadVirtual)
	for name, misdeed := range map[string]func(w *stream){
		"delivered twice":         func(w *stream) { w.receivers[w.receiverOf(0)].delivered = true },
		"before it was delivered": nil,
	} {
		r := newTestRunner(t, &p, "sr-rto")
		var s Sample
		r.begin(0, &s)
		w := r.hops[0]
		if misdeed != nil {
			misdeed(w)
		}
		for !r.over() && r.engine.Step() {
			if misdeed == nil && len(s.Delivery) == 0 {
				w.receivers[w.receiverOf(0)].delivered = false
			}
		}
		if w.err == nil || !strings.Contains(w.err.Error(), name) {
			t.Errorf("a message %s: %v", name, w.err)
		}
	}
}

// Schemes face the same losses: whether a first transmission is lost does not depend on what will
// be done about it.
func TestSchemesFaceTheSameLosses(t *testing.T) {
	p := smallPoint(t, spec.PayloadVirtual)
	p.Message.Count, p.Message.InFlight = 1, 1
	lossy := 0
	for sample := range 50 {
		var lost []bool
		for _, label := range []string{"sr-rto", "sr-nack"} {
			var s Sample
			if err := newTestRunner(t, &p, label).Sample(sample, &s); err != nil {
				t.Fatal(err)
			}
			lost = append(lost, s.Lost > 0)
		}
		if lost[0] != lost[1] {
			t.Errorf("sample %d: one scheme met losses, the other none", sample)
		}
		if lost[0] {
			lossy++
		}
	}
	if lossy == 0 || lossy == 50 {
		t.Errorf("%d of 50 samples had losses", lossy)
	}
}

// A replication allocates nothing once memory has grown, streams and fallbacks included.
func TestSamplesAllocateNothing(t *testing.T) {
	p := smallPoint(t, spec.PayloadVirtual)
	for i := range p.Schemes {
		r := newTestRunner(t, &p, p.Schemes[i].Label)
		var s Sample
		sample := 0
		replay := func() {
			if err := r.Sample(sample%8, &s); err != nil {
				t.Fatal(err)
			}
			sample++
		}
		for range 8 {
			replay()
		}
		if n := testing.AllocsPerRun(16, replay); n != 0 {
			t.Errorf("%s: %v allocations a sample", p.Schemes[i].Label, n)
		}
	}
}
