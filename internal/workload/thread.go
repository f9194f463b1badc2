package workload

import (
	"fmt"

	"sdrsim/internal/ring"
	"sdrsim/units"
)

// thread is the operations of a thread that are in memory: from the oldest that has not ended to
// the last of the newest block.
type thread struct {
	ops ring.Ring[running]
	// block is the number of the next block, newest the first operation of the last one.
	block  int
	newest int64
	over   bool // there are no more blocks
	closed bool // and all operations have ended
}

// running is an operation in memory.
type running struct {
	op    Op
	state state
	// missing are the dependencies that are not met, waiting the first edge to those that wait for it.
	missing int32
	waiting int32
	// adds is the Reduce that adds what a Receive has staged, and message what that is.
	adds    int64
	message int32
	// For a watcher: when it has begun, and why not before.
	began units.Time
	cause cause
}

// state is how far an operation is.
type state uint8

const (
	stateWaiting state = iota // for others
	stateReady                // for a processor, a credit or its turn
	stateStarted
	stateEnded
)

// edge is an operation that waits for another, in a list of such.
type edge struct {
	next    int32 // 0: the last
	started bool  // it waits for the start
	number  int64 // of the one that waits, in the same thread
}

// none is where no operation and no message is.
const none = -1

func (t *thread) reset() {
	t.ops.Reset()
	t.block, t.newest, t.over, t.closed = 0, 0, false, false
}

// describe says what an operation waits for.
func (o *running) describe() string {
	name := [...]string{"send", "receive", "compute", "reduce", "wait"}[o.op.Kind]
	if o.op.Kind == Send || o.op.Kind == Receive {
		name += fmt.Sprintf(" of %d bytes, peer %d, tag %d,", o.op.Bytes, o.op.Peer, o.op.Tag)
	}
	if o.state == stateWaiting {
		return fmt.Sprintf("%s waits for %d others", name, o.missing)
	}
	return name + " has not ended"
}

// pull has the next block of a thread in memory, and those that follow as long as they are empty.
func (m *Machine) pull(now units.Time, at int32) {
	t := &m.threads[at]
	b := &m.block
	place := Place{Rank: int(m.rank(at)), Thread: int(at) % m.each}
	for b.Begin(t.ops.Next()); len(b.Ops) == 0; t.block++ {
		if t.over = t.over || !m.cfg.Source.Block(place, t.block, b); t.over {
			m.close(t)
			return
		}
	}
	t.newest = b.First
	for i := range b.Ops {
		*t.ops.Push() = running{op: b.Ops[i], adds: none, message: none}
	}
	for _, d := range b.Deps {
		m.depend(t, d)
	}
	for i := range b.Ops {
		if n := b.First + int64(i); t.ops.At(n).missing == 0 {
			m.isReady(opRef{at, n}, cause{op: noOp, at: now})
		}
	}
}

// depend has one operation wait for another, unless that has happened already.
func (m *Machine) depend(t *thread, d Dep) {
	o := t.ops.At(d.Op)
	if d.On < t.ops.First() {
		return
	}
	on := t.ops.At(d.On)
	if o.op.Kind == Reduce && on.op.Kind == Receive && on.op.Staged {
		on.adds = d.Op
	}
	if on.state == stateEnded || d.Started && on.state == stateStarted {
		return
	}
	o.missing++
	on.waiting = m.edge(edge{next: on.waiting, started: d.Started, number: d.Op})
}

// edge keeps an edge and returns its number, which is not 0.
func (m *Machine) edge(e edge) int32 {
	if len(m.edges) == 0 {
		m.edges = append(m.edges, edge{}) // number 0 is none
	}
	if i := m.edgeFree; i != 0 {
		m.edgeFree = m.edges[i].next
		m.edges[i] = e
		return i
	}
	m.edges = append(m.edges, e)
	return int32(len(m.edges) - 1)
}

// isReady notes that an operation can begin, and what it has waited for last.
func (m *Machine) isReady(ref opRef, why cause) {
	o := m.op(ref)
	o.state, o.cause = stateReady, why
	m.ready.Append(ref)
}

// started notes that an operation has begun, and has those begin that wait for that.
func (m *Machine) started(now units.Time, ref opRef) {
	o := m.op(ref)
	o.state, o.began = stateStarted, now
	m.notify(ref, o, cause{op: ref, at: now, started: true})
	if ref.number >= m.threads[ref.thread].newest {
		m.pull(now, ref.thread)
	}
}

// notify has those go on that wait for an operation: all, or those that wait for its start.
func (m *Machine) notify(ref opRef, o *running, why cause) {
	first := int32(0) // of those that go on waiting, in reverse
	inOrder := int32(0)
	for e := o.waiting; e != 0; { // the last that was added is the first; turn them round
		next := m.edges[e].next
		if why.started && !m.edges[e].started {
			m.edges[e].next, first = first, e
		} else {
			m.edges[e].next, inOrder = inOrder, e
		}
		e = next
	}
	o.waiting = 0
	for e := first; e != 0; {
		next := m.edges[e].next
		m.edges[e].next, o.waiting = o.waiting, e
		e = next
	}
	t := &m.threads[ref.thread]
	for e := inOrder; e != 0; {
		next, number := m.edges[e].next, m.edges[e].number
		m.edges[e].next, m.edgeFree = m.edgeFree, e
		w := t.ops.At(number)
		if w.missing--; w.missing == 0 {
			m.isReady(opRef{ref.thread, number}, why)
		}
		e = next
	}
}

// end notes that an operation has ended.
func (m *Machine) end(now units.Time, ref opRef) {
	t := &m.threads[ref.thread]
	o := t.ops.At(ref.number)
	o.state = stateEnded
	m.done++
	m.ended = now
	if o.op.Kind != Send {
		m.settled = now
	}
	if m.cfg.Watcher != nil {
		m.watch(now, ref, o)
	}
	m.notify(ref, o, cause{op: ref, at: now})
	for h := t.ops.Head(); h != nil && h.state == stateEnded; h = t.ops.Head() {
		t.ops.Pop()
	}
	m.close(t)
}

// close notes that a thread has ended, where it has.
func (m *Machine) close(t *thread) {
	if t.over && !t.closed && t.ops.Len() == 0 {
		t.closed = true
		m.open--
	}
}
