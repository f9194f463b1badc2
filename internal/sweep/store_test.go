package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// memory is a Store of encoded records.
type memory struct {
	mu    sync.Mutex
	held  map[string][]byte
	saves int
	fail  error // of Save, after so many saves
	after int
}

func (m *memory) Load(point, scheme string) (*Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.held[point+" "+scheme]
	if !ok {
		return nil, nil
	}
	return DecodeRecord(b)
}

func (m *memory) Save(r *Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.saves++; m.fail != nil && m.saves > m.after {
		return m.fail
	}
	if m.held == nil {
		m.held = map[string][]byte{}
	}
	m.held[r.Point+" "+r.Scheme] = r.Append(nil)
	return nil
}

// keyed gives the points of a grid keys.
func keyed(source points) points {
	for i := range source {
		source[i].Key = "i=" + strconv.Itoa(i)
		source[i].Axes = []spec.AxisValue{{Path: "i", Text: strconv.Itoa(i), Number: float64(i)}}
	}
	return source
}

// drawRecord makes a record with samples of every kind.
func drawRecord(t *rapid.T) *Record {
	p := spec.Point{Key: rapid.String().Draw(t, "key")}
	p.Message.Count = rapid.IntRange(1, 3).Draw(t, "messages")
	if rapid.Bool().Draw(t, "collective") {
		p.Collective = spec.Collective{Kind: spec.AllReduce, Datacenters: 2}
	}
	if rapid.Bool().Draw(t, "weighted") {
		p.Tilts = []float64{1, 5}
	}
	if rapid.Bool().Draw(t, "sizes differ") {
		p.Message.Sizes = &spec.Sizes{}
	}
	if p.Collective.Kind == "" && rapid.Bool().Draw(t, "network") {
		p.Network.Kind = spec.NetworkDumbbell
		p.Flows = make([]spec.Flow, rapid.IntRange(1, 3).Draw(t, "flows"))
	}
	r := newRecord(&p, &spec.Scheme{Label: "sr"})
	n := rapid.IntRange(0, 20).Draw(t, "samples")
	r.grow(n + rapid.IntRange(0, 2).Draw(t, "room"))
	duration := rapid.Int64Range(0, math.MaxInt64)
	constant := rapid.Bool().Draw(t, "constant")
	for i := range n {
		var s experiment.Sample
		done := rapid.IntRange(0, r.messages).Draw(t, "done")
		for range done {
			d := units.Duration(duration.Draw(t, "time"))
			s.Completion, s.Delivery = append(s.Completion, d), append(s.Delivery, d/2)
			s.Wait, s.Ideals = append(s.Wait, d/3), append(s.Ideals, d/5+1)
		}
		if done == r.messages {
			for range r.rounds {
				s.Rounds = append(s.Rounds, units.Duration(duration.Draw(t, "round")))
			}
		}
		for range r.numFlows {
			s.Flows = append(s.Flows, experiment.FlowSample{PayloadBytes: 9, Packets: 8, Dropped: 7,
				Lost: 6, Marked: 5, Retransmits: 4, Elapsed: units.Duration(duration.Draw(t, "took"))})
		}
		for range r.numQueues {
			s.Queues = append(s.Queues, experiment.QueueSample{Mean: rapid.Float64().Draw(t, "mean"),
				P99: 0.1, Max: 1e300, Wait: 1, Accepted: 2, Dropped: 3, Lost: 4, Marked: 5,
				Utilisation: rapid.Float64Range(0, 1).Draw(t, "utilisation")})
		}
		s.Failed = r.messages - done
		s.Weight = rapid.Float64().Draw(t, "weight")
		s.Elapsed, s.Ideal = units.Duration(duration.Draw(t, "elapsed")), 7
		if !constant {
			s.Packets = rapid.Int64().Draw(t, "packets")
			s.Lost = rapid.Int64Range(0, 3).Draw(t, "lost")
		}
		if err := r.put(i, &s); err != nil {
			t.Fatal(err)
		}
		if s.Failed > 0 {
			r.fail(i, "retry limit")
		}
	}
	r.samples = n
	return r
}

func TestRecordsSurviveTheirEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawRecord(t)
		b := want.Append(nil)
		got, err := DecodeRecord(b)
		if err != nil {
			t.Fatal(err)
		}
		want.grow(want.samples) // without the room for more
		want.about = about{}    // which is of the point and the scheme
		if want.samples == 0 {
			want, got = &Record{Point: want.Point}, &Record{Point: got.Point}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v became %+v", want, got)
		}
		point, scheme, samples, err := RecordKey(b)
		if err != nil || point != want.Point || scheme != "sr" || samples != want.samples {
			t.Fatalf("key %q %q with %d samples, %v", point, scheme, samples, err)
		}
		cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
		if r, err := DecodeRecord(b[:cut]); !errors.Is(err, errRecord) {
			t.Fatalf("%d of %d bytes make %+v, %v", cut, len(b), r, err)
		}
	})
}

// TestInterruptedSweepsEndAsUndisturbedOnes stops a sweep after drawn numbers of samples until it
// is complete. No sample is run twice, and the rows are those of one sweep.
func TestInterruptedSweepsEndAsUndisturbedOnes(t *testing.T) {
	source := keyed(grid(2, 2, 25))
	want := sweepOf(t, source, 1, new(fakes))
	rapid.Check(t, func(rt *rapid.T) {
		store, f := &memory{}, new(fakes)
		for round := 0; ; round++ {
			ctx, cancel := context.WithCancel(t.Context())
			left := rapid.IntRange(1, 60).Draw(rt, "samples")
			var mu sync.Mutex
			f.change = func(*fake, int, *experiment.Sample) error {
				mu.Lock()
				defer mu.Unlock()
				if left--; left <= 0 {
					cancel()
				}
				return nil
			}
			got, err := Run(ctx, Config{Source: source, Store: store, NewRunner: f.make,
				Jobs: rapid.IntRange(1, 3).Draw(rt, "jobs")})
			cancel()
			if errors.Is(err, context.Canceled) {
				continue
			}
			if err != nil {
				rt.Fatal(err)
			}
			if csvOf(got) != csvOf(want) {
				rt.Fatalf("other rows after %d interrupts:\n%s\n%s", round, csvOf(got), csvOf(want))
			}
			if got.Samples != 100 {
				rt.Fatalf("%d samples counted, want 100", got.Samples)
			}
			break
		}
		for key, times := range f.samples {
			if times != 1 {
				rt.Fatalf("sample %s ran %d times", key, times)
			}
		}
	})
}

func TestCompleteUnitsAreNotRunAgain(t *testing.T) {
	source, store, f := keyed(grid(2, 2, 30)), &memory{}, new(fakes)
	config := Config{Source: source, Jobs: 2, NewRunner: f.make, Store: store}
	first, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	ran := len(f.samples)
	second, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.samples) != ran || f.runners > 8 {
		t.Errorf("%d samples ran, then %d", ran, len(f.samples))
	}
	if csvOf(first) != csvOf(second) || second.Restored != 120 || second.Units != 4 {
		t.Errorf("restored: %+v", second.Progress)
	}
}

func TestStoreThatFailsEndsTheSweep(t *testing.T) {
	full := errors.New("no space left on device")
	for after := range 4 {
		store := &memory{fail: full, after: after}
		_, err := Run(t.Context(), Config{
			Source: keyed(grid(2, 2, 30)), Jobs: 2, NewRunner: new(fakes).make, Store: store,
		})
		if !errors.Is(err, full) {
			t.Errorf("after %d records: %v", after, err)
		}
	}
	store := &memory{held: map[string][]byte{"i=0 a": []byte("rubbish")}}
	_, err := Run(t.Context(), Config{
		Source: keyed(grid(2, 2, 30)), Jobs: 2, NewRunner: new(fakes).make, Store: store,
	})
	if !errors.Is(err, errRecord) {
		t.Errorf("a record that cannot be read: %v", err)
	}
}

// TestSpeedupsAreOfPairedSamples gives scheme b twice the time of a, but for a shared part that
// varies a lot: what they share must not widen the interval.
func TestSpeedupsAreOfPairedSamples(t *testing.T) {
	f := &fakes{change: func(f *fake, index int, s *experiment.Sample) error {
		took := units.Duration(1+index%17) * units.Millisecond
		if f.scheme.Label == "b" {
			took *= 2
		}
		if f.scheme.Label != "a" {
			took += units.Duration(index%3) * units.Microsecond // what they do not share
		}
		s.Completion[0] = took
		if f.scheme.Label == "b" && index == 3 {
			s.Completion, s.Delivery, s.Failed, s.Failure = nil, nil, 1, "gave up"
		}
		return nil
	}}
	rows := sweepOf(t, grid(1, 3, 100), 2, f).Rows
	for i, want := range []float64{1, 0.5, 1} {
		r := rows[i]
		if math.Abs(r.SpeedupMean-want) > 1e-3 || r.SpeedupHi-r.SpeedupLo > 2e-3 ||
			!(r.SpeedupLo <= r.SpeedupMean && r.SpeedupMean <= r.SpeedupHi) {
			t.Errorf("speed-up %v, interval %v to %v of samples whose ratio is nearly the same",
				r.SpeedupMean, r.SpeedupLo, r.SpeedupHi)
		}
	}
	if one := sweepOf(t, grid(1, 1, 10), 1, new(fakes)).Rows[0]; !math.IsNaN(one.SpeedupMean) {
		t.Errorf("a scheme alone has a speed-up of %v", one.SpeedupMean)
	}
}

// spread makes a scheme whose samples vary by its label.
func spread(f *fake, index int, s *experiment.Sample) error {
	s.Completion[0] = units.Millisecond
	if f.scheme.Label == "b" {
		s.Completion[0] += units.Duration(index*7919%1000) * units.Microsecond
	}
	s.Elapsed = s.Completion[0]
	return nil
}

// TestSamplesAreDoubledUntilPrecise asks for more than b reaches at first, and shows that the
// number of workers and interrupts do not matter.
func TestSamplesAreDoubledUntilPrecise(t *testing.T) {
	source := keyed(grid(2, 2, 20))
	for i := range source {
		source[i].SamplesMax = 1000
		source[i].Precision = []spec.Precision{
			{Quantity: spec.PrecisionMean, Relative: 0.02},
		}
	}
	var want string
	for _, jobs := range []int{1, 2, 5} {
		store := &memory{}
		config := Config{Source: source, Jobs: jobs, Store: store}
		ctx, cancel := context.WithCancel(t.Context())
		left := 100
		f := &fakes{change: func(f *fake, index int, s *experiment.Sample) error {
			f.owner.mu.Lock()
			defer f.owner.mu.Unlock()
			if left--; left == 0 {
				cancel()
			}
			return spread(f, index, s)
		}}
		config.NewRunner = f.make
		if _, err := Run(ctx, config); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		got, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		var counts []string
		for _, r := range got.Rows {
			counts = append(counts, fmt.Sprint(r.Scheme, r.Samples))
			if half := (r.CompletionMeanHi - r.CompletionMeanLo) / 2; half > 0.02*r.CompletionMean {
				t.Errorf("half width %v of %v", half, r.CompletionMean)
			}
		}
		if text := strings.Join(counts, " "); text != "a20 b640 a20 b640" {
			t.Errorf("samples %s", text)
		}
		if got.Extra != 2*620 || got.Samples != 2*660 {
			t.Errorf("progress %+v", got.Progress)
		}
		if text := csvOf(got); want != "" && text != want {
			t.Errorf("%d workers give other rows:\n%s\n%s", jobs, text, want)
		} else {
			want = text
		}
	}
}

func TestSamplesEndAtTheirMost(t *testing.T) {
	source := grid(1, 2, 20)
	source[0].SamplesMax = 50
	source[0].Precision = []spec.Precision{
		{Quantity: spec.PrecisionP999, Relative: 0.5}, // 50 samples carry no p99.9
		{Quantity: spec.PrecisionGoodput, Relative: 1},
	}
	// Nothing is lost: the samples of a, which are all alike, are exact; those of b differ.
	want := map[string]int64{"a": 20, "b": 50}
	for _, r := range sweepOf(t, source, 2, &fakes{change: spread}).Rows {
		if r.Samples != want[r.Scheme] {
			t.Errorf("%s ran %d samples, want %d", r.Scheme, r.Samples, want[r.Scheme])
		}
	}
}
