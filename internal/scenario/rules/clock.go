package rules

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/units"
)

// checkClock keeps the events of a point inside the clock, with room for repeats.
func checkClock(d point, f *format.Faults) {
	size, count, rate := d.largestSize(), d.Get("message.count"), d.Get("link.bandwidth")
	mtu, encap := d.Get("link.mtu"), d.Get("link.encapsulation")
	parts := d.Get("collective.datacenters")
	if !keys.Usable(size, count, rate, mtu, encap, d.chunk()) || parts.State == keys.Broken {
		return
	}
	perPacket := float64(mtu.Whole + int64(spec.Overhead(encap.Text)))
	bits := 8 * perPacket * float64(d.packets()+d.parityPackets()) * float64(d.turns())
	if bits/float64(rate.Whole) > keys.MaxSendSeconds {
		f.Blame("sending takes more than 11 days of simulated time, the most that there is: "+
			"message.count * message.size at link.bandwidth", nil, count, size, rate, parts)
	}
	chunk := d.chunk()
	packets := float64(units.CeilDiv(chunk.Whole, mtu.Whole))
	if 8*perPacket*packets > keys.MaxSendSeconds*float64(rate.Whole) {
		f.Blame("a chunk takes more than 11 days of simulated time, the most that there is: "+
			"message.chunk at link.bandwidth", nil, chunk, rate)
	}
	back := d.Get("link.reverse_bandwidth")
	if back.Has() && float64(mtu.Whole)*8/float64(back.Whole) > keys.MaxSpanSeconds {
		f.Blame("a packet takes more than an hour", nil, back)
	}
}

// checkTurns keeps the round trips of a stream inside the clock: each message takes one at least.
func checkTurns(d point, f *format.Faults) {
	count, inFlight := d.Get("message.count"), d.Get("message.in_flight")
	if !keys.Usable(count, inFlight) || !d.timed() || d.Ring() {
		return
	}
	turns := float64(count.Whole) / float64(inFlight.Whole)
	if turns*2*d.delay().Seconds() > keys.MaxSendSeconds {
		f.Blame("%d messages, %d at a time, over a round trip of %v take more than 11 days of "+
			"simulated time, the most that there is", []any{count.Whole, inFlight.Whole,
			2 * d.delay()}, count, inFlight, d.Get("link.distance"), d.Get("link.rtt"),
			d.Get("link.delay"))
	}
}

// checkHosts keeps the work of the workers inside the clock.
func checkHosts(d point, f *format.Faults) {
	packet, chunk, repost := d.Get("nic.per_packet"), d.Get("nic.per_chunk"), d.Get("nic.repost")
	workers, channels := d.Get("nic.workers"), d.Get("sdr.channels")
	size, count := d.largestSize(), d.Get("message.count")
	parts := d.Get("collective.datacenters")
	if !keys.Usable(packet, chunk, repost, workers, channels, size, count, d.Get("link.mtu"),
		d.chunk()) || parts.State == keys.Broken {
		return
	}
	packets, turns := float64(d.packets()+d.parityPackets()), float64(d.turns())
	perChunk := float64(units.CeilDiv(d.chunk().Whole, d.Get("link.mtu").Whole))
	work := float64(packets*packet.Number) + float64((packets/perChunk+2)*chunk.Number)
	if work*turns > keys.MaxSendSeconds*float64(min(workers.Whole, channels.Whole)) {
		f.Blame("completions take more than 11 days of simulated time, the most that there is: "+
			"packets * nic.per_packet + chunks * nic.per_chunk", nil,
			packet, chunk, workers, channels, size, count, parts)
	}
	if turns*repost.Number > keys.MaxSendSeconds {
		f.Blame("posting receives again takes more than 11 days of simulated time, the most that "+
			"there is: message.count * nic.repost", nil, repost, count, parts)
	}
}

// checkSpans keeps the spans of a scheme below an hour.
func checkSpans(d point, s *draft.Scheme, f *format.Faults) {
	for i := range s.Settings {
		p := s.Settings[i]
		if s.Set.Keys[i].Kind != schemes.KindSpan || !p.Has() {
			continue
		}
		if d.timed() && p.Span.Multiple != 0 &&
			d.delay().Seconds()*2*p.Number > keys.MaxSpanSeconds {
			f.Blame("must be at most 1h; the round-trip time is %v", []any{2 * d.delay()}, p)
		}
	}
}
