package training

import (
	"sdrsim/internal/workload"
	"sdrsim/units"
)

// DataParallel is a step whose gradients are exchanged between datacenters, each of which has all
// layers and a part of the tokens.
type DataParallel struct {
	Step    Step
	Buckets []Bucket
	// Every is after how many steps an exchange follows. With one step it is overlapped with the
	// backward pass, bucket by bucket; with more it follows the last of them, and is of parameters in
	// place of gradients.
	Every int
	// InFlight is how many buckets are exchanged at a time, each over connections of its own.
	InFlight int
}

// Compute is how long all steps of a round take without a network.
func (d *DataParallel) Compute() units.Duration {
	return units.Duration(d.Every) * d.Step.Compute()
}

// Graph is what the datacenters of an exchange do; exchange makes that of a bucket. Buckets go in
// order, and the first of those that wait is next.
func (d *DataParallel) Graph(exchange func(units.Bytes) workload.Source) *workload.Graph {
	var g *workload.Graph
	var computed []int // of every rank: what it has computed last
	var ends [][]int   // of every bucket: its exchange, for every rank
	base := units.Duration(d.Every-1) * d.Step.Compute()
	at := base // of the computing
	for i, b := range d.Buckets {
		source := exchange(b.Bytes)
		ranks := source.Ranks()
		if g == nil {
			g = workload.NewGraph(ranks)
			computed = make([]int, ranks)
			for r := range computed {
				computed[r] = workload.Any
			}
		}
		ready := base + d.Step.Forward() + b.Ready
		if d.Every > 1 {
			ready = d.Compute()
		}
		after := make([]int, ranks)
		for r := range after {
			if took := ready - at; took > 0 || i == 0 {
				op := workload.Op{Kind: workload.Compute, Duration: took}
				if i == 0 {
					op.Duration = ready
				}
				computed[r] = add(g, r, op, computed[r])
			}
			after[r] = computed[r]
			if i >= d.InFlight {
				after[r] = add(g, r, workload.Op{Kind: workload.Wait}, computed[r],
					ends[i-d.InFlight][r])
			}
		}
		at = ready
		ends = append(ends, g.Append(workload.Part{Source: source, After: after,
			Tag: int32(i) * tagsOfExchange, Channel: int32(i % d.InFlight)}))
	}
	return g
}

// tagsOfExchange is more than the tags that an exchange uses.
const tagsOfExchange = 1 << 16

// add appends an operation to a rank, after others or workload.Any.
func add(g *workload.Graph, rank int, op workload.Op, requires ...int) int {
	n := g.Add(rank, op)
	for _, on := range requires {
		if on != workload.Any {
			g.Require(rank, n, on)
		}
	}
	return n
}

// Graph is what the two datacenters of a pipeline do: rank 0 has the stages before the long way,
// rank 1 those behind it. Every stage is a processor of its own; what a microbatch leaves behind
// passes to the next stage at once within a datacenter, and is a message of so many bytes between
// them.
func (p *Pipeline) Graph(bytes units.Bytes) *workload.Graph {
	g := workload.NewGraph(2)
	// forward and backward are the operations of each stage, by microbatch.
	forward, backward := p.table(), p.table()
	for s := range p.Stages {
		last := workload.Any
		for _, w := range p.Order(s) {
			op := workload.Op{Kind: workload.Compute, Stream: uint8(s), Duration: p.Forward}
			to := forward
			if w.Backward {
				op.Duration, to = p.Backward, backward
			}
			last = add(g, p.rank(s), op, last)
			to[s][w.Microbatch] = last
		}
	}
	for s := range p.Stages {
		for m := range p.Microbatches {
			if s > 0 {
				p.pass(g, passing{from: s - 1, to: s, sent: forward[s-1][m], needs: forward[s][m],
					tag: int32(m), bytes: bytes})
			}
			if s < p.Stages-1 {
				p.pass(g, passing{from: s + 1, to: s, sent: backward[s+1][m], needs: backward[s][m],
					tag: int32(p.Microbatches + m), bytes: bytes})
			}
		}
	}
	return g
}

func (p *Pipeline) table() [][]int {
	list := make([][]int, p.Stages)
	for s := range list {
		list[s] = make([]int, p.Microbatches)
	}
	return list
}

// rank is the datacenter of a stage.
func (p *Pipeline) rank(stage int) int {
	if p.Hop > 0 && stage >= p.Hop {
		return 1
	}
	return 0
}

// passing is what a microbatch leaves behind on its way from one stage to another.
type passing struct {
	from, to    int // stages
	sent, needs int // operations of their ranks
	tag         int32
	bytes       units.Bytes
}

// pass has an operation of a stage require one of another.
func (p *Pipeline) pass(g *workload.Graph, w passing) {
	from, to := p.rank(w.from), p.rank(w.to)
	if from == to {
		g.Require(to, w.needs, w.sent)
		return
	}
	message := workload.Op{Kind: workload.Send, Peer: int32(to), Tag: w.tag, Bytes: w.bytes}
	g.Add(from, message, w.sent)
	message.Kind, message.Peer = workload.Receive, int32(from)
	g.Require(to, w.needs, g.Add(to, message))
}
