package scenarios

import "sdrsim/sim/units"

// sendsSubmessage is the value of sends that has each submessage sent by itself.
const sendsSubmessage = "submessage"

// leastGenerations is how many generations of message ids such a scheme needs. An id goes from the
// data of a submessage to parity that is not needed, and on to another message, while repeats of
// the data may still be under way.
const leastGenerations = 3

// bySubmessage tells whether a scheme posts two SDR messages for each submessage, which take ids as
// these become free, and not two for each message.
func (s *schemeDraft) bySubmessage() bool {
	sends := s.lookup("sends")
	return sends != nil && sends.has() && sends.text == sendsSubmessage
}

// submessages is how many submessages a scheme cuts a message into.
func (d *draft) submessages(s *schemeDraft) int64 {
	return ceilDiv(ceilDiv(d.size(), d.chunk().whole), s.get("k").whole)
}

// sendsOf is how many SDR messages a scheme posts for a message.
func (d *draft) sendsOf(s *schemeDraft) int64 {
	if s.bySubmessage() {
		return 2 * d.submessages(s)
	}
	return int64(s.entry.Sends)
}

// largestSend is how many packets the largest SDR message of a scheme has.
func (d *draft) largestSend(s *schemeDraft) int64 {
	switch {
	case !s.coded() || !usable(s.get("k"), s.get("m")):
		return d.packets()
	case s.bySubmessage():
		perChunk := ceilDiv(d.chunk().whole, d.get("link.mtu").whole)
		return max(min(s.get("k").whole*perChunk, d.packets()), s.get("m").whole*perChunk)
	}
	return max(d.packets(), d.parityPacketsOf(s))
}

// carries says what the send of a running number carries: the submessage, and whether its parity.
func (d *draft) carries(s *schemeDraft, message int64) (sub int64, parity bool) {
	place, subs := message%d.sendsOf(s), d.submessages(s)
	switch {
	case s.get("order").text == "interleaved":
		return place / 2, place%2 == 1
	case place < subs:
		return place, false
	}
	return place - subs, true
}

// packetsOf is how many packets the send of a running number has under a scheme.
func (d *draft) packetsOf(s *schemeDraft, message int64) int64 {
	if !s.bySubmessage() {
		if message%int64(s.entry.Sends) > 0 {
			return d.parityPacketsOf(s)
		}
		return d.packets()
	}
	perChunk := ceilDiv(d.chunk().whole, d.get("link.mtu").whole)
	sub, parity := d.carries(s, message)
	if parity {
		return s.get("m").whole * perChunk
	}
	each := s.get("k").whole * perChunk
	return min(each, d.packets()-sub*each)
}

// idRounds is how many times a message without loss takes all ids, and waits for the first of them.
func (d *draft) idRounds(s *schemeDraft, ids int64) int64 {
	sends := d.submessages(s)
	if s.get("order").text == "interleaved" {
		sends = 2*sends - 1
	}
	return (sends - 1) / ids
}

// checkSends wants every packet of a submessage to have a number, late packets to be told from
// those of the next submessages under their id, and waiting for ids to end.
func checkSends(d *draft, s *schemeDraft, f *faults) {
	k, m, imm := s.get("k"), s.get("m"), d.get("sdr.imm")
	chunk, mtu, size := d.chunk(), d.get("link.mtu"), d.get("message.size")
	if generations := d.get("sdr.generations"); usable(generations) &&
		generations.whole < leastGenerations {
		f.blame("sends: submessage needs sdr.generations of %d or more, found %d",
			[]any{leastGenerations, generations.whole}, generations, s.get("sends"))
	}
	parts, count := d.get("collective.datacenters"), d.get("message.count")
	if !usable(k, m, chunk, mtu, size, count) || imm.state == broken || parts.state == broken {
		return
	}
	split, ok := d.split()
	if !ok {
		if d.onlySubmessages() {
			f.blame("a submessage of %d packets fits no split of the 32-bit immediate",
				[]any{d.largestPackets()}, k, m, chunk, mtu)
		}
		return
	}
	if rounds := d.idRounds(s, split.Messages()); d.timed() &&
		float64(rounds)*float64(d.turns())*2*d.delay().Seconds() > maxSendSeconds {
		f.blame("waiting for one of %d message ids, a round trip for each time that all are used, "+
			"takes more than 11 days of simulated time, the most that there is",
			[]any{split.Messages()}, s.get("sends"), k, chunk, size, count, imm, parts)
	}
	if packets := d.largestSend(s); split.Packets() < packets {
		f.blame("an SDR message of %d packets, data or parity of a submessage, is too large for "+
			"sdr.imm %v: at most %d packets, %v at link.mtu %v", []any{packets, split,
			split.Packets(), units.Bytes(split.Packets() * mtu.whole), units.Bytes(mtu.whole)},
			imm, k, m, chunk, mtu)
	}
}
