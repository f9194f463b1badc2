package nic

import (
	"sdrsim/internal/ring"
	"sdrsim/link"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// Config describes a NIC.
type Config struct {
	// SinglePackets says that links carry runs of one packet only; each is then reported to its
	// receiver by itself.
	SinglePackets bool
	Workers       Workers
}

// Application is told what happens to the messages of a NIC. It may attach senders and receivers
// from within the calls.
type Application interface {
	// SenderDone tells that a message has ended: c.Err says how.
	SenderDone(now units.Time, c Completion)
	// ReceiverDone tells that a message was delivered.
	ReceiverDone(now units.Time, d schemes.Delivery)
}

// Completion is the end of a message at its sender.
type Completion struct {
	schemes.Outcome
	// Sender is its sender, which may be at work on others.
	Sender schemes.Sender
}

// NIC hosts endpoints between a port and an inbox.
type NIC struct {
	engine *sim.Engine
	timer  sim.Timer
	cfg    Config
	app    Application
	qp     *sdr.QP
	out    *link.Port // nil for a NIC that only receives and never answers
	in     *link.Inbox

	// senders holds those under way, vacant the slots that hold none. What is asked of all of them is
	// kept apart, so that an answer costs the same however many they are.
	senders  []senderSlot
	vacant   []int32
	slots    ring.Ring[int32] // by serial, from the oldest under way on; none where it is not
	timeouts agenda           // of the senders that have one
	urgent   agenda           // senders with a repeat to send, the oldest first
	busy     agenda           // senders that are not idle, the oldest first
	touched  []entry          // senders that are, in order of attachment once they are reaped

	// connection is the slot of the sender of a connection, none where each message has its own;
	// shared says that one receiver has all messages.
	connection int32
	shared     bool

	receivers []receiverSlot // by tag
	followers followers
	deadlines agenda  // of the receivers that have one, by tag
	expired   []entry // scratch of what is due
	// recent is the receive of what has arrived last; its receiver may be patient, unless it was
	// asked since its deadline has changed.
	recent  *sdr.RecvHandle
	patient bool
	control queue   // control messages that wait for the link
	egress  *Egress // the wire where it is shared; nil: the port is the NIC's own
	member  int     // its number there
	waits   [2]bool // in which lines of it
	said    int64   // control messages handed in

	first  current  // work of first transmissions under way or cut
	repeat current  // work of repeats under way
	wire   *current // which of them is on the wire; nil: neither
	awake  bool     // inside Fire
	stats  Stats
	pool   workers
}

// none is where no sender is.
const none = -1

// A slot is one line of the cache: where many messages are in flight, it is not in it.
type senderSlot struct {
	ep      schemes.RunSender
	single  *schemes.SingleSender // stands for senders that handle no runs; kept for the next
	clock   clock
	started units.Time // Never before the first packet
	// deadline is when the sender wants to be called, as far as it was asked.
	deadline units.Time
	serial   uint32
	// touched tells that something was handed to the sender, so that what follows is to be asked for
	// again.
	touched bool
	urgent  bool
	// idle tells that the sender had nothing to send, and will not have before it is touched.
	idle bool
	is   senderKind
	_    [8]byte
}

// senderKind is what else a sender is.
type senderKind uint8

const (
	isRecaller senderKind = 1 << iota
	isConnection
)

type receiverSlot struct {
	ep       schemes.RunReceiver
	single   *schemes.SingleReceiver // stands for receivers that handle no runs
	clock    clock
	deadline units.Time
	number   int64 // in the order of attachment
	reported bool  // ReceiverDone was called
	// connection tells that it is a schemes.ConnectionReceiver.
	connection bool
	_          [8]byte
}

// current is work that a sender has handed out: its packets next..next+left-1 are to be sent.
type current struct {
	ep   schemes.RunSender
	slot int32 // of the sender
	// single tells that the sender handles no runs.
	single bool
	work   sdr.Work
	next   int64
	left   int64
	run    wire.Run // of them, as far as one run goes; Count 0: not made yet
}

// New builds a NIC. Connect must follow before the engine runs.
func New(engine *sim.Engine, cfg Config) *NIC {
	n := &NIC{engine: engine, cfg: cfg, connection: none}
	n.timer.Init(engine, (*alarm)(n))
	n.pool.init(cfg.Workers)
	return n
}

// Connect joins the NIC to its port and its inbox, its queue pair and its application.
func (n *NIC) Connect(qp *sdr.QP, out *link.Port, in *link.Inbox, app Application) {
	n.qp, n.out, n.in, n.app = qp, out, in, app
	in.SetSink(n)
	if !n.cfg.SinglePackets && !n.pool.active() {
		in.IgnorePassive()
	}
}

// Reset forgets all endpoints and everything under way. The engine must have been reset.
func (n *NIC) Reset() {
	n.senders, n.vacant = n.senders[:0], n.vacant[:0]
	n.slots.Reset()
	for _, a := range []*agenda{&n.timeouts, &n.urgent, &n.busy, &n.deadlines} {
		a.reset()
	}
	n.touched, n.receivers = n.touched[:0], n.receivers[:0]
	n.followers.reset()
	n.control.reset()
	n.first, n.repeat, n.wire = current{}, current{}, nil
	n.recent, n.patient = nil, false
	n.connection, n.shared = none, false
	n.awake, n.stats, n.waits = false, Stats{}, [2]bool{}
	n.pool.reset()
}

// Stats is what a NIC counts.
type Stats struct {
	Spurious  int64 // chunks that arrived in a repeat though they were complete
	Malformed int64 // control messages that could not be understood
}

// Stats returns what the NIC has counted.
func (n *NIC) Stats() Stats { return n.stats }

// AddReceiver hosts a receiver under its tag, in place of the one that had it. That of a connection
// is hosted once, whatever the tags of its receives.
func (n *NIC) AddReceiver(tag int64, ep schemes.Receiver) {
	if c, ok := ep.(schemes.ConnectionReceiver); ok {
		if tag = 0; n.shared && n.receivers[0].ep == c {
			n.listenTo(0)
			return
		}
		n.shared = true
	}
	for int64(len(n.receivers)) <= tag {
		n.receivers = grow(n.receivers)
		r := &n.receivers[len(n.receivers)-1]
		*r = receiverSlot{single: r.single, deadline: units.Never}
	}
	n.receivers[tag].host(ep)
	n.followers.attach(tag, &n.receivers[tag])
	n.listenTo(tag)
}

// listenTo asks a receiver to which something was posted when it wants to be called.
func (n *NIC) listenTo(tag int64) {
	at := deadline(n.receivers[tag].ep)
	n.setDeadline(tag, at)
	if !n.awake && at < n.timer.At() {
		n.timer.Reset(at)
	}
}

// renew asks a receiver anew when it wants to be called.
func (n *NIC) renew(tag int64, r *receiverSlot) {
	if at := deadline(r.ep); at != r.deadline {
		n.patient = n.recent != nil
		n.setDeadline(tag, at)
	}
}

// setDeadline notes when a receiver wants to be called.
func (n *NIC) setDeadline(tag int64, at units.Time) {
	n.receivers[tag].deadline = at
	if at == units.Never {
		n.deadlines.remove(int32(tag))
		return
	}
	n.deadlines.set(entry{at: at, order: uint32(tag), id: int32(tag)})
}

// Send sends a control message as soon as the link is free; it goes ahead of data. One that has not
// begun to go is replaced by a later one that says as much. It returns when the message will have
// left, as things stand.
func (n *NIC) Send(msg []byte) units.Time {
	n.said++
	now := n.engine.Now()
	took := n.out.ControlTime(msg)
	if n.egress != nil {
		if !n.awake {
			n.timer.Reset(now)
		}
		return now.Add(n.control.add(msg, took)) // what others transmit before is not known
	}
	if n.awake && n.control.len() == 0 && n.out.FreeAt() <= now {
		n.wire = nil
		n.out.SendControl(now, msg)
		return now.Add(took)
	}
	return max(now, n.out.FreeAt()).Add(n.control.add(msg, took))
}

// Fire wakes the NIC, which asks all its senders anew. Waking it early or twice is harmless.
func (n *NIC) Fire(now units.Time) {
	for id := range n.senders {
		if n.senders[id].ep != nil {
			n.touch(int32(id))
		}
	}
	n.arm(n.turn(now))
}

// turn does what is due, and returns when there is something to do again; Never where there is not.
func (n *NIC) turn(now units.Time) units.Time {
	n.awake = true
	n.settle(now)
	n.expire(now)
	n.reap(now)
	n.pump(now)
	at := n.next(now)
	n.awake = false
	return at
}

// arm sets the timer. One that is set already keeps its place among the events of its instant.
func (n *NIC) arm(at units.Time) {
	if at != n.timer.At() {
		n.timer.Reset(at)
	}
}

// ArrivalsChanged is called by the inbox, where something may arrive before the NIC looks.
func (n *NIC) ArrivalsChanged() {
	if n.awake {
		return
	}
	n.awake = true
	now := n.engine.Now()
	if at := max(now, n.nextArrival(now)); at < n.timer.At() {
		n.timer.Reset(at)
	}
	n.awake = false
}

// deadline is the next timeout of an endpoint, Never where it has none.
func deadline(ep schemes.Endpoint) units.Time {
	if at, ok := ep.NextTimeout(); ok {
		return at
	}
	return units.Never
}

// expire lets every endpoint do what is due, in order of attachment and of tag.
func (n *NIC) expire(now units.Time) {
	n.expireSenders(now)
	n.expireReceivers(now)
}

func (n *NIC) expireReceivers(now units.Time) {
	n.expired = n.deadlines.due(now, n.expired[:0])
	for _, e := range n.expired {
		tag := int64(e.id)
		if r := &n.receivers[tag]; r.deadline <= now {
			r.clock.advance(now)
			r.ep.HandleTimeout(now)
			n.renew(tag, r)
			n.report(now, tag)
		}
	}
}

// report tells the application once that a message was delivered.
func (n *NIC) report(now units.Time, tag int64) {
	r := &n.receivers[tag]
	switch {
	case r.reported || !r.ep.Done():
	case r.connection:
		r.delivered(now, n.app)
	default:
		r.reported = true
		at, _ := r.ep.DeliveredAt()
		n.app.ReceiverDone(now, schemes.Delivery{Tag: tag, At: at})
	}
}

// next is the next instant at which there is something to do, Never where there is none.
func (n *NIC) next(now units.Time) units.Time {
	n.ask()
	at := n.nextArrival(now)
	if n.egress != nil {
		return max(now, min(at, n.timeouts.first(), n.deadlines.first()))
	}
	if free := n.out.FreeAt(); now < free && n.ready(free) {
		at = min(at, free)
	}
	return max(now, min(at, n.timeouts.first(), n.deadlines.first()))
}
