package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkEvents wants entries that are whole and in order, on a link that keeps inside the clock.
func checkEvents(d point, f *faults) {
	var last *setting // when the change before is
	for i := range d.events {
		e := &d.events[i]
		if !e.happens() {
			continue // see checkPaths, checkFlows, checkTraffic
		}
		at := e.get("at")
		eventNeeds(e, "at", f)
		if e.list == outagesPath {
			checkOutage(e, f)
			continue
		}
		checkChange(d, e, f)
		if last != nil && usable(last, at) && at.whole <= last.whole {
			f.blame("must be after the change before, which is at %v",
				[]any{units.Duration(last.whole)}, at, last)
		}
		last = at
	}
}

// eventNeeds wants a key of an entry.
func eventNeeds(e *eventDraft, key string, f *faults) {
	if s := e.get(key); s.state == absent && !e.unknown {
		f.add(s.at, "missing; must be "+e.key(key).Allowed(), Error{Key: s.name})
	}
}

func checkOutage(e *eventDraft, f *faults) {
	eventNeeds(e, "for", f)
	if every, length := e.get("every"), e.get("for"); usable(every, length) &&
		every.whole <= length.whole {
		f.blame("every %v must be above for %v, or the link never comes up again",
			[]any{units.Duration(every.whole), units.Duration(length.whole)}, every, length)
	}
}

func checkChange(d point, e *eventDraft, f *faults) {
	delay, rate, model := e.get("delay"), e.get("bandwidth"), e.get("loss.model")
	if delay.state == absent && rate.state == absent && model.state == absent && !e.unknown {
		f.add(e.get("at").at, "must have one of loss, delay and bandwidth", Error{Key: e.path})
	}
	if model.has() {
		checkParameters(&e.block, "loss", f)
	}
	if rate.has() {
		c, found := d.clone(), f.fresh()
		c.replace("link.bandwidth", rate)
		if checkClock(c, found); found.count() > 0 {
			f.blame("sending takes more than 11 days of simulated time at that bandwidth, the most "+
				"that there is", nil, rate)
		}
	}
	if !usable(delay, d.get("message.count"), d.get("message.in_flight")) {
		return
	}
	turns := float64(d.get("message.count").whole) / float64(d.get("message.in_flight").whole)
	if n := d.get("collective.datacenters"); n.has() {
		turns = float64(d.turns())
	}
	for i := range d.schemes {
		turns = max(turns, float64(d.schemes[i].factory().Retries+1))
	}
	if turns*2*delay.number > maxSendSeconds {
		f.blame("messages or retries over a round trip of %v take more than 11 days of simulated "+
			"time, the most that there is", []any{2 * units.Duration(delay.whole)}, delay)
	}
}

// addEvents builds what happens to a link that is steady otherwise.
func (d point) addEvents(l *spec.Link) {
	now := spec.Change{Bandwidth: l.Bandwidth, ReverseBandwidth: l.ReverseBandwidth, Delay: l.Delay}
	for i := range d.events {
		e := &d.events[i]
		if !e.happens() {
			continue // see addPaths, addNetwork
		}
		at := units.Time(e.get("at").whole)
		if e.list == outagesPath {
			l.Outages = append(l.Outages, spec.Outage{At: at, For: units.Duration(e.get("for").whole),
				Every: units.Duration(e.get("every").whole)})
			continue
		}
		now.At = at
		if s := e.get("delay"); s.has() {
			now.Delay = units.Duration(s.whole)
		}
		if s := e.get("bandwidth"); s.has() {
			now.Bandwidth = units.Rate(s.whole)
			if !d.get("link.reverse_bandwidth").has() {
				now.ReverseBandwidth = now.Bandwidth
			}
		}
		c := now
		if e.get("loss.model").has() {
			c.Loss = modelOf(&e.block, "loss")
			c.Loss.Per = l.Loss.Per
			c.Loss = d.inTime(c.Loss, c.Bandwidth)
			if d.get("link.ack_loss.model").text == LossSame {
				c.AckLoss = sameLoss(c.Loss)
			}
		}
		l.Changes = append(l.Changes, c)
	}
}
