package scenarios

import (
	"slices"

	"sdrsim/schemes"
	"sdrsim/sim/units"
)

// checks are the rules that bind settings of a point together. Each lays what is wrong to the
// settings concerned, and is silent about settings that are missing or could not be read.
var checks = []func(d *draft, f *faults){
	checkRequired, checkPropagation, checkLoss, checkAckLoss, checkMessage, checkSplit,
	checkSchemes, checkClock, checkCollective, checkAcceleration,
	checkPrecision,
}

// check applies every rule to a point.
func (d *draft) check(f *faults) {
	for _, rule := range checks {
		rule(d, f)
	}
}

func checkRequired(d *draft, f *faults) {
	for _, path := range []string{"name", "link.bandwidth", "message.size"} {
		if s := d.get(path); s.state == absent {
			k := &d.set.keys[d.set.index[path]]
			f.add(s.at, "missing; must be "+k.Allowed(), Error{Key: s.name})
		}
	}
}

// checkPropagation wants exactly one way to say how far it is.
func checkPropagation(d *draft, f *faults) {
	distance, rtt, delay := d.get("link.distance"), d.get("link.rtt"), d.get("link.delay")
	medium := d.get("link.medium")
	var present []*setting
	for _, s := range []*setting{distance, rtt, delay} {
		if s.state != absent {
			present = append(present, s)
		}
	}
	switch {
	case len(present) == 0:
		f.add(distance.at, "must have one of distance, rtt and delay", Error{Key: "link"})
		return
	case len(present) > 1 && slices.ContainsFunc(present, (*setting).has):
		f.blame("must be the only one of distance, rtt and delay", nil, present...)
		return
	}
	if medium.wrote() && distance.state == absent {
		f.blame("medium goes with distance; rtt and delay are times already", nil, medium)
	}
}

// delay is the one-way propagation delay; how far it is has been checked.
func (d *draft) delay() units.Duration {
	distance, rtt := d.get("link.distance"), d.get("link.rtt")
	switch {
	case distance.has():
		return units.Medium(d.get("link.medium").text).Delay(units.Distance(distance.whole))
	case rtt.has():
		return units.Duration(rtt.whole / 2)
	}
	return units.Duration(d.get("link.delay").whole)
}

// timed tells whether the propagation delay can be computed.
func (d *draft) timed() bool {
	ways := 0
	for _, path := range []string{"link.distance", "link.rtt", "link.delay"} {
		switch s := d.get(path); s.state {
		case absent:
		case broken:
			return false
		default:
			ways++
		}
	}
	return ways == 1 && d.get("link.medium").has()
}

func checkMessage(d *draft, f *faults) {
	chunk, mtu := d.get("message.chunk"), d.get("link.mtu")
	if usable(chunk, mtu) && chunk.whole%mtu.whole != 0 {
		f.blame("message.chunk %v must be a multiple of link.mtu %v",
			[]any{units.Bytes(chunk.whole), units.Bytes(mtu.whole)}, chunk, mtu)
	}
	count, inFlight := d.get("message.count"), d.get("message.in_flight")
	if usable(count, inFlight) && inFlight.whole > count.whole {
		f.blame("message.in_flight %d must not be above message.count %d",
			[]any{inFlight.whole, count.whole}, inFlight, count)
	}
}

// checkSchemes applies the rules of single schemes. The catalog knows kinds and ranges of
// parameters; what binds parameters together is here.
func checkSchemes(d *draft, f *faults) {
	for i := range d.schemes {
		s := &d.schemes[i]
		checkTimeout(d, s, f)
		if s.coded() {
			checkCode(d, s, f)
		}
	}
}

// checkTimeout wants one way to say what the retransmission timeout is.
func checkTimeout(d *draft, s *schemeDraft, f *faults) {
	rto, alpha := s.lookup("rto"), s.lookup("alpha")
	if rto != nil && alpha != nil && rto.wrote() && alpha.wrote() {
		f.blame("must have only one of rto and alpha; rto is RTT + alpha*RTT", nil, alpha, rto)
	}
	for i := range s.settings {
		p := &s.settings[i]
		if !p.has() || s.set.keys[i].Kind != schemes.KindSpan {
			continue
		}
		if p.span.IsZero() && p == rto {
			f.blame("must be above 0", nil, p)
		}
		if d.timed() && p.span.Multiple != 0 &&
			d.delay().Seconds()*2*p.number > maxSpanSeconds {
			f.blame("must be at most 1h; the round-trip time is %v", []any{2 * d.delay()}, p)
		}
	}
}

// coded tells whether the scheme sends parity.
func (s *schemeDraft) coded() bool { return s.lookup("k") != nil && s.lookup("m") != nil }

// Limits of the Reed-Solomon codecs: over GF(2^8), and over GF(2^16), which works on shards of
// multiples of 64 bytes.
const (
	maxShards     = 256
	maxWideShards = 65536
	wideShard     = 64
)

// checkCode applies the limits of the codes.
func checkCode(d *draft, s *schemeDraft, f *faults) {
	k, m, chunk := s.get("k"), s.get("m"), d.get("message.chunk")
	if !usable(k, m) {
		return
	}
	if s.entry.Name == "ec-xor" {
		if m.whole > k.whole {
			f.blame("m %d must not be above k %d: each parity chunk covers a data chunk",
				[]any{m.whole, k.whole}, m, k)
		}
		return
	}
	switch shards := k.whole + m.whole; {
	case shards > maxWideShards:
		f.blame("k+m is %d; must be at most %d", []any{shards, maxWideShards}, k, m)
	case shards > maxShards && chunk.has() && chunk.whole%wideShard != 0:
		f.blame("k+m is %d; above %d message.chunk must be a multiple of %dB, and is %dB",
			[]any{shards, maxShards, wideShard, chunk.whole}, k, m, chunk)
	}
}

// checkClock keeps the events of a point inside the clock, with room for repeats.
func checkClock(d *draft, f *faults) {
	size, count, rate := d.get("message.size"), d.get("message.count"), d.get("link.bandwidth")
	mtu, encap := d.get("link.mtu"), d.get("link.encapsulation")
	parts := d.get("collective.datacenters")
	if !usable(size, count, rate, mtu, encap, d.get("message.chunk")) || parts.state == broken {
		return
	}
	perPacket := float64(mtu.whole + int64(overhead(encap.text)))
	bits := 8 * perPacket * float64(d.packets()+d.parityPackets()) * float64(d.turns())
	if bits/float64(rate.whole) > maxSendSeconds {
		f.blame("sending takes more than 11 days of simulated time, the most that there is: "+
			"message.count * message.size at link.bandwidth", nil, count, size, rate, parts)
	}
	back := d.get("link.reverse_bandwidth")
	if back.has() && float64(mtu.whole)*8/float64(back.whole) > maxSpanSeconds {
		f.blame("a packet takes more than an hour", nil, back)
	}
}
