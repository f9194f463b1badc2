package spec

import (
	"sdrsim/internal/workload"
	"sdrsim/units"
)

// Workload is what ranks do together, in place of messages of Message.Size; without ranks there is
// none. Its messages go over the link of the point where they lead from one datacenter to another.
type Workload struct {
	// Ranks are dealt to Datacenters, which have equally many of them, as far as that goes, one after
	// the other.
	Ranks, Datacenters int
	// Collective is the operation of all ranks; nil: Graph is what they do.
	Collective *workload.Collective
	Graph      *workload.Graph
	// Local is the latency of a message between ranks of a datacenter, and its rate.
	Local Local
	// Own has each connection send at the rate of the link, or of Local; otherwise those that leave a
	// datacenter share its uplink, and those of a rank inside of one its port.
	Own bool
	// Largest is the size of the largest message, Least that of the smallest.
	Largest, Least units.Bytes
}

// Local is what lies between two ranks of a datacenter.
type Local struct {
	Delay     units.Duration
	Bandwidth units.Rate
}

// Place is the datacenter of a rank.
func (w *Workload) Place(rank int) int {
	return int(int64(rank) * int64(w.Datacenters) / int64(w.Ranks))
}

// Source has the operations of the ranks. It is not for several at a time.
func (w *Workload) Source() workload.Source {
	if w.Collective != nil {
		return w.Collective.Source()
	}
	return w.Graph
}

// Credits are the messages of a connection for which there is a place at its receiver; 0: there is
// always one.
func (w *Workload) Credits() int {
	if w.Collective != nil {
		return w.Collective.Credits()
	}
	return 0
}

// Bytes are what the workload is about: the buffer of a rank, or all messages of a graph.
func (w *Workload) Bytes() units.Bytes {
	if w.Collective != nil {
		return w.Collective.Size
	}
	return w.Graph.Bytes()
}
