package wire

import (
	"fmt"
	"testing"
)

// holes is an Ack with n ranges that are apart by one chunk, gap chunks from one to the next.
func holes(n int, gap int64) *Ack {
	a := &Ack{Message: 1, Cumulative: 1000}
	for i := range int64(n) {
		a.Selective = append(a.Selective, Range{1001 + i*gap, gap - 1})
	}
	return a
}

func BenchmarkAck(b *testing.B) {
	for _, c := range []struct {
		holes int
		gap   int64
	}{{0, 2}, {10, 10000}, {100, 1000}, {2000, 4}, {3000, 10}} {
		a := holes(c.holes, c.gap)
		msg := AppendAck(nil, a, roomy)
		b.Run(fmt.Sprintf("encode/holes=%d", c.holes), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				msg = AppendAck(msg[:0], a, 8192)
			}
		})
		b.Run(fmt.Sprintf("decode/holes=%d", c.holes), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if err := DecodeAck(msg, a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestCodecAllocatesNothing(t *testing.T) {
	for _, a := range []*Ack{holes(0, 2), holes(10, 10000), holes(2000, 4)} {
		msg := AppendAck(nil, a, roomy)
		nack := &Nack{Missing: holes(50, 10).Selective}
		n := testing.AllocsPerRun(10, func() {
			msg = AppendAck(msg[:0], a, roomy)
			if err := DecodeAck(msg, a); err != nil {
				t.Fatal(err)
			}
			msg, _ = AppendNack(msg[:0], nack, 4096)
			if err := DecodeNack(msg, nack); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%v allocations with %d ranges", n, len(a.Selective))
		}
	}
}
