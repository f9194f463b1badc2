package rules

import (
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/schemes"
	"sdrsim/units"
)

// checks are the rules that bind settings of a point together. Each lays what is wrong to the
// settings concerned, and is silent about settings that are missing or could not be read.
var checks = []func(d point, f *format.Faults){
	checkRequired, checkPropagation, checkLoss, checkAckLoss, checkMessage, checkSizes,
	checkArrival, checkSplit,
	checkSchemes, checkClock, checkTurns, checkHosts, checkCollective,
	checkAcceleration, checkPrecision, checkDrops, checkEvents, checkJitter, checkPaths,
	checkNetwork, checkConnections, checkSubmission, checkDeadline,
}

// Check applies every rule to a point.
func Check(d *draft.Draft, f *format.Faults) {
	one := point{d}
	checkWorkload(one, f)
	one = one.lowered()
	for _, rule := range checks {
		rule(one, f)
	}
}

// CheckUse applies the rules that are about all points: what the file gives must be used at some.
func CheckUse(d *draft.Decoder, axes []axes.Axis) {
	lossUse(d, axes)
	jitterUse(d, axes)
	trafficUse(d, axes)
	submissionUse(d, axes)
	workloadUse(d, axes)
}

// point is a draft with what follows from its settings.
type point struct{ *draft.Draft }

func (d point) clone() point { return point{d.Draft.Clone()} }

func checkRequired(d point, f *format.Faults) {
	for _, path := range []string{"name", "link.bandwidth", "message.size"} {
		s := d.Get(path)
		if path == "message.size" && d.distributed() {
			continue // see checkSizes
		}
		if s.State == keys.Absent {
			k := d.Key(path)
			f.Add(s.At, "missing; must be "+k.Allowed(), format.Error{Key: s.Name})
		}
	}
}

// checkPropagation wants exactly one way to say how far it is.
func checkPropagation(d point, f *format.Faults) {
	distance, rtt, delay := d.Get("link.distance"), d.Get("link.rtt"), d.Get("link.delay")
	medium := d.Get("link.medium")
	var present []format.Suspect
	some := false
	for _, s := range []*keys.Setting{distance, rtt, delay} {
		if s.State != keys.Absent {
			present, some = append(present, s), some || s.Has()
		}
	}
	switch {
	case len(present) == 0:
		f.Add(distance.At, "must have one of distance, rtt and delay", format.Error{Key: "link"})
		return
	case len(present) > 1 && some:
		f.Blame("must be the only one of distance, rtt and delay", nil, present...)
		return
	}
	if medium.Wrote() && distance.State == keys.Absent {
		f.Blame("medium goes with distance; rtt and delay are times already", nil, medium)
	}
}

// delay is the one-way propagation delay; how far it is has been checked.
func (d point) delay() units.Duration {
	distance, rtt := d.Get("link.distance"), d.Get("link.rtt")
	switch {
	case distance.Has():
		return units.Medium(d.Get("link.medium").Text).Delay(units.Distance(distance.Whole))
	case rtt.Has():
		return units.Duration(rtt.Whole / 2)
	}
	return units.Duration(d.Get("link.delay").Whole)
}

// timed reports whether the propagation delay can be computed.
func (d point) timed() bool {
	ways := 0
	for _, path := range []string{"link.distance", "link.rtt", "link.delay"} {
		switch s := d.Get(path); s.State {
		case keys.Absent:
		case keys.Broken:
			return false
		default:
			ways++
		}
	}
	return ways == 1 && d.Get("link.medium").Has()
}

// chunk is the setting of message.chunk. The default follows the MTU: the largest multiple of it up
// to the one of the table.
func (d point) chunk() *keys.Setting {
	chunk, mtu := d.Get("message.chunk"), d.Get("link.mtu")
	if chunk.State != keys.Defaulted || !mtu.Has() || chunk.Whole%mtu.Whole == 0 {
		return chunk
	}
	fits := *chunk
	fits.Value = keys.Whole(chunk.Whole - chunk.Whole%mtu.Whole)
	return &fits
}

func checkMessage(d point, f *format.Faults) {
	chunk, mtu := d.chunk(), d.Get("link.mtu")
	if keys.Usable(chunk, mtu) && chunk.Whole%mtu.Whole != 0 {
		f.Blame("message.chunk %v must be a multiple of link.mtu %v",
			[]any{units.Bytes(chunk.Whole), units.Bytes(mtu.Whole)}, chunk, mtu)
	}
	count, inFlight := d.Get("message.count"), d.Get("message.in_flight")
	if keys.Usable(count, inFlight) && inFlight.Whole > count.Whole {
		f.Blame("message.in_flight %d must not be above message.count %d",
			[]any{inFlight.Whole, count.Whole}, inFlight, count)
	}
}

// checkSchemes applies the rules of single schemes, which their entries in the catalog have.
func checkSchemes(d point, f *format.Faults) {
	bounds := d.bounds()
	for s := range d.EachScheme {
		checkSpans(d, s, f)
		if check := s.Factory().Check; check != nil {
			for _, c := range check(bounds) {
				f.Blame(c.Format, c.Args, d.settingsOf(s, c.Keys)...)
			}
		}
	}
}

// bounds are what the values of schemes have to agree with.
func (d point) bounds() schemes.Bounds {
	b := schemes.Bounds{RTT: -1, Seconds: keys.MaxSendSeconds}
	if d.timed() {
		b.RTT = 2 * d.delay()
	}
	chunk, count, parts := d.chunk(), d.Get("message.count"), d.Get("collective.datacenters")
	if chunk.Has() {
		b.Chunk = units.Bytes(chunk.Whole)
	}
	if keys.Usable(d.largestSize(), count) && parts.State != keys.Broken {
		b.Size, b.Messages = units.Bytes(d.size()), d.turns()
	}
	return b
}

// settingsOf are those that a conflict of a scheme names.
func (d point) settingsOf(s *draft.Scheme, keys []string) (list []format.Suspect) {
	for _, key := range keys {
		switch key {
		case schemes.ChunkKey:
			list = append(list, d.chunk())
		case schemes.WorkKeys:
			list = append(list, d.largestSize(), d.Get("message.count"),
				d.Get("collective.datacenters"))
		default:
			list = append(list, s.Get(key))
		}
	}
	return list
}
