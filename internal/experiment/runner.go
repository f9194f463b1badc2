package experiment

import (
	"fmt"

	"sdrsim/scenarios"
	"sdrsim/schemes/catalog"
	"sdrsim/sim/units"
)

// Runner replays one point under one scheme. It is not safe for concurrent use; its memory is
// reused from sample to sample.
type Runner struct {
	point  *scenarios.Point
	pair   *pair
	stream *stream
	ideal  units.Duration
	// patience is how many events may pass without a packet that was not there before.
	patience int
}

// NewRunner builds the topology of a point and the endpoints of a scheme.
func NewRunner(p *scenarios.Point, s *scenarios.Scheme) (*Runner, error) {
	entry, ok := catalog.Lookup(s.Name)
	if !ok {
		return nil, fmt.Errorf("experiment: no reliability scheme is called %q", s.Name)
	}
	factory, err := catalog.Build(s.Name, s.Params)
	if err != nil {
		return nil, err
	}
	t, err := newPair(p, entry)
	if err != nil {
		return nil, fmt.Errorf("experiment: %s under %s: %w", p.Key, s.Label, err)
	}
	w, err := newStream(t, p, factory)
	if err != nil {
		return nil, fmt.Errorf("experiment: %s under %s: %w", p.Key, s.Label, err)
	}
	t.a.Connect(t.qpA, t.there, t.back, w)
	t.b.Connect(t.qpB, t.back, t.there, w)
	return &Runner{point: p, pair: t, stream: w, patience: patience,
		ideal: t.ideal(p.Message, p.Link.MTU)}, nil
}

// patience is the number of events without progress after which a run counts as stuck. Every
// endpoint gives up long before, unless it is broken.
const patience = 1 << 24

// Sample replays the sample with the given number, from 0, into a Sample whose slices are reused.
// The error tells that the run got stuck or that delivered bytes were wrong: a defect of a scheme,
// not a property of the link.
func (r *Runner) Sample(index int, into *Sample) error {
	*into = Sample{Completion: into.Completion[:0], Delivery: into.Delivery[:0]}
	t, w := r.pair, r.stream
	t.reset(r.point.Seed, index)
	w.begin(index, into)
	fresh, left := int64(0), r.patience
	for !w.over() && t.engine.Step() {
		if left--; left == 0 {
			if now := t.qpB.Counters().Fresh; now != fresh {
				fresh, left = now, r.patience
				continue
			}
			return w.stuck(fmt.Sprintf("no new packet arrived in %d events", r.patience))
		}
	}
	if w.err != nil {
		return w.err
	}
	if !w.over() {
		return w.stuck("nothing is left to happen")
	}
	r.finish(into)
	return nil
}

// finish counts what the links and NICs have seen.
func (r *Runner) finish(into *Sample) {
	t := r.pair
	t.there.Cut(t.engine.Now())
	t.b.Drain()
	stats := t.there.Stats()
	counters := t.qpB.Counters()
	into.Ideal = r.ideal
	into.WireBytes = int64(stats.WireBytes)
	into.Packets, into.Lost = stats.Packets, stats.Lost
	into.Spurious = t.b.Stats().Spurious
	into.Events = t.engine.Events()
	into.Discarded = counters.Discarded + counters.Stale + counters.Duplicates
}
