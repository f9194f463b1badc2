package scenarios

import (
	"sdrsim/schemes"
	"sdrsim/units"
)

// checkClock keeps the events of a point inside the clock, with room for repeats.
func checkClock(d point, f *faults) {
	size, count, rate := d.largestSize(), d.get("message.count"), d.get("link.bandwidth")
	mtu, encap := d.get("link.mtu"), d.get("link.encapsulation")
	parts := d.get("collective.datacenters")
	if !usable(size, count, rate, mtu, encap, d.chunk()) || parts.state == broken {
		return
	}
	perPacket := float64(mtu.whole + int64(overhead(encap.text)))
	bits := 8 * perPacket * float64(d.packets()+d.parityPackets()) * float64(d.turns())
	if bits/float64(rate.whole) > maxSendSeconds {
		f.blame("sending takes more than 11 days of simulated time, the most that there is: "+
			"message.count * message.size at link.bandwidth", nil, count, size, rate, parts)
	}
	chunk := d.chunk()
	packets := float64(units.CeilDiv(chunk.whole, mtu.whole))
	if 8*perPacket*packets > maxSendSeconds*float64(rate.whole) {
		f.blame("a chunk takes more than 11 days of simulated time, the most that there is: "+
			"message.chunk at link.bandwidth", nil, chunk, rate)
	}
	back := d.get("link.reverse_bandwidth")
	if back.has() && float64(mtu.whole)*8/float64(back.whole) > maxSpanSeconds {
		f.blame("a packet takes more than an hour", nil, back)
	}
}

// checkTurns keeps the round trips of a stream inside the clock: each message takes one at least.
func checkTurns(d point, f *faults) {
	count, inFlight := d.get("message.count"), d.get("message.in_flight")
	if !usable(count, inFlight) || !d.timed() || d.ring() {
		return
	}
	turns := float64(count.whole) / float64(inFlight.whole)
	if turns*2*d.delay().Seconds() > maxSendSeconds {
		f.blame("%d messages, %d at a time, over a round trip of %v take more than 11 days of "+
			"simulated time, the most that there is", []any{count.whole, inFlight.whole,
			2 * d.delay()}, count, inFlight, d.get("link.distance"), d.get("link.rtt"),
			d.get("link.delay"))
	}
}

// checkHosts keeps the work of the workers inside the clock.
func checkHosts(d point, f *faults) {
	packet, chunk, repost := d.get("nic.per_packet"), d.get("nic.per_chunk"), d.get("nic.repost")
	workers, channels := d.get("nic.workers"), d.get("sdr.channels")
	size, count := d.largestSize(), d.get("message.count")
	parts := d.get("collective.datacenters")
	if !usable(packet, chunk, repost, workers, channels, size, count, d.get("link.mtu"),
		d.chunk()) || parts.state == broken {
		return
	}
	packets, turns := float64(d.packets()+d.parityPackets()), float64(d.turns())
	perChunk := float64(units.CeilDiv(d.chunk().whole, d.get("link.mtu").whole))
	work := float64(packets*packet.number) + float64((packets/perChunk+2)*chunk.number)
	if work*turns > maxSendSeconds*float64(min(workers.whole, channels.whole)) {
		f.blame("completions take more than 11 days of simulated time, the most that there is: "+
			"packets * nic.per_packet + chunks * nic.per_chunk", nil,
			packet, chunk, workers, channels, size, count, parts)
	}
	if turns*repost.number > maxSendSeconds {
		f.blame("posting receives again takes more than 11 days of simulated time, the most that "+
			"there is: message.count * nic.repost", nil, repost, count, parts)
	}
}

// checkSpans keeps the spans of a scheme below an hour.
func checkSpans(d point, s *schemeDraft, f *faults) {
	for i := range s.settings {
		p := s.settings[i]
		if s.set.keys[i].Kind != schemes.KindSpan || !p.has() {
			continue
		}
		if d.timed() && p.span.Multiple != 0 &&
			d.delay().Seconds()*2*p.number > maxSpanSeconds {
			f.blame("must be at most 1h; the round-trip time is %v", []any{2 * d.delay()}, p)
		}
	}
}
