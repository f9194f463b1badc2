package link

import (
	"sdrsim/units"
	"sdrsim/wire"
)

// Config describes one direction of a connection.
type Config struct {
	Bandwidth units.Rate
	Delay     units.Duration // propagation, one way
	Overhead  units.Bytes    // added to the payload of every packet on the wire
	Loss      LossModel      // of data packets
	// ControlLoss loses control packets; they share the wire with data but have fates of their own.
	ControlLoss LossModel
	// Changes are what becomes of the bandwidth and of the delay, at rising times.
	Changes []Change
	// MaxRun caps the packets of a transmission; 0 is no cap. It never changes a result.
	MaxRun int64
}

// Stats counts what a link has carried.
type Stats struct {
	Packets   int64       // data packets sent
	Lost      int64       // data packets dropped on the way
	WireBytes units.Bytes // data, headers and overhead included
	Control   int64       // control packets sent
}

// Flight is a piece of a run, or a control message, on its way to the receiver.
type Flight struct {
	Arrive units.Time // of the next packet, or of the message
	// Control is the message; empty for data.
	Control []byte
	// Run holds the packets that get through and were not taken; none with a message. Packet j
	// arrives at Arrive + j*Run.Spacing.
	Run wire.Run
}

// ArrivalOf is when packet j of the flight arrives, from 0.
func (f *Flight) ArrivalOf(j int64) units.Time {
	return f.Arrive.Add(units.Duration(j) * f.Run.Spacing)
}

// Arrived is how many packets of the flight have arrived by now.
func (f *Flight) Arrived(now units.Time) int64 {
	switch {
	case now < f.Arrive:
		return 0
	case f.ArrivalOf(f.Run.Count-1) <= now:
		return f.Run.Count
	}
	return int64(now.Sub(f.Arrive)/f.Run.Spacing) + 1
}

// IsControl tells a control message from data.
func (f *Flight) IsControl() bool { return len(f.Control) > 0 }

// Sink is told when data is sent over a link without flights or behind a control message, when a
// control message is sent while everything under way is passive, and when the only flight was cut
// short. It may use the link from within the call.
type Sink interface{ ArrivalsChanged() }

// Link is one direction of a connection. It is driven from outside and has no events of its own.
type Link struct {
	cfg  Config
	sink Sink
	// ignorePassive keeps word of passive messages from the sink.
	ignorePassive bool
	flights       lane
	way           way
	free          units.Time // when the transmitter is idle again
	sending       sending    // what Transmit has accepted last, as long as it may still be cut
	stats         Stats
	control       wire.Run // stands for the next control packet before the loss model
	tracer        Tracer   // nil: nobody is told
	// payload and spacing are those of the last packet: most are alike.
	payload units.Bytes
	spacing units.Duration
}

// sending is what Transmit has accepted and not accounted for. It is divided into pieces, each up
// to and including the next losses, one after the other as time passes: a loss model is told of
// packets only when they can no longer be cut, because it takes nothing back.
type sending struct {
	// run begins with the piece that is open; Count 0: nothing is being sent.
	run   wire.Run
	start units.Time // when the first bit of its first packet is sent
	// The open piece: how many packets it has, and how many of them, in front, get through.
	count, pass int64
	flight      int64 // seq of its flight; meaningless where pass is 0
	label       int64 // what its packets have in common
}

// end is when the open piece has left.
func (s *sending) end() units.Time {
	return s.start.Add(units.Duration(s.count) * s.run.Spacing)
}

// New builds an idle link.
func New(cfg Config) *Link {
	if cfg.Bandwidth <= 0 || cfg.Delay < 0 || cfg.Loss == nil || cfg.ControlLoss == nil {
		panic("BUG: link: Config needs a bandwidth, a delay and both loss models")
	}
	l := &Link{cfg: cfg}
	l.Reset()
	return l
}

// SetSink names who takes the arrivals.
func (l *Link) SetSink(s Sink) { l.sink = s }

// IgnorePassive says that the sink wants no word of control messages that ask for nothing.
func (l *Link) IgnorePassive() { l.ignorePassive = true }

// HeedPassive says that the sink wants every control message on time after all.
func (l *Link) HeedPassive() { l.flights.prompt = true }

// Reset empties the link and puts it back to the start of time. The loss models are reset by
// their owner, who knows the random stream.
func (l *Link) Reset() {
	l.flights.reset()
	l.flights.delay = l.cfg.Delay
	l.way = wayOf(&l.cfg)
	l.payload = -1
	l.free = 0
	l.sending = sending{}
	l.stats = Stats{}
	l.control = wire.Run{}
}

// PacketTime is how long a packet with the given payload occupies the link, with the bandwidth that
// it has at first.
func (l *Link) PacketTime(payload units.Bytes) units.Duration {
	return l.cfg.Bandwidth.TransmitTime(payload + l.cfg.Overhead)
}

// occupy is how long a packet that begins at now occupies the link. It brings bandwidth and delay
// up to then: a packet goes with those that hold when its first bit is sent.
func (l *Link) occupy(now units.Time, payload units.Bytes) units.Duration {
	before := l.flights.delay
	if l.way.change <= now {
		l.way.pass(now, l.cfg.Changes)
		l.payload = -1
	}
	if l.flights.delay = l.way.delay; l.free > 0 {
		l.flights.delay = l.way.behind(now.Sub(l.free), before)
	}
	if payload != l.payload {
		l.payload, l.spacing = payload, l.way.bandwidth.TransmitTime(payload+l.cfg.Overhead)
	}
	return l.spacing
}

// ControlTime is how long a control message occupies the link.
func (l *Link) ControlTime(msg []byte) units.Duration {
	return l.PacketTime(units.Bytes(len(msg)))
}

// FreeAt is when the transmitter is idle again.
func (l *Link) FreeAt() units.Time { return l.free }

// Delay is the propagation delay of what was sent last.
func (l *Link) Delay() units.Duration { return l.flights.delay }

// DelayAt is the propagation delay of what takes no time to send at now, and does not overtake what
// was sent in the same way before.
func (l *Link) DelayAt(now units.Time) units.Duration {
	w, changed := wayOf(&l.cfg), units.Time(0)
	queue := w.delay // at the time of the change
	for w.change <= now {
		at := w.change
		queue, changed = w.behind(at.Sub(changed), queue), at
		w.pass(at, l.cfg.Changes)
	}
	return w.behind(now.Sub(changed), queue)
}

// LeastDelay is the shortest that the propagation delay is at any time.
func (l *Link) LeastDelay() units.Duration { return l.way.least }

// Transmit sends leading packets of the run, as many as the cap allows, starting at now. It fills
// in Depart and Spacing and returns how many packets it took. The link must be idle.
func (l *Link) Transmit(now units.Time, run *wire.Run) int64 {
	if now < l.free {
		panic("BUG: link: Transmit on a busy link")
	}
	l.finish()
	run.Spacing = l.occupy(now, run.Payload)
	run.Depart = now.Add(run.Spacing)
	s := &l.sending
	s.run, s.start = *run, now
	if l.cfg.MaxRun > 0 {
		s.run.Count = min(s.run.Count, l.cfg.MaxRun)
	}
	if l.way.change != units.Never {
		s.run.Count = min(s.run.Count, begunBefore(run, l.way.change))
	}
	took := s.run.Count
	l.free = now.Add(units.Duration(took) * run.Spacing)
	s.label = l.flights.label(&s.run)
	last := l.flights.packed.Tail()
	noticed := last != nil && last.label >= 0
	l.divide()
	if !noticed {
		l.sink.ArrivalsChanged()
	}
	return took
}

// divide opens the piece that the run begins with.
func (l *Link) divide() {
	s := &l.sending
	pass, drop := l.cfg.Loss.Peek(&s.run)
	s.count = min(s.run.Count, pass+drop)
	s.pass = min(pass, s.count)
	if s.pass > 0 {
		l.launch()
	}
}

// launch puts the packets of the open piece that get through on their way. Where runs are capped,
// they may continue the flight before: what is under way then takes as little memory as it does in
// long runs.
func (l *Link) launch() {
	s := &l.sending
	if l.cfg.MaxRun == 0 || !l.flights.extend(s.label, &s.run, s.pass) {
		l.flights.push(s.label, &s.run, s.pass)
	}
	s.flight = l.flights.packed.Next() - 1
}

// Settle launches everything whose first bit has been sent by now. What arrives up to now +
// LeastDelay is then among the flights.
func (l *Link) Settle(now units.Time) {
	for l.open(now) {
	}
}

// open opens the next piece, if its first bit has been sent by now.
func (l *Link) open(now units.Time) bool {
	s := &l.sending
	if s.count == s.run.Count || s.end() > now {
		return false
	}
	l.close()
	l.advance()
	return true
}

// Next is the flight that arrives next, of those whose first bit has been sent by now; nil where
// there is none. It launches no more than it takes to tell, so that what is under way stays in
// the cache of the processor.
func (l *Link) Next(now units.Time) *Flight {
	if l.flights.packed.Len() == 0 && !l.fly(now) {
		return nil
	}
	return l.flights.first()
}

// fly opens pieces until one has a flight; false where none does by now.
func (l *Link) fly(now units.Time) bool {
	for l.open(now) {
		if l.flights.packed.Len() > 0 {
			return true
		}
	}
	return false
}

// Upcoming is when the next flight arrives at the earliest where none is under way; Never where
// nothing more is being sent.
func (l *Link) Upcoming() units.Time {
	s := &l.sending
	if s.count == s.run.Count {
		return units.Never
	}
	return s.end().Add(s.run.Spacing + l.flights.delay)
}

// Cut ends the transmission under way at the boundary of the packet that is being sent at now, and
// returns how many of its packets are thereby not sent. A packet whose first bit is due at now has
// not begun.
func (l *Link) Cut(now units.Time) int64 {
	l.Settle(now)
	s := &l.sending
	if now >= l.free || s.run.Count == 0 {
		return 0
	}
	elapsed := now.Sub(s.start)
	sent := min(int64((elapsed+s.run.Spacing-1)/s.run.Spacing), s.count)
	back := s.run.Count - sent
	if back == 0 {
		return 0
	}
	l.free = s.start.Add(units.Duration(sent) * s.run.Spacing)
	s.run.Count, s.count = sent, sent
	if sent < s.pass {
		l.flights.shorten(s.flight, s.pass-sent)
		s.pass = sent
		if l.flights.packed.Len() <= 1 {
			l.sink.ArrivalsChanged()
		}
	}
	return back
}

// SendControl sends a control message, starting at now. The link must be idle.
func (l *Link) SendControl(now units.Time, msg []byte) {
	if now < l.free {
		panic("BUG: link: SendControl on a busy link")
	}
	l.finish()
	l.control.Count, l.control.Spacing = 1, l.occupy(now, units.Bytes(len(msg)))
	l.free = now.Add(l.control.Spacing)
	l.control.Depart = l.free
	pass, _ := l.cfg.ControlLoss.Peek(&l.control)
	l.cfg.ControlLoss.Advance(&l.control, 1)
	l.control.First++
	l.stats.Control++
	if l.tracer != nil {
		l.tracer.CarriedControl(l.free, msg, pass == 0)
	}
	if pass == 0 {
		return
	}
	before := l.flights.calls
	l.flights.pushControl(l.free, msg)
	if before == 0 && (l.flights.calls > 0 || !l.ignorePassive) {
		l.sink.ArrivalsChanged()
	}
}

// Head is the first of the flights that were launched, nil where none is under way. It stays valid
// until it is removed.
func (l *Link) Head() *Flight { return l.flights.first() }

// Call is when the first flight under way arrives that wants a look, Never where there is none. A
// control message that asks for nothing (wire.Passive) can wait until something else happens.
func (l *Link) Call() units.Time { return l.flights.call() }

// DropStale drops acknowledgements from the head that nobody has to see: a later one has arrived by
// now as well, and says as much.
func (l *Link) DropStale(now units.Time) { l.flights.dropStale(now) }

// Pop removes the head.
func (l *Link) Pop() { l.flights.pop() }

// Take takes the first n packets off the head, and removes it where none is left.
func (l *Link) Take(n int64) { l.flights.take(n) }

// Stats returns what the link has carried, all of a transmission under way included.
func (l *Link) Stats() Stats {
	l.finish()
	return l.stats
}

// finish accounts for what is being sent. It can no longer be cut.
func (l *Link) finish() {
	for s := &l.sending; s.run.Count > 0; {
		l.close()
		if s.count == s.run.Count {
			s.run.Count, s.count = 0, 0
			return
		}
		l.advance()
	}
}

// close accounts for the open piece.
func (l *Link) close() {
	s := &l.sending
	if l.tracer != nil && s.count > 0 {
		l.trace()
	}
	l.cfg.Loss.Advance(&s.run, s.count)
	l.stats.Packets += s.count
	l.stats.Lost += s.count - s.pass
	l.stats.WireBytes += units.Bytes(s.count) * (s.run.Payload + l.cfg.Overhead)
}

// advance takes the piece off the run and opens the next.
func (l *Link) advance() {
	s := &l.sending
	s.start = s.end()
	s.run.Skip(s.count)
	l.divide()
}
