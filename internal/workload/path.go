package workload

import "sdrsim/units"

// cause is what an operation has waited for last: the end of another, or its start, at a time.
type cause struct {
	op      opRef
	at      units.Time
	started bool
}

// Ref is an operation of a rank by its thread and its number there.
type Ref struct {
	Place
	Number int64
}

// Cause is why an operation has begun, or a message arrived, when it did: another operation had
// ended by then, or begun, where Started is set.
type Cause struct {
	Ref
	At      units.Time
	Started bool
	// None tells that there is no such operation: it was there from the beginning.
	None bool
}

// Ended is an operation that has ended. Between Cause.At and Began it has waited for a processor, a
// credit or a port that nothing on the path has used.
type Ended struct {
	Ref
	Op    Op
	Began units.Time
	At    units.Time
	Cause Cause
}

// Watcher is told of operations that end, in order of time.
type Watcher interface{ Watch(e Ended) }

// watch tells the watcher of an operation that has ended.
func (m *Machine) watch(now units.Time, ref opRef, o *running) {
	e := Ended{Ref: m.public(ref), Op: o.op, Began: o.began, At: now,
		Cause: Cause{At: o.cause.at, Started: o.cause.started, None: o.cause.op.thread < 0}}
	if !e.Cause.None {
		e.Cause.Ref = m.public(o.cause.op)
	}
	m.cfg.Watcher.Watch(e)
}

// public names an operation for others.
func (m *Machine) public(ref opRef) Ref {
	return Ref{Place{int(ref.thread) / m.each, int(ref.thread) % m.each}, ref.number}
}
