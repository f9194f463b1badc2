package conn

import (
	"fmt"

	"sdrsim/internal/ring"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// Receives are the messages that a receiver has posted receives for and not delivered. They are
// delivered in the order of posting.
type Receives struct {
	schemes.Connection
	receives  ring.Ring[receive] // by the Index of their receives
	delivered ring.Ring[schemes.Delivery]
	// Posted is the PSN behind all messages.
	Posted int64
	at     units.Time // of the last delivery
	any    bool
}

type receive struct {
	handle     *sdr.RecvHandle
	tag        int64
	first, end int64 // PSNs
}

// Connect begins a connection.
func (r *Receives) Connect(c schemes.Connection) {
	r.Connection = c
	r.receives.Reset()
	r.delivered.Reset()
	r.Posted, r.at, r.any = 0, 0, false
}

// Post posts the receive of a message.
func (r *Receives) Post(t schemes.Transfer) (*sdr.RecvHandle, error) {
	h, err := t.QP.PostRecv(t.MR, t.Offset, t.Size)
	if err != nil {
		return nil, err
	}
	if h.Index() != r.receives.Next() {
		panic("BUG: conn: a receive that is not of the connection")
	}
	h.SetTag(t.Tag)
	r.receives.Append(receive{handle: h, tag: t.Tag, first: r.Posted, end: r.Posted + h.PacketCount()})
	r.Posted += h.PacketCount()
	return h, nil
}

// Head is the receive of the oldest message that is not delivered, with its PSNs; nil where there
// is none.
func (r *Receives) Head() (h *sdr.RecvHandle, first, end int64) {
	if m := r.receives.Head(); m != nil {
		return m.handle, m.first, m.end
	}
	return nil, r.Posted, r.Posted
}

// PSN is that of the first packet of an arrival; ok is false where its message is delivered
// already.
func (r *Receives) PSN(a sdr.Arrival) (psn int64, ok bool) {
	i := a.Recv.Index()
	if i < r.receives.First() {
		return 0, false
	}
	if m := r.receives.At(i); m.handle == a.Recv {
		return m.first + a.First, true
	}
	return 0, false
}

// Expected is the PSN of the first packet that has not arrived.
func (r *Receives) Expected() int64 {
	for i := r.receives.First(); i < r.receives.Next(); i++ {
		if m := r.receives.At(i); m.handle.Missing() > 0 {
			return m.first + m.handle.PacketBitmap().FirstClear()
		}
	}
	return r.Posted
}

// Deliver delivers the oldest messages, as far as they are complete.
func (r *Receives) Deliver(now units.Time) (any bool) {
	for m := r.receives.Head(); m != nil && m.handle.Missing() == 0; m = r.receives.Head() {
		if err := m.handle.Complete(); err != nil {
			panic(fmt.Sprintf("BUG: conn: %v", err))
		}
		r.delivered.Append(schemes.Delivery{Tag: m.tag, At: now})
		r.at, r.any, any = now, true, true
		r.receives.Pop()
	}
	return any
}

// HasDelivered reports whether Delivered has something to return.
func (r *Receives) HasDelivered() bool { return r.delivered.Len() > 0 }

// Delivered returns a message that was delivered.
func (r *Receives) Delivered() (d schemes.Delivery, ok bool) {
	head := r.delivered.Head()
	if head == nil {
		return d, false
	}
	d = *head
	r.delivered.Pop()
	return d, true
}

// DeliveredAt is when the last message was delivered.
func (r *Receives) DeliveredAt() (at units.Time, ok bool) { return r.at, r.any }
