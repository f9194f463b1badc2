package experiment

import (
	"fmt"

	"sdrsim/fabric"
	"sdrsim/internal/spec"
	"sdrsim/link"
	"sdrsim/nic"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/sim"
	"sdrsim/units"
)

// network is the queues of a point, and what passes them besides its connections.
//
//	west host --access--> border.west ==link==> east host's queue --access--> east host
//	west host <--access-- west host's queue <==link== border.east <--access-- east host
type network struct {
	queues []namedQueue
	// lossy are the two directions of the link between the borders.
	lossy   [2]*link.Lossy
	traffic []*fabric.Traffic
	random  []lossStream // what draws, each with a stream of its own
	// flows are the data of connections, and back their acknowledgements.
	flows, back []*fabric.Flow
	point       *spec.Point
	// egresses are the wires of hosts that have several connections.
	egresses []*nic.Egress
}

// namedQueue is a queue with its name in results, and what it draws marks from.
type namedQueue struct {
	*fabric.Queue
	name   string
	rate   units.Rate
	stream sim.Stream
}

// Directions: of data, and of what comes back.
const (
	eastward = iota
	westward
)

// buildNetwork builds the dumbbell of a point with its connections.
func (r *Runner) buildNetwork(p *spec.Point, b build) error {
	n := &network{point: p}
	if err := n.openLink(p); err != nil {
		return err
	}
	borders := [2]*fabric.Queue{
		n.queue(queueWest, p.Link.Bandwidth), n.queue(queueEast, p.Link.ReverseBandwidth),
	}
	for i := range p.Flows {
		f := &p.Flows[i]
		own := flowPoint(p, f)
		entry, factory := b.entry, b.factory
		if f.Scheme != nil {
			var err error
			entry, _ = catalog.Lookup(f.Scheme.Name)
			if factory, err = catalog.Build(f.Scheme.Name, f.Scheme.Params); err != nil {
				return err
			}
		}
		t, err := r.routedPair(&own, entry)
		if err != nil {
			return err
		}
		access := p.Network.Access
		toEast := n.queueTo(f.To, access.Bandwidth)
		toWest := n.queueTo(f.From, access.Bandwidth)
		t.flow = t.there.Route([]link.Hop{
			{Delay: access.Delay, Queue: borders[eastward], Loss: n.lossy[eastward]},
			{Delay: p.Link.Delay, Queue: toEast},
		}, access.Delay)
		back := t.back.Route([]link.Hop{
			{Delay: access.Delay, Queue: borders[westward], Loss: n.lossy[westward]},
			{Delay: p.Link.Delay, Queue: toWest},
		}, access.Delay)
		t.stages = []units.Rate{access.Bandwidth, p.Link.Bandwidth, access.Bandwidth}
		t.stagesBack = []units.Rate{access.Bandwidth, p.Link.ReverseBandwidth, access.Bandwidth}
		n.flows, n.back = append(n.flows, t.flow), append(n.back, back)
		if err := r.addStream(t, &own, entry, factory); err != nil {
			return err
		}
		r.hops[i].start = units.Time(0).Add(f.Start)
		r.hops[i].mixed = true
	}
	r.shareHosts(n, p.Flows)
	n.addTraffic(p, borders)
	r.network = n
	r.ideal = 0
	for _, w := range r.hops {
		r.ideal = max(r.ideal, w.pair.ideal(w.message.Size))
	}
	return nil
}

// flowPoint is the point as one flow sees it: a link from host to host.
func flowPoint(p *spec.Point, f *spec.Flow) spec.Point {
	own, access := *p, p.Network.Access
	own.Message.Size = f.Size
	own.Link.Bandwidth, own.Link.ReverseBandwidth = access.Bandwidth, access.Bandwidth
	own.Link.Delay += 2 * access.Delay
	own.Link.Loss = spec.Loss{Model: spec.LossNone}
	own.Link.AckLoss = own.Link.Loss
	return own
}

// openLink builds the losses of the link between the borders.
func (n *network) openLink(p *spec.Point) error {
	data, err := unitLoss(p.Link.Loss)
	if err != nil {
		return err
	}
	acks, err := unitLoss(p.Link.AckLoss)
	if err != nil {
		return err
	}
	n.lossy = [2]*link.Lossy{
		{Data: data, Control: link.None{}}, {Data: link.None{}, Control: acks},
	}
	key := lossKey(p)
	n.random = append(n.random, lossStream{model: data, name: key + "/data"},
		lossStream{model: acks, name: key + "/control"})
	return nil
}

// queue adds a queue.
func (n *network) queue(name string, rate units.Rate) *fabric.Queue {
	q := n.point.Network.Queue
	n.queues = append(n.queues, namedQueue{name: name, rate: rate,
		Queue: fabric.NewQueue(fabric.QueueConfig{
			Rate: rate, Buffer: q.Buffer, Single: n.point.Engine.MaxRun == 1,
			Priority: q.Priority,
			Mark:     fabric.Marking{Min: q.ECN.KMin, Max: q.ECN.KMax, Probability: q.ECN.PMax},
		})})
	return n.queues[len(n.queues)-1].Queue
}

// queueTo is the queue towards a host.
func (n *network) queueTo(h spec.Host, rate units.Rate) *fabric.Queue {
	name := h.String()
	for _, q := range n.queues {
		if q.name == name {
			return q.Queue
		}
	}
	return n.queue(name, rate)
}

// addTraffic has cross traffic pass the queues of the borders.
func (n *network) addTraffic(p *spec.Point, borders [2]*fabric.Queue) {
	for i, c := range p.Traffic {
		border, rate := borders[eastward], p.Link.Bandwidth
		if c.East {
			border, rate = borders[westward], p.Link.ReverseBandwidth
		}
		service := rate.TransmitTime(c.Packet)
		t := &fabric.Traffic{Size: c.Packet, Poisson: c.Model == spec.TrafficPoisson,
			Mean: max(1, units.Duration(float64(service)/c.Load)), Flow: new(fabric.Flow)}
		if c.Model == spec.TrafficOnOff {
			t.On, t.Burst = c.On, service
			t.Off = units.Duration(float64(c.On) * (1 - c.Load) / c.Load)
		}
		t.Flow.Route = []fabric.Taker{border.Input(t, 0), fabric.Sink{}}
		n.traffic = append(n.traffic, t)
		n.random = append(n.random, lossStream{model: t, name: fmt.Sprintf("traffic %d", i)})
	}
}

// reset puts the network back to the start of time, with the draws of a sample.
func (n *network) reset(seed uint64, sample int) {
	for i := range n.random {
		l := &n.random[i]
		l.stream.Seed(seed, l.name, uint64(sample))
		l.model.Reset(&l.stream)
	}
	for i := range n.queues {
		q := &n.queues[i]
		q.stream.Seed(seed, "queue "+q.name, uint64(sample))
		q.Reset(&q.stream)
	}
	for _, e := range n.egresses {
		e.Reset()
	}
}

// pull has everything pass the queues that is known at now, so that what they have counted in the
// end does not depend on when somebody has asked last.
func (n *network) pull(now units.Time) {
	for _, q := range n.queues {
		q.Pull(now)
	}
}

// routedPair builds a pair whose ports are yet to be given routes.
func (r *Runner) routedPair(p *spec.Point, entry catalog.Entry) (*pair, error) {
	t := &pair{engine: r.engine, mtu: p.Link.MTU, chunk: p.Message.Chunk}
	if err := t.openDevices(p, entry); err != nil {
		return nil, err
	}
	port := func() *link.Port {
		return link.New(link.Config{Bandwidth: p.Link.Bandwidth, Delay: p.Link.Delay,
			Overhead: p.Link.Overhead, Loss: link.None{}, ControlLoss: link.None{},
			MaxRun: p.Engine.MaxRun})
	}
	t.there, t.back = port(), port()
	t.openNICs(p)
	return t, nil
}

// openNICs builds both NICs, and what schemes are told of the way between them.
func (t *pair) openNICs(p *spec.Point) {
	cfg := nic.Config{SinglePackets: p.Engine.MaxRun == 1}
	t.a = nic.New(t.engine, cfg)
	cfg.Workers = nic.Workers{Count: p.NIC.Workers, Channels: p.SDR.Channels,
		PerPacket: p.NIC.PerPacket, PerChunk: p.NIC.PerChunk}
	t.b = nic.New(t.engine, cfg)
	t.path = schemes.Path{RTT: p.Link.RTT(), PacketTime: t.there.PacketTime(p.Link.MTU),
		ReverseRate: p.Link.ReverseBandwidth, ControlOverhead: p.Link.Overhead,
		Reorders: t.there.Inbox().Unordered()}
}

// chain is when the last bit of a message arrives that passes stages of some rates alone, without
// the propagation between them: packets are stored and forwarded, the last may be shorter.
func chain(stages []units.Rate, full int64, packet, tail units.Bytes) units.Duration {
	var fullAt, tailAt, slowest units.Duration // when the last full packet, and the tail, are through
	for _, rate := range stages {
		service := rate.TransmitTime(packet)
		if full > 0 {
			// The first packet is through a stage after its services so far; the others follow at the
			// distance of the slowest.
			fullAt += service + units.Duration(full-1)*max(0, service-slowest)
			slowest = max(slowest, service)
		}
		if tail > 0 {
			tailAt = max(tailAt, fullAt) + rate.TransmitTime(tail)
		}
	}
	return max(fullAt, tailAt)
}

// finishNetwork counts what flows and queues have seen.
func (r *Runner) finishNetwork(into *Sample) {
	for _, w := range r.hops {
		s := &w.pair.flow.Stats
		f := w.own
		f.Packets = w.pair.there.Stats().Packets
		f.Dropped, f.Lost, f.Marked = s.Dropped, s.Lost, s.Marked
		into.Flows = append(into.Flows, f)
	}
	if into.Failed == 0 {
		into.Elapsed = spanOf(r.network.point.Flows, into.Flows)
	}
	span := r.engine.Now().Sub(0)
	for _, q := range r.network.queues {
		s := q.Stats()
		into.Queues = append(into.Queues, QueueSample{
			Mean: backlogBytes(q.rate, s.MeanBacklog(span)),
			P99:  backlogBytes(q.rate, float64(s.WaitQuantile(0.99))),
			Max:  backlogBytes(q.rate, float64(s.Longest)), Wait: units.Duration(s.MeanWait()),
			Accepted: s.Accepted, Dropped: s.Dropped, Marked: s.Marked,
			Utilisation: min(1, float64(s.Busy)/float64(span)),
		})
	}
	// The border queues come first, and only the link between them loses packets.
	for way, flows := range [][]*fabric.Flow{eastward: r.network.flows, westward: r.network.back} {
		for _, f := range flows {
			into.Queues[way].Lost += f.Stats.Lost + f.Stats.LostControl
		}
	}
}

// spanOf is from the posting of the first message of all flows to the last acknowledgement.
func spanOf(flows []spec.Flow, samples []FlowSample) units.Duration {
	first, last := flows[0].Start, units.Duration(0)
	for i, f := range flows {
		first = min(first, f.Start)
		last = max(last, f.Start+samples[i].Elapsed)
	}
	return last - first
}

// backlogBytes is how many bytes a rate sends in so many picoseconds.
func backlogBytes(rate units.Rate, picoseconds float64) float64 {
	return float64(rate) / 8e12 * picoseconds
}
