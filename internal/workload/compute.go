package workload

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
)

// stream is a processor of a rank, which does one operation at a time.
type stream struct {
	busy    bool
	waiting ring.Ring[opRef]
}

func (s *stream) reset() {
	s.busy = false
	s.waiting.Reset()
}

// stream is the processor of an operation. Those of low numbers come first, for all ranks.
func (m *Machine) stream(ref opRef, number uint8) *stream {
	i := int(number)*m.cfg.Source.Ranks() + int(m.rank(ref.thread))
	for len(m.streams) <= i {
		m.streams = append(m.streams, stream{})
	}
	return &m.streams[i]
}

// compute begins an operation that takes a processor, or has it wait.
func (m *Machine) compute(now units.Time, ref opRef) {
	op := &m.op(ref).op
	if op.Duration == 0 {
		m.started(now, ref)
		m.computed(now, ref)
		return
	}
	s := m.stream(ref, op.Stream)
	if s.busy {
		s.waiting.Append(ref)
		return
	}
	s.busy = true
	m.occupy(now, ref)
}

// occupy has an operation take its processor.
func (m *Machine) occupy(now units.Time, ref opRef) {
	m.started(now, ref)
	m.schedule(event{at: now.Add(m.op(ref).op.Duration), kind: eventEnd, op: ref})
}

// finish ends an operation that has taken a processor, which takes the next.
func (m *Machine) finish(now units.Time, ref opRef) {
	s := m.stream(ref, m.op(ref).op.Stream)
	m.computed(now, ref)
	next := s.waiting.Head()
	if next == nil {
		s.busy = false
		return
	}
	then := *next
	s.waiting.Pop()
	m.op(then).cause = cause{op: ref, at: now}
	m.occupy(now, then)
}

// computed ends an operation; what a Reduce adds is added.
func (m *Machine) computed(now units.Time, ref opRef) {
	o := m.op(ref)
	id := o.message
	if id != none && m.cfg.Data != nil {
		m.cfg.Data.add(int(m.messages[id].To), o.op.Offset, m.messages[id].Data)
	}
	m.end(now, ref)
	if id != none {
		m.empty(now, id, ref)
	}
}

// Kinds of what a machine waits for.
const (
	eventEnd    = iota // a processor has done an operation
	eventArrive        // a local message
	eventLeft          // the last bit of one
	eventCredit        // a place is empty, at the sender of its connection
)

// event is something that happens at a time; message is that of a connection for a credit.
type event struct {
	at      units.Time
	seq     uint64
	kind    uint8
	message int32
	op      opRef
}

// schedule has something happen. Of what happens at one instant the first that was scheduled comes
// first.
func (m *Machine) schedule(e event) {
	m.sequence++
	e.seq = m.sequence
	m.events.push(e)
}

// heap has events in the order of (time, sequence number); four children to a node.
type heap []event

func (e *event) before(f *event) bool {
	return e.at < f.at || e.at == f.at && e.seq < f.seq
}

func (h *heap) push(e event) {
	*h = append(*h, e)
	s := *h
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&s[up]) {
			break
		}
		s[i], i = s[up], up
	}
	s[i] = e
}

func (h *heap) pop() event {
	s := *h
	first, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for {
		least := 4*i + 1
		if least >= len(s) {
			break
		}
		for c := least + 1; c < min(4*i+5, len(s)); c++ {
			if s[c].before(&s[least]) {
				least = c
			}
		}
		if !s[least].before(&last) {
			break
		}
		s[i], i = s[least], least
	}
	if len(s) > 0 {
		s[i] = last
	}
	return first
}
