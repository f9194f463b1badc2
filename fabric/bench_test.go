package fabric

import (
	"fmt"
	"testing"

	"sdrsim/units"
)

// BenchmarkPacketHop is what a packet costs at a queue, by flows and hops, at a load of 90 %. Flows
// come from ports of their own, in runs, and share every queue.
func BenchmarkPacketHop(b *testing.B) {
	const rate, size = units.Rate(400e9), units.Bytes(4096)
	for _, hops := range []int{1, 3} {
		for _, flows := range []int{1, 2, 8, 64} {
			for _, single := range []bool{false, true} {
				if single && hops > 1 {
					continue
				}
				name := fmt.Sprintf("hops=%d/flows=%d/single=%v", hops, flows, single)
				b.Run(name, func(b *testing.B) {
					spacing := units.Duration(float64(rate.TransmitTime(size)) * float64(flows) / 0.9)
					var queues []*Queue
					feeds := make([]*feed, flows)
					all := make([]*Flow, flows)
					for f := range feeds {
						feeds[f], all[f] = &feed{}, &Flow{}
					}
					for h := range hops {
						q := NewQueue(QueueConfig{Rate: rate, Buffer: 64 << 20, Single: single})
						var shared *Input
						if h > 0 {
							shared = q.Input(queues[h-1], units.Millisecond)
						}
						for f := range feeds {
							in := shared
							if h == 0 {
								in = q.Input(feeds[f], units.Microsecond)
							}
							all[f].Route = append(all[f].Route, in)
						}
						queues = append(queues, q)
					}
					for _, flow := range all {
						flow.Route = append(flow.Route, &discard{})
					}
					for _, q := range queues {
						q.Reset(nil)
					}
					last := queues[hops-1]
					const run = 1000
					b.ReportAllocs()
					b.ResetTimer()
					sent := int64(0)
					for at := units.Time(0); sent < int64(b.N); {
						for f, s := range feeds {
							s.pieces, s.next = append(s.pieces[:0], Piece{At: at.Add(spacing + units.Duration(f)),
								Spacing: spacing, First: sent, Count: run, Size: size, Flow: all[f]}), 0
						}
						sent += run
						at = at.Add(run * spacing)
						last.Pull(at.Add(spacing))
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/
						float64(sent*int64(flows)*int64(hops)), "ns/packet-hop")
				})
			}
		}
	}
}
