package experiment

import (
	"container/heap"
	"testing"

	"sdrsim/internal/ring"
	"sdrsim/sim"
	"sdrsim/units"
)

// What a simulator of single packets cannot do without: a departure and an arrival of each packet,
// in the order of time. There is no protocol in these loops, no loss and no acknowledgement; they
// are the floor under every simulator that handles packets one by one.

// The packets of the floor: 128 MiB on the long link, of which everything is in flight at a time.
const (
	floorPackets = 32768
	floorSpacing = 81920 * units.Picosecond // 4 KiB at 400 Gbit/s
	floorDelay   = 12500 * units.Microsecond
)

// floorEvent is a departure or an arrival.
type floorEvent struct {
	at     units.Time
	packet int32
	arrive bool
}

// reportPacket adds the time of a packet to a benchmark of messages.
func reportPacket(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n)/floorPackets, "ns/packet")
}

// BenchmarkFloorTwoQueues has a queue for each kind of event, as all packets take the same time.
func BenchmarkFloorTwoQueues(b *testing.B) {
	var flying ring.Ring[floorEvent]
	n := 0
	for b.Loop() {
		departure, sent, arrived := units.Time(0), int32(0), int32(0)
		for arrived < floorPackets {
			if sent < floorPackets && (flying.Len() == 0 || departure < flying.Head().at) {
				flying.Append(floorEvent{at: departure.Add(floorDelay), packet: sent, arrive: true})
				departure, sent = departure.Add(floorSpacing), sent+1
				continue
			}
			if flying.Head().packet != arrived {
				b.Fatal("out of order")
			}
			flying.Pop()
			arrived++
		}
		n++
	}
	reportPacket(b, n)
}

// floorHeap orders events by time.
type floorHeap []floorEvent

func (h floorHeap) Len() int           { return len(h) }
func (h floorHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h floorHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *floorHeap) Push(x any)        { *h = append(*h, x.(floorEvent)) }
func (h *floorHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// BenchmarkFloorContainerHeap has one heap of the standard library for all events.
func BenchmarkFloorContainerHeap(b *testing.B) {
	var h floorHeap
	n := 0
	for b.Loop() {
		arrived := int32(0)
		heap.Push(&h, floorEvent{})
		for len(h) > 0 {
			e := heap.Pop(&h).(floorEvent)
			if e.arrive {
				arrived++
				continue
			}
			heap.Push(&h, floorEvent{at: e.at.Add(floorDelay), packet: e.packet, arrive: true})
			if e.packet+1 < floorPackets {
				heap.Push(&h, floorEvent{at: e.at.Add(floorSpacing), packet: e.packet + 1})
			}
		}
		if arrived != floorPackets {
			b.Fatalf("%d packets arrived", arrived)
		}
		n++
	}
	reportPacket(b, n)
}

// floorWorld is the same on the engine of the simulator, an event for each departure and arrival.
type floorWorld struct {
	engine        *sim.Engine
	sent, arrived int
	arrival       floorArrival
}

type floorArrival struct{ *floorWorld }

func (a floorArrival) Fire(units.Time) { a.arrived++ }

func (w *floorWorld) Fire(units.Time) {
	w.engine.After(floorDelay, w.arrival)
	if w.sent++; w.sent < floorPackets {
		w.engine.After(floorSpacing, w)
	}
}

// BenchmarkFloorEngine has them in the engine of the simulator, one by one.
func BenchmarkFloorEngine(b *testing.B) {
	w := &floorWorld{engine: sim.New()}
	w.arrival = floorArrival{w}
	n := 0
	for b.Loop() {
		w.engine.Reset()
		w.sent, w.arrived = 0, 0
		w.engine.After(0, w)
		w.engine.Run()
		if w.arrived != floorPackets {
			b.Fatalf("%d packets arrived", w.arrived)
		}
		n++
	}
	reportPacket(b, n)
}
