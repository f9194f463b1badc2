package timeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"sdrsim/internal/experiment"
	"sdrsim/scenarios"
)

const lossy = `
name: timeline
link:
  {bandwidth: 10Gbps, rtt: 1ms, mtu: 1KiB, loss: {model: iid, p: 0.03},
   ack_loss: {model: iid, p: 0.2}}
message: {size: 300KB, chunk: 4KiB, count: 3, in_flight: 2}
schemes: [{name: sr-nack}, {name: ec-mds, k: 8, m: 2}]
`

// recorded runs a sample of a scheme.
func recorded(t *testing.T, scheme int) (*experiment.Record, *experiment.Sample) {
	t.Helper()
	s, err := scenarios.Load("timeline.yaml", []byte(lossy), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.At(0)
	var r experiment.Record
	runner, err := experiment.NewTracedRunner(&p, &p.Schemes[scheme], &r)
	if err != nil {
		t.Fatal(err)
	}
	var sample experiment.Sample
	if err := runner.Sample(0, &sample); err != nil {
		t.Fatal(err)
	}
	return &r, &sample
}

// The tracks count what the sample counts.
func TestTracksAreTheSample(t *testing.T) {
	for scheme := range 2 {
		r, sample := recorded(t, scheme)
		line := New(r)
		if len(line.groups) != 1 {
			t.Fatalf("%d groups", len(line.groups))
		}
		g := line.groups[0]
		packets := map[string]int64{}
		for _, track := range g.tracks {
			for i, s := range track.slices {
				if i > 0 && s.from < track.slices[i-1].to || s.to < s.from {
					t.Errorf("%s: slice %d from %v to %v overlaps", track.name, i, s.from, s.to)
				}
				for _, a := range s.args {
					if a.name == "packets" {
						packets[track.name] += a.value
					}
				}
			}
		}
		sent := packets[trackNames[trackFirst]] + packets[trackNames[trackAgain]]
		lost := packets[trackNames[trackLost]]
		if sent != sample.Packets || lost != sample.Lost ||
			packets[trackNames[trackArrived]] != sent-lost {
			t.Errorf("%v; the sample has %d packets, %d lost", packets, sample.Packets, sample.Lost)
		}
		messages := 0
		for _, track := range g.tracks {
			if track.name == "messages" {
				messages += len(track.slices)
			}
		}
		if messages != 3 {
			t.Errorf("%d messages", messages)
		}
		peak := int64(0)
		for _, p := range g.flight {
			peak = max(peak, p.bytes)
			if p.bytes < 0 {
				t.Fatalf("%d bytes in flight at %v", p.bytes, p.at)
			}
		}
		if last := g.flight[len(g.flight)-1]; last.bytes != 0 || peak == 0 {
			t.Errorf("%d bytes stay in flight, of %d at most", last.bytes, peak)
		}
	}
}

// fields decodes a message: values by field number, in order.
func fields(t *testing.T, b []byte) map[protowire.Number][]any {
	t.Helper()
	list := map[protowire.Number][]any{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		b = b[n:]
		var v any
		switch kind {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			v, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			v, n = protowire.ConsumeBytes(b)
		default:
			t.Fatalf("field %d is of wire type %d", number, kind)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		list[number] = append(list[number], v)
		b = b[n:]
	}
	return list
}

// Every slice that begins ends, on a track that was described, and every flow that ends has begun.
func TestPerfettoTraceIsWhole(t *testing.T) {
	r, _ := recorded(t, 0)
	var b bytes.Buffer
	if err := New(r).WritePerfetto(&b); err != nil {
		t.Fatal(err)
	}
	open, described, last := map[uint64]int{}, map[uint64]bool{}, map[uint64]uint64{}
	flows, ended := map[uint64]bool{}, 0
	for _, p := range fields(t, b.Bytes())[1] {
		packet := fields(t, p.([]byte))
		if d := packet[60]; d != nil {
			described[fields(t, d[0].([]byte))[1][0].(uint64)] = true
			continue
		}
		at, e := packet[8][0].(uint64), fields(t, packet[11][0].([]byte))
		track := e[11][0].(uint64)
		if !described[track] || at < last[track] {
			t.Fatalf("track %d: described %v, at %d after %d", track, described[track], at,
				last[track])
		}
		last[track] = at
		switch e[9][0].(uint64) {
		case sliceBegin:
			open[track]++
		case sliceEnd:
			open[track]--
		}
		if open[track] < 0 || open[track] > 1 {
			t.Fatalf("%d slices are open on track %d", open[track], track)
		}
		for _, f := range e[47] {
			flows[f.(uint64)] = true
		}
		for _, f := range e[48] {
			if ended++; !flows[f.(uint64)] {
				t.Fatalf("flow %d ends and did not begin", f)
			}
		}
	}
	for track, n := range open {
		if n != 0 {
			t.Errorf("a slice of track %d does not end", track)
		}
	}
	if ended == 0 {
		t.Error("no flow ends")
	}
}

// protoc decodes the trace, and knows the name of every field.
func TestProtocKnowsEveryField(t *testing.T) {
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("protoc is not installed")
	}
	r, _ := recorded(t, 1)
	var b bytes.Buffer
	if err := New(r).WritePerfetto(&b); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(protoc, "--decode=perfetto.protos.Trace", "-I", "testdata",
		"testdata/perfetto.proto")
	cmd.Stdin = &b
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if unknown := regexp.MustCompile(`(?m)^ *\d+[:{ ].*`).Find(out); unknown != nil {
		t.Errorf("unknown field %q", unknown)
	}
	if !strings.Contains(string(out), `name: "bytes in flight"`) {
		t.Errorf("no counter in\n%.2000s", out)
	}
}

// Both formats have the same slices at the same times.
func TestJSONIsTheSameTimeline(t *testing.T) {
	r, _ := recorded(t, 0)
	line := New(r)
	var b bytes.Buffer
	if err := line.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []event `json:"traceEvents"`
	}
	if err := json.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	next := 0
	for _, g := range line.groups {
		for k, track := range g.tracks {
			for _, s := range track.slices {
				for file.TraceEvents[next].Phase != "X" && file.TraceEvents[next].Phase != "i" {
					next++
				}
				e := file.TraceEvents[next]
				next++
				var at float64
				if _, err := fmt.Sscan(e.At.String(), &at); err != nil {
					t.Fatal(err)
				}
				if e.Name != s.name || e.Thread != k+1 || int64(at*1e6+0.5) != int64(s.from) {
					t.Fatalf("%+v is not %+v", e, s)
				}
			}
		}
	}
}
