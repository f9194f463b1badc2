package scenarios

import (
	"slices"

	"sdrsim/schemes"
	"sdrsim/units"
)

// checks are the rules that bind settings of a point together. Each lays what is wrong to the
// settings concerned, and is silent about settings that are missing or could not be read.
var checks = []func(d *draft, f *faults){
	checkRequired, checkPropagation, checkLoss, checkAckLoss, checkMessage, checkSizes,
	checkArrival, checkSplit,
	checkSchemes, checkClock, checkTurns, checkHosts, checkCollective,
	checkAcceleration, checkPrecision, checkDrops, checkEvents, checkJitter, checkPaths,
	checkNetwork, checkConnections, checkSubmission, checkDeadline,
}

// check applies every rule to a point.
func (d *draft) check(f *faults) {
	checkWorkload(d, f)
	d = d.lowered()
	for _, rule := range checks {
		rule(d, f)
	}
}

func checkRequired(d *draft, f *faults) {
	for _, path := range []string{"name", "link.bandwidth", "message.size"} {
		s := d.get(path)
		if path == "message.size" && d.distributed() {
			continue // see checkSizes
		}
		if s.state == absent {
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

// timed reports whether the propagation delay can be computed.
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

// chunk is the setting of message.chunk. The default follows the MTU: the largest multiple of it up
// to the one of the table.
func (d *draft) chunk() *setting {
	chunk, mtu := d.get("message.chunk"), d.get("link.mtu")
	if chunk.state != defaulted || !mtu.has() || chunk.whole%mtu.whole == 0 {
		return chunk
	}
	fits := *chunk
	fits.value = whole(chunk.whole - chunk.whole%mtu.whole)
	return &fits
}

func checkMessage(d *draft, f *faults) {
	chunk, mtu := d.chunk(), d.get("link.mtu")
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

// checkSchemes applies the rules of single schemes, which their entries in the catalog have.
func checkSchemes(d *draft, f *faults) {
	bounds := d.bounds()
	for s := range d.eachScheme {
		checkSpans(d, s, f)
		if check := s.factory().Check; check != nil {
			for _, c := range check(bounds) {
				f.blame(c.Format, c.Args, d.settingsOf(s, c.Keys)...)
			}
		}
	}
}

// bounds are what the values of schemes have to agree with.
func (d *draft) bounds() schemes.Bounds {
	b := schemes.Bounds{RTT: -1, Seconds: maxSendSeconds}
	if d.timed() {
		b.RTT = 2 * d.delay()
	}
	chunk, count, parts := d.chunk(), d.get("message.count"), d.get("collective.datacenters")
	if chunk.has() {
		b.Chunk = units.Bytes(chunk.whole)
	}
	if usable(d.largestSize(), count) && parts.state != broken {
		b.Size, b.Messages = units.Bytes(d.size()), d.turns()
	}
	return b
}

// settingsOf are those that a conflict of a scheme names.
func (d *draft) settingsOf(s *schemeDraft, keys []string) (list []*setting) {
	for _, key := range keys {
		switch key {
		case schemes.ChunkKey:
			list = append(list, d.chunk())
		case schemes.WorkKeys:
			list = append(list, d.largestSize(), d.get("message.count"),
				d.get("collective.datacenters"))
		default:
			list = append(list, s.get(key))
		}
	}
	return list
}
