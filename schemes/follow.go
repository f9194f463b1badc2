package schemes

import "sdrsim/units"

// Follower is a Receiver of one message that makes use of what arrives of the messages posted
// after it on its connection. First transmissions leave in the order of posting, so once a chunk of
// a later message is complete all of this one have been sent; where the way keeps order, what has
// not arrived is lost.
type Follower interface {
	// Follows reports whether HandleLater would ever do anything for the message. A host asks once,
	// when the receiver is attached; where it does not follow, HandleLater is not called.
	Follows() bool
	// HandleLater reports that a chunk of a later message is complete, for the first time at now. What
	// is due at now is done at once: a timeout that it sets lies later. It changes nothing at a
	// receiver that is done, nor when it is called again.
	HandleLater(now units.Time)
}
