package experiment

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/schemes/model"
)

// labels are the schemes of the benchmarks, and of the golden table of work.
var labels = []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"}

// workload is a point of the figures: one message on the long link.
type setup struct {
	size    string
	p       string
	options string // further lines of YAML
}

func (w setup) scenario() string {
	return fmt.Sprintf(`
name: bench
link:
  bandwidth: 400Gbps
  rtt: 25ms
  mtu: 4KiB
  encapsulation: none
  loss: {model: iid, per: chunk, p: %s}
  ack_loss: none
message: {size: %s, chunk: 4KiB}
schemes:
  - {name: sr-rto, rto: 3RTT}
  - {name: sr-nack}
  - {name: ec-mds, k: 32, m: 8}
  - {name: ec-xor, k: 32, m: 8}
samples: 1
%s`, w.p, w.size, w.options)
}

// measure replays samples and reports what they cost: events and losses of a sample, and the time
// of a loss where there are many.
func measure(b *testing.B, w setup, label string) {
	p := points(b, w.scenario())[0]
	r := newTestRunner(b, &p, label)
	var s Sample
	b.ReportAllocs()
	events, lost, packets, i := int64(0), int64(0), int64(0), 0
	for b.Loop() {
		if err := r.Sample(i, &s); err != nil {
			b.Fatal(err)
		}
		events, lost, packets, i = events+s.Events, lost+s.Lost, packets+s.Packets, i+1
	}
	per := func(n int64) float64 { return float64(n) / float64(i) }
	b.ReportMetric(per(events), "events/op")
	b.ReportMetric(per(lost), "losses/op")
	ns := float64(b.Elapsed().Nanoseconds())
	if per(lost) >= 100 {
		b.ReportMetric(ns/float64(lost), "ns/loss")
	}
	if p.Engine.MaxRun == 1 {
		b.ReportMetric(ns/float64(packets), "ns/packet")
	}
}

// BenchmarkMessage is the cost of a message by its size and the drop rate, beside a sample of the
// bare model.
func BenchmarkMessage(b *testing.B) {
	for _, size := range []string{"1MiB", "128MiB", "1GiB", "8GiB"} {
		for _, p := range []string{"0", "1e-6", "1e-4", "1e-2", "1e-1"} {
			for _, label := range labels {
				b.Run(fmt.Sprintf("size=%s/p=%s/scheme=%s", size, p, label), func(b *testing.B) {
					measure(b, setup{size: size, p: p}, label)
				})
				b.Run(fmt.Sprintf("size=%s/p=%s/model=%s", size, p, label), func(b *testing.B) {
					point := points(b, setup{size: size, p: p}.scenario())[0]
					draw := bare(&point, label)
					for b.Loop() {
						draw()
					}
				})
			}
		}
	}
}

// BenchmarkTenLosses is the cost of ten lost chunks by the size of the message.
func BenchmarkTenLosses(b *testing.B) {
	for _, w := range []setup{
		{size: "1MiB", p: "0.0390625"}, {size: "16MiB", p: "0.00244140625"},
		{size: "128MiB", p: tenOf128MiB}, {size: "1GiB", p: tenOf1GiB}, {size: "8GiB", p: tenOf8GiB},
	} {
		for _, label := range labels {
			b.Run(fmt.Sprintf("size=%s/scheme=%s", w.size, label), func(b *testing.B) {
				measure(b, w, label)
			})
		}
	}
}

// BenchmarkRealPayload moves real bytes: filled, coded, copied packet by packet, rebuilt and
// compared. The rate is of message bytes.
func BenchmarkRealPayload(b *testing.B) {
	const size = 16 << 20
	for _, p := range []string{"0", "1e-2"} {
		for _, label := range labels {
			b.Run(fmt.Sprintf("p=%s/scheme=%s", p, label), func(b *testing.B) {
				b.SetBytes(size)
				measure(b, setup{size: "16MiB", p: p, options: "payload: real"}, label)
			})
		}
	}
}

// bare draws samples of the same point from the formula of the paper: no packets, no
// acknowledgements, only random numbers. It is the yardstick.
func bare(p *spec.Point, label string) func() {
	s := model.NewSampler(rand.NewPCG(1, 1))
	chunkTime := p.Link.Bandwidth.TransmitTime(p.Message.Chunk)
	sr := model.SR{Link: model.Link{ChunkTime: chunkTime, RTT: p.Link.RTT()},
		Chunks: p.Message.Chunks(), RTO: 3 * p.Link.RTT(), P: p.Link.Loss.P}
	ec := model.EC{Link: sr.Link, Chunks: sr.Chunks, K: 32, M: 8, Code: model.MDS, Beta: 1,
		RTO: sr.RTO, P: sr.P, Ack: model.AckRecoverable}
	switch label {
	case "sr-nack":
		sr.RTO = p.Link.RTT()
	case "ec-xor":
		ec.Code = model.XOR
	}
	if label == "ec-mds" || label == "ec-xor" {
		return func() { s.EC(ec) }
	}
	return func() { s.SR(sr) }
}
