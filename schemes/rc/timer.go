package rc

import "sdrsim/units"

// timer is the retransmission timer of a connection.
type timer struct {
	at, from units.Time // when it expires, and since when it runs; Never: it does not
	// low says that it is the shorter one, for few packets in flight.
	low     bool
	expired uint // without progress
	// g and uses are of the timer of the hardware.
	g    uint
	uses int
}

// reset stops the timer of a new connection.
func (t *timer) reset(c *Config) {
	*t = timer{at: units.Never}
	if c.Adaptive != nil {
		t.g = c.Adaptive.Low
	}
}

// arm has the timer run from an instant on.
func (s *Sender) arm(from units.Time) {
	t, long := &s.timer, s.span(s.rto)
	t.from, t.at, t.low = from, from.Add(long), false
	if s.rtoLow == 0 {
		return
	}
	if short := s.span(s.rtoLow); short < long {
		t.at, t.low = from.Add(short), true
	}
}

// span is how long the timer runs that is so long at first.
func (s *Sender) span(base units.Duration) units.Duration {
	whole := base << min(s.timer.expired, s.cfg.Doubling)
	a := s.cfg.Adaptive
	if a == nil {
		return whole
	}
	hardware := a.Base << s.timer.g
	if a.Capped {
		hardware = min(hardware, whole)
	}
	return hardware
}

// expire notes that the timer has expired.
func (t *timer) expire(c *Config) {
	t.expired++
	a := c.Adaptive
	if a == nil {
		return
	}
	if t.uses++; t.uses >= a.Uses && t.g < a.Low+a.Steps {
		t.uses = 0
		t.g++
	}
}

// progress notes that something was acknowledged.
func (t *timer) progress(c *Config) {
	t.expired, t.uses = 0, 0
	if a := c.Adaptive; a != nil {
		if a.Fall == 0 || t.g < a.Low+a.Fall {
			t.g = a.Low
		} else {
			t.g -= a.Fall
		}
	}
}
