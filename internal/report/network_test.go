package report

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

func sampleFlows() []result.Flow {
	axes := []result.AxisValue{number("link.loss.p", 1e-3)}
	none := math.NaN()
	return []result.Flow{
		{Axes: axes, Scheme: "sr", Name: "a-b", From: "a", To: "b", Samples: 6, Mean: 0.5,
			MeanLo: 0.25, MeanHi: 1, P50: 0.5, P99: 0.75, P999: 0.75, Slowdown: 2,
			Goodput: 1e9, Retransmits: 1, Packets: 100, Dropped: 3, Lost: 4, Marked: 5,
			Fairness: 0.9, Warnings: []string{"p99: few", "p99.9: few"}},
		{Axes: axes, Scheme: "sr", Name: "c, d", From: "c", To: "d", Samples: 0, Mean: none,
			MeanLo: none, MeanHi: none, P50: none, P99: none, P999: none, Slowdown: none,
			Goodput: none, Retransmits: none, Packets: none, Dropped: none, Lost: none,
			Marked: none, Fairness: none, Warnings: nil},
	}
}

func sampleQueues() []result.Queue {
	axes := []result.AxisValue{number("link.loss.p", 1e-3)}
	return []result.Queue{
		{Axes: axes, Scheme: "sr", Name: "border.west", Samples: 6, Mean: 100.5, P99: 200,
			Max: 300, Wait: 1e-6, Marks: 7, Overflow: 8, Link: 9, Utilisation: 0.75},
		{Axes: axes, Scheme: "sr", Name: "east[0]", Samples: 6, Mean: 0, P99: 0, Max: 0,
			Wait: math.NaN(), Marks: 0, Overflow: 0, Link: 0, Utilisation: 0},
	}
}

// written is what a table is as text.
func written[T any](t *testing.T, write func(*bytes.Buffer, []T) error, all []T) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, all); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func flowText(t *testing.T, all []result.Flow) string {
	return written(t, func(b *bytes.Buffer, all []result.Flow) error {
		return result.WriteFlows(b, all)
	}, all)
}

func queueText(t *testing.T, all []result.Queue) string {
	return written(t, func(b *bytes.Buffer, all []result.Queue) error {
		return result.WriteQueues(b, all)
	}, all)
}

func TestFlowsAndQueuesHaveTheColumnsOfTheContract(t *testing.T) {
	const flows = "link.loss.p,scheme,flow,from,to,samples,completion_mean_s,completion_mean_lo_s," +
		"completion_mean_hi_s,completion_p50_s,completion_p99_s,completion_p999_s,slowdown_mean," +
		"goodput_bps,retransmits_mean,packets_mean,dropped_mean,lost_mean,marked_mean,fairness," +
		"warnings\n" +
		"0.001,sr,a-b,a,b,6,0.5,0.25,1,0.5,0.75,0.75,2,1e+09,1,100,3,4,5,0.9,p99: few; p99.9: few\n" +
		"0.001,sr,\"c, d\",c,d,0,,,,,,,,,,,,,,,\n"
	const queues = "link.loss.p,scheme,queue,samples,backlog_mean_bytes,backlog_p99_bytes," +
		"backlog_max_bytes,wait_mean_s,marks_mean,drops_overflow_mean,drops_link_mean,utilisation\n" +
		"0.001,sr,border.west,6,100.5,200,300,1e-06,7,8,9,0.75\n" +
		"0.001,sr,east[0],6,0,0,0,,0,0,0,0\n"
	if got := flowText(t, sampleFlows()); got != flows {
		t.Errorf("got\n%s\nwant\n%s", got, flows)
	}
	if got := queueText(t, sampleQueues()); got != queues {
		t.Errorf("got\n%s\nwant\n%s", got, queues)
	}
	readFlows, err := result.ReadFlows(strings.NewReader(flows))
	if err != nil || flowText(t, readFlows) != flows {
		t.Errorf("read %+v, %v", readFlows, err)
	}
	readQueues, err := result.ReadQueues(strings.NewReader(queues))
	if err != nil || queueText(t, readQueues) != queues {
		t.Errorf("read %+v, %v", readQueues, err)
	}
}

func TestErrorsOfQueuesNameThePlace(t *testing.T) {
	const head = "scheme,queue,samples,backlog_mean_bytes,backlog_p99_bytes,backlog_max_bytes," +
		"wait_mean_s,marks_mean,drops_overflow_mean,drops_link_mean,utilisation\n"
	for _, c := range []struct{ text, want string }{
		{"", "queues.csv: the file is empty, its first line must name the columns"},
		{"scheme,queue\n", "queues.csv:1: column scheme: must be followed by "},
		{head + "x,,1,1,1,1,1,1,1,1,1\n", "queues.csv:2: column queue: is empty"},
		{head + "x,q,-1,1,1,1,1,1,1,1,1\n", `queues.csv:2: column samples: "-1" is not a count`},
		{head + "x,q,1,1,1,1,inf,1,1,1,1\n", `queues.csv:2: column wait_mean_s: "inf" is not a number`},
		{head + "x,q,1,1,1,1,1,1,1,1,1\nx,q,1,1,1,1,1,1,1,1,1\n",
			`queues.csv:3: column queue: "q" of this scheme at this point is already in line 2`},
	} {
		_, err := result.ReadQueues(strings.NewReader(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Flows and queues are files of the result: written, read, and gone when a result without them
// replaces it.
func TestResultHoldsItsNetwork(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "network")
	res := bareResult()
	res.Table.Flows, res.Table.Queues = sampleFlows(), sampleQueues()
	out := mustWrite(t, dir, res)
	if strings.Join(out.Files, " ") != "points.csv schema.json flows.csv queues.csv manifest.json "+
		"run.json" {
		t.Errorf("wrote %v", out.Files)
	}
	table, err := ReadTable(dir)
	if err != nil || flowText(t, table.Flows) != flowText(t, sampleFlows()) ||
		queueText(t, table.Queues) != queueText(t, sampleQueues()) {
		t.Errorf("read %+v, %+v, %v", table.Flows, table.Queues, err)
	}
	for _, name := range []string{result.FlowsFile, result.QueuesFile} {
		broken := filepath.Join(dir, name)
		whole, err := os.ReadFile(broken)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(broken, append(whole, '1'), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Redraw(dir, nil); err == nil || !strings.HasPrefix(err.Error(), broken) ||
			!errors.Is(err, files.ErrChanged) {
			t.Errorf("%s that was changed: %v", name, err)
		}
		if err := os.WriteFile(broken, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite(t, dir, bareResult())
	for _, name := range []string{result.FlowsFile, result.QueuesFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s of the former result is still there: %v", name, err)
		}
	}
}
