package report

import "testing"

// readQuantity returns the value and the closed form of a quantity for one row.
func readQuantity(t *testing.T, fig Figure, r Row) datum {
	t.Helper()
	m, err := fig.measure()
	if err != nil {
		t.Fatal(err)
	}
	var d datum
	d.read(&selection{}, m, &r)
	return d
}

// TestPacketRateIsOverTheTimeOfTheThroughput has 1000 packets of 1000 B in 2 ms.
func TestPacketRateIsOverTheTimeOfTheThroughput(t *testing.T) {
	r := NewRow(nil, "sr")
	r.PacketsMean, r.WireBytesMean, r.Throughput = 1000, 1e6, 4e9
	d := readQuantity(t, Figure{Kind: KindLine, Y: "packet_rate", Stat: StatMean}, r)
	if d.est.Value != 5e5 {
		t.Errorf("%v packets a second, want 500 000", d.est.Value)
	}
	if got := packetRate.text(d.est.Value, 3); got != "500 k packets/s" {
		t.Errorf("prints %q", got)
	}
}

// TestSlowdownHasTheClosedFormOverTheSameLosslessTime takes 20 ms as lossless.
func TestSlowdownHasTheClosedFormOverTheSameLosslessTime(t *testing.T) {
	r := NewRow(nil, "sr")
	r.CompletionMean, r.SlowdownMean, r.ModelCompletionMean = 0.05, 2.5, 0.06
	d := readQuantity(t, Figure{Kind: KindLine, Y: "slowdown", Stat: StatMean}, r)
	if d.est.Value != 2.5 || d.model != 3 {
		t.Errorf("slowdown %v with a closed form of %v, want 2.5 and 3", d.est.Value, d.model)
	}
}
