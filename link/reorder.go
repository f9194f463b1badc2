package link

import "sdrsim/internal/ring"

// Reordering counts what arrives out of order, as RFC 4737 defines it. A packet is reordered if one
// that was sent after it has arrived before (§3.3). Its extent is how many packets have arrived since
// the first of those (§4.2.1): a receiver that holds back so many puts it in order again.
type Reordering struct {
	Reordered int64
	Extent    int64 // the sum of all extents
}

// reorder watches packets that are numbered as they were sent, those that arrive.
type reorder struct {
	arrived int64 // packets so far
	// seen says of the first packet that has not arrived, and of those after it, whether they have;
	// its running numbers are those of the packets.
	seen ring.Ring[bool]
	// records are packets that have arrived before all that were sent earlier, in order, as far as one
	// of those is missing.
	records ring.Ring[record]
	stats   Reordering
}

type record struct{ packet, arrival int64 }

// arrive notes the next packet to arrive.
func (o *reorder) arrive(packet int64) {
	if packet >= o.seen.Next() {
		for o.seen.Next() < packet {
			o.seen.Append(false)
		}
		o.seen.Append(true)
		o.records.Append(record{packet, o.arrived})
	} else {
		*o.seen.At(packet) = true
		o.stats.Reordered++
		o.stats.Extent += o.arrived - o.overtaker(packet)
	}
	o.arrived++
	for h := o.seen.Head(); h != nil && *h; h = o.seen.Head() {
		o.seen.Pop()
	}
	for h := o.records.Head(); h != nil && h.packet < o.seen.First(); h = o.records.Head() {
		o.records.Pop()
	}
}

// overtaker is the first arrival of a packet that was sent after the given one.
func (o *reorder) overtaker(packet int64) int64 {
	low, high := o.records.First(), o.records.Next()-1
	for low < high {
		if mid := (low + high) / 2; o.records.At(mid).packet > packet {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return o.records.At(low).arrival
}

func (o *reorder) reset() {
	o.arrived, o.stats = 0, Reordering{}
	o.seen.Reset()
	o.records.Reset()
}
