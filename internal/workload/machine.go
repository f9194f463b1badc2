package workload

import (
	"fmt"

	"sdrsim/internal/ring"
	"sdrsim/units"
)

// Carrier carries messages between ranks that are not in one datacenter.
type Carrier interface {
	// Carries reports whether it has messages from one rank to another; all others are local.
	Carries(from, to int) bool
	// Post hands over a message. The machine is told of its delivery and of its acknowledgement
	// later, at another instant.
	Post(now units.Time, m *Message)
	// ControlDelay is how long a credit takes from the receiver of messages to their sender.
	ControlDelay(from, to int) units.Duration
}

// Hop is what lies between two ranks: a message of n bytes takes
//
//	alpha + n beta
//
// once its port is free, and keeps that busy for n beta.
type Hop struct {
	Alpha units.Duration
	Rate  units.Rate // 1/beta; 0: messages take no time but alpha
	// Port is the number of the port, from 0, which messages of all hops that name it share in turn;
	// Any: one that each connection from this rank to the other has for itself.
	Port int
	// Each packet of MTU bytes of a message has an Overhead; an MTU of 0: there are no packets.
	MTU, Overhead units.Bytes
}

// busy is how long a message keeps a port busy.
func (h *Hop) busy(bytes units.Bytes) units.Duration {
	if h.Rate == 0 {
		return 0
	}
	if h.MTU == 0 {
		return h.Rate.TransmitTime(bytes)
	}
	whole, rest := bytes/h.MTU, bytes%h.MTU
	took := units.Duration(whole) * h.Rate.TransmitTime(h.MTU+h.Overhead)
	if rest > 0 {
		took += h.Rate.TransmitTime(rest + h.Overhead)
	}
	return took
}

// Config is what a machine runs.
type Config struct {
	Source Source
	// Hop is that from one rank to another, asked for once for a connection.
	Hop func(from, to int) Hop
	// Carrier has the messages that are not local; nil: all are.
	Carrier Carrier
	// Credits are how many messages of a connection may be under way before the receiver has emptied
	// the place of the first; 0: any number.
	Credits int
	// Data has the bytes of the ranks; nil: only sizes count.
	Data *Data
	// Watcher is told of operations that end; nil: nobody is.
	Watcher Watcher
}

// Message is what a send has posted.
type Message struct {
	// ID names the message as long as it is under way.
	ID       int32
	From, To int32
	Tag      int32
	Channel  int32
	Bytes    units.Bytes
	// Data are its bytes as they were when it was posted; nil: only its size counts.
	Data []byte

	sender    opRef
	conn      int32
	postedAt  units.Time
	number    int64 // of its sender, receiver and tag
	came      bool  // it was delivered, perhaps before others of its connection
	delivered bool
	open      int8 // who still has to do with it: its receiver, and its acknowledgement
}

// opRef is an operation: its thread, and its number there.
type opRef struct {
	thread int32
	number int64
}

var noOp = opRef{thread: -1}

// Machine runs the operations of a source. Begin comes first; Expire is then due at Next, and
// Delivered and Acknowledged when the carrier has done so with a message. What is handed in at one
// instant may come in any order only where it is sorted before: operations that become ready at one
// instant begin in the order in which they have.
type Machine struct {
	cfg     Config
	threads []thread // by rank and number
	each    int      // threads of a rank
	streams []stream // by rank and number, as far as they are used
	boxes   []box    // by rank
	// orders count the messages of a sender, a receiver and a tag; wild has messages taken in the
	// order in which they come, as some receives take messages of any of these.
	orders map[orderKey]*order
	wild   bool
	ports  map[int]*units.Time
	conns  []connection
	connOf map[connKey]int32

	events   heap
	sequence uint64
	ready    ring.Ring[opRef]
	edges    []edge
	edgeFree int32
	messages []Message
	vacant   []int32
	block    Block

	open           int // threads that have operations left
	done           int64
	ended, settled units.Time
	busy           bool // begins operations that are ready
}

// NewMachine builds a machine.
func NewMachine(cfg Config) *Machine {
	n, each := cfg.Source.Ranks(), cfg.Source.Threads()
	return &Machine{cfg: cfg, each: each, threads: make([]thread, n*each), boxes: make([]box, n),
		ports: map[int]*units.Time{}, connOf: map[connKey]int32{}, orders: map[orderKey]*order{},
		wild: isWild(cfg.Source)}
}

// Begin starts all over at an instant.
func (m *Machine) Begin(now units.Time) {
	m.reset()
	for i := range m.threads {
		m.pull(now, int32(i))
	}
	m.run(now)
}

func (m *Machine) reset() {
	for i := range m.threads {
		m.threads[i].reset()
	}
	for i := range m.streams {
		m.streams[i].reset()
	}
	for i := range m.boxes {
		m.boxes[i].reset()
	}
	for _, o := range m.orders {
		*o = order{}
	}
	for i := range m.conns {
		*m.conns[i].port = 0
		m.conns[i].reset(m.cfg.Credits)
	}
	m.events = m.events[:0]
	m.sequence = 0
	m.ready.Reset()
	m.edges, m.edgeFree = m.edges[:0], 0
	m.messages, m.vacant = m.messages[:0], m.vacant[:0]
	m.open, m.done, m.ended, m.settled = len(m.threads), 0, 0, 0
	if m.cfg.Data != nil {
		m.cfg.Data.begin()
	}
}

// Done reports whether every operation has ended.
func (m *Machine) Done() bool { return m.open == 0 }

// Ended is when the last operation has ended, of those that have, and Settled when the last of
// those that are no sends.
func (m *Machine) Ended() units.Time { return m.ended }

// Settled is Ended of operations that are no sends.
func (m *Machine) Settled() units.Time { return m.settled }

// Count is how many operations have ended.
func (m *Machine) Count() int64 { return m.done }

// Next is when Expire is due, units.Never where it is not.
func (m *Machine) Next() units.Time {
	if len(m.events) == 0 {
		return units.Never
	}
	return m.events[0].at
}

// Expire does what is due at now. Calling it early is harmless.
func (m *Machine) Expire(now units.Time) {
	for len(m.events) > 0 && m.events[0].at <= now {
		e := m.events.pop()
		switch e.kind {
		case eventEnd:
			m.finish(now, e.op)
		case eventArrive:
			m.arrive(now, e.message)
		case eventCredit:
			m.grant(now, e.message)
		case eventLeft:
			m.end(now, e.op)
		}
		m.run(now)
	}
}

// Delivered reports the delivery of a message by the carrier, with the bytes received; nil where
// only sizes count.
func (m *Machine) Delivered(now units.Time, id int32, data []byte) {
	if data != nil {
		copy(m.messages[id].Data, data)
	}
	if m.wild {
		m.inOrder(now, id)
	} else {
		m.arrive(now, id)
	}
	m.run(now)
}

// Acknowledged reports that the sender of a message knows of its delivery.
func (m *Machine) Acknowledged(now units.Time, id int32) {
	msg := &m.messages[id]
	sender := msg.sender
	m.release(id)
	if t := &m.threads[sender.thread]; sender.number >= t.ops.First() &&
		t.ops.At(sender.number).state != stateEnded {
		m.end(now, sender)
	}
	m.run(now)
}

// run begins everything that is ready.
func (m *Machine) run(now units.Time) {
	if m.busy {
		return
	}
	m.busy = true
	for r := m.ready.Head(); r != nil; r = m.ready.Head() {
		ref := *r
		m.ready.Pop()
		m.begin(now, ref)
	}
	m.busy = false
}

// begin begins an operation whose dependencies are met.
func (m *Machine) begin(now units.Time, ref opRef) {
	o := m.op(ref)
	switch o.op.Kind {
	case Send:
		m.send(now, ref)
	case Receive:
		m.started(now, ref)
		m.listen(now, ref)
	case Compute, Reduce:
		m.compute(now, ref)
	case Wait:
		m.started(now, ref)
		m.end(now, ref)
	default:
		panic(fmt.Sprintf("BUG: workload: an operation of kind %d", o.op.Kind))
	}
}

// op is the state of an operation that has not ended.
func (m *Machine) op(ref opRef) *running { return m.threads[ref.thread].ops.At(ref.number) }

// rank is the rank of a thread.
func (m *Machine) rank(thread int32) int32 { return thread / int32(m.each) }

// State describes what has not ended, for a run that is stuck.
func (m *Machine) State() string {
	for i := range m.threads {
		t := &m.threads[i]
		for n := t.ops.First(); n < t.ops.Next(); n++ {
			if o := t.ops.At(n); o.state != stateEnded {
				return fmt.Sprintf("%d operations have ended; operation %d of rank %d, thread %d, %s",
					m.done, n, i/m.each, i%m.each, o.describe())
			}
		}
	}
	return fmt.Sprintf("all %d operations have ended", m.done)
}

// Run runs a source alone, all hops being local, and returns when it has ended.
func Run(cfg Config) (units.Time, error) {
	m := NewMachine(cfg)
	m.Begin(0)
	for at := m.Next(); at != units.Never; at = m.Next() {
		m.Expire(at)
	}
	if !m.Done() {
		return 0, fmt.Errorf("workload: nothing is left to happen: %s", m.State())
	}
	return m.Ended(), nil
}
