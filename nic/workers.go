package nic

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
	"sdrsim/wire"
)

// Workers is the cost of handling completions. Packets of a message go round-robin over channels;
// channel c is served by worker c mod Count, in order of arrival. A worker spends PerPacket on a
// packet and, on the packet that completes a chunk, PerChunk more to write the chunk's bit.
// arXiv:2505.05366 §3.3, §5.4. With both costs zero completions are free, and runs stay whole;
// otherwise packets are handled one by one.
type Workers struct {
	Count     int
	Channels  int
	PerPacket units.Duration
	PerChunk  units.Duration
}

// workers are the queues of completions that wait.
type workers struct {
	cfg  Workers
	each []worker
}

// worker serves one completion at a time, in order.
type worker struct {
	waiting ring.Ring[completion]
	until   units.Time // the stage of the first one ends; Never: idle
	chunk   bool       // the first one is in its second stage, writing the chunk bit
}

type completion struct {
	run    wire.Run
	arrive units.Time
}

func (w *workers) init(cfg Workers) {
	w.cfg = cfg
	if cfg.PerPacket == 0 && cfg.PerChunk == 0 {
		return
	}
	if cfg.Count <= 0 || cfg.Channels <= 0 {
		panic("BUG: nic: workers that cost time need a count and channels")
	}
	w.each = make([]worker, cfg.Count)
	w.reset()
}

func (w *workers) reset() {
	for i := range w.each {
		k := &w.each[i]
		k.waiting.Reset()
		k.until, k.chunk = units.Never, false
	}
}

// active tells whether completions cost time.
func (w *workers) active() bool { return len(w.each) > 0 }

// enqueue hands a packet to the worker of its channel.
func (w *workers) enqueue(run wire.Run, arrive units.Time) {
	channel := run.First % int64(w.cfg.Channels)
	k := &w.each[channel%int64(len(w.each))]
	k.waiting.Append(completion{run: run, arrive: arrive})
	if k.until == units.Never {
		k.until = arrive.Add(w.cfg.PerPacket)
	}
}

// next is when a worker ends a stage.
func (w *workers) next() units.Time {
	at := units.Never
	for i := range w.each {
		at = min(at, w.each[i].until)
	}
	return at
}

// drain ends the stages that are over by now, in order of time, lower workers first.
func (w *workers) drain(n *NIC, now units.Time) {
	for {
		var k *worker
		for i := range w.each {
			if e := &w.each[i]; e.until <= now && (k == nil || e.until < k.until) {
				k = e
			}
		}
		if k == nil {
			return
		}
		w.finish(n, k)
	}
}

// finish ends the stage of a worker: the packet becomes visible, unless the bit of its chunk is to
// be written first.
func (w *workers) finish(n *NIC, k *worker) {
	c := k.waiting.Head()
	if !k.chunk && w.cfg.PerChunk > 0 && n.completesChunk(&c.run) {
		k.chunk = true
		k.until = k.until.Add(w.cfg.PerChunk)
		return
	}
	at := k.until
	run := c.run
	k.chunk = false
	k.waiting.Pop()
	k.until = units.Never
	if c := k.waiting.Head(); c != nil {
		k.until = max(at, c.arrive).Add(w.cfg.PerPacket)
	}
	n.deliver(&run, at)
}

// completesChunk tells whether a packet is the last one missing of its chunk.
func (n *NIC) completesChunk(run *wire.Run) bool {
	a := n.qp.Preview(run)
	if a.Recv == nil || a.Discarded || a.Recv.PacketBitmap().Test(run.First) {
		return false
	}
	first, count := a.Recv.ChunkPacketRange(a.Recv.ChunkOf(run.First))
	return a.Recv.PacketBitmap().CountRange(first, count) == count-1
}
