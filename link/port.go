package link

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// Config describes one direction of a connection: a port, the path behind it, and the inbox at its
// end.
type Config struct {
	Bandwidth units.Rate
	Delay     units.Duration // propagation, one way
	Overhead  units.Bytes    // added to the payload of every packet on the wire
	Loss      LossModel      // of data packets
	// ControlLoss loses control packets; they share the wire with data but have fates of their own.
	ControlLoss LossModel
	// Changes are what becomes of the bandwidth and of the delay, at rising times.
	Changes []Change
	// Jitter delays packets and control messages beyond Delay; nil: nothing does.
	Jitter *Jitter
	// Spread has data take several paths, and Delay be that of the shortest; nil: there is one.
	Spread *Spread
	// MaxRun caps the packets of a transmission; 0 is no cap. It never changes a result.
	MaxRun int64
}

// Stats counts what a port has sent.
type Stats struct {
	Packets   int64       // data packets sent
	Lost      int64       // data packets dropped on the way
	WireBytes units.Bytes // data, headers and overhead included
	Control   int64       // control packets sent
}

// Port is what a NIC transmits into: one run or control message after the other, at line rate. It
// is driven from outside and has no events of its own.
//
// A transmission can be cut as long as it lasts. So it stays in the port, and goes over the path
// packet by packet as it leaves: what has left by the time of a Pull is final, and its fate is
// decided then, in order of sending.
type Port struct {
	cfg   Config
	path  taker
	inbox *Inbox
	way   way
	// delay is what the way takes for what is transmitted last.
	delay units.Duration
	free  units.Time // when the port is idle again
	// run is what Transmit has accepted and has not gone over the path; Count 0: nothing.
	run     wire.Run
	stats   Stats
	control wire.Run // stands for the next control packet before the loss model
	tracer  Tracer   // nil: nobody is told
	traced  carried
	// payload and spacing are those of the last packet: most are alike.
	payload units.Bytes
	spacing units.Duration
}

// New builds an idle port, and the path to an inbox.
func New(cfg Config) *Port {
	if cfg.Bandwidth <= 0 || cfg.Delay < 0 || cfg.Loss == nil || cfg.ControlLoss == nil {
		panic("BUG: link: Config needs a bandwidth, a delay and both loss models")
	}
	p := &Port{cfg: cfg, inbox: new(Inbox)}
	d := Delay{port: p, to: p.inbox}
	switch {
	case cfg.Spread != nil:
		if least, _ := cfg.Spread.bounds(); least != cfg.Delay {
			panic("BUG: link: Delay is not that of the shortest path")
		}
		s := &spread{jittered: jittered{Delay: d, jitter: cfg.Jitter}, ways: cfg.Spread}
		s.last = make([]units.Time, len(cfg.Spread.Ways))
		p.path, p.inbox.src = s, s
		p.inbox.unorder(len(cfg.Spread.Ways) + 1) // and control messages
	case cfg.Jitter != nil:
		j := &jittered{Delay: d, jitter: cfg.Jitter, last: make([]units.Time, 1)}
		p.path, p.inbox.src = j, j
		if !cfg.Jitter.Ordered {
			p.inbox.unorder(1)
		}
	default:
		p.path, p.inbox.src = &d, &d
	}
	p.Reset()
	return p
}

// MostDelay is the longest that the propagation delay is at any time, on any path.
func (p *Port) MostDelay() units.Duration {
	most := p.cfg.Delay
	for _, c := range p.cfg.Changes {
		most = max(most, c.Delay)
	}
	if p.cfg.Spread != nil {
		_, most = p.cfg.Spread.bounds()
	}
	if p.cfg.Jitter != nil {
		most += p.cfg.Jitter.Most()
	}
	return most
}

// Inbox is where what was sent arrives.
func (p *Port) Inbox() *Inbox { return p.inbox }

// Reset empties the port, its path and its inbox, and puts them back to the start of time. The loss
// models are reset by their owner, who knows the random stream.
func (p *Port) Reset() {
	p.inbox.reset()
	p.path.reset()
	p.way = wayOf(&p.cfg)
	p.delay = p.cfg.Delay
	p.payload = -1
	p.free = 0
	p.run = wire.Run{}
	p.stats = Stats{}
	p.control = wire.Run{}
	p.traced = carried{}
}

// PacketTime is how long a packet with the given payload occupies the port, with the bandwidth that
// it has at first.
func (p *Port) PacketTime(payload units.Bytes) units.Duration {
	return p.cfg.Bandwidth.TransmitTime(payload + p.cfg.Overhead)
}

// ControlTime is how long a control message occupies the port.
func (p *Port) ControlTime(msg []byte) units.Duration {
	return p.PacketTime(units.Bytes(len(msg)))
}

// FreeAt is when the port is idle again.
func (p *Port) FreeAt() units.Time { return p.free }

// occupy is how long a packet that begins at now occupies the port. It brings bandwidth and delay
// up to then: a packet goes with those that hold when its first bit is sent.
func (p *Port) occupy(now units.Time, payload units.Bytes) units.Duration {
	before := p.delay
	if p.way.change <= now {
		p.way.pass(now, p.cfg.Changes)
		p.payload = -1
	}
	if p.delay = p.way.delay; p.free > 0 {
		p.delay = p.way.behind(now.Sub(p.free), before)
	}
	if payload != p.payload {
		p.payload, p.spacing = payload, p.way.bandwidth.TransmitTime(payload+p.cfg.Overhead)
	}
	return p.spacing
}

// Transmit sends leading packets of the run, as many as the cap allows, starting at now. It fills
// in Depart and Spacing and returns how many packets it took. The port must be idle.
func (p *Port) Transmit(now units.Time, run *wire.Run) int64 {
	if now < p.free {
		panic("BUG: link: Transmit on a busy port")
	}
	p.finish()
	run.Spacing = p.occupy(now, run.Payload)
	run.Depart = now.Add(run.Spacing)
	p.run = *run
	if p.cfg.MaxRun > 0 {
		p.run.Count = min(p.run.Count, p.cfg.MaxRun)
	}
	if p.way.change != units.Never {
		p.run.Count = min(p.run.Count, begunBefore(run, p.way.change))
	}
	took := p.run.Count
	p.free = now.Add(units.Duration(took) * run.Spacing)
	p.inbox.offered(run.Depart.Add(p.delay))
	return took
}

// Cut ends the transmission under way at the boundary of the packet that is being sent at now, and
// returns how many of its packets are thereby not sent. A packet whose first bit is due at now has
// not begun.
func (p *Port) Cut(now units.Time) int64 {
	r := &p.run
	if now >= p.free || r.Count == 0 {
		return 0
	}
	start := startOf(r)
	sent := min(int64((now.Sub(start)+r.Spacing-1)/r.Spacing), r.Count)
	back := r.Count - sent
	if back > 0 {
		p.free = start.Add(units.Duration(sent) * r.Spacing)
		r.Keep(sent)
		// The sink may have planned by what is taken back (Preview): a timeout that was put off by that
		// is now set by the last packet that is left.
		p.inbox.offered(p.free.Add(p.delay))
	}
	return back
}

// SendControl sends a control message, starting at now. The port must be idle. The message cannot
// be cut, and goes over the path at once.
func (p *Port) SendControl(now units.Time, msg []byte) {
	if now < p.free {
		panic("BUG: link: SendControl on a busy port")
	}
	p.finish()
	p.control.Count, p.control.Spacing = 1, p.occupy(now, units.Bytes(len(msg)))
	p.free = now.Add(p.control.Spacing)
	p.control.Depart = p.free
	pass, _ := p.cfg.ControlLoss.Peek(&p.control)
	p.cfg.ControlLoss.Advance(&p.control, 1)
	p.control.First++
	p.stats.Control++
	if p.tracer != nil {
		p.tracer.SentControl(p.free, msg, pass == 0)
	}
	if pass > 0 {
		p.path.takeControl(p.free, msg)
	}
}

// Settle has all that is being sent go over the path: it can no longer be cut. Who shares a wire
// and the models behind it does so before another port transmits.
func (p *Port) Settle() { p.finish() }

// pull has everything go over the path that has left by now, last bit included.
func (p *Port) pull(now units.Time) {
	if r := &p.run; r.Count > 0 && r.Depart <= now {
		p.commit(min(r.Count, goneBy(r, now)))
	}
}

// finish has all that is being sent go over the path. It can no longer be cut.
func (p *Port) finish() {
	p.commit(p.run.Count)
	if p.tracer != nil {
		p.flushTrace()
	}
}

// commit has the first n packets of what is being sent go over the path, as far as they are not
// lost, and accounts for them.
func (p *Port) commit(n int64) {
	r := &p.run
	for n > 0 {
		pass, drop := p.cfg.Loss.Peek(r)
		step := min(n, pass+drop)
		if pass = min(pass, step); pass > 0 {
			p.path.take(r, pass)
		}
		p.cfg.Loss.Advance(r, step)
		if p.tracer != nil {
			p.trace(step, step-pass)
		}
		p.stats.Packets += step
		p.stats.Lost += step - pass
		p.stats.WireBytes += units.Bytes(step) * (r.Payload + p.cfg.Overhead)
		r.Skip(step)
		n -= step
	}
}

// passing is the first of what is being sent that is not lost, as things stand: its place in the
// run, and how many follow each other; none where all is lost.
func (p *Port) passing() (skip, count int64) {
	r := &p.run
	if r.Count == 0 {
		return 0, 0
	}
	pass, drop := p.cfg.Loss.Peek(r)
	if pass > 0 {
		return 0, min(pass, r.Count)
	}
	return drop, min(1, max(0, r.Count-drop))
}

// Stats returns what the port has sent, all of a transmission under way included.
func (p *Port) Stats() Stats {
	p.finish()
	return p.stats
}
