package nic

import (
	"sdrsim/internal/ring"
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/units"
)

// followers are the receivers that are to be called once a chunk of a later message is complete, in
// the order in which they were attached: that of posting.
type followers struct {
	waiting ring.Ring[follower]
	hosted  int64 // receivers that were attached
}

// follower is a receiver by its tag. Another may have taken its place since, under another number.
type follower struct{ number, tag int64 }

func (f *followers) reset() {
	f.waiting.Reset()
	f.hosted = 0
}

// attach notes a receiver.
func (f *followers) attach(tag int64, r *receiverSlot) {
	r.number = f.hosted
	f.hosted++
	if ep, ok := r.given().(schemes.Follower); ok && ep.Follows() {
		f.waiting.Append(follower{r.number, tag})
	}
}

// overtaken is the oldest receiver that is not done and waits for a chunk of a later message, where
// an arrival is of one; nil where there is none.
func (n *NIC) overtaken(a *sdr.Arrival) *follower {
	if n.followers.waiting.Len() == 0 || a.Recv == nil || a.Discarded {
		return nil
	}
	waiting, number := &n.followers.waiting, n.receivers[n.tagOf(a.Recv)].number
	for f := waiting.Head(); f != nil && f.number < number; f = waiting.Head() {
		if r := &n.receivers[f.tag]; r.number == f.number && !r.ep.Done() {
			return f
		}
		waiting.Pop()
	}
	return nil
}

// quiet is what the receiver of an arrival answers to Quiet, up to the packet that completes a
// chunk for which receivers of earlier messages wait.
func (n *NIC) quiet(a *sdr.Arrival) (packets int64, silent bool) {
	packets, silent = n.receivers[n.tagOf(a.Recv)].ep.Quiet(*a)
	if n.overtaken(a) == nil {
		return packets, silent
	}
	if last, ok := a.Recv.Completing(a.First, a.Count); ok && last <= packets {
		return last, false
	}
	return packets, silent
}

// overtake calls the receivers of earlier messages, once a chunk of the message that an arrival is
// of is complete.
func (n *NIC) overtake(now units.Time, a *sdr.Arrival) {
	for f := n.overtaken(a); f != nil && a.Recv.Bitmap().Count() > 0; f = n.overtaken(a) {
		tag := f.tag
		n.followers.waiting.Pop()
		r := &n.receivers[tag]
		r.clock.advance(now)
		r.given().(schemes.Follower).HandleLater(now)
		n.renew(tag, r)
	}
}
