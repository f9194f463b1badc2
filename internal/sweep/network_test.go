package sweep

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// networkSource is points of a dumbbell, one for each access rate: three flows of two messages each
// through a border that drops, marks, and has cross traffic.
func networkSource(t *testing.T, change func(p *spec.Point)) points {
	t.Helper()
	s, err := scenarios.Load("network.yaml", []byte(`
name: network
link: {bandwidth: 10Gbps, rtt: 1ms, loss: {model: iid, p: 0.001}}
message: {size: 400kB, chunk: 16KiB, count: 2, in_flight: 2}
schemes: [{name: sr-nack}, {name: ec-mds, k: 8, m: 2}]
samples: 6
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var list points
	for i, access := range []units.Rate{10e9, 25e9} {
		p := s.At(0)
		p.Index, p.Key = i, fmt.Sprintf("network.access.bandwidth=%d", access)
		p.Axes = []spec.AxisValue{{Path: "network.access.bandwidth",
			Text: fmt.Sprint(int64(access)), Number: float64(access)}}
		p.Network = spec.Network{Kind: spec.NetworkDumbbell, Hosts: 3,
			Access: spec.Access{Bandwidth: access, Delay: units.Microsecond},
			Queue: spec.Queue{Buffer: 250000,
				ECN: spec.ECN{KMin: 50000, KMax: 100000, PMax: 0.5}}}
		for k := range 3 {
			from, to := spec.Host{Index: k}, spec.Host{East: true, Index: k / 2}
			p.Flows = append(p.Flows, spec.Flow{Name: from.String() + "-" + to.String(),
				From: from, To: to, Size: units.Bytes(k+1) * 200000,
				Start: units.Duration(k) * 100 * units.Microsecond})
		}
		p.Traffic = []spec.Traffic{{Model: spec.TrafficPoisson, Load: 0.2, Packet: 1500}}
		if change != nil {
			change(&p)
		}
		list = append(list, p)
	}
	return list
}

func realRunner(p *spec.Point, s *spec.Scheme) (Runner, error) {
	return experiment.NewRunner(p, s)
}

// networkTables are flows.csv and queues.csv of a sweep.
func networkTables(t *testing.T, r *Result) (flows, queues string) {
	t.Helper()
	var f, q bytes.Buffer
	if err := result.WriteFlows(&f, r.Flows); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteQueues(&q, r.Queues); err != nil {
		t.Fatal(err)
	}
	return f.String(), q.String()
}

// The tables of a small network are those of testdata, however many workers there are, and again
// when they come from records.
func TestNetworksHaveTablesOfFlowsAndQueues(t *testing.T) {
	store := new(memory)
	source := networkSource(t, nil)
	var want [3]string
	for i, c := range []Config{
		{Jobs: 1}, {Jobs: 3}, {Jobs: 1, Store: store},
		{Jobs: 2, Store: store, NewRunner: func(*spec.Point, *spec.Scheme) (Runner, error) {
			return nil, fmt.Errorf("samples are missing")
		}},
	} {
		c.Source = source
		if c.NewRunner == nil {
			c.NewRunner = realRunner
		}
		swept, err := Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		var got [3]string
		got[0], got[1] = networkTables(t, swept)
		var points bytes.Buffer
		if err := result.WriteCSV(&points, swept.Rows); err != nil {
			t.Fatal(err)
		}
		got[2] = points.String()
		if i == 0 {
			want = got
			for k, name := range []string{"flows.csv", "queues.csv"} {
				golden(t, filepath.Join("testdata", name), got[k])
			}
		} else if got != want {
			t.Errorf("run %d:\n got %s\nwant %s", i, got, want)
		}
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v: got\n%s", file, err, got)
	}
}

// Every packet of a flow arrives, was dropped by a queue, or was lost on the link; the row of the
// point has the sums of its flows, and queues drop what flows and cross traffic lose there.
func TestRowsOfANetworkAddUp(t *testing.T) {
	source := networkSource(t, func(p *spec.Point) { p.Traffic = nil })
	swept, err := Run(context.Background(), Config{Source: source, Jobs: 1, NewRunner: realRunner})
	if err != nil {
		t.Fatal(err)
	}
	flows, queues := swept.Flows, swept.Queues
	for _, row := range swept.Rows {
		var packets, dropped, lost, marked, overflow, marks float64
		for _, f := range flows[:3] {
			packets, dropped, lost = packets+f.Packets, dropped+f.Dropped, lost+f.Lost
			marked += f.Marked
		}
		for _, q := range queues[:7] {
			overflow, marks = overflow+q.Overflow, marks+q.Marks
		}
		near(t, "packets", packets, row.PacketsMean)
		near(t, "lost", dropped+lost, row.LostMean)
		near(t, "dropped", dropped, row.DroppedMean)
		near(t, "marked", marked, row.MarkedMean)
		near(t, "overflow", overflow, row.DroppedMean)
		near(t, "marks", marks, row.MarkedMean)
		near(t, "lost on the link", queues[0].Link, lost)
		near(t, "fairness", flows[0].Fairness, row.Fairness)
		if dropped == 0 || lost == 0 || marked == 0 {
			t.Errorf("%v dropped, %v lost, %v marked: the test shows little", dropped, lost, marked)
		}
		flows, queues = flows[3:], queues[7:]
	}
	if len(flows)+len(queues) > 0 {
		t.Errorf("%d flows and %d queues too many", len(flows), len(queues))
	}
}

func TestJainsIndex(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{5}, 1}, {[]float64{2, 2, 2}, 1}, {[]float64{1, 0, 0, 0}, 0.25},
		{[]float64{1, 3}, 16.0 / 20}, {[]float64{1, 2, 3}, 36.0 / 42},
	} {
		near(t, fmt.Sprint("index of ", c.x), jain(c.x), c.want)
	}
}

// The goodput of flows that start one after the other is over the time from the first to the end of
// all, and never more than the border carries.
func TestGoodputOfANetworkIsOfAllItsFlows(t *testing.T) {
	source := networkSource(t, func(p *spec.Point) {
		p.Traffic, p.Network.Queue.ECN = nil, spec.ECN{}
		p.Network.Queue.Buffer = 64 << 20
		p.Link.Loss, p.Link.AckLoss = spec.Loss{Model: spec.LossNone},
			spec.Loss{Model: spec.LossNone}
		for i := range p.Flows {
			p.Flows[i].Start = units.Duration(i) * 20 * units.Millisecond
		}
	})
	swept, err := Run(context.Background(), Config{Source: source, Jobs: 1, NewRunner: realRunner})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range swept.Rows {
		// 2 * (200 + 400 + 600) kB in 40 ms and what the last flow takes, some 2 ms.
		if row.Goodput > 8*2.4e6/41e-3 || row.Goodput < 8*2.4e6/43e-3 {
			t.Errorf("%s: goodput %.4g", row.Scheme, row.Goodput)
		}
	}
}

// Samples that failed are in no row of a flow or a queue.
func TestFailedSamplesAreInNoFlowOrQueue(t *testing.T) {
	source := networkSource(t, nil)[:1]
	fail := func(p *spec.Point, s *spec.Scheme) (Runner, error) {
		r, err := experiment.NewRunner(p, s)
		return failing{r}, err
	}
	some, err := Run(context.Background(), Config{Source: source, Jobs: 1, NewRunner: fail})
	if err != nil {
		t.Fatal(err)
	}
	source[0].Samples = 3
	first, err := Run(context.Background(), Config{Source: source, Jobs: 1, NewRunner: realRunner})
	if err != nil {
		t.Fatal(err)
	}
	flows, queues := networkTables(t, some)
	wantFlows, wantQueues := networkTables(t, first)
	if flows != wantFlows || queues != wantQueues {
		t.Errorf("with failures\n%s%s\nwithout\n%s%s", flows, queues, wantFlows, wantQueues)
	}
}

// failing gives up the last message of every sample from the fourth on.
type failing struct{ *experiment.Runner }

func (f failing) Sample(index int, s *experiment.Sample) error {
	err := f.Runner.Sample(index, s)
	if n := len(s.Completion) - 1; index >= 3 {
		s.Completion, s.Delivery = s.Completion[:n], s.Delivery[:n]
		s.Wait, s.Ideals, s.Failed, s.Failure = s.Wait[:n], s.Ideals[:n], 1, "retry limit"
	}
	return err
}
