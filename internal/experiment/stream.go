package experiment

import (
	"errors"
	"fmt"

	"sdrsim/internal/ring"
	"sdrsim/internal/spec"
	"sdrsim/nic"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/sdr"
	"sdrsim/sim"
	"sdrsim/units"
)

// stream is the workload: messages from A to B, some of them in flight at a time, with receives
// posted ahead. One message is a stream of one.
type stream struct {
	pair    *pair
	message spec.Message
	cfg     spec.Point
	payload payload
	traffic traffic
	submit  submission
	feed    *feed     // of a workload that posts messages one by one; else nil
	arrive  sim.Timer // at the next message to be posted

	senders   []senderSlot
	receivers []receiverSlot
	factory   catalog.Factory
	most      slots // of both
	// sendConn and recvConn are the endpoints of all slots where they live as long as the connection;
	// else nil.
	sendConn schemes.ConnectionSender
	recvConn schemes.ConnectionReceiver
	sendFree []int // free slots of senders; the last is taken first
	recvFree []int
	// sending and receiving are the slots of messages under way, by message; idle where one has none.
	sending, receiving ring.Ring[int]

	next   int // message to be sent next
	posted int // receives posted
	ended  int // messages acknowledged or given up
	done   int // messages acknowledged
	// failure says why the connection is broken; empty while it is whole. lost are the slots of the
	// receivers whose messages were given up.
	failure string
	lost    []int

	// idWindow is how many messages there are ids for.
	idWindow int
	// reposts holds the receives that wait for the application to post them again, due counts those
	// that only wait for an id. On credits are the clear-to-send messages on their way.
	reposts ring.Ring[units.Time]
	due     int
	repost  sim.Timer
	credits sim.Lane
	// closing holds the messages that ended at this instant.
	closing ring.Ring[int]
	close   sim.Timer
	// closed are the messages whose senders have told that they are done; it takes the delay
	// of the link. It is used where there is one generation of message ids.
	closed sim.Lane
	// gone are the messages of which nothing is under way any more, in order, where packets may
	// overtake each other: nothing of an old message may meet the next of its id and generation.
	gone ring.Ring[bool]
	// longest is how long a full packet is under way at most, first bit to arrival.
	longest units.Duration

	// released is how many messages may be sent: those that the application has posted. A collective
	// holds back those of later rounds.
	released     int
	onDelivery   func(now units.Time, message int) // may be nil
	onCompletion func(now units.Time, message int) // may be nil

	run     *progress // of all streams of the experiment
	sample  *Sample
	records records
	number  int // of the streams: the records of the first are those that the sample begins with
	err     error

	// start is when the application posts its messages, unless they arrive by a model of their own.
	start units.Time
	// mixed tells that other streams of the experiment have messages of other sizes.
	mixed bool
	// own is what this stream counts of the sample.
	own FlowSample
}

// progress is how far the streams of an experiment are, in one place, so that asking does not cost
// more where there are many.
type progress struct {
	open   int  // messages that have not ended
	broken bool // a message was given up, or something is wrong
}

// A slot holds an endpoint and the message that it is at work on; idle where it has none.
const idle = -1

// slots are how many endpoints there are.
type slots struct{ senders, receivers int }

type senderSlot struct {
	ep      schemes.Sender
	message int
}

type receiverSlot struct {
	ep          schemes.Receiver
	message     int
	delivered   bool
	deliveredAt units.Time
}

func newStream(t *pair, p *spec.Point, f catalog.Factory) (*stream, error) {
	w := &stream{pair: t, message: p.Message, cfg: *p, released: p.Message.Count}
	w.traffic.message = p.Message
	w.submit.init(w)
	w.arrive.Init(t.engine, fire(w.fireArrivals))
	w.repost.Init(t.engine, fire(w.fireReposts))
	w.credits.Init(t.engine, (*creditor)(w))
	w.close.Init(t.engine, fire(w.fireClose))
	w.closed.Init(t.engine, (*janitor)(w))
	slowest := p.Link.Bandwidth
	for _, c := range p.Link.Changes {
		slowest = min(slowest, c.Bandwidth)
	}
	w.longest = slowest.TransmitTime(p.Link.MTU+p.Link.Overhead) + t.there.MostDelay()
	// A receiver lingers until its sender is done, so those in flight come on top of those posted.
	depth, closing := min(p.SDR.RecvDepth, p.Message.Count), p.Message.InFlight
	if p.SDR.Generations == 1 {
		closing *= 2 // and those whose senders have not yet told
	}
	w.factory, w.most = f, slots{p.Message.InFlight, depth + closing}
	first := w.most
	if p.Workload.Ranks > 0 {
		w.feed, first = &feed{}, slots{1, 1} // others come as they are needed
	}
	if err := w.addEndpoints(first); err != nil {
		return nil, err
	}
	return w, w.payload.register(t, p, w.most.senders, w.most.receivers)
}

// addEndpoints makes endpoints until there are so many.
func (w *stream) addEndpoints(upTo slots) error {
	for len(w.senders) < upTo.senders {
		if w.sendConn != nil {
			w.senders = append(w.senders, senderSlot{ep: w.sendConn, message: idle})
			continue
		}
		ep, err := w.factory.NewSender()
		if err != nil {
			return err
		}
		w.sendConn, _ = ep.(schemes.ConnectionSender)
		w.senders = append(w.senders, senderSlot{ep: ep, message: idle})
	}
	for len(w.receivers) < upTo.receivers {
		if w.recvConn != nil {
			w.receivers = append(w.receivers, receiverSlot{ep: w.recvConn, message: idle})
			continue
		}
		ep, err := w.factory.NewReceiver()
		if err != nil {
			return err
		}
		w.recvConn, _ = ep.(schemes.ConnectionReceiver)
		w.receivers = append(w.receivers, receiverSlot{ep: ep, message: idle})
	}
	return nil
}

// fire lets a method be the handler of a timer.
type fire func(now units.Time)

func (f fire) Fire(now units.Time) { f(now) }

// begin starts a sample: receives are posted and announced before the first message.
func (w *stream) begin(index int, into *Sample) {
	w.sample, w.err = into, nil
	w.feed.begin(w)
	w.next, w.posted, w.ended, w.done = 0, 0, 0, 0
	w.failure, w.lost = "", w.lost[:0]
	w.beginRecords()
	w.run.open += w.message.Count
	w.due = 0
	w.reposts.Reset()
	w.closing.Reset()
	w.gone.Reset()
	w.sending.Reset()
	w.receiving.Reset()
	w.sendFree, w.recvFree = w.sendFree[:0], w.recvFree[:0]
	for i := len(w.senders) - 1; i >= 0; i-- {
		w.sendFree = append(w.sendFree, i)
		w.senders[i].message = idle
	}
	for i := len(w.receivers) - 1; i >= 0; i-- {
		w.recvFree = append(w.recvFree, i)
		w.receivers[i].message = idle
	}
	w.payload.begin(w.cfg.Seed, index)
	w.traffic.begin(w.cfg.Seed, index)
	w.submit.begin(w.cfg.Seed, index, w.number)
	w.own = FlowSample{}
	w.connect()
	if w.start > 0 {
		w.traffic.postAll(w.start)
	}
	if len(w.traffic.times) > 0 {
		w.released = 0
		w.arrive.Reset(w.traffic.times[0])
	}
	for range min(w.cfg.SDR.RecvDepth, w.message.Count) {
		w.postReceive()
	}
	w.pair.qpA.HandleCTS(w.pair.qpB.Posted())
	w.postSends(0)
}

// over tells that all messages have ended.
func (w *stream) over() bool { return w.ended == w.message.Count }

// state describes a stream that does not end.
func (w *stream) state() error {
	err := fmt.Errorf("%d of %d messages done", w.ended, w.message.Count)
	for i := range w.senders {
		if s := &w.senders[i]; s.message != idle {
			err = fmt.Errorf("%w; %s", err, s.ep.State())
			err = fmt.Errorf("%w; %s", err, w.receivers[w.receiverOf(s.message)].ep.State())
		}
	}
	return err
}

// senderOf is the slot of the sender of a message under way.
func (w *stream) senderOf(message int) int {
	return slotOf(&w.sending, message)
}

// receiverOf is the slot of the receiver of a message under way.
func (w *stream) receiverOf(message int) int {
	return slotOf(&w.receiving, message)
}

// slotOf is the slot of a message under way.
func slotOf(slots *ring.Ring[int], message int) int {
	if m := int64(message); m >= slots.First() && m < slots.Next() && *slots.At(m) != idle {
		return *slots.At(m)
	}
	panic(fmt.Sprintf("BUG: experiment: message %d is not under way", message))
}

// vacate notes that a message is no longer under way. What is left in front is the oldest.
func vacate(slots *ring.Ring[int], message int) {
	*slots.At(int64(message)) = idle
	for h := slots.Head(); h != nil && *h == idle; h = slots.Head() {
		slots.Pop()
	}
}

// postReceive posts the receive of the next message, if there is one and room for it.
func (w *stream) postReceive() (posted bool) {
	if w.posted == w.message.Count || !w.idFree() {
		return false
	}
	slot := w.recvFree[len(w.recvFree)-1]
	r := &w.receivers[slot]
	err := r.ep.Open(schemes.Transfer{
		Serial: uint32(w.posted), Tag: int64(slot), QP: w.pair.qpB, Context: w.pair.devB,
		MR: w.payload.recv, Offset: units.Bytes(slot) * w.message.Size,
		Size: w.sizeOf(w.posted),
		Path: w.pair.path, Control: w.pair.b,
	})
	if err != nil {
		w.fail(err)
		return false
	}
	w.recvFree = w.recvFree[:len(w.recvFree)-1]
	w.payload.clear(slot)
	r.message, r.delivered = w.posted, false
	w.receiving.Append(slot)
	w.posted++
	w.pair.b.AddReceiver(int64(slot), r.ep)
	return true
}

// postSends sends messages as long as the number in flight, the clear-to-send and the message ids
// allow.
func (w *stream) postSends(now units.Time) {
	for w.next < w.sendable(now) && len(w.sendFree) > 0 {
		slot := w.sendFree[len(w.sendFree)-1]
		s := &w.senders[slot]
		err := s.ep.Open(schemes.Transfer{
			Serial: uint32(w.next), QP: w.pair.qpA, Context: w.pair.devA,
			MR: w.payload.send, Offset: units.Bytes(slot) * w.message.Size,
			Size: w.sizeOf(w.next),
			Path: w.pair.path, Control: w.pair.a,
		})
		if errors.Is(err, sdr.ErrNoCTS) || errors.Is(err, sdr.ErrRetry) {
			return
		}
		if err != nil {
			w.fail(err)
			return
		}
		w.sendFree = w.sendFree[:len(w.sendFree)-1]
		w.fill(slot, w.next)
		s.message = w.next
		w.sending.Append(slot)
		w.next++
		w.pair.a.AddSender(now, uint32(w.next-1), s.ep)
	}
}

func (w *stream) fail(err error) {
	w.run.broken = true
	if w.err == nil {
		w.err = fmt.Errorf("experiment: %w", err)
	}
}

// SenderDone records a message that was acknowledged, and sends the next one.
func (w *stream) SenderDone(now units.Time, c nic.Completion) {
	message := int(c.Serial)
	sender := w.senderOf(message)
	m := &w.receivers[w.receiverOf(message)]
	if w.sendConn == nil {
		w.countSender(c.Sender.Counters())
	}
	w.own.Elapsed = now.Sub(w.traffic.postedAt(0)) + w.cfg.Submission.Done
	w.sample.Elapsed = max(w.sample.Elapsed, w.own.Elapsed)
	if c.Err != nil {
		w.giveUp(message, c.Err)
		return
	}
	w.closing.Append(message)
	w.close.Reset(now)
	if !m.delivered {
		w.fail(fmt.Errorf("BUG: message %d was acknowledged before it was delivered", message))
		return
	}
	if w.feed == nil {
		w.records.completion = append(w.records.completion, now.Sub(c.Started))
		w.records.delivery = append(w.records.delivery, m.deliveredAt.Sub(c.Started))
	}
	w.count(message, c.Started)
	w.done++
	w.acknowledged(now, message)
	w.noteAcknowledged(now, message)
	w.senders[sender].message = idle
	vacate(&w.sending, message)
	w.sendFree = append(w.sendFree, sender)
	if w.failure == "" {
		w.postSends(now)
	}
}

// count adds what depends on the size of a message that was delivered and on when it was posted.
func (w *stream) count(message int, started units.Time) {
	size := w.sizeOf(message)
	w.sample.PayloadBytes += int64(size)
	w.own.PayloadBytes += int64(size)
	if w.cfg.Waits() {
		wait := started.Sub(w.traffic.postedAt(message)) + w.cfg.Submission.Done
		w.records.wait = append(w.records.wait, wait)
	}
	if w.message.Sizes != nil || w.mixed {
		w.records.ideals = append(w.records.ideals, w.pair.ideal(size))
	}
}

// giveUp ends the stream: the connection is broken, and what has not been acknowledged will not be.
func (w *stream) giveUp(message int, err error) {
	w.run.broken = true
	w.close.Reset(w.pair.engine.Now()) // nobody goes on before the end of this instant
	if w.failure == "" {
		w.failure = err.Error()
	}
	w.lost = append(w.lost, w.receiverOf(message))
}

// finish puts what was noted of messages into the sample, and accounts for those that were given
// up, or not ended when another stream of the sample broke.
func (w *stream) finish() {
	w.endRecords()
	if w.sendConn != nil && (w.over() || w.failure != "") {
		w.countSender(w.sendConn.Counters())
		w.countReceiver(w.recvConn.Counters())
	}
	if w.failure == "" && w.done == w.message.Count {
		return
	}
	for _, r := range w.lost {
		if w.recvConn == nil {
			w.countReceiver(w.receivers[r].ep.Counters())
		}
	}
	w.sample.Failed += w.message.Count - w.done
	if w.sample.Failure == "" {
		w.sample.Failure = w.failure
	}
}

// fireClose is done with messages. It runs after everything else that happens at the instant of
// their acknowledgement, so that what the receiver has counted does not depend on the order of
// events at one instant.
func (w *stream) fireClose(now units.Time) {
	for m := w.closing.Head(); m != nil; m = w.closing.Head() {
		if w.recvConn == nil {
			w.countReceiver(w.receivers[w.receiverOf(*m)].ep.Counters())
		}
		single := w.cfg.SDR.Generations == 1
		if single || !w.cfg.Even() {
			// Whatever has begun to be sent arrives before.
			w.closed.Push(now.Add(w.longest), uint64(*m))
		}
		if !single {
			w.vacate(*m)
		}
		w.forget(*m)
		w.closing.Pop()
		w.ended++
		if !w.submit.submits() { // or else when the application knows
			w.run.open--
		}
	}
	w.postDue(now)
}

func (w *stream) countSender(s schemes.SenderCounters) {
	c := &w.sample.Counters
	c.Retransmits += s.Retransmits
	w.own.Retransmits += s.Retransmits
	c.Timeouts += s.Timeouts
	c.Fallbacks += s.Fallbacks
	if s.Fallbacks > 0 {
		c.FellBack++
	}
}

func (w *stream) countReceiver(r schemes.ReceiverCounters) {
	c := &w.sample.Counters
	c.Timeouts += r.Timeouts
	c.Acks += r.Acks
	c.Nacks += r.Nacks
	c.UsefulParity += r.UsefulParity
}

// ReceiverDone verifies a message, and has its receive posted again for another one.
func (w *stream) ReceiverDone(now units.Time, d schemes.Delivery) {
	r := &w.receivers[d.Tag]
	if r.delivered {
		w.fail(fmt.Errorf("BUG: message %d was delivered twice", r.message))
		return
	}
	r.delivered = true
	size := w.sizeOf(r.message)
	if err := w.payload.verify(w.senderOf(r.message), int(d.Tag), r.message, size); err != nil {
		w.fail(err)
	}
	r.deliveredAt = w.land(now, d.At, r.message)
	w.arrived(now, int(d.Tag))
	if w.feed == nil && w.posted == w.message.Count {
		return
	}
	at := now
	if last := w.reposts.Tail(); last != nil {
		at = max(at, *last)
	}
	w.reposts.Append(at.Add(w.cfg.NIC.Repost))
	w.repost.Reset(*w.reposts.Head())
}
