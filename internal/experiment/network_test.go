package experiment

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// dumbbell loads a point and makes it one of a network.
func dumbbell(t interface{ Fatal(...any) }, text string, n spec.Network,
	pairs int) *spec.Point {
	s, err := scenarios.Load("network.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.At(0)
	n.Kind, n.Hosts = spec.NetworkDumbbell, pairs
	p.Network = n
	for i := range pairs {
		p.Flows = append(p.Flows, spec.Flow{Name: fmt.Sprintf("west[%d]-east[%d]", i, i),
			From: spec.Host{Index: i}, To: spec.Host{East: true, Index: i},
			Size: p.Message.Size})
	}
	return &p
}

const empty = `
name: network
link: {bandwidth: 40Gbps, rtt: 2ms, loss: {model: none}}
message: {size: 3MB, chunk: 16KiB}
schemes: [{name: sr-nack}, {name: ec-mds, k: 8, m: 2}, {name: sr-rto}]
`

// One flow over an empty network takes the link, and the stages beside it, to the picosecond.
func TestOneFlowOnAnEmptyNetworkIsTheLinkAndTheHops(t *testing.T) {
	for _, access := range []units.Rate{10e9, 40e9, 100e9} {
		p := dumbbell(t, empty, spec.Network{
			Access: spec.Access{Bandwidth: access, Delay: 3 * units.Microsecond},
			Queue:  spec.Queue{Buffer: 64 << 20},
		}, 1)
		r, err := NewRunner(p, &p.Schemes[0])
		if err != nil {
			t.Fatal(err)
		}
		var s Sample
		if err := r.Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		const size, mtu = 3000000, 4096
		full, tail := int64(size/mtu), units.Bytes(size%mtu)
		// Packet by packet over the three stages.
		var free [3]units.Duration
		var last units.Duration
		for i := range full + 1 {
			bytes := units.Bytes(mtu)
			if i == full {
				bytes = tail
			}
			at := units.Duration(0)
			for k, rate := range []units.Rate{access, 40e9, access} {
				free[k] = max(free[k], at) + rate.TransmitTime(bytes+p.Link.Overhead)
				at = free[k]
			}
			last = at
		}
		ack := units.Bytes(finalSize((size+16383)/16384)) + p.Link.Overhead
		back := units.Duration(0)
		for _, rate := range []units.Rate{access, 40e9, access} {
			back += rate.TransmitTime(ack)
		}
		want := last + back + 2*units.Millisecond + 12*units.Microsecond
		if s.Completion[0] != want || s.Ideal != want {
			t.Errorf("access %v: completion %v, ideal %v, want %v", access, s.Completion[0], s.Ideal,
				want)
		}
	}
}

// Equal flows through one border get equal parts of it.
func TestEqualFlowsShareTheBorderEqually(t *testing.T) {
	p := dumbbell(t, empty, spec.Network{
		Access: spec.Access{Bandwidth: 40e9, Delay: units.Microsecond},
		Queue:  spec.Queue{Buffer: 64 << 20},
	}, 4)
	r, err := NewRunner(p, &p.Schemes[0])
	if err != nil {
		t.Fatal(err)
	}
	var s Sample
	if err := r.Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	rate := func(f FlowSample) float64 {
		return 8 * float64(f.PayloadBytes) / (f.Elapsed - 2*units.Millisecond).Seconds()
	}
	for i, f := range s.Flows {
		if got := rate(f); got < 0.95*10e9 || got > 1.05*10e9 {
			t.Errorf("flow %d gets %.3g bit/s of four at 40 Gbit/s", i, got)
		}
	}
	if s.Lost > 0 || s.Queues[0].Max < 8e6 {
		t.Errorf("%d lost, backlog at most %.0f bytes", s.Lost, s.Queues[0].Max)
	}
}

// drawDumbbell draws a network with flows of random sizes, queues that overflow and mark, losses
// and cross traffic.
func drawDumbbell(t *rapid.T) *spec.Point {
	pick := func(name string, values ...int64) int64 {
		return rapid.SampledFrom(values).Draw(t, name)
	}
	count := pick("count", 1, 3)
	text := fmt.Sprintf(`
name: network
link: {bandwidth: %dMbps, rtt: %dus, loss: {model: iid, p: %g}, ack_loss: {model: iid, p: %g}}
message: {size: %dB, chunk: %dB, count: %d, in_flight: %d}
schemes: [{name: sr-nack}, {name: ec-mds, k: 4, m: 2}, {name: sr-rto}, {name: ec-xor, k: 4, m: 2},
  {name: rc, rto: 3RTT}]
samples: 4
seed: %d
`, pick("rate", 5000, 20000), pick("rtt", 20, 400, 3000),
		rapid.SampledFrom([]float64{0, 0.001, 0.02}).Draw(t, "loss"),
		rapid.SampledFrom([]float64{0, 0.05}).Draw(t, "ack loss"),
		pick("size", 5000, 70000, 400000), pick("chunk", 4096, 16384), count,
		min(count, pick("in flight", 1, 2)), rapid.Uint32Range(1, 1<<20).Draw(t, "seed"))
	n := spec.Network{
		Access: spec.Access{Bandwidth: units.Rate(pick("access", 4e9, 10e9, 25e9)),
			Delay: units.Duration(pick("delay", 0, 1, 1e6, 5e7))},
		Queue: spec.Queue{Buffer: units.Bytes(pick("buffer", 9000, 60000, 1e6))},
	}
	if rapid.Bool().Draw(t, "marks") {
		n.Queue.ECN = spec.ECN{KMin: n.Queue.Buffer / 4, KMax: n.Queue.Buffer / 2, PMax: 0.3}
	}
	n.Queue.Priority = rapid.Bool().Draw(t, "priority")
	p := dumbbell(t, text, n, int(pick("pairs", 1, 2, 3)))
	for i := range p.Flows {
		f := &p.Flows[i]
		f.Start = units.Duration(pick("start", 0, 0, 1, 2e7))
		if rapid.Bool().Draw(t, "incast") {
			f.To.Index = 0
		}
		if rapid.Bool().Draw(t, "same host") {
			f.From.Index = 0
		}
	}
	models := []string{spec.TrafficConstant, spec.TrafficPoisson, spec.TrafficOnOff}
	for range rapid.IntRange(0, 2).Draw(t, "traffic") {
		p.Traffic = append(p.Traffic, spec.Traffic{East: rapid.Bool().Draw(t, "at east"),
			Model: rapid.SampledFrom(models).Draw(t, "model"), Packet: 1500,
			Load: rapid.Float64Range(0.05, 0.4).Draw(t, "load"), On: 10 * units.Microsecond})
	}
	return p
}

// How packets are grouped changes nothing, in whatever network.
func TestGroupingNeverChangesANetwork(t *testing.T) {
	var drops, marks int64
	rapid.Check(t, func(t *rapid.T) {
		p := drawDumbbell(t)
		scheme := &p.Schemes[rapid.IntRange(0, len(p.Schemes)-1).Draw(t, "scheme")]
		var want [4]string
		for _, grouping := range []int64{1, 0, 5} {
			p.Engine.MaxRun = grouping
			r, err := NewRunner(p, scheme)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				var s Sample
				if err := r.Sample(i, &s); err != nil {
					t.Fatal(err)
				}
				s.Events = 0
				got := fmt.Sprintf("%+v", s)
				if grouping == 1 {
					want[i] = got
					for _, q := range s.Queues {
						drops, marks = drops+q.Dropped, marks+q.Marked
					}
				} else if got != want[i] {
					t.Fatalf("runs of %d, sample %d under %s:\n got %s\nwant %s", grouping, i,
						scheme.Label, got, want[i])
				}
			}
		}
	})
	if drops == 0 || marks == 0 {
		t.Errorf("%d dropped, %d marked: the test shows little", drops, marks)
	}
}

// A trace tells of every packet that a queue has dropped, once, and is of the same sample.
func TestTraceTellsWhatQueuesDrop(t *testing.T) {
	p := dumbbell(t, empty, spec.Network{
		Access: spec.Access{Bandwidth: 100e9, Delay: units.Microsecond},
		Queue:  spec.Queue{Buffer: 1 << 20},
	}, 2)
	for i := range p.Schemes {
		var plain, traced Sample
		var record Record
		r, err := NewRunner(p, &p.Schemes[i])
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Sample(0, &plain); err != nil {
			t.Fatal(err)
		}
		if r, err = NewTracedRunner(p, &p.Schemes[i], &record); err != nil {
			t.Fatal(err)
		}
		if err := r.Sample(0, &traced); err != nil {
			t.Fatal(err)
		}
		var sent, lost int64
		for _, k := range record.Packets {
			switch {
			case k.Dropped:
				lost += k.Run.Count
			case !k.Arrived:
				sent += k.Run.Count
			}
		}
		if lost == 0 || lost != plain.Lost || sent != plain.Packets {
			t.Errorf("%s: %d sent, %d dropped; the sample has %d, %d", p.Schemes[i].Label, sent, lost,
				plain.Packets, plain.Lost)
		}
		traced.Events = plain.Events
		if fmt.Sprint(plain) != fmt.Sprint(traced) {
			t.Errorf("%s: tracing changes the sample", p.Schemes[i].Label)
		}
		NewTransmissions(record.Packets) // panics where a packet is lost or arrives that was not sent
	}
}

const brittle = `
name: network
link: {bandwidth: 40Gbps, rtt: 2ms, loss: {model: iid, p: 0.3}}
message: {size: 3MB, chunk: 16KiB}
schemes: [{name: sr-nack, retries: 1}, {name: ec-mds, k: 8, m: 2, retries: 1}]
`

// A flow that gives up ends the sample: every message of every flow is delivered or has failed.
func TestFlowThatGivesUpLeavesNoMessageUnaccounted(t *testing.T) {
	p := dumbbell(t, brittle, spec.Network{
		Access: spec.Access{Bandwidth: 40e9, Delay: units.Microsecond},
		Queue:  spec.Queue{Buffer: 64 << 20},
	}, 4)
	p.Message.Count = 2
	for i := range p.Schemes {
		r, err := NewRunner(p, &p.Schemes[i])
		if err != nil {
			t.Fatal(err)
		}
		var s Sample
		if err := r.Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		if s.Failed == 0 || s.Failure == "" {
			t.Errorf("%s: nothing failed", p.Schemes[i].Label)
		}
		if n := len(s.Completion) + s.Failed; n != 8 {
			t.Errorf("%s: %d messages are accounted for, want 8", p.Schemes[i].Label, n)
		}
	}
}
