package rules

import (
	"fmt"
	"sort"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/units"
	"sdrsim/wire"
)

// packets is how many packets a message of the point has.
func (d point) packets() int64 {
	return units.CeilDiv(d.size(), d.Get("link.mtu").Whole)
}

// parityPackets is how many packets of parity the most generous scheme adds to a message.
func (d point) parityPackets() int64 {
	most := int64(0)
	for s := range d.EachScheme {
		most = max(most, d.parityPacketsOf(s))
	}
	return most
}

// parityPacketsOf is how many packets of parity a scheme adds to a message.
func (d point) parityPacketsOf(s *draft.Scheme) int64 {
	chunk := d.chunk().Whole
	parity := s.Factory().ParityOf(units.CeilDiv(d.size(), chunk))
	return parity * units.CeilDiv(chunk, d.Get("link.mtu").Whole)
}

// largest is the largest message of which neither the data nor the parity has more than so many
// packets; in a collective, of what a hop carries in a round.
func (d point) largest(packets int64) int64 {
	mtu, chunk := d.Get("link.mtu").Whole, d.chunk().Whole
	most := packets * mtu
	for one := range d.EachScheme {
		s := one.Factory()
		tooMany := func(chunks int) bool {
			return s.ParityOf(int64(chunks))*units.CeilDiv(chunk, mtu) > packets
		}
		if all := int(units.CeilDiv(most, chunk)); tooMany(all) {
			most = int64(sort.Search(all, tooMany)-1) * chunk
		}
	}
	return most
}

// roomAdvice says how large messages may be that the greatest packet offset numbers, beside ids for
// so many, and what makes room.
func (d point) roomAdvice(ids int64) string {
	widest := 31
	for widest > 0 && int64(1)<<(32-widest) < ids {
		widest--
	}
	mtu := d.Get("link.mtu")
	most := d.largest(int64(1) << widest)
	if widest == 0 || most == 0 {
		return ""
	}
	text := fmt.Sprintf(": at most %d packets, %v at link.mtu %v", int64(1)<<widest,
		units.Bytes(most), units.Bytes(mtu.Whole))
	if d.Ring() {
		text += ", for each part of a collective"
	}
	if largest := keys.Root.Key("link.mtu").Max; float64(mtu.Whole) < largest {
		text += "; a larger link.mtu makes room"
	}
	return text
}

// idsPerMessage is how many SDR messages a message may be posted as: data, and parity.
func (d point) idsPerMessage() int64 {
	most := 1
	for s := range d.EachScheme {
		most = max(most, s.Entry.Sends)
	}
	return int64(most)
}

// idsNeeded is how many SDR messages are under way at a time. Receives that are posted ahead hold
// an id each, where the user asks for so many.
func (d point) idsNeeded() int64 {
	need := d.Get("message.in_flight").Whole
	if depth := d.Get("sdr.recv_depth"); depth.Has() {
		need = max(need, depth.Whole)
	}
	return need * d.idsPerMessage()
}

// idsWanted is how many SDR messages have ids where there is room: those of the receives that are
// posted ahead by default, as far as the stream has so many messages.
func (d point) idsWanted() int64 {
	if d.Ring() {
		return d.idsNeeded()
	}
	depth := min(d.wantedDepth(), d.Get("message.count").Whole)
	return max(d.idsNeeded(), depth*d.idsPerMessage())
}

// idBits is how many bits of the immediate tell so many ids apart, at least one.
func idBits(ids int64) uint8 {
	bits := uint8(1)
	for bits < 31 && int64(1)<<bits < ids {
		bits++
	}
	return bits
}

// fitSplit chooses the split of the immediate for messages of so many packets, with ids for those
// in flight, and for as many as are wanted where there is room. It starts from the default and
// makes room for the packet offset, first from the ids that are not needed, then from the user
// bits.
func fitSplit(packets, ids, wanted int64) (wire.Split, bool) {
	least := idBits(ids)
	for _, user := range []uint8{wire.DefaultSplit.User, 2, 1, 0} {
		for id := max(wire.DefaultSplit.ID, least, idBits(wanted)); id >= least; id-- {
			s := wire.Split{ID: id, Offset: 32 - id - user, User: user}
			if id+user < 32 && s.Valid() && s.Packets() >= packets && s.Messages() >= ids {
				return s, true
			}
		}
	}
	return wire.Split{}, false
}

// split is the split of the immediate, as given or as it fits.
func (d point) split() (wire.Split, bool) {
	if imm := d.Get("sdr.imm"); imm.Has() {
		s, err := wire.ParseSplit(imm.Text)
		if err != nil {
			panic("BUG: rules: " + err.Error())
		}
		return s, true
	}
	return fitSplit(max(d.packets(), d.parityPackets()), d.idsNeeded(), d.idsWanted())
}

// wantedDepth is how many receives are to be posted ahead: as given, else twice the messages in
// flight.
func (d point) wantedDepth() int64 {
	if depth := d.Get("sdr.recv_depth"); depth.Has() {
		return depth.Whole
	}
	return 2 * d.Get("message.in_flight").Whole
}

// recvDepth is how many receives are posted ahead, as far as there are ids.
func (d point) recvDepth(s wire.Split) int64 {
	if depth := d.Get("sdr.recv_depth"); depth.Has() {
		return depth.Whole
	}
	return min(d.wantedDepth(), max(1, s.Messages()/d.idsPerMessage()))
}

// checkSplit wants every packet of a message, and every message in flight, to have a number.
func checkSplit(d point, f *format.Faults) {
	size, mtu, inFlight := d.largestSize(), d.Get("link.mtu"), d.Get("message.in_flight")
	imm, depth := d.Get("sdr.imm"), d.Get("sdr.recv_depth")
	parts := d.Get("collective.datacenters")
	if !keys.Usable(size, mtu, inFlight, d.chunk()) ||
		imm.State == keys.Broken || depth.State == keys.Broken || parts.State == keys.Broken {
		return
	}
	packets, ids := max(d.packets(), d.parityPackets()), d.idsNeeded()
	s, ok := d.split()
	switch {
	case !ok:
		f.Blame("a message of %d packets, parity by itself, with %d under way fits no split of "+
			"the 32-bit immediate%s", []any{packets, ids, d.roomAdvice(ids)}, size, mtu, inFlight, parts)
	case s.Packets() < packets:
		f.Blame("a message of %d packets, parity by itself, is too large for sdr.imm %v: "+
			"at most %d packets, %v at link.mtu %v", []any{packets, s, s.Packets(),
			units.Bytes(s.Packets() * mtu.Whole), units.Bytes(mtu.Whole)}, size, mtu, imm, parts)
	case s.Messages() < ids:
		f.Blame("%d messages under way are too many for sdr.imm %v: at most %d; "+
			"erasure coding takes two for each in flight", []any{ids, s, s.Messages()},
			imm, inFlight, depth)
	}
}
