package workload

import (
	"sdrsim/internal/ring"
	"sdrsim/units"
)

// connKey is what messages of one connection have in common.
type connKey struct{ from, to, channel int32 }

// connection is what messages of a sender to a receiver share: a rate, and places at the receiver.
type connection struct {
	key    connKey
	remote bool
	hop    Hop
	port   *units.Time    // when it is free, where the hop is local
	delay  units.Duration // of a credit
	// credits are the places that are left; waiting are the sends that have none. reason is what has
	// emptied the last place.
	credits int
	waiting ring.Ring[opRef]
	reasons ring.Ring[cause]
	// under are the messages that were not delivered, or wait for others that were not, in order.
	under ring.Ring[int32]
}

func (c *connection) reset(credits int) {
	c.credits = credits
	c.waiting.Reset()
	c.reasons.Reset()
	c.under.Reset()
}

// connection is that of a send.
func (m *Machine) connection(ref opRef, op *Op) int32 {
	key := connKey{m.rank(ref.thread), op.Peer, op.Channel}
	if i, ok := m.connOf[key]; ok {
		return i
	}
	c := connection{key: key, port: new(units.Time)}
	from, to := int(key.from), int(key.to)
	if m.cfg.Carrier != nil && m.cfg.Carrier.Carries(from, to) {
		c.remote, c.delay = true, m.cfg.Carrier.ControlDelay(from, to)
	} else {
		c.hop = m.cfg.Hop(from, to)
		c.delay, c.port = c.hop.Alpha, m.port(c.hop.Port)
	}
	c.reset(m.cfg.Credits)
	m.conns = append(m.conns, c)
	m.connOf[key] = int32(len(m.conns) - 1)
	return int32(len(m.conns) - 1)
}

// port is that of a connection whose hop says a number.
func (m *Machine) port(number int) *units.Time {
	if number == Any {
		return new(units.Time)
	}
	if m.ports[number] == nil {
		m.ports[number] = new(units.Time)
	}
	return m.ports[number]
}

// send posts a message, or has it wait for a credit.
func (m *Machine) send(now units.Time, ref opRef) {
	o := m.op(ref)
	i := m.connection(ref, &o.op)
	c := &m.conns[i]
	if m.cfg.Credits > 0 {
		if c.credits == 0 || c.waiting.Len() > 0 {
			c.waiting.Append(ref)
			return
		}
		c.credits--
	}
	m.post(now, ref, i)
}

// post hands a message to its port or to the carrier.
func (m *Machine) post(now units.Time, ref opRef, conn int32) {
	o := m.op(ref)
	op := o.op
	id := m.message()
	msg := &m.messages[id]
	*msg = Message{ID: id, From: m.conns[conn].key.from, To: op.Peer, Tag: op.Tag,
		Channel: op.Channel, Bytes: op.Bytes, Data: msg.Data[:0], sender: ref, conn: conn,
		postedAt: now, open: 1}
	msg.number = m.order(msg.From, msg.To, msg.Tag).sent
	m.order(msg.From, msg.To, msg.Tag).sent++
	if m.cfg.Data != nil {
		msg.Data = m.cfg.Data.read(msg.Data, int(msg.From), op.Offset, op.Bytes-op.Extra)
	}
	m.started(now, ref)
	if m.conns[conn].remote {
		msg.open++
		if m.wild {
			m.conns[conn].under.Append(id)
		}
		m.cfg.Carrier.Post(now, msg)
		if op.Eager {
			m.end(now, ref)
		}
		return
	}
	c := &m.conns[conn]
	left := max(now, *c.port).Add(c.hop.busy(op.Bytes))
	*c.port = left
	m.schedule(event{at: left.Add(c.hop.Alpha), kind: eventArrive, message: id})
	switch {
	case op.Eager:
		m.end(now, ref)
	case left > now:
		m.schedule(event{at: left, kind: eventLeft, op: ref})
	default:
		m.end(now, ref)
	}
}

// message is the number of a message that is not under way.
func (m *Machine) message() int32 {
	if last := len(m.vacant) - 1; last >= 0 {
		id := m.vacant[last]
		m.vacant = m.vacant[:last]
		return id
	}
	m.messages = append(m.messages, Message{})
	return int32(len(m.messages) - 1)
}

// release notes that somebody has done with a message: its receiver, or who carries it.
func (m *Machine) release(id int32) {
	if m.messages[id].open--; m.messages[id].open == 0 {
		m.vacant = append(m.vacant, id)
	}
}

// box is what a rank receives: the receives that wait, and messages that have come before theirs.
type box struct {
	posted []postedReceive
	early  []int32 // messages, in the order in which they have come
}

type postedReceive struct {
	peer, tag int32
	number    int64 // among those of its rank, peer and tag
	op        opRef
}

// orderKey is what messages have in common that are received in the order in which they were sent.
type orderKey struct{ from, to, tag int32 }

// order counts messages and receives of a key. A message belongs to the receive of its number, even
// where it comes before others that were sent earlier.
type order struct{ sent, posted int64 }

func (m *Machine) order(from, to, tag int32) *order {
	key := orderKey{from, to, tag}
	o := m.orders[key]
	if o == nil {
		o = &order{}
		m.orders[key] = o
	}
	return o
}

// isWild reports whether a source has receives that take messages of any rank or tag.
func isWild(source Source) bool {
	w, ok := source.(interface{ Wild() bool })
	return ok && w.Wild()
}

// inOrder has the messages of a connection arrive in the order in which they were sent, as receives
// take whatever comes first.
func (m *Machine) inOrder(now units.Time, id int32) {
	m.messages[id].came = true
	under := &m.conns[m.messages[id].conn].under
	for h := under.Head(); h != nil && m.messages[*h].came; h = under.Head() {
		first := *h
		under.Pop()
		m.arrive(now, first)
	}
}

func (b *box) reset() { b.posted, b.early = b.posted[:0], b.early[:0] }

// listen has a receive take the first message that it matches, or wait for it.
func (m *Machine) listen(now units.Time, ref opRef) {
	op := &m.op(ref).op
	rank := m.rank(ref.thread)
	b, p := &m.boxes[rank], postedReceive{peer: op.Peer, tag: op.Tag, op: ref}
	if !m.wild {
		o := m.order(op.Peer, rank, op.Tag)
		p.number = o.posted
		o.posted++
	}
	for i, id := range b.early {
		if m.matches(&p, &m.messages[id]) {
			b.early = append(b.early[:i], b.early[i+1:]...)
			m.receive(now, ref, id)
			return
		}
	}
	b.posted = append(b.posted, p)
}

// matches reports whether a receive takes a message.
func (m *Machine) matches(p *postedReceive, msg *Message) bool {
	return (p.peer == Any || p.peer == msg.From) && (p.tag == Any || p.tag == msg.Tag) &&
		(m.wild || p.number == msg.number)
}

// arrive has a message meet the first receive that it matches, or wait for it.
func (m *Machine) arrive(now units.Time, id int32) {
	msg := &m.messages[id]
	if msg.delivered {
		panic("BUG: workload: a message was delivered twice")
	}
	msg.delivered = true
	b := &m.boxes[msg.To]
	for i := range b.posted {
		if p := b.posted[i]; m.matches(&p, msg) {
			b.posted = append(b.posted[:i], b.posted[i+1:]...)
			o := m.op(p.op)
			o.cause = cause{op: msg.sender, at: msg.postedAt, started: true}
			m.receive(now, p.op, id)
			return
		}
	}
	b.early = append(b.early, id)
}

// receive ends a receive with its message. Its place is empty then, unless a Reduce has still to
// add what is there.
func (m *Machine) receive(now units.Time, ref opRef, id int32) {
	o := m.op(ref)
	if o.op.Staged && o.adds != none {
		m.threads[ref.thread].ops.At(o.adds).message = id
		m.end(now, ref)
		return
	}
	if m.cfg.Data != nil && !o.op.Staged {
		m.cfg.Data.place(int(m.messages[id].To), o.op.Offset, m.messages[id].Data)
	}
	m.end(now, ref)
	m.empty(now, id, ref)
}

// empty is done with a delivered message, whose place goes back to its sender.
func (m *Machine) empty(now units.Time, id int32, by opRef) {
	c := m.messages[id].conn
	m.release(id)
	if m.cfg.Credits == 0 {
		return
	}
	m.conns[c].reasons.Append(cause{op: by, at: now})
	m.schedule(event{at: now.Add(m.conns[c].delay), kind: eventCredit, message: c})
}

// grant has a connection send one message more.
func (m *Machine) grant(now units.Time, conn int32) {
	c := &m.conns[conn]
	why := *c.reasons.Head()
	c.reasons.Pop()
	c.credits++
	if w := c.waiting.Head(); w != nil {
		ref := *w
		c.waiting.Pop()
		c.credits--
		m.op(ref).cause = why
		m.post(now, ref, conn)
	}
}
