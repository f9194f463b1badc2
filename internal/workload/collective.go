package workload

import (
	"fmt"
	"math/bits"
	"slices"

	"sdrsim/units"
)

// Kinds of collectives.
const (
	AllReduce     = "all-reduce"
	ReduceScatter = "reduce-scatter"
	AllGather     = "all-gather"
	Broadcast     = "broadcast"
	ReduceTo      = "reduce" // to one rank
	AllToAll      = "all-to-all"
	PointToPoint  = "point-to-point"
)

// Algorithms of collectives.
const (
	Ring             = "ring"
	DoubleTree       = "double-tree"
	HalvingDoubling  = "halving-doubling"
	Hierarchical     = "hierarchical"
	HierarchicalTree = "hierarchical-tree"
	Chain            = "chain"
	Binomial         = "binomial"
	Direct           = "direct"
	Pairwise         = "pairwise"
)

// algorithms are those of each kind, the first being the one that it has by itself.
var algorithms = map[string][]string{
	AllReduce:     {Ring, DoubleTree, HalvingDoubling, Hierarchical, HierarchicalTree},
	ReduceScatter: {Ring},
	AllGather:     {Ring},
	Broadcast:     {Chain, Binomial},
	ReduceTo:      {Chain, Binomial},
	AllToAll:      {Direct, Pairwise},
	PointToPoint:  {Direct},
}

// Kinds are the kinds of collectives.
func Kinds() []string {
	return []string{AllReduce, ReduceScatter, AllGather, Broadcast, ReduceTo, AllToAll, PointToPoint}
}

// Algorithms are those of a kind; the first is what it has where none is named.
func Algorithms(kind string) []string { return algorithms[kind] }

// Collective is an operation of all ranks, each with a buffer of Size bytes.
type Collective struct {
	Kind, Algorithm string
	Ranks           int
	// Datacenters have equally many of the ranks, which follow each other; of hierarchical ones.
	Datacenters int
	// Root has the buffer of a broadcast, and gets that of a reduce.
	Root int
	Size units.Bytes
	// Channels divide the buffer; each is worked on by itself, over connections of its own.
	Channels int
	// Chunk is what is sent at a time, and sent on when it is there; 0: all that a rank has for
	// another.
	Chunk units.Bytes
	// Protocol says how a GPU does it, in place of Chunk; the zero value: none does.
	Protocol Protocol
	// Rate is how fast buffers are added up; 0: in no time.
	Rate units.Rate
}

// Validate reports a collective that there is not.
func (c *Collective) Validate() error {
	switch {
	case !slices.Contains(algorithms[c.Kind], c.Algorithm):
		return fmt.Errorf("workload: no %s is called %q", c.Kind, c.Algorithm)
	case c.Ranks < 2 || c.Channels < 1 || c.Size < 1:
		return fmt.Errorf("workload: a %s of %d ranks, %d channels, %d bytes", c.Kind, c.Ranks,
			c.Channels, c.Size)
	case c.Hierarchical() && (c.Datacenters < 1 || c.Ranks%c.Datacenters != 0):
		return fmt.Errorf("workload: %d ranks in %d datacenters", c.Ranks, c.Datacenters)
	case c.Kind == PointToPoint && c.Ranks%2 != 0:
		return fmt.Errorf("workload: %d ranks send to each other", c.Ranks)
	case c.Root < 0 || c.Root >= c.Ranks:
		return fmt.Errorf("workload: rank %d of %d is the root", c.Root, c.Ranks)
	}
	return nil
}

// Hierarchical reports whether the ranks of a datacenter have a stage of their own.
func (c *Collective) Hierarchical() bool {
	return c.Algorithm == Hierarchical || c.Algorithm == HierarchicalTree
}

// SlottedAlgorithms are those that GPUs move through slots.
func SlottedAlgorithms() []string { return []string{Ring, DoubleTree, Chain, Direct} }

// Slotted reports whether GPUs move the collective through slots.
func (c *Collective) Slotted() bool {
	return slices.Contains(SlottedAlgorithms(), c.Algorithm) && c.Kind != AllToAll
}

// Largest is a size that no message exceeds, near that of the largest.
func (c *Collective) Largest() units.Bytes {
	part := units.CeilDiv(c.Size, units.Bytes(c.Channels)) // of a channel
	switch {
	case c.Kind == AllToAll || c.Algorithm == Ring:
		part = units.CeilDiv(part, units.Bytes(c.Ranks))
	case c.Algorithm == DoubleTree || c.Algorithm == HalvingDoubling && c.Ranks&(c.Ranks-1) == 0:
		part = units.CeilDiv(part, 2)
	case c.Algorithm == Hierarchical && c.Ranks > c.Datacenters:
		part = units.CeilDiv(part, units.Bytes(c.Ranks/c.Datacenters))
	}
	if c.Protocol.Slot > 0 {
		slice := c.Protocol.Slot
		if c.Algorithm == Ring {
			slice = c.Protocol.slice(c.Protocol.Slot * units.Bytes(c.Protocol.Slots))
		}
		part = min(part, slice)
		return part + c.Protocol.extra(part)
	}
	if c.Chunk > 0 {
		part = min(part, c.Chunk)
	}
	return part
}

// Connections is how many connections there are between datacenters at most.
func (c *Collective) Connections() int {
	n := c.Ranks * c.Channels
	switch {
	case c.Kind == AllToAll:
		n *= c.Ranks - 1
	case c.Algorithm == DoubleTree:
		n *= 4
	case c.Algorithm == HalvingDoubling || c.Algorithm == Binomial:
		n *= bits.Len(uint(c.Ranks - 1))
	case c.Algorithm == Ring || c.Algorithm == Chain:
		n = c.Datacenters * c.Channels
	case c.Algorithm == HierarchicalTree:
		n *= 2
	}
	return n
}

// Source is the operations of a collective that is valid. It is not for several at a time.
func (c *Collective) Source() Source {
	p := plan{size: c.Size, channels: c.Channels}
	s := &steps{ranks: c.Ranks, slice: whole, rate: c.Rate}
	chunk := c.Size
	if c.Chunk > 0 {
		chunk = c.Chunk
	}
	if of := &c.Protocol; of.Slot > 0 {
		s.sequential, s.extra, chunk = true, of.extra, of.Slot
		if c.Algorithm == Ring {
			p.round = of.Slot * units.Bytes(of.Slots*c.Ranks)
			s.slice = of.slice
		}
	} else if c.Chunk > 0 && !c.chunked() {
		s.slice = func(units.Bytes) units.Bytes { return c.Chunk }
	}
	s.schedule = c.schedule(p, chunk)
	if c.Algorithm == DoubleTree {
		s.lane = laneOf
	}
	return s
}

// whole is the slice of a region that has one.
func whole(bytes units.Bytes) units.Bytes { return bytes }

// chunked reports whether chunks are steps of the schedule, and not slices of one.
func (c *Collective) chunked() bool {
	return c.Algorithm == DoubleTree || c.Algorithm == Chain || c.Kind == PointToPoint
}

// schedule is that of an algorithm.
func (c *Collective) schedule(p plan, chunk units.Bytes) schedule {
	switch c.Algorithm {
	case Ring:
		return &cycle{n: c.Ranks, scatter: c.Kind != AllGather, gather: c.Kind != ReduceScatter,
			plan: p}
	case DoubleTree:
		return &doubleTree{n: c.Ranks, chunk: chunk, plan: p}
	case HalvingDoubling:
		return &halving{n: c.Ranks, plan: p}
	case Hierarchical, HierarchicalTree:
		return &hierarchy{datacenters: c.Datacenters, each: c.Ranks / c.Datacenters,
			tree: c.Algorithm == HierarchicalTree, plan: p}
	case Chain, Binomial:
		return &broadcast{n: c.Ranks, root: c.Root, reduce: c.Kind == ReduceTo,
			binomial: c.Algorithm == Binomial, chunk: chunk, plan: p}
	}
	if c.Kind == PointToPoint {
		return &transfer{n: c.Ranks, chunk: chunk, plan: p}
	}
	return &exchange{n: c.Ranks, plan: p, paced: c.Algorithm == Pairwise}
}

// Protocol is how a GPU moves data through slots of a buffer at the receiver, which grants them.
//
//	buffer of 8 slots; a chunk has Slots of them, cut into slices of a message each
//
// NVIDIA/nccl, enqueue.cc, device.h.
type Protocol struct {
	// Slot is how many bytes of the buffer of a rank one has.
	Slot units.Bytes
	// Slots are those of a chunk of a ring, and Slices how many messages that is.
	Slots, Slices int
	// Carried of Sent bytes of a message are of the buffer; the others are flags.
	Carried, Sent int64
}

// slotsOfBuffer is how many slots a channel has.
const slotsOfBuffer = 8

// Credits are the messages of a connection that may be under way, where messages have slots.
func (c *Collective) Credits() int {
	switch {
	case c.Protocol.Slot == 0:
		return 0
	case c.Algorithm == Ring:
		return slotsOfBuffer / (c.Protocol.Slots / c.Protocol.Slices)
	}
	return slotsOfBuffer
}

// slice is the size of the slices of a chunk, whatever it has.
func (p *Protocol) slice(bytes units.Bytes) units.Bytes {
	return units.CeilDiv(bytes, units.Bytes(p.Slices))
}

// extra is what is sent beside so many bytes.
func (p *Protocol) extra(bytes units.Bytes) units.Bytes {
	return units.CeilDiv(bytes*units.Bytes(p.Sent), units.Bytes(p.Carried)) - bytes
}

// Names of protocols.
const (
	Simple = "simple"
	LL     = "ll"
	LL128  = "ll128"
)

// ProtocolNamed is a protocol for a kind of collective by its name.
func ProtocolNamed(name, kind string) (p Protocol, ok bool) {
	switch name {
	case Simple:
		p = Protocol{Slot: 512 * units.KiB, Slots: 4, Slices: 2, Carried: 1, Sent: 1}
		if kind == PointToPoint {
			p.Slot = 128 * units.KiB
		}
	case LL:
		p = Protocol{Slot: 32 * units.KiB, Slots: 1, Slices: 1, Carried: 1, Sent: 2}
	case LL128:
		p = Protocol{Slot: 4915200 / slotsOfBuffer * 15 / 16, Slots: 1, Slices: 1, Carried: 15, Sent: 16}
	default:
		return p, false
	}
	return p, true
}
