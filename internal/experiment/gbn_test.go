package experiment

import (
	"fmt"
	"math"
	"testing"
)

// Go-Back-N sends W packets again for each loss, those of the round trip until it goes back, so
// that (1-p) / (1 + (W-1) p) of them are of use.
func TestGoBackNHasTheGoodputOfItsFormula(t *testing.T) {
	const packets, samples = 1 << 18, 24
	for _, p := range []float64{1e-6, 1e-5, 1e-4, 1e-3} {
		point := points(t, fmt.Sprintf(`
name: gbn
link: {bandwidth: 100Gbps, rtt: 1ms, encapsulation: none, loss: {model: iid, p: %g}, ack_loss: none}
message: {size: 1GiB, chunk: 4KiB}
schemes: [{name: rc, rto: 2RTT, retry_cnt: 50}]
samples: 1
`, p))[0]
		r := newTestRunner(t, &point, "rc")
		packet := r.hops[0].pair.path.PacketTime.Seconds()
		rtt := point.Link.RTT().Seconds()
		// The NAK follows the packet after the lost one, and the packet under way is not cut.
		window := rtt/packet + 2
		sum, squares := 0.0, 0.0
		for i := range samples {
			var s Sample
			if err := r.Sample(i, &s); err != nil || s.Failed > 0 {
				t.Fatal(err, s.Failure)
			}
			// A packet that is lost again waits for the timer.
			x := (s.Completion[0].Seconds() - rtt) / packet
			sum, squares = sum+x, squares+x*x
		}
		mean := sum / samples
		deviation := math.Sqrt(max(0, squares/samples-mean*mean) / (samples - 1))
		useful := (1 - p) / (1 + (window-1)*p)
		// Of the losses a share p is of a packet that was sent again: two round trips, not one.
		again := packets * p * p * window
		if want := packets/useful + again; math.Abs(mean-want) > 4*deviation+2 {
			t.Errorf("p %g: %.0f packet times, want %.0f, deviation %.0f", p, mean, want, deviation)
		}
	}
}
