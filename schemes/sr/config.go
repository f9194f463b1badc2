package sr

import (
	"sdrsim/schemes"
	"sdrsim/units"
	"sdrsim/wire"
)

// Config are the parameters of Selective Repeat.
type Config struct {
	// RTO is the time from the departure of a chunk's last packet to its repeat.
	RTO units.Span
	// Retries is how often a chunk is sent again before the message is given up.
	Retries int
	Ack     AckConfig
	// Nack makes the receiver report holes; NackSlack is how much longer than a round trip a hole
	// may persist before it is reported again, and how late the tail may be.
	Nack      bool
	NackSlack units.Span
	// NackReorder is how long after it is revealed a gap counts as a hole: what arrives in that time
	// was only overtaken. 0: at once.
	NackReorder units.Span

	reports *schemes.Reports // what endpoints that share the parameters decode into, one at a time
}

// AckConfig says when and how a receiver acknowledges.
type AckConfig struct {
	// Interval is the period at which the receiver polls its bitmap. It is at least a chunk time, and
	// a poll is left out while the acknowledgement of the last one has not left.
	Interval units.Span
	// Repeat is at how many further polls news is said again, should the first one be lost.
	Repeat int
	// Size is the greatest size of an acknowledgement; 32 B or more.
	Size units.Bytes

	ack *wire.Ack // what endpoints that share the parameters compose, one at a time
}

// IntervalOn is the poll period on a path, for chunks of perChunk packets.
func (c *AckConfig) IntervalOn(path schemes.Path, perChunk int64) units.Duration {
	return max(c.Interval.Of(path.RTT), units.Duration(perChunk)*path.PacketTime)
}
