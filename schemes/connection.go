package schemes

import (
	"errors"

	"sdrsim/units"
)

// ErrUndelivered is why a message has ended that was not delivered while its connection goes on, as
// an unreliable transport ends it.
var ErrUndelivered = errors.New("not delivered")

// ConnectionSender is a RunSender that lives as long as its connection: its sequence numbers run
// across messages, and a loss in one message is found by the packets of the next. Open posts one
// message more, behind those that are under way, and Start reports that it may go. A host asks once
// whether a sender is one, and attaches it once; every control message of the connection is for it.
//
// Done reports whether Completed has something to return. Counters are those since Connect.
type ConnectionSender interface {
	RunSender
	// Connect begins a connection: everything of the last one is forgotten. It comes before the
	// first Open.
	Connect(c Connection)
	// Completed returns a message that has ended and was not returned before, in the order in which
	// they ended; ok is false where there is none. After an Outcome whose error is not ErrUndelivered
	// the connection is broken: its host asks nothing more of it.
	Completed() (o Outcome, ok bool)
}

// ConnectionReceiver is a RunReceiver that lives as long as its connection. Open posts the receive
// of one message more; arrivals of all of them are reported to it. Done reports whether Delivered
// has something to return. Counters are those since Connect.
type ConnectionReceiver interface {
	RunReceiver
	// Connect begins a connection, before the first Open.
	Connect(c Connection)
	// Delivered returns a message that was delivered and not returned before.
	Delivered() (d Delivery, ok bool)
}

// Connection is what an endpoint knows of its connection.
type Connection struct {
	Path    Path
	Control Control
}

// Outcome is how a message ended at its sender.
type Outcome struct {
	Serial uint32
	// Started is when its first bit was sent; units.Never where none was.
	Started units.Time
	// Err is nil where it was acknowledged, or at least sent in full where nothing is acknowledged.
	Err error
}

// Delivery is a message that a receiver has delivered.
type Delivery struct {
	// Tag is that of its Transfer.
	Tag int64
	At  units.Time // of the last bit that was needed
}
