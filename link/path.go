package link

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// Source is where an inbox gets its packets from. It is pulled, and has no events: whoever wants to
// know what has come asks, at the time of the engine. What a source has handed on is final; it is
// never taken back, cut or delayed. All times are of arrival at the inbox.
type Source interface {
	// Pull hands on everything that is final at now, which is the time of the engine: whoever acts,
	// acts then or later.
	Pull(now units.Time)
	// Known is until when, inclusive, everything that arrives was handed on by Pull(now).
	Known(now units.Time) units.Time
	// Earliest is no later than the first arrival of what was not handed on; Never where nothing more
	// is under way.
	Earliest() units.Time
	// Preview is what arrives next of what was not handed on, unless it is cut: only to plan by. It is
	// nil where nothing is known, and valid until the next call of any method.
	Preview() *Flight
	// Flush hands on everything that was sent. Nothing is sent after it before the next reset.
	Flush()
}

// taker is what a port sends into: the beginning of a path. Everything comes in order of sending,
// and is final.
type taker interface {
	// take takes the first count packets of a run, of which the first has left at Depart and the
	// others Spacing apart. The run is only valid during the call.
	take(r *wire.Run, count int64)
	// takeControl takes a control message that has left at depart. The bytes are copied.
	takeControl(depart units.Time, msg []byte)
	// reset forgets everything.
	reset()
}

// Delay is the path of a constant propagation delay, or of one that changes at known times. What is
// particular to it, and what nothing else may rely on:
//
//   - A packet arrives when it has left, plus the delay that its port has noted for it.
//   - Packets keep their order and their distances: a run arrives as it was sent, in a lane.
//   - What arrives within the least delay has left, so everything is known so far ahead.
//   - It joins one port to one inbox, which nobody else sends into.
type Delay struct {
	port   *Port
	to     *Inbox
	coming Flight // of Preview
}

// Pull implements Source.
func (d *Delay) Pull(now units.Time) { d.port.pull(now) }

// Known implements Source.
func (d *Delay) Known(now units.Time) units.Time { return now.Add(d.port.LeastDelay()) }

// Earliest implements Source.
func (d *Delay) Earliest() units.Time {
	skip, count := d.port.passing()
	if count == 0 {
		return units.Never
	}
	r := &d.port.run
	return r.Depart.Add(units.Duration(skip)*r.Spacing + d.port.delay)
}

// Preview implements Source.
func (d *Delay) Preview() *Flight {
	skip, count := d.port.passing()
	if count == 0 {
		return nil
	}
	f := &d.coming
	f.Run = d.port.run
	f.Run.Skip(skip)
	f.Run.Keep(count)
	f.Run.Depart = f.Run.Depart.Add(d.port.delay)
	f.Arrive = f.Run.Depart
	return f
}

// Flush implements Source.
func (d *Delay) Flush() { d.port.finish() }

func (d *Delay) take(r *wire.Run, count int64) {
	d.to.put(r, r.Depart.Add(d.port.delay), count)
}

func (d *Delay) takeControl(depart units.Time, msg []byte) {
	d.to.putControl(depart.Add(d.port.delay), msg)
}

func (d *Delay) reset() {}

// Delay is the propagation delay of what was sent last.
func (p *Port) Delay() units.Duration { return p.delay }

// DelayAt is the propagation delay of what takes no time to send at now, and does not overtake what
// was sent in the same way before.
func (p *Port) DelayAt(now units.Time) units.Duration {
	w, changed := wayOf(&p.cfg), units.Time(0)
	queue := w.delay // at the time of the change
	for w.change <= now {
		at := w.change
		queue, changed = w.behind(at.Sub(changed), queue), at
		w.pass(at, p.cfg.Changes)
	}
	return w.behind(now.Sub(changed), queue)
}

// LeastDelay is the shortest that the propagation delay is at any time.
func (p *Port) LeastDelay() units.Duration { return p.way.least }
