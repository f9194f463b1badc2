package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/internal/workload"
	"sdrsim/nic"
	"sdrsim/sim"
	"sdrsim/units"
)

// graphRun runs the operations of ranks. A machine has all that happens within datacenters, and
// posts what leaves one to a stream for each connection.
//
// What happens at an instant is handed to the machine when all of it has happened, in an order of
// its own: that of connections. So nothing depends on the order of events, and on how packets are
// grouped.
type graphRun struct {
	spec    *spec.Workload
	link    spec.Link
	machine *workload.Machine
	data    *workload.Data // nil with virtual payload
	engine  *sim.Engine
	timer   sim.Timer
	run     *progress
	streams []*stream
	ends    []ends       // of the streams
	numbers map[line]int // of the streams
	happen  []happening
	late    bool // is to be called at the end of this instant
	over    bool
	acked   units.Time // when the last message was acknowledged, or the last operation ended
}

// line is a connection by what the machine says of its messages.
type line struct{ from, to, channel int32 }

// ends are the datacenters that a connection joins.
type ends struct{ from, to int }

// maxPosted is more messages than a connection of a workload has, on processors of 32 bits too.
const maxPosted = 1<<31 - 1

// happening is a message of a connection that was delivered, or else acknowledged.
type happening struct {
	conn      int
	id        int32
	delivered bool
}

// buildGraph builds the connections of a workload, and what runs it.
func (r *Runner) buildGraph(p *spec.Point, b build) error {
	g := &graphRun{spec: &p.Workload, link: p.Link, engine: r.engine, run: &r.progress,
		numbers: map[line]int{}}
	if p.Payload == spec.PayloadReal && g.spec.Collective != nil {
		g.data = workload.NewData(g.spec.Ranks, g.spec.Collective.Buffer(), fillRank)
	}
	r.graph = g
	for _, c := range workload.Connections(g.spec.Source(), g.Carries) {
		if err := r.addCarried(p, b, c); err != nil {
			return err
		}
	}
	r.shareUplinks()
	g.timer.Init(r.engine, fire(g.wake))
	g.machine = workload.NewMachine(workload.Config{Source: g.spec.Source(), Hop: g.hop, Carrier: g,
		Credits: g.spec.Credits(), Data: g.data})
	var err error
	r.ideal, err = r.idealGraph(p)
	return err
}

// fillRank has each rank begin with bytes of its own.
func fillRank(rank int, buffer []byte) {
	key := uint64(rank+1) * wordStep
	for i := range buffer {
		key += wordStep
		buffer[i] = byte(mixed(key) >> 7)
	}
}

// addCarried builds one connection, on the link of others between the same datacenters where they
// share it.
func (r *Runner) addCarried(p *spec.Point, b build, c workload.Connection) (err error) {
	g, own := r.graph, *p
	own.Message.Size, own.Message.Count = c.Largest, maxPosted
	from, to := g.spec.Place(c.From), g.spec.Place(c.To)
	var t *pair
	for i, w := range g.streams {
		if other := r.graph.ends[i]; !g.spec.Own && other.from == from && other.to == to {
			t, err = w.pair.beside(&own, b.entry)
			break
		}
	}
	if t == nil && err == nil {
		name := fmt.Sprintf("%d to %d", from, to)
		if g.spec.Own {
			name = fmt.Sprintf("rank %d to %d, %d", c.From, c.To, c.Channel)
		}
		t, err = newPair(r, &own, b.entry, name)
	}
	if err != nil {
		return err
	}
	if err := r.addStream(t, &own, b.entry, b.factory); err != nil {
		return err
	}
	w := r.hops[len(r.hops)-1]
	w.feed.number, w.feed.graph = len(g.streams), g
	g.numbers[line{int32(c.From), int32(c.To), int32(c.Channel)}] = len(g.streams)
	g.streams, g.ends = append(g.streams, w), append(g.ends, ends{from, to})
	return nil
}

// shareUplinks has the connections of a datacenter share its uplink: those that send data from it,
// and those that acknowledge what has arrived.
func (r *Runner) shareUplinks() {
	g := r.graph
	if g.spec.Own {
		return
	}
	uplinks := make([]*nic.Egress, g.spec.Datacenters)
	for i := range uplinks {
		uplinks[i] = nic.NewEgress(r.engine)
	}
	for i, w := range g.streams {
		w.pair.a.Share(uplinks[g.ends[i].from])
		w.pair.b.Share(uplinks[g.ends[i].to])
	}
	r.wires = append(r.wires, uplinks...)
}

// Carries implements workload.Carrier.
func (g *graphRun) Carries(from, to int) bool { return g.spec.Place(from) != g.spec.Place(to) }

// ControlDelay implements workload.Carrier.
func (g *graphRun) ControlDelay(int, int) units.Duration { return g.link.Delay }

// Post implements workload.Carrier.
func (g *graphRun) Post(now units.Time, m *workload.Message) {
	i, ok := g.numbers[line{m.From, m.To, m.Channel}]
	if !ok {
		panic(fmt.Sprintf("BUG: experiment: no connection from rank %d to %d, channel %d", m.From, m.To,
			m.Channel))
	}
	g.streams[i].post(now, item{size: m.Bytes, id: m.ID, data: m.Data})
}

// hop is that between two ranks of a datacenter.
func (g *graphRun) hop(from, _ int) workload.Hop {
	h := workload.Hop{Alpha: g.spec.Local.Delay, Rate: g.spec.Local.Bandwidth, Port: from}
	if g.spec.Own {
		h.Port = workload.Any
	}
	return h
}

// begin starts a sample. The streams have begun.
func (g *graphRun) begin() {
	g.happen, g.late, g.over, g.acked = g.happen[:0], false, false, 0
	g.run.open++
	g.machine.Begin(0)
	g.settle(0)
}

// note keeps what has happened until the end of this instant.
func (g *graphRun) note(now units.Time, h happening) {
	g.happen = append(g.happen, h)
	g.wake(now)
}

// wake has the machine called at the end of this instant.
func (g *graphRun) wake(units.Time) {
	if !g.late {
		g.late = true
		g.engine.Late(g)
	}
}

// Fire hands everything to the machine that has happened at an instant. It implements sim.Handler.
func (g *graphRun) Fire(now units.Time) {
	g.late = false
	slices.SortFunc(g.happen, func(a, b happening) int {
		return cmp.Or(cmp.Compare(a.conn, b.conn), cmp.Compare(a.id, b.id))
	})
	for _, h := range g.happen {
		if h.delivered {
			g.machine.Delivered(now, h.id, nil)
		} else {
			g.machine.Acknowledged(now, h.id)
			g.acked = now
		}
	}
	g.happen = g.happen[:0]
	g.machine.Expire(now)
	g.settle(now)
}

// settle sets the timer, and notes the end of all operations.
func (g *graphRun) settle(now units.Time) {
	if g.machine.Done() && !g.over {
		g.over = true
		g.run.open--
	}
	if at := g.machine.Next(); at != units.Never {
		g.timer.Reset(at)
	}
}

// finish makes one operation of all messages: complete when its last operation has ended and its
// last message was acknowledged, delivered when the last operation of a rank has that is not a
// send.
func (g *graphRun) finish(into *Sample) {
	into.PayloadBytes, into.FellBack = 0, min(into.FellBack, 1)
	into.Completion, into.Delivery = into.Completion[:0], into.Delivery[:0]
	into.Wait, into.Ideals = into.Wait[:0], into.Ideals[:0]
	if into.Failed > 0 {
		into.Failed = 1
		return
	}
	into.PayloadBytes = int64(g.spec.Bytes())
	into.Completion = append(into.Completion, max(g.acked, g.machine.Ended()).Sub(0))
	into.Delivery = append(into.Delivery, g.machine.Settled().Sub(0))
	into.Elapsed = into.Completion[0]
}

// verify compares what ranks have in the end with what they should have.
func (g *graphRun) verify() error {
	if g.data == nil {
		return nil
	}
	return g.spec.Collective.Verify(g.data)
}

// idealGraph is how long the workload takes without loss over links whose messages follow each
// other whole, with the acknowledgement of the last.
func (r *Runner) idealGraph(p *spec.Point) (units.Duration, error) {
	g, last := r.graph, units.Duration(0)
	if len(g.streams) > 0 {
		last = p.Link.Delay + AckTime(p)
	}
	end, err := workload.Run(workload.Config{Source: g.spec.Source(), Credits: g.spec.Credits(),
		Hop: func(from, to int) workload.Hop {
			if !g.Carries(from, to) {
				return g.hop(from, to)
			}
			h := workload.Hop{Alpha: p.Link.Delay, Rate: p.Link.Bandwidth, MTU: p.Link.MTU,
				Overhead: p.Link.Overhead, Port: g.spec.Ranks + g.spec.Place(from)}
			if g.spec.Own {
				h.Port = workload.Any
			}
			return h
		}})
	return end.Sub(0) + last, err
}
