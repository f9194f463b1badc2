package experiment

import "testing"

// Message ids wrap many times while acknowledgements are lost: a receive is not posted under the id
// of a message whose sender may still ask whether it has arrived.
func TestReusedMessageIDsKeepTheirReceivers(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 400Gbps, rtt: 1ms, loss: {model: iid, p: 1e-3},
  ack_loss: {model: iid, p: 0.2}}
message: {size: 16KiB, chunk: 4KiB, count: 3000, in_flight: 60}
sdr: {imm: 8+20+4, recv_depth: 120}
payload: real
schemes: [sr-rto, sr-nack, {name: ec-mds, k: 4, m: 2}]
samples: 1
`)[0]
	for _, s := range p.Schemes {
		var out Sample
		if err := newTestRunner(t, &p, s.Label).Sample(0, &out); err != nil {
			t.Fatal(err)
		}
		if out.Failed != 0 || len(out.Completion) != 3000 {
			t.Errorf("%s: %d of 3000 delivered, %d failed: %s", s.Label, len(out.Completion),
				out.Failed, out.Failure)
		}
	}
}
