package sr

import (
	"testing"

	"pgregory.net/rapid"

	"sdrsim/sdr"
)

// Completes says what taking the packets one by one would show.
func TestCompletesIsTheLastPacketThatWasMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		packets := rapid.Int64Range(1, 150).Draw(t, "packets")
		perChunk := rapid.SampledFrom([]int64{1, 3}).Draw(t, "packets a chunk")
		h := newHost(discard{}, testConfig(), packets, perChunk)
		a := sdr.Arrival{First: rapid.Int64Range(0, packets-1).Draw(t, "first")}
		a.Count = rapid.Int64Range(1, packets-a.First).Draw(t, "count")
		outside := rapid.Bool().Draw(t, "something else is missing")
		for p := range packets {
			inside := p >= a.First && p < a.First+a.Count
			if inside && rapid.Bool().Draw(t, "missing") || !inside && outside && p%7 == 0 {
				continue
			}
			run := h.sender.handle.Run(p, 1)
			h.recv.Deliver(&run)
		}
		got, ok := Completes(h.receiver.handle, a)
		if h.receiver.handle.Missing() == 0 {
			return // nothing to complete
		}
		want := int64(0)
		for i := int64(0); i < a.Count && h.receiver.handle.Missing() > 0; i++ {
			run := h.sender.handle.Run(a.First+i, 1)
			h.recv.Deliver(&run)
			want = i + 1
		}
		if whole := h.receiver.handle.Missing() == 0; ok != whole || ok && got != want {
			t.Fatalf("completes with packet %d, %v; want %d, %v", got, ok, want, whole)
		}
	})
}
