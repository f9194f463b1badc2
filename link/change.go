package link

import "sdrsim/units"

// Change is what a link becomes at some time: packets whose first bit is sent from then on go with
// this bandwidth, and arrive after this delay.
type Change struct {
	At        units.Time
	Bandwidth units.Rate
	Delay     units.Duration
}

// way is the bandwidth and the delay of a link at a time, which only moves on.
type way struct {
	bandwidth units.Rate
	delay     units.Duration
	change    units.Time // when they change next
	next      int        // which change that is
	least     units.Duration
}

// wayOf is the way at first.
func wayOf(cfg *Config) way {
	w := way{bandwidth: cfg.Bandwidth, delay: cfg.Delay, change: units.Never, least: cfg.Delay}
	for _, c := range cfg.Changes {
		w.least = min(w.least, c.Delay)
	}
	if len(cfg.Changes) > 0 {
		w.change = cfg.Changes[0].At
	}
	return w
}

// pass lets the time pass until now.
func (w *way) pass(now units.Time, changes []Change) {
	for w.change <= now {
		w.bandwidth, w.delay = changes[w.next].Bandwidth, changes[w.next].Delay
		w.next++
		w.change = units.Never
		if w.next < len(changes) {
			w.change = changes[w.next].At
		}
	}
}

// behind is the delay of a packet that is sent so long after the end of the packet before, which
// had a delay too. Packets do not overtake each other: behind one that has a longer way they queue,
// and arrive as far apart as they were sent, until the transmitter has been idle for as long as the
// way has become shorter.
func (w *way) behind(idle, before units.Duration) units.Duration {
	return max(w.delay, before-idle)
}
