package experiment

import (
	"fmt"
	"strings"

	"sdrsim/fabric"
	"sdrsim/internal/spec"
	"sdrsim/link"
	"sdrsim/nic"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/sdr"
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// pair is two NICs and the links between them.
type pair struct {
	engine     *sim.Engine // shared by all pairs of an experiment
	a, b       *nic.NIC
	there      *link.Port
	back       *link.Port
	links      [2]link.Config // of both
	losses     []lossStream
	tilted     *link.Tilted     // the loss of data where it is exaggerated; else nil
	strata     *link.Strata     // of both losses, where samples are divided by them; else nil
	drawn      [2]*link.Counter // of data and control, where draws are counted; else nil
	devA, devB *sdr.Context
	qpA, qpB   *sdr.QP
	path       schemes.Path
	least      units.Duration // propagation there and back, over the shortest path
	mtu, chunk units.Bytes
	// flow is that of data where there is a network, stages are the rates that a message passes, and
	// its acknowledgement on the way back.
	flow               *fabric.Flow
	stages, stagesBack []units.Rate
}

// lossStream is a loss model, or whatever else draws, with the random stream that feeds it.
type lossStream struct {
	model  interface{ Reset(s *sim.Stream) }
	stream sim.Stream
	name   string
}

// newPair builds a pair with the link of the point; name tells its losses from those of others.
func newPair(r *Runner, p *spec.Point, entry catalog.Entry, name string) (*pair, error) {
	t := &pair{engine: r.engine, mtu: p.Link.MTU, chunk: p.Message.Chunk}
	if err := t.openDevices(p, entry); err != nil {
		return nil, err
	}
	if err := t.openLinks(p, r.plan, name); err != nil {
		return nil, err
	}
	t.openNICs(p)
	t.least = t.there.LeastDelay() + p.Link.Delay
	if len(p.Link.Paths) == 0 {
		t.least = p.Link.RTT()
	}
	return t, nil
}

// openDevices makes a connected queue pair on each side.
func (t *pair) openDevices(p *spec.Point, entry catalog.Entry) (err error) {
	cfg := sdr.QPConfig{
		MTU: p.Link.MTU, Chunk: p.Message.Chunk, Split: p.SDR.Split,
		Channels: p.SDR.Channels, Generations: p.SDR.Generations,
		MaxRecvs: p.SDR.RecvDepth * entry.Sends,
	}
	if t.devA, t.qpA, err = openDevice(cfg); err != nil {
		return err
	}
	if t.devB, t.qpB, err = openDevice(cfg); err != nil {
		return err
	}
	if err := t.qpA.Connect(t.qpB.Info()); err != nil {
		return err
	}
	return t.qpB.Connect(t.qpA.Info())
}

func openDevice(cfg sdr.QPConfig) (*sdr.Context, *sdr.QP, error) {
	ctx, err := sdr.NewContext(sdr.DeviceConfig{})
	if err != nil {
		return nil, nil, err
	}
	qp, err := ctx.CreateQP(cfg)
	return ctx, qp, err
}

// openLinks builds both directions. Data and control packets have loss models of their own in each
// direction; no data goes back and no control packets go out.
func (t *pair) openLinks(p *spec.Point, plan *spec.Plan, name string) error {
	data, acks, err := t.lossModels(p, plan)
	if err != nil {
		return err
	}
	key := lossKey(p) + name
	dataChanges, ackChanges, err := t.lossChanges(p, perChunk(p), key)
	if err != nil {
		return err
	}
	if data, err = inTime(data, &p.Link, dataChanges); err != nil {
		return err
	}
	if acks, err = inTime(acks, &p.Link, ackChanges); err != nil {
		return err
	}
	t.losses = append([]lossStream{
		{model: data, name: key + "/data"},
		{model: acks, name: key + "/control"},
	}, t.losses...)
	forward := link.Config{Bandwidth: p.Link.Bandwidth, Delay: p.Link.Delay,
		Overhead: p.Link.Overhead, Loss: data, ControlLoss: link.None{},
		Changes: waysOf(&p.Link, false), MaxRun: p.Engine.MaxRun}
	if err := t.spread(&p.Link, &forward, key); err != nil {
		return err
	}
	forward.Jitter = t.jitter(&p.Link, key+"/jitter")
	t.links = [2]link.Config{forward, {Bandwidth: p.Link.ReverseBandwidth, Delay: p.Link.Delay,
		Overhead: p.Link.Overhead, Loss: link.None{}, ControlLoss: acks,
		Changes: waysOf(&p.Link, true), Jitter: t.jitter(&p.Link, key+"/jitter back")}}
	t.there, t.back = link.New(t.links[0]), link.New(t.links[1])
	return nil
}

// jitter is that of one direction, with a stream of its own; nil where there is none.
func (t *pair) jitter(l *spec.Link, stream string) *link.Jitter {
	if l.Jitter.Model == "" {
		return nil
	}
	j := &link.Jitter{Model: link.JitterModel(l.Jitter.Model), Spread: l.Jitter.Spread,
		Ordered: l.Jitter.Ordered}
	t.losses = append(t.losses, lossStream{model: j, name: stream})
	return j
}

// spread has data take several paths, where there are.
func (t *pair) spread(l *spec.Link, cfg *link.Config, key string) error {
	if len(l.Paths) == 0 {
		return nil
	}
	s := &link.Spread{By: link.SpreadBy(l.Spread), Gap: l.FlowletGap}
	cfg.Delay = l.Paths[0].Delay
	for i, p := range l.Paths {
		loss, err := unitLoss(p.Loss)
		if err != nil {
			return err
		}
		cfg.Delay = min(cfg.Delay, p.Delay)
		s.Ways = append(s.Ways, link.Way{Delay: p.Delay, Weight: p.Weight, Loss: loss})
		t.losses = append(t.losses, lossStream{model: loss, name: fmt.Sprintf("%s/path %d", key, i)})
	}
	for i := range cfg.Changes { // what changes is not the delay
		cfg.Changes[i].Delay = cfg.Delay
	}
	t.losses = append(t.losses, lossStream{model: s, name: key + "/paths"})
	cfg.Spread = s
	return nil
}

// lossKey names the losses of a point by what the sweep changes of links and messages, path by
// path, be it swept by itself, with others or by a named point. What it changes of the schemes,
// NICs, queue pairs and the engine is left out: that faces the same losses.
func lossKey(p *spec.Point) string {
	var b strings.Builder
	for _, a := range p.Varied {
		top, _, _ := strings.Cut(a.Path, ".")
		if top == "link" || top == "message" || top == "collective" {
			fmt.Fprintf(&b, "%s=%s,", a.Path, a.Text)
		}
	}
	return b.String()
}

// lossModels are the loss models of data and of control packets, as the samples are to meet them.
func (t *pair) lossModels(
	p *spec.Point, plan *spec.Plan,
) (data, acks link.LossModel, err error) {
	switch {
	case plan == &countDraws:
		data, acks, err = t.counted()
	case plan.Strata != nil:
		data, acks, err = t.stratified(p, plan.Strata)
	case len(plan.Tilts) > 0:
		data, acks, err = t.exaggerated(p, plan.Tilts)
	default:
		if data, err = unitLoss(p.Link.Loss); err == nil {
			acks, err = unitLoss(p.Link.AckLoss)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return inUnits(data, p.Link.Loss, perChunk(p)), acks, nil
}

// perChunk is how many packets a chunk has.
func perChunk(p *spec.Point) int64 {
	return int64(units.CeilDiv(p.Message.Chunk, p.Link.MTU))
}

// inUnits makes the unit of loss that of a model.
func inUnits(m link.LossModel, l spec.Loss, perChunk int64) link.LossModel {
	if l.Per != spec.PerChunk || perChunk == 1 {
		return m // a chunk of one packet is lost as the packet is
	}
	return link.NewPerChunk(m, perChunk)
}

// exaggerated are the models where the loss of data is tilted.
func (t *pair) exaggerated(
	p *spec.Point, tilts []float64,
) (data, acks link.LossModel, err error) {
	if p.Link.Loss.Model != spec.LossIID {
		return nil, nil, fmt.Errorf("only iid losses can be exaggerated, not %s", p.Link.Loss.Model)
	}
	if t.tilted, err = link.NewTilted(p.Link.Loss.P, tilts); err != nil {
		return nil, nil, err
	}
	acks, err = unitLoss(p.Link.AckLoss)
	return t.tilted, acks, err
}

// weight is how much the losses of the sample count for.
func (t *pair) weight() float64 {
	if t.tilted == nil {
		return 1
	}
	return t.tilted.Weight()
}

// unitLoss is the model of the loss of units, whatever they are.
func unitLoss(l spec.Loss) (link.LossModel, error) {
	switch l.Model {
	case spec.LossNone:
		return link.None{}, nil
	case spec.LossIID:
		m := &link.IID{P: l.P}
		return m, m.Validate()
	case spec.LossGilbertElliott:
		if l.Burst != 0 {
			m := &link.Fading{Bad: l.Burst, Share: l.Share, LossGood: l.LossGood, LossBad: l.LossBad}
			return m, m.Validate()
		}
		m := &link.GilbertElliott{GoodBad: l.GoodBad, BadGood: l.BadGood,
			LossGood: l.LossGood, LossBad: l.LossBad}
		return m, m.Validate()
	case spec.LossScript:
		drops := make([]link.Drop, len(l.Drops))
		for i, d := range l.Drops {
			drops[i] = link.Drop(d)
		}
		return link.NewScript(drops)
	}
	if l.Model == spec.LossTraced {
		return traced(l.Trace), nil
	}
	return nil, fmt.Errorf("experiment: no loss model is called %q", l.Model)
}

// reset puts everything back to the start of time, with the losses of a sample. The engine has been
// reset.
func (t *pair) reset(seed uint64, sample int) {
	if t.tilted != nil {
		t.tilted.Choose(sample)
	}
	if t.strata != nil {
		t.strata.Choose(sample)
	}
	for i := range t.losses {
		l := &t.losses[i]
		l.stream.Seed(seed, l.name, uint64(sample))
		l.model.Reset(&l.stream)
	}
	t.there.Reset()
	t.back.Reset()
	t.a.Reset()
	t.b.Reset()
	t.qpA.Reset()
	t.qpB.Reset()
}

// ideal is the completion time of one message alone, without loss and parity: its injection, the
// way there and back, and the acknowledgement's own transmission.
func (t *pair) ideal(size units.Bytes) units.Duration {
	ack := finalSize(int64((size + t.chunk - 1) / t.chunk))
	whole := int64(size / t.mtu)
	if t.stages != nil {
		headers := t.path.ControlOverhead
		tail := size % t.mtu
		if tail > 0 {
			tail += headers
		}
		return t.path.RTT + chain(t.stages, whole, t.mtu+headers, tail) +
			chain(t.stagesBack, 0, 0, units.Bytes(ack)+headers)
	}
	injection := units.Duration(whole) * t.path.PacketTime
	if tail := size % t.mtu; tail > 0 {
		injection += t.there.PacketTime(tail)
	}
	return injection + t.least + t.path.ControlTime(ack)
}

// finalSize is the size of the acknowledgement of a whole message of so many chunks.
func finalSize(chunks int64) int {
	var room [64]byte
	return len(wire.AppendAck(room[:0], &wire.Ack{Final: true, Cumulative: chunks}, 1<<16))
}

// AckTime is how long the acknowledgement of a whole message of the point takes on the way back.
func AckTime(p *spec.Point) units.Duration {
	path := schemes.Path{ReverseRate: p.Link.ReverseBandwidth, ControlOverhead: p.Link.Overhead}
	return path.ControlTime(finalSize(p.Message.Chunks()))
}
