package experiment

import (
	"fmt"

	"sdrsim/internal/spec"
	"sdrsim/nic"
	"sdrsim/schemes/catalog"
	"sdrsim/sim"
	"sdrsim/units"
)

// Runner replays one point under one scheme. It is not safe for concurrent use; its memory is
// reused from sample to sample.
type Runner struct {
	seed   uint64
	engine *sim.Engine
	plan   *spec.Plan
	// hops are the connections: one, or those of a ring.
	hops     []*stream
	progress progress
	ring     *allReduce
	files    *files
	graph    *graphRun
	network  *network // what the connections share; nil: nothing
	// wires are those of both NICs where several connections share them.
	wires []*nic.Egress
	ideal units.Duration
	// patience is how many events may pass without a packet that was not there before.
	patience int
	tracer   Tracer // nil: nobody is told
}

// patience is the least number of events without progress after which a run counts as stuck.
const patience = 1 << 24

// patienceOf is how many events may pass without progress: endpoints give up before, unless they
// are broken. A link that lets nothing through has every packet under way sent again so many times.
func patienceOf(p *spec.Point, retries int64) int {
	const most, perRepeat = 1 << 60, 4
	hops, size := 1, p.Message.Size
	if c := p.Collective; c.Kind != "" {
		hops, size = c.Datacenters, c.Part(size)
	}
	packets := float64(units.CeilDiv(size, p.Link.MTU)) + 1
	repeats := float64(retries+1) * packets * float64(p.Message.InFlight*hops)
	return patience + int(min(perRepeat*repeats, most))
}

// lastInstant is half of what the clock spans. Validation keeps every single wait far below the
// other half, so that no event lies beyond its end; only losses can make a sample last longer.
const lastInstant = units.Never / 2

// NewRunner builds the topology of a point and the endpoints of a scheme. Where the scheme has no
// Plan it settles one for itself.
func NewRunner(p *spec.Point, s *spec.Scheme) (*Runner, error) {
	return newRunner(p, s, nil)
}

func newRunner(p *spec.Point, s *spec.Scheme, tracer Tracer) (*Runner, error) {
	entry, ok := catalog.Lookup(s.Name)
	if !ok {
		return nil, fmt.Errorf("experiment: no reliability scheme is called %q", s.Name)
	}
	factory, err := catalog.Build(s.Name, s.Params)
	if err != nil {
		return nil, err
	}
	return buildRunner(p, s, build{entry, factory, tracer})
}

// build is what a runner is built of beside a point and a scheme.
type build struct {
	entry   catalog.Entry
	factory catalog.Factory
	tracer  Tracer // nil: nobody
}

func buildRunner(p *spec.Point, s *spec.Scheme, b build) (_ *Runner, err error) {
	plan := s.Plan
	if plan == nil {
		if plan, err = Settle(p, s); err != nil {
			return nil, err
		}
	}
	r := &Runner{seed: p.Seed, engine: sim.New(), tracer: b.tracer, plan: plan,
		patience: patienceOf(p, b.factory.Retries)}
	p = p.OnBus()
	switch {
	case p.Workload.Ranks > 0:
		err = r.buildGraph(p, b)
	case p.Network.Kind != "":
		err = r.buildNetwork(p, b)
	case p.Collective.Kind != "":
		err = r.buildRing(p, b.entry, b.factory)
	case p.Storage.Operation != "":
		err = r.buildStorage(p, b)
	default:
		err = r.addConnections(p, b)
		r.ideal = r.longestIdeal(p)
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: %s under %s: %w", p.Key, s.Label, err)
	}
	return r, nil
}

// addHop builds one more connection, with the link and the messages of the point.
func (r *Runner) addHop(p *spec.Point, entry catalog.Entry, f catalog.Factory) error {
	name := ""
	if len(r.hops) > 0 {
		name = fmt.Sprintf("hop %d", len(r.hops))
	}
	t, err := newPair(r, p, entry, name)
	if err != nil {
		return err
	}
	return r.addStream(t, p, entry, f)
}

// addStream has the messages of a point go over a pair.
func (r *Runner) addStream(
	t *pair, p *spec.Point, entry catalog.Entry, f catalog.Factory,
) error {
	if r.tracer != nil {
		f = r.traceHop(t, f)
	}
	w, err := newStream(t, p, f)
	if err != nil {
		return err
	}
	w.number = len(r.hops)
	w.run, w.idWindow = &r.progress, int(p.SDR.Split.Messages())/entry.Sends
	app := r.application(w)
	t.a.Connect(t.qpA, t.there, t.back.Inbox(), app)
	t.b.Connect(t.qpB, t.back, t.there.Inbox(), app)
	r.hops = append(r.hops, w)
	return nil
}

// longestIdeal is the greatest ideal completion time of a message over the hops.
func (r *Runner) longestIdeal(p *spec.Point) (longest units.Duration) {
	for _, w := range r.hops {
		longest = max(longest, w.pair.ideal(w.message.Size))
	}
	return longest
}

// Plan is how the samples meet losses.
func (r *Runner) Plan() *spec.Plan { return r.plan }

// Sample replays the sample with the given number, from 0, into a Sample whose slices are reused.
// The error tells that the run got stuck or that delivered bytes were wrong: a defect of a scheme,
// not a property of the link.
func (r *Runner) Sample(index int, into *Sample) error {
	*into = Sample{Completion: into.Completion[:0], Delivery: into.Delivery[:0],
		Wait: into.Wait[:0], Ideals: into.Ideals[:0], Rounds: into.Rounds[:0],
		Flows: into.Flows[:0], Queues: into.Queues[:0]}
	r.begin(index, into)
	fresh, limit := int64(0), int64(r.patience) // the event at which to look again
	for !r.over() && r.engine.Step() {
		if r.engine.Now() > lastInstant {
			r.outOfTime()
			break
		}
		if r.engine.Events() < limit {
			continue
		}
		now := r.fresh()
		if now == fresh {
			return r.stuck(fmt.Sprintf("no new packet arrived in %d events", r.patience))
		}
		fresh, limit = now, r.engine.Events()+int64(r.patience)
	}
	if !r.over() {
		return r.stuck("nothing is left to happen")
	}
	if r.progress.broken && r.fault() == nil {
		// What else happens at this instant counts, in whatever order it happens.
		r.engine.RunUntil(r.engine.Now())
	}
	if err := r.fault(); err != nil {
		return err
	}
	r.finish(into)
	return nil
}

// outOfTime gives up the messages that have not ended.
func (r *Runner) outOfTime() {
	r.progress.broken = true
	for _, w := range r.hops {
		if !w.over() {
			w.sample.Elapsed = max(w.sample.Elapsed, r.engine.Now().Sub(0))
		}
		if !w.over() && w.failure == "" {
			w.failure = fmt.Sprintf("the message was not complete after %v of simulated time, the "+
				"most that there is", lastInstant.Sub(0))
		}
	}
}

// fault is what has gone wrong, nil if nothing has.
func (r *Runner) fault() error {
	for _, w := range r.hops {
		if w.err != nil {
			return w.err
		}
	}
	if r.graph != nil && r.graph.over {
		return r.graph.verify()
	}
	return nil
}

// begin starts a sample: receives are posted and announced before the first message.
func (r *Runner) begin(index int, into *Sample) {
	r.engine.Reset()
	r.engine.Bound(lastInstant)
	r.progress = progress{}
	if r.ring != nil {
		r.ring.begin(into)
	}
	if r.files != nil {
		r.files.begin(r.seed, index)
	}
	if r.network != nil {
		r.network.reset(r.seed, index)
	}
	for _, e := range r.wires {
		e.Reset()
	}
	for _, w := range r.hops {
		w.pair.reset(r.seed, index)
		w.begin(index, into)
	}
	if r.files != nil {
		r.files.start()
	}
	if r.graph != nil {
		r.graph.begin()
	}
}

// over tells that the sample has ended: everything was acknowledged, or something failed.
func (r *Runner) over() bool { return r.progress.broken || r.progress.open == 0 }

// fresh counts the packets that arrived and had not been there before.
func (r *Runner) fresh() (n int64) {
	for _, w := range r.hops {
		n += w.pair.qpB.Counters().Fresh
	}
	if r.graph != nil {
		n += r.graph.machine.Count()
	}
	return n
}

// stuck describes a run that does not end.
func (r *Runner) stuck(why string) error {
	err := fmt.Errorf("experiment: BUG: %s at %v", why, r.engine.Now())
	const most = 4 // a large ring would say the same of every hop
	told := 0
	for i, w := range r.hops {
		if !w.over() && told < most {
			err = fmt.Errorf("%w; hop %d: %w", err, i, w.state())
			told++
		}
	}
	if r.graph != nil {
		err = fmt.Errorf("%w; %s", err, r.graph.machine.State())
	}
	return err
}

// finish counts what the links and NICs have seen.
func (r *Runner) finish(into *Sample) {
	into.Ideal = r.ideal
	into.Weight = 1
	into.Events = r.engine.Events()
	// One step after the other, over all hops: what one flushes may be what another still sends.
	for _, w := range r.hops {
		w.pair.there.Cut(r.engine.Now())
	}
	if r.network != nil {
		r.network.pull(r.engine.Now())
	}
	for _, w := range r.hops {
		w.pair.there.Inbox().Flush()
		w.pair.back.Inbox().Flush()
	}
	for _, w := range r.hops {
		w.finish()
		t := w.pair
		t.b.Drain()
		stats, counters := t.there.Stats(), t.qpB.Counters()
		into.Weight *= t.weight() // after Stats, which accounts for the piece under way
		into.Stratum = t.stratum()
		into.WireBytes += int64(stats.WireBytes)
		into.Packets += stats.Packets
		into.Lost += stats.Lost
		if t.flow != nil {
			into.Lost += t.flow.Stats.Dropped + t.flow.Stats.Lost
		}
		order := t.there.Inbox().Reordering()
		into.Reordered += order.Reordered
		into.ReorderExtent += order.Extent
		into.Spurious += t.b.Stats().Spurious
		into.Discarded += counters.Discarded + counters.Stale + counters.Duplicates
	}
	if r.ring != nil {
		r.ring.finish(into)
	}
	if r.files != nil {
		r.files.finish(into)
	}
	if r.graph != nil {
		r.graph.finish(into)
	}
	if r.network != nil {
		r.finishNetwork(into)
	}
}
