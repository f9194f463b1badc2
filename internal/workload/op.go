package workload

import "sdrsim/units"

// Kind is what an operation does.
type Kind uint8

// Kinds of operations.
const (
	Send    Kind = iota // a message to Peer
	Receive             // a message from Peer
	Compute             // Duration on Stream
	Reduce              // Duration on Stream, to add what was received to what is there
	Wait                // nothing: it ends when what it requires has
)

// Any is the Peer or the Tag of a receive that takes messages of every rank or tag.
const Any = -1

// Op is an operation of a rank.
type Op struct {
	Kind Kind
	// Eager is of a send that has ended, for what requires it, as soon as it is posted. Any other has
	// when its last bit has left, or, over a connection, when it is acknowledged.
	Eager bool
	// Staged is of a receive that is no result yet: a Reduce that requires it adds it at Offset.
	Staged bool
	// Stream is the processor that a Compute or a Reduce takes, one at a time.
	Stream uint8
	// Peer is the other rank, Tag what else has to agree between send and receive. Messages of equal
	// sender, receiver and tag are received in the order in which they were sent.
	Peer, Tag int32
	// Channel is the number of the connection to Peer that a send takes.
	Channel int32
	// Bytes is the size of a message, and Offset where it lies in the buffer of the rank, but for
	// Extra bytes that are sent beside.
	Bytes, Offset, Extra units.Bytes
	// Duration is how long a Compute or a Reduce takes.
	Duration units.Duration
}

// Dep is a dependency within a thread: operation Op begins when operation On has ended, or has
// begun where Started is set. Operations are numbered in the order in which a thread has them, from
// 0.
type Dep struct {
	Op, On  int64
	Started bool
}

// Block is some operations of a thread that follow each other, with what they depend on.
type Block struct {
	// First is the number of the first of Ops in its thread.
	First int64
	Ops   []Op
	// Deps are those of Ops, in any order. What they depend on is in this block or before it.
	Deps []Dep
}

// Begin empties the block, for operations from number first on. It keeps the memory.
func (b *Block) Begin(first int64) {
	b.First, b.Ops, b.Deps = first, b.Ops[:0], b.Deps[:0]
}

// Add appends an operation and returns its number in the thread.
func (b *Block) Add(op Op) int64 {
	b.Ops = append(b.Ops, op)
	return b.First + int64(len(b.Ops)) - 1
}

// Require has op begin when another has ended.
func (b *Block) Require(op, on int64) { b.Deps = append(b.Deps, Dep{Op: op, On: on}) }

// RequireStart has op begin when another has begun.
func (b *Block) RequireStart(op, on int64) {
	b.Deps = append(b.Deps, Dep{Op: op, On: on, Started: true})
}

// Place is a thread of a rank.
type Place struct{ Rank, Thread int }

// Source has the operations of ranks, thread by thread and block by block.
type Source interface {
	// Ranks is how many there are, Threads how many each of them has.
	Ranks() int
	Threads() int
	// Block adds the operations of block k of a thread to b, which was begun with the number that
	// comes next. It reports whether there is such a block; a block may be empty. What it adds depends
	// on nothing but the place and the number, so that it can be asked for again.
	//
	// An operation may require others of its block, in any order, and of blocks before. Nothing of a
	// block may begin before an operation of the block before has begun.
	Block(at Place, k int, b *Block) bool
}
