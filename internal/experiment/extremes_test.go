package experiment

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// What validation passes must run: for every key, the least and the greatest value, what lies just
// beyond, and what no key takes. The base is so small that a run ends soon.
const extremeBase = `
name: extreme
link: {bandwidth: 100Gbps, rtt: 1ms, loss: {model: iid, p: 0.1}}
message: {size: 100KiB, chunk: 8KiB}
schemes: [%s]
`

// extremeContexts are settings beside which a key has another meaning.
var extremeContexts = [][]string{
	{},
	{"link.loss.p=1"},
	{"link.bandwidth=1bps", "message.size=600B", "message.chunk=64B", "link.mtu=64B"},
	{"link.rtt=3600s"},
	{"link.rtt=1ns", "link.bandwidth=1000Tbps", "link.encapsulation=none"},
	{"link.loss={model: gilbert-elliott, mean: 0.1, burst: 3}"},
	{"link.loss={model: gilbert-elliott, p: 0.1, r: 0.3}"},
	{"link.ack_loss={model: gilbert-elliott, mean: 0.5, burst: 100}"},
	{"link.ack_loss={model: iid, p: 1}"},
	{"link.loss={model: script, drops: [{first: 0, last: 3, transmission: every}]}"},
	{"message.count=5", "message.in_flight=2"},
	{"collective={kind: all-reduce, datacenters: 3}"},
	{"acceleration.tilt=10"},
	{"precision.completion_mean=0.5"},
	{"payload=real", "engine.runs=1"},
	{"message.size=1MiB", "message.chunk=1MiB"},
	{"scheme.k=40000", "scheme.m=17000", "message.chunk=4KiB"},
	{"scheme.encode.rate=1000Tbps", "scheme.decode.rate=1000Tbps"},
	{"scheme.encode.rate=1bps", "scheme.decode.rate=1bps"},
	{"scheme.cores=10000"},
	{"message.size=64KiB", "message.chunk=64B", "link.mtu=64B", "scheme.retries=1000000"},
	{"nic.per_packet=1us", "nic.per_chunk=3us", "nic.workers=1"},
}

// extremesOf are values of a key as a user may write them, allowed or not.
func extremesOf(k scenarios.Key) []string {
	list := append([]string{"0", "-1", "NaN", ".inf", "1e308", "1e-308", "9223372036854775807",
		"18446744073709551615"}, k.Choices...)
	switch k.Kind {
	case schemes.KindSpan:
		for _, number := range []string{"0", "0.000001", "1", "999", "1e6", "1000001", "1e9",
			"9223372036854"} {
			list = append(list, number+"RTT")
		}
		return append(list, "0s", "1ps", "1ns", "25ms", "1h", "3601s", "9223372s", "-1s")
	case schemes.KindBytes:
		return append(list, fmt.Sprintf("%.0fB", k.Min), fmt.Sprintf("%.0fB", k.Max), "1B", "63B",
			"65B", "4097B", "8EiB", "9e18B", "-1B", "0B")
	case schemes.KindRate:
		return append(list, "0bps", "1bps", "1kbps", "1Mbps", "1000Tbps", "1001Tbps", "9e18bps")
	case scenarios.KindDistance:
		return append(list, "0m", "1m", "100000000km", "100000001km", "9e18m")
	case scenarios.KindDuration:
		return append(list, "0s", "1ps", "1ns", "2ns", "1s", "1800s", "3600s", "3601s", "9e6s", "9e18ps")
	case scenarios.KindSplit:
		return append(list, "1+31+0", "31+1+0", "10+18+4", "1+1+30", "0+32+0", "1+15+16", "16+8+8")
	}
	return append(list, fmt.Sprintf("%v", k.Min), fmt.Sprintf("%v", k.Max),
		fmt.Sprintf("%v", k.Max+1), "1", "2", "0.5", "1e-15", "1e3", "1e6", "unlimited")
}

// extremeKey is what --set takes, with the values to try.
type extremeKey struct {
	path   string
	values []string
}

// extremeKeys are the keys of scenarios that a run depends on, and the parameters of a scheme.
func extremeKeys(e catalog.Entry) (list []extremeKey) {
	for _, k := range scenarios.Defaults() {
		switch {
		case strings.HasPrefix(k.Path, "figures."), strings.HasPrefix(k.Path, "check."):
		case k.Kind == scenarios.KindList, k.Kind == scenarios.KindMapping:
		case k.Kind == scenarios.KindName, k.Path == "collective.kind":
		default:
			list = append(list, extremeKey{k.Path, extremesOf(k)})
		}
	}
	for _, p := range e.Params {
		k := scenarios.Key{Kind: p.Kind, Min: p.Min, Max: p.Max, Choices: p.Choices}
		list = append(list, extremeKey{"scheme." + p.Name, extremesOf(k)})
	}
	return list
}

// verdict is what became of a scenario.
type verdict uint8

const (
	refused verdict = iota
	ended
	unfinished // passed, and too large to be run here
)

// tryExtreme loads the base with overrides and runs what passes, for a bounded number of events.
// An error is a defect: a panic, a fault without an explanation, a run that gets stuck.
func tryExtreme(e catalog.Entry, set []string) (v verdict, err error) {
	err = capture(func() error {
		var overrides []scenarios.Override
		for _, text := range set {
			o, err := scenarios.ParseOverride(text)
			if err != nil {
				return err
			}
			overrides = append(overrides, o)
		}
		s, err := scenarios.Load("f.yaml", []byte(fmt.Sprintf(extremeBase, e.Name)), overrides)
		var faults scenarios.Errors
		if errors.As(err, &faults) {
			return nil // refused
		}
		if err != nil {
			return err
		}
		p := s.At(0)
		v = unfinished
		if scenarios.MemoryEstimate(p) > 32*units.MiB || p.Message.InFlight > 1000 ||
			packetsOf(&p) > 20_000 {
			return nil
		}
		v, err = runBounded(&p)
		return err
	})
	if err != nil {
		err = fmt.Errorf("%s with %s: %w", e.Name, strings.Join(set, " "), err)
	}
	return v, err
}

// packetsOf is how many packets of data and parity a message of the point has.
func packetsOf(p *spec.Point) int64 {
	chunks := p.Message.Chunks()
	if f, err := catalog.Build(p.Schemes[0].Name, p.Schemes[0].Params); err == nil {
		chunks += f.ParityOf(chunks)
	}
	return chunks * int64(p.Message.Chunk/p.Link.MTU)
}

// runBounded runs a sample for so many events at most.
func runBounded(p *spec.Point) (verdict, error) {
	r, err := NewRunner(p, &p.Schemes[0])
	if err != nil {
		return refused, err
	}
	var sample Sample
	r.begin(0, &sample)
	for !r.over() && r.engine.Step() {
		if r.engine.Events() > 2000 || r.engine.Now() > lastInstant {
			return unfinished, nil
		}
	}
	if !r.over() {
		return ended, r.stuck("nothing is left to happen")
	}
	if err := r.fault(); err != nil {
		return ended, err
	}
	r.finish(&sample)
	return ended, nil
}

// TestWhatValidationPassesRuns tries every value of every key by itself and beside a context, or
// beside all of them where SDRSIM_LONG is set.
func TestWhatValidationPassesRuns(t *testing.T) {
	counts, turn := map[verdict]int{}, 0
	for _, e := range catalog.Entries() {
		for _, k := range extremeKeys(e) {
			for _, value := range k.values {
				turn++
				for i, context := range extremeContexts {
					if i > 0 && i != turn%len(extremeContexts) && os.Getenv(longVariable) == "" {
						continue
					}
					v, err := tryExtreme(e, append(context[:len(context):len(context)], k.path+"="+value))
					if err != nil {
						t.Error(err)
					}
					counts[v]++
				}
			}
		}
	}
	t.Logf("%d refused, %d ended, %d too large", counts[refused], counts[ended], counts[unfinished])
	if counts[refused] == 0 || counts[ended] < counts[unfinished] {
		t.Error("a test of what is refused, or not run, shows nothing")
	}
}

// TestContextsGoTogether tries every two contexts.
func TestContextsGoTogether(t *testing.T) {
	for _, e := range catalog.Entries() {
		for i, one := range extremeContexts {
			for _, other := range extremeContexts[:i] {
				if _, err := tryExtreme(e, append(one[:len(one):len(one)], other...)); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// accepted are the keys of a scheme with the values that pass by themselves.
func accepted(e catalog.Entry) (list []extremeKey) {
	for _, k := range extremeKeys(e) {
		pass := extremeKey{path: k.path}
		for _, value := range k.values {
			if v, _ := tryExtreme(e, []string{k.path + "=" + value}); v != refused {
				pass.values = append(pass.values, value)
			}
		}
		if len(pass.values) > 0 {
			list = append(list, pass)
		}
	}
	return list
}

// TestWhatValidationPassesRunsTogether draws several extreme values at once, each of which passes
// by itself.
func TestWhatValidationPassesRunsTogether(t *testing.T) {
	keys := map[string][]extremeKey{}
	for _, e := range catalog.Entries() {
		keys[e.Name] = accepted(e)
	}
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(catalog.Entries()).Draw(t, "scheme")
		for range 8 { // most are refused, and cheap
			set := append([]string(nil), rapid.SampledFrom(extremeContexts).Draw(t, "context")...)
			for range rapid.IntRange(1, 4).Draw(t, "keys") {
				k := rapid.SampledFrom(keys[e.Name]).Draw(t, "key")
				set = append(set, k.path+"="+rapid.SampledFrom(k.values).Draw(t, "value"))
			}
			if _, err := tryExtreme(e, set); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// retriesOf is the key of a scheme that bounds its retries.
func retriesOf(e catalog.Entry) string {
	for _, p := range e.Params {
		if p.Name == "retry_cnt" {
			return "scheme.retry_cnt"
		}
	}
	return "scheme.retries"
}

// TestPatienceOutlastsGivingUp counts the events of runs whose link lets nothing through.
func TestPatienceOutlastsGivingUp(t *testing.T) {
	for _, e := range catalog.Entries() {
		for _, set := range []string{
			"message={size: 64KiB, chunk: 4KiB}", "message={size: 64KiB, chunk: 16KiB}",
			"message={size: 16KiB, chunk: 4KiB, count: 3, in_flight: 3}", "engine.runs=1",
			"collective={kind: all-reduce, datacenters: 3}", "link.bandwidth=1Mbps",
		} {
			o, err := scenarios.ParseOverride(set)
			if err != nil {
				t.Fatal(err)
			}
			list := []scenarios.Override{{Path: "link.loss.p", Value: "1"},
				{Path: retriesOf(e), Value: "1000"}, o}
			s, err := scenarios.Load("f.yaml", fmt.Appendf(nil, extremeBase, e.Name), list)
			if err != nil {
				t.Fatal(err)
			}
			p := s.At(0)
			r, err := NewRunner(&p, &p.Schemes[0])
			if err != nil {
				t.Fatal(err)
			}
			var sample Sample
			if err := r.Sample(0, &sample); err != nil {
				t.Errorf("%s, %s: %v", e.Name, set, err)
			}
			if most := r.patience - patience; sample.Failed == 0 || sample.Events > int64(most) {
				t.Errorf("%s, %s: %d failed after %d events; patience for %d", e.Name, set,
					sample.Failed, sample.Events, most)
			}
		}
	}
}

// TestSampleEndsWithTheClock sends over a link so slow and so lossy that the message would not be
// complete before the clock ends.
func TestSampleEndsWithTheClock(t *testing.T) {
	for _, e := range catalog.Entries() {
		list := []scenarios.Override{{Path: "link.bandwidth", Value: "1bps"},
			{Path: "message.size", Value: "20kB"}, {Path: "message.chunk", Value: "64B"},
			{Path: "link.mtu", Value: "64B"}, {Path: "link.encapsulation", Value: "none"},
			{Path: "link.loss.p", Value: "0.97"}, {Path: "link.ack_loss.model", Value: "none"},
			{Path: "link.rtt", Value: "100s"}, {Path: retriesOf(e), Value: "2000"}}
		s, err := scenarios.Load("f.yaml", fmt.Appendf(nil, extremeBase, e.Name), list)
		if err != nil {
			t.Fatal(err)
		}
		p := s.At(0)
		r, err := NewRunner(&p, &p.Schemes[0])
		if err != nil {
			t.Fatal(err)
		}
		var sample Sample
		if err := r.Sample(0, &sample); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
		if sample.Failed != 1 || !strings.Contains(sample.Failure, "simulated time") {
			t.Errorf("%s: %d failed after %v: %s", e.Name, sample.Failed, r.engine.Now(), sample.Failure)
		}
	}
}

// TestSamplesEndSoonAfterTheLastInstant sends packets one by one, each of which takes hours, and
// loses most acknowledgements.
func TestSamplesEndSoonAfterTheLastInstant(t *testing.T) {
	list := []scenarios.Override{{Path: "link.bandwidth", Value: "1bps"},
		{Path: "engine.runs", Value: "1"},
		{Path: "link.ack_loss", Value: "{model: gilbert-elliott, mean: 0.5, burst: 100}"}}
	s, err := scenarios.Load("f.yaml", fmt.Appendf(nil, extremeBase, "sr-nack"), list)
	if err != nil {
		t.Fatal(err)
	}
	p := s.At(0)
	r, err := NewRunner(&p, &p.Schemes[0])
	if err != nil {
		t.Fatal(err)
	}
	var sample Sample
	late := 0
	for i := range 20 {
		if err := r.Sample(i, &sample); err != nil {
			t.Errorf("sample %d: %v", i, err)
		}
		if r.engine.Now() <= lastInstant {
			continue
		}
		late++
		if beyond := r.engine.Now() - lastInstant; sample.Failed == 0 ||
			beyond > units.Time(100_000*units.Second) {
			t.Errorf("sample %d: %d failed at %v", i, sample.Failed, r.engine.Now())
		}
	}
	if late == 0 {
		t.Error("no sample comes to the end of the clock")
	}
}
