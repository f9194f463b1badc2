package rules

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkEvents wants entries that are whole and in order, on a link that keeps inside the clock.
func checkEvents(d point, f *format.Faults) {
	var last *keys.Setting // when the change before is
	for i := range d.Events {
		e := &d.Events[i]
		if !e.Happens() {
			continue // see checkPaths, checkFlows, checkTraffic
		}
		at := e.Get("at")
		eventNeeds(e, "at", f)
		if e.List == keys.OutagesPath {
			checkOutage(e, f)
			continue
		}
		checkChange(d, e, f)
		if last != nil && keys.Usable(last, at) && at.Whole <= last.Whole {
			f.Blame("must be after the change before, which is at %v",
				[]any{units.Duration(last.Whole)}, at, last)
		}
		last = at
	}
}

// eventNeeds wants a key of an entry.
func eventNeeds(e *draft.Entry, key string, f *format.Faults) {
	if s := e.Get(key); s.State == keys.Absent && !e.Unknown {
		f.Add(s.At, "missing; must be "+e.Key(key).Allowed(), format.Error{Key: s.Name})
	}
}

func checkOutage(e *draft.Entry, f *format.Faults) {
	eventNeeds(e, "for", f)
	if every, length := e.Get("every"), e.Get("for"); keys.Usable(every, length) &&
		every.Whole <= length.Whole {
		f.Blame("every %v must be above for %v, or the link never comes up again",
			[]any{units.Duration(every.Whole), units.Duration(length.Whole)}, every, length)
	}
}

func checkChange(d point, e *draft.Entry, f *format.Faults) {
	delay, rate, model := e.Get("delay"), e.Get("bandwidth"), e.Get("loss.model")
	if delay.State == keys.Absent && rate.State == keys.Absent && model.State == keys.Absent &&
		!e.Unknown {
		f.Add(e.Get("at").At, "must have one of loss, delay and bandwidth", format.Error{Key: e.Path})
	}
	if model.Has() {
		checkParameters(&e.Block, "loss", f)
	}
	if rate.Has() {
		c, found := d.clone(), f.Fresh()
		c.Replace("link.bandwidth", rate)
		if checkClock(c, found); found.Count() > 0 {
			f.Blame("sending takes more than 11 days of simulated time at that bandwidth, the most "+
				"that there is", nil, rate)
		}
	}
	if !keys.Usable(delay, d.Get("message.count"), d.Get("message.in_flight")) {
		return
	}
	turns := float64(d.Get("message.count").Whole) / float64(d.Get("message.in_flight").Whole)
	if n := d.Get("collective.datacenters"); n.Has() {
		turns = float64(d.turns())
	}
	for i := range d.Schemes {
		turns = max(turns, float64(d.Schemes[i].Factory().Retries+1))
	}
	if turns*2*delay.Number > keys.MaxSendSeconds {
		f.Blame("messages or retries over a round trip of %v take more than 11 days of simulated "+
			"time, the most that there is", []any{2 * units.Duration(delay.Whole)}, delay)
	}
}

// addEvents builds what happens to a link that is steady otherwise.
func (d point) addEvents(l *spec.Link) {
	now := spec.Change{Bandwidth: l.Bandwidth, ReverseBandwidth: l.ReverseBandwidth, Delay: l.Delay}
	for i := range d.Events {
		e := &d.Events[i]
		if !e.Happens() {
			continue // see addPaths, addNetwork
		}
		at := units.Time(e.Get("at").Whole)
		if e.List == keys.OutagesPath {
			l.Outages = append(l.Outages, spec.Outage{At: at, For: units.Duration(e.Get("for").Whole),
				Every: units.Duration(e.Get("every").Whole)})
			continue
		}
		now.At = at
		if s := e.Get("delay"); s.Has() {
			now.Delay = units.Duration(s.Whole)
		}
		if s := e.Get("bandwidth"); s.Has() {
			now.Bandwidth = units.Rate(s.Whole)
			if !d.Get("link.reverse_bandwidth").Has() {
				now.ReverseBandwidth = now.Bandwidth
			}
		}
		c := now
		if e.Get("loss.model").Has() {
			c.Loss = modelOf(&e.Block, "loss")
			c.Loss.Per = l.Loss.Per
			c.Loss = d.inTime(c.Loss, c.Bandwidth)
			if d.Get("link.ack_loss.model").Text == keys.LossSame {
				c.AckLoss = sameLoss(c.Loss)
			}
		}
		l.Changes = append(l.Changes, c)
	}
}
