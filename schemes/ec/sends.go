package ec

import (
	"sdrsim/schemes"
	"sdrsim/sdr"
	"sdrsim/sim/units"
)

// sends is how a message is divided where the data of each submessage is an SDR message of its own,
// and so is its parity: 2L sends. arXiv:2505.05366 §4.1.2. A place is that of a send among them, in
// the order on the wire, in which sends and receives are posted.
type sends struct {
	layout
	order Order
	size  units.Bytes // of the message
	chunk units.Bytes
	base  int64 // Index of the first
	ids   int64
}

// open divides the message of a transfer.
func (n *sends) open(cfg *Config, t *schemes.Transfer) {
	qp := t.QP.Config()
	n.layout = layoutOf(cfg, int64((t.Size+qp.Chunk-1)/qp.Chunk))
	n.order, n.size, n.chunk = cfg.Order, t.Size, qp.Chunk
	n.base, n.ids = 0, qp.Split.Messages()
}

// total is the number of sends.
func (n *sends) total() int64 { return 2 * n.subs }

// at is what the send at a place carries.
func (n *sends) at(place int64) (sub int64, parity bool) {
	switch {
	case n.order == OrderInterleaved:
		return place / 2, place%2 == 1
	case place < n.subs:
		return place, false
	}
	return place - n.subs, true
}

// dataPlace is the place of the data of a submessage, parityPlace that of its parity.
func (n *sends) dataPlace(sub int64) int64 {
	if n.order == OrderInterleaved {
		return 2 * sub
	}
	return sub
}

func (n *sends) parityPlace(sub int64) int64 {
	if n.order == OrderInterleaved {
		return 2*sub + 1
	}
	return n.subs + sub
}

// dataBefore is how many submessages have their data before a place.
func (n *sends) dataBefore(place int64) int64 {
	if n.order == OrderInterleaved {
		return (place + 1) / 2
	}
	return min(place, n.subs)
}

// parityBefore is how many submessages have their parity before a place.
func (n *sends) parityBefore(place int64) int64 { return place - n.dataBefore(place) }

// region is where what a place carries lies: in the message, or among the parity.
func (n *sends) region(place int64) (offset, length units.Bytes, parity bool) {
	sub, parity := n.at(place)
	if parity {
		return units.Bytes(sub*n.m) * n.chunk, units.Bytes(n.m) * n.chunk, true
	}
	offset = units.Bytes(sub*n.k) * n.chunk
	return offset, min(units.Bytes(n.k)*n.chunk, n.size-offset), false
}

// message is the data of a message as if it were one send: what a window is opened on.
type message struct{ chunks, packets, perChunk int64 }

func (m message) Chunks() int64          { return m.chunks }
func (m message) PacketCount() int64     { return m.packets }
func (m message) PacketsPerChunk() int64 { return m.perChunk }

// shape is the data of the message as a window sees it.
func (n *sends) shape(mtu units.Bytes) message {
	return message{n.chunks, int64((n.size + mtu - 1) / mtu), int64(n.chunk / mtu)}
}

// shards appends the chunks of a submessage in memory, data first.
func (n *sends) shards(list [][]byte, sub int64, t *schemes.Transfer, parity *sdr.MR) [][]byte {
	first, count := n.data(sub)
	for i := first; i < first+count; i++ {
		at := units.Bytes(i) * n.chunk
		list = append(list, t.MR.Bytes(t.Offset+at, min(n.chunk, n.size-at)))
	}
	for i := sub * n.m; i < (sub+1)*n.m; i++ {
		list = append(list, parity.Bytes(units.Bytes(i)*n.chunk, n.chunk))
	}
	return list
}

// SenderFor builds the sender of a configuration, which takes on one message after the other.
func SenderFor(cfg Config) (schemes.Sender, error) {
	if cfg.Sends == SendsSubmessage {
		return newPieceSender(cfg)
	}
	return NewSender(cfg)
}

// ReceiverFor builds the receiver of a configuration.
func ReceiverFor(cfg Config) (schemes.Receiver, error) {
	if cfg.Sends == SendsSubmessage {
		return newPieceReceiver(cfg)
	}
	return NewReceiver(cfg)
}

// handles makes room for a handle per place, none of them there.
func handles[T any](list []*T, total int64) []*T {
	if int64(cap(list)) < total {
		list = make([]*T, total)
	}
	list = list[:total]
	clear(list)
	return list
}
