package sweep

import (
	"math"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/scenarios"
)

// workloadRow simulates a point under its only scheme, and says what its workload asks for.
func workloadRow(t *testing.T, text string) (result.Row, *Record) {
	t.Helper()
	s, err := scenarios.Load("t.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.At(0)
	runner, err := experiment.NewRunner(&p, &p.Schemes[0])
	if err != nil {
		t.Fatal(err)
	}
	record := newRecord(&p, &p.Schemes[0])
	record.grow(p.Samples)
	for i := range p.Samples {
		var sample experiment.Sample
		if err := runner.Sample(i, &sample); err != nil {
			t.Fatal(err)
		}
		if err := record.put(i, &sample); err != nil {
			t.Fatal(err)
		}
		record.samples++
	}
	row := result.NewRow(nil, p.Schemes[0].Label)
	addWorkload(&row, record)
	return row, record
}

func TestMessagesInTimeAreCounted(t *testing.T) {
	const link = "name: t\nlink: {bandwidth: 100Gbps, rtt: 10ms, loss: {model: iid, p: 2e-4}}\n" +
		"schemes: [{name: sr-rto, rto: 3RTT}]\nsamples: 200\n"
	for _, message := range []string{
		"{size: 16MiB, deadline: 20ms}", "{size: 16MiB, count: 6, in_flight: 2, deadline: 40ms}",
	} {
		row, record := workloadRow(t, link+"message: "+message)
		met := 0
		for _, d := range record.latency() {
			if d <= record.about.deadline {
				met++
			}
		}
		share := float64(met) / float64(record.samples*record.messages)
		if share < 0.1 || share > 0.9 || math.Abs(row.InTime-share) > 1e-12 {
			t.Errorf("%s: %v in time, want %v", message, row.InTime, share)
		}
		if !(row.InTimeLo < share && share < row.InTimeHi && row.InTimeHi-row.InTimeLo < 0.2) {
			t.Errorf("%s: interval %v to %v of %v", message, row.InTimeLo, row.InTimeHi, share)
		}
		if !math.IsNaN(row.Operations) {
			t.Errorf("%s: %v operations a second, which nobody asks for", message, row.Operations)
		}
	}
	t.Log("# without loss all samples are alike, and one is enough")
	row, _ := workloadRow(t, "name: t\nlink: {bandwidth: 100Gbps, rtt: 10ms, ack_loss: none}\n"+
		"schemes: [sr-rto]\nsamples: 3\nmessage: {size: 1MiB, count: 4, deadline: 25ms}")
	if row.InTime != 0.5 || row.InTimeLo != 0.5 || row.InTimeHi != 0.5 {
		t.Errorf("%v in time, %v to %v, want two of four", row.InTime, row.InTimeLo, row.InTimeHi)
	}
}

func TestOperationsAreCountedOverTheTimeTheyTake(t *testing.T) {
	row, record := workloadRow(t, "name: t\nlink: {bandwidth: 100Gbps, rtt: 1ms, ack_loss: none}\n"+
		"schemes: [sr-nack]\nsamples: 12\nmessage: {count: 300}\n"+
		"workload: {kind: storage, operation: read, size: 4KiB, depth: 4}")
	seconds := 0.0
	for _, d := range record.elapsed[:record.samples] {
		seconds += d.Seconds()
	}
	if want := 12 * 300 / seconds; math.Abs(row.Operations/want-1) > 1e-12 {
		t.Errorf("%v operations a second, want %v", row.Operations, want)
	}
	if row.OperationsLo < 0.97*row.Operations || row.OperationsHi > 1.03*row.Operations ||
		row.OperationsLo >= row.Operations || row.OperationsHi <= row.Operations {
		t.Errorf("%v to %v of %v", row.OperationsLo, row.OperationsHi, row.Operations)
	}
	if want := row.Operations * 14.6e-6; math.Abs(row.HostCores/want-1) > 1e-12 {
		t.Errorf("%v cores, want %v", row.HostCores, want)
	}
}
