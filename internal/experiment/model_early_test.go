package experiment

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sdrsim/schemes/model"
	"sdrsim/units"
)

// earlyPoint is a point under erasure coding and its form, that of a receiver that speaks as soon
// as everything can be recovered.
type earlyPoint struct {
	setting
	code    model.Code
	order   model.Order
	k, m    int64
	packets int64          // of a chunk, where packets are lost one by one
	last    units.Duration // of a short last chunk
}

func (c earlyPoint) scheme() string {
	return fmt.Sprintf("ec-%s, k: %d, m: %d, rto: 3RTT, order: %s", c.code, c.k, c.m, c.order)
}

func (c earlyPoint) model(t *testing.T, chunks int64) model.EC {
	e := model.EC{Link: model.Link{ChunkTime: chunkTime, RTT: paperRTT}, Chunks: chunks, K: c.k,
		M: c.m, Code: c.code, Order: c.order, Beta: 1, RTO: 3 * paperRTT, P: number(t, c.p),
		Ack: model.AckRecoverable, FirstPacket: chunkTime, Last: c.last}
	if c.packets > 1 {
		e.Packets, e.ChunkTime = c.packets, units.Duration(c.packets)*chunkTime
	}
	if c.last > 0 {
		e.LastPackets = int64(c.last / chunkTime)
	}
	return e
}

// earlyPoints are points that fall back often enough to be seen, or never.
func earlyPoints() (list []earlyPoint) {
	add := func(size, p string, code model.Code, k, m int64) {
		for _, order := range []model.Order{model.OrderParityLast, model.OrderInterleaved} {
			list = append(list, earlyPoint{setting: setting{size: size, p: p}, code: code, order: order,
				k: k, m: m})
		}
	}
	add("128MiB", "1e-5", model.MDS, 32, 8)
	add("128MiB", "1e-3", model.MDS, 32, 8)
	add("128MiB", "5e-2", model.MDS, 32, 8)
	add("16MiB", "1e-2", model.MDS, 16, 2)
	add("1000KiB", "1e-1", model.MDS, 8, 2) // the last submessage has two chunks
	add("128MiB", "1e-3", model.XOR, 32, 8)
	add("16MiB", "1e-3", model.XOR, 32, 8)
	add("1MiB", "1e-2", model.XOR, 30, 8) // groups of three and of four
	add("4KiB", "0.2", model.XOR, 4, 2)
	for _, c := range []earlyPoint{
		{setting: setting{size: "16MiB", p: "1e-3"}, code: model.MDS, k: 8, m: 2},
		{setting: setting{size: "16MiB", p: "1e-3"}, code: model.XOR, k: 8, m: 2},
		{setting: setting{size: "12KiB", p: "0.03"}, code: model.XOR, k: 8, m: 2, last: 3 * chunkTime},
	} {
		c.order, c.packets, c.unit, c.chunk = model.OrderParityLast, 16, "packet", "64KiB"
		list = append(list, c)
	}
	return list
}

// Completions of erasure coding are distributed as the closed form of its receiver says, and have
// its mean, whether or not they fall back. The form leaves out what control messages take, and that
// a first packet that is lost delays the timeout; packets that are missing of a chunk may come
// before the end of its repeat.
func TestErasureCodingHasTheDistributionOfTheClosedForm(t *testing.T) {
	for i, c := range earlyPoints() {
		c.setting.scheme, c.seed = c.scheme(), 300+i
		n := samples(400)
		o := c.observe(t, n)
		m := c.model(t, o.chunks)
		want := m.Mean()
		if want.Validity != model.Exact {
			t.Fatalf("%v: the closed form is %v", c.setting, want)
		}
		slack := 2*m.ChunkTime + 3*control
		off := o.mean - want.Seconds
		slices.Sort(o.completions)
		distance := 0.0
		for i, x := range o.completions {
			at := units.Duration(math.Round(x * float64(units.Second)))
			below, above := float64(i)/float64(n), float64(i+1)/float64(n)
			distance = max(distance, below-m.CDF(at+slack), m.CDF(at-slack)-above)
		}
		t.Logf("%v: %.6f ms, closed form %.6f, off by %.6f of %.6f allowed, distance %.3f, fallback %.3f",
			c.setting, o.mean*1e3, want.Seconds*1e3, off*1e3, sigmas*o.err*1e3, distance,
			float64(len(o.those(true)))/float64(n))
		if math.Abs(off) > sigmas*o.err+slack.Seconds() {
			t.Errorf("%v: mean %.6f ms, closed form %v", c.setting, o.mean*1e3, want)
		}
		if distance > 2/math.Sqrt(float64(n)) {
			t.Errorf("%v: distance %.3f from the distribution of the closed form", c.setting, distance)
		}
	}
}
