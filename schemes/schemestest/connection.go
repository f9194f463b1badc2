package schemestest

import "sdrsim/schemes"

// messagesOfConnection is how many messages a play has where the ends live as long as their
// connection: they are posted together.
const messagesOfConnection = 3

// mostOfConnection is how many packets such a message has where much is lost.
const mostOfConnection = 16

// connection is what a world knows of ends that live as long as their connection.
type connection struct {
	sender   schemes.ConnectionSender // nil where each message has ends of its own
	receiver schemes.ConnectionReceiver
	left     int // messages that have not ended
}

// connectionOf are the ends of a scheme as those of a connection.
func connectionOf(tx schemes.Sender, rx schemes.Receiver) (c connection) {
	if single, ok := tx.(*schemes.SingleSender); ok {
		tx = single.Sender
	}
	if single, ok := rx.(*schemes.SingleReceiver); ok {
		rx = single.Receiver
	}
	c.sender, _ = tx.(schemes.ConnectionSender)
	c.receiver, _ = rx.(schemes.ConnectionReceiver)
	return c
}

// begin begins a connection, and returns how many messages are posted to it.
func (c *connection) begin(here, there schemes.Transfer) int {
	c.left = 1
	if c.sender == nil {
		return 1
	}
	c.sender.Connect(schemes.Connection{Path: here.Path, Control: here.Control})
	c.receiver.Connect(schemes.Connection{Path: there.Path, Control: there.Control})
	c.left = messagesOfConnection
	return c.left
}

// ended notes what has ended, and reports whether that is all.
func (w *world) ended() bool {
	c := &w.conn
	if c.sender == nil {
		return w.tx.tx.Done()
	}
	for o, ok := c.sender.Completed(); ok; o, ok = c.sender.Completed() {
		w.record("message %d ended, error %v, started %v", o.Serial, o.Err, o.Started)
		c.left--
	}
	if c.sender.Done() {
		w.tx.broken(clauseDrained, "Done")
	}
	return c.left == 0 || c.sender.Err() != nil
}

// delivered notes what a connection has delivered.
func (w *world) delivered() {
	c := &w.conn
	if c.receiver == nil {
		return
	}
	for d, ok := c.receiver.Delivered(); ok; d, ok = c.receiver.Delivered() {
		w.record("tag %d delivered at %v", d.Tag, d.At)
		if d.At > w.now {
			w.rx.broken(clauseDelivered, "%v", d.At)
		}
	}
	if c.receiver.Done() {
		w.rx.broken(clauseDrained, "Done")
	}
}

// done reports whether a sender has nothing more to do.
func (w *world) done() bool { return w.conn.sender == nil && w.tx.tx.Done() }
