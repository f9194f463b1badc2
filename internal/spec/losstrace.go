package spec

import "sdrsim/units"

// LossTrace is what a file of losses says: packets in the order in which a link sends them, or
// times from the beginning of a sample. Both are in order and apart from each other.
type LossTrace struct {
	Packets []LostPackets
	Times   []LostTime
}

// LostPackets are packets First..Last, from 0, LostTime is from From to before To.
type (
	LostPackets struct{ First, Last int64 }
	LostTime    struct{ From, To units.Time }
)
