package model_test

import (
	"fmt"

	"sdrsim/schemes/model"
	"sdrsim/units"
)

// 128 MiB over 3750 km at 400 Gbit/s, one chunk in a thousand lost.
func Example() {
	link := model.Link{
		ChunkTime: (400 * units.Gbps).TransmitTime(4 * units.KiB),
		RTT:       25 * units.Millisecond,
	}
	sr := model.SR{Link: link, Chunks: 32768, RTO: 75 * units.Millisecond, P: 1e-3}
	ec := model.EC{
		Link: link, Chunks: 32768, K: 32, M: 8, Code: model.MDS, Beta: 1, RTO: sr.RTO, P: 1e-3,
	}
	fmt.Printf("SR   %.2f ms, %s\n", sr.Mean().Seconds*1e3, sr.Mean().Validity)
	fmt.Printf("p99  %.2f ms\n", sr.Quantile(0.99).Seconds*1e3)
	fmt.Printf("EC   %.2f ms\n", ec.Mean().Seconds*1e3)
	// Output:
	// SR   104.98 ms, exact
	// p99  176.86 ms
	// EC   28.36 ms
}
