package experiment

import (
	"cmp"
	"slices"
)

// Transmissions finds for packets that arrive the transmission that they are of.
type Transmissions struct {
	// Sent are the departures in order of time by hop.
	Sent []*Packets
	// first has, by hop and message, the first transmissions in order of packets; again the
	// retransmissions of a packet that are not lost and have not arrived, in order of departure.
	// Both are indices of Sent.
	first, again map[packetOf][]int
}

// packetOf names a packet of a hop, or with packet 0 its message.
type packetOf struct {
	hop    int
	serial int64
	packet int64
}

// NewTransmissions orders the departures of a record.
func NewTransmissions(list []Packets) *Transmissions {
	t := &Transmissions{first: map[packetOf][]int{}, again: map[packetOf][]int{}}
	for i := range list {
		if !list[i].Arrived {
			t.Sent = append(t.Sent, &list[i])
		}
	}
	slices.SortStableFunc(t.Sent, func(a, b *Packets) int {
		return cmp.Or(cmp.Compare(a.Hop, b.Hop), cmp.Compare(a.Run.Depart, b.Run.Depart))
	})
	for i, p := range t.Sent {
		key := packetOf{p.Hop, p.Run.Serial, 0}
		if !p.Run.Repeat {
			t.first[key] = append(t.first[key], i)
			continue
		}
		for j := range p.Run.Count - p.Lost {
			key.packet = p.Run.First + j
			t.again[key] = append(t.again[key], i)
		}
	}
	for _, list := range t.first {
		slices.SortFunc(list, func(a, b int) int {
			return cmp.Compare(t.Sent[a].Run.First, t.Sent[b].Run.First)
		})
	}
	return t
}

// Of is the index in Sent of the transmission that packet i of an arrival is of. Retransmissions of
// a packet are taken to arrive in the order in which they left; ask about each once, in order of
// arrival.
func (t *Transmissions) Of(a *Packets, i int64) int {
	if a.Run.Repeat {
		key := packetOf{a.Hop, a.Run.Serial, i}
		list := t.again[key]
		if len(list) == 0 {
			panic("BUG: experiment: a retransmission arrives that was never sent")
		}
		t.again[key] = list[1:]
		return list[0]
	}
	list := t.first[packetOf{a.Hop, a.Run.Serial, 0}]
	at, found := slices.BinarySearchFunc(list, i, func(j int, packet int64) int {
		return cmp.Compare(t.Sent[j].Run.First, packet)
	})
	if !found {
		at--
	}
	if at < 0 || i >= t.Sent[list[at]].Run.End() {
		panic("BUG: experiment: a packet arrives that was never sent")
	}
	return list[at]
}
