package schemestest

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// group is the leading packets on the link that one call may report, of those that arrive by a
// time: consecutive, equally spaced, and none of them lost. Before it come lead lost ones.
func (w *world) group(by units.Time) (lead int, run wire.Run, ok bool) {
	for lead < len(w.link) && w.link[lead].lost {
		lead++
	}
	for _, p := range w.link[lead:] {
		n := run.Count
		switch {
		case p.arrive > by || p.lost || w.host.group > 0 && n == w.host.group:
			return lead, run, n > 0
		case n == 0:
			run = p.run
		case p.run.First != run.End() || p.run.Serial != run.Serial || p.run.Repeat != run.Repeat ||
			p.run.Payload != run.Payload || p.run.Depart != run.Depart.Add(units.Duration(n)*w.play.spacing):
			return lead, run, true
		default:
			run.Count++
		}
	}
	return lead, run, run.Count > 0
}

// limit is how far arrivals may be reported together: to the deadline of the receiver, as one of
// them may put it off, or to the first of them where that comes later.
func (w *world) limit() units.Time {
	for _, p := range w.link {
		if !p.lost {
			return max(deadline(w.rx.rx), p.arrive)
		}
	}
	return units.Never
}

// nextArrival is when the receiver has something to do on account of what is under way.
func (w *world) nextArrival() units.Time {
	lead, run, ok := w.group(w.limit())
	if !ok {
		return units.Never
	}
	count, _ := w.ask(&run)
	return w.link[lead+int(count)-1].arrive
}

// ask is how many packets of a run the receiver takes together, and whether in silence.
func (w *world) ask(run *wire.Run) (count int64, silent bool) {
	a := w.qp.Preview(run)
	if a.Recv == nil {
		return run.Count, false
	}
	a.Count = min(a.Count, run.Count)
	return w.rx.quiet(a)
}
