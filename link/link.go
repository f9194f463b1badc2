package link

import (
	"sdrsim/link/wire"
	"sdrsim/sim/units"
)

// Config describes one direction of a connection.
type Config struct {
	Bandwidth units.Rate
	Delay     units.Duration // propagation, one way
	Overhead  units.Bytes    // added to the payload of every packet on the wire
	Loss      LossModel      // of data packets
	// ControlLoss loses control packets; they share the wire with data but have fates of their own.
	ControlLoss LossModel
	// MaxRun caps the packets of a piece; 0 is no cap. It never changes a result.
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
	// Run holds the packets that get through. Packet j arrives at Arrive + j*Run.Spacing.
	Run    wire.Run
	Arrive units.Time
	// Taken is how many packets the receiver has taken.
	Taken int64
	// Control is the message; empty for data.
	Control []byte
	// seq numbers the flights of a link.
	seq int64
}

// IsControl tells a control message from data.
func (f *Flight) IsControl() bool { return len(f.Control) > 0 }

// Sink is told when the head of the flights has changed other than by Pop: when a flight joined
// an empty link, or when a flight was cut short.
type Sink interface{ ArrivalsChanged() }

// Link is one direction of a connection. It is driven from outside and has no events of its own.
type Link struct {
	cfg     Config
	split   wire.Split
	sink    Sink
	flights lane
	free    units.Time // when the transmitter is idle again
	open    piece      // the piece sent last, as long as it may still be cut
	stats   Stats
	control wire.Run // stands for the next control packet before the loss model
}

// piece is what Transmit has accepted last. Its packets are accounted for, and the loss model is
// told, when it is closed: at the next transmission, cut or look at the statistics.
type piece struct {
	active bool
	run    wire.Run
	pass   int64      // packets that get through; the rest is lost
	start  units.Time // when the first bit of the first packet is sent
	flight int64      // seq of its flight; meaningless where pass is 0
	bytes  units.Bytes
}

// New builds an idle link whose packets carry immediates of the given split.
func New(cfg Config, split wire.Split) *Link {
	if cfg.Bandwidth <= 0 || cfg.Delay < 0 || cfg.Loss == nil || cfg.ControlLoss == nil {
		panic("BUG: link: Config needs a bandwidth, a delay and both loss models")
	}
	return &Link{cfg: cfg, split: split}
}

// SetSink names who takes the arrivals.
func (l *Link) SetSink(s Sink) { l.sink = s }

// Reset empties the link and puts it back to the start of time. The loss models are reset by
// their owner, who knows the random stream.
func (l *Link) Reset() {
	l.flights.Reset()
	l.free = 0
	l.open = piece{}
	l.stats = Stats{}
	l.control = wire.Run{}
}

// PacketTime is how long a packet with the given payload occupies the link.
func (l *Link) PacketTime(payload units.Bytes) units.Duration {
	return l.cfg.Bandwidth.TransmitTime(payload + l.cfg.Overhead)
}

// FreeAt is when the transmitter is idle again.
func (l *Link) FreeAt() units.Time { return l.free }

// Transmit sends leading packets of the run, starting at now: as many as the cap allows, up to and
// including the next losses. It fills in Depart and Spacing and returns how many packets it took.
// The link must be idle.
func (l *Link) Transmit(now units.Time, run *wire.Run) int64 {
	if now < l.free {
		panic("BUG: link: Transmit on a busy link")
	}
	l.close()
	run.Spacing = l.PacketTime(run.Payload)
	run.Depart = now.Add(run.Spacing)
	pass, drop := l.cfg.Loss.Peek(run)
	count := min(run.Count, pass+drop)
	if l.cfg.MaxRun > 0 {
		count = min(count, l.cfg.MaxRun)
	}
	l.open = piece{active: true, run: *run, pass: min(pass, count), start: now,
		bytes: run.Payload + l.cfg.Overhead}
	l.open.run.Count = count
	if l.open.pass > 0 {
		l.launch(run)
	}
	l.free = now.Add(units.Duration(count) * run.Spacing)
	return count
}

// launch puts the packets of the open piece that get through on their way.
func (l *Link) launch(run *wire.Run) {
	wasEmpty := l.flights.Len() == 0
	f := l.flights.push()
	f.Run = run.Sub(l.split, 0, l.open.pass)
	f.Arrive = run.Depart.Add(l.cfg.Delay)
	l.open.flight = f.seq
	if wasEmpty {
		l.sink.ArrivalsChanged()
	}
}

// Cut ends the piece under way at the boundary of the packet that is being transmitted at now, and
// returns how many of its packets are thereby not sent. A packet whose first bit is due at now has
// not begun.
func (l *Link) Cut(now units.Time) int64 {
	if !l.open.active || now >= l.free {
		return 0
	}
	spacing := l.open.run.Spacing
	elapsed := now.Sub(l.open.start)
	sent := min(int64((elapsed+spacing-1)/spacing), l.open.run.Count)
	back := l.open.run.Count - sent
	if back == 0 {
		return 0
	}
	l.free = l.open.start.Add(units.Duration(sent) * spacing)
	l.open.run.Count = sent
	if sent < l.open.pass {
		l.flights.truncate(l.open.flight, sent)
		l.open.pass = sent
		l.sink.ArrivalsChanged()
	}
	if sent == 0 {
		l.open.active = false
	}
	return back
}

// SendControl sends a control message, starting at now. The link must be idle.
func (l *Link) SendControl(now units.Time, msg []byte) {
	if now < l.free {
		panic("BUG: link: SendControl on a busy link")
	}
	l.close()
	l.control.Count = 1
	pass, _ := l.cfg.ControlLoss.Peek(&l.control)
	l.cfg.ControlLoss.Advance(&l.control, 1)
	l.control.First++
	l.stats.Control++
	l.free = now.Add(l.PacketTime(units.Bytes(len(msg))))
	if pass == 0 {
		return
	}
	wasEmpty := l.flights.Len() == 0
	f := l.flights.push()
	f.Control = append(f.Control, msg...)
	f.Arrive = l.free.Add(l.cfg.Delay)
	if wasEmpty {
		l.sink.ArrivalsChanged()
	}
}

// Head is the flight that arrives next, nil where none is under way. It stays valid until Pop.
func (l *Link) Head() *Flight { return l.flights.Head() }

// Pop removes the head, which has arrived whole.
func (l *Link) Pop() { l.flights.pop() }

// Stats returns what the link has carried, a piece under way included.
func (l *Link) Stats() Stats {
	l.close()
	return l.stats
}

// close accounts for the open piece. It can no longer be cut.
func (l *Link) close() {
	if !l.open.active {
		return
	}
	l.open.active = false
	count := l.open.run.Count
	l.cfg.Loss.Advance(&l.open.run, count)
	l.stats.Packets += count
	l.stats.Lost += count - l.open.pass
	l.stats.WireBytes += units.Bytes(count) * l.open.bytes
}
