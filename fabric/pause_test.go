package fabric

import (
	"testing"

	"sdrsim/units"
)

// haul sends n packets of 4 KiB from a host at a rate over a distance into a queue of half of it,
// which pauses the host's, and returns both: room is what the buffer has beyond Xoff.
func haul(rate units.Rate, delay units.Duration, n int64, room units.Bytes) (host, far *Queue) {
	const size = units.Bytes(4096)
	d := NewDomain()
	host = NewQueue(QueueConfig{Rate: rate, Buffer: 1 << 50, Domain: d})
	far = NewQueue(QueueConfig{Rate: rate / 2, Buffer: 10*size + room, Domain: d,
		Pause: Pause{Xoff: 10 * size, Xon: 5 * size}})
	flow := &Flow{}
	spacing := rate.TransmitTime(size)
	source := &feed{pieces: []Piece{{At: 0, Spacing: spacing, Count: n, Size: size, Flow: flow}}}
	flow.Route = []Taker{host.Input(source, 0), far.Input(host, delay), &discard{}}
	host.Reset(nil)
	far.Reset(nil)
	far.Flush()
	return host, far
}

// Nothing is dropped where there is room for twice what is under way and the packets in service;
// with half of it something is: the far queue drains half of what comes. IEEE 802.1Qbb annex O.
func TestHeadroomOfARoundTripLosesNothing(t *testing.T) {
	const delay = 592 * units.Microsecond // 120 km
	for _, rate := range []units.Rate{10e9, 100e9} {
		trip := units.Bytes(int64(2*delay) / 1000 * int64(rate/1e9) / 8)
		_, far := haul(rate, delay, 40000, trip+3*4096)
		if s := far.Stats(); s.Dropped != 0 || s.Pauses == 0 || s.Accepted != 40000 {
			t.Errorf("%v: %d dropped, %d pauses, %d accepted", rate, s.Dropped, s.Pauses, s.Accepted)
		}
		host, far := haul(rate, delay, 40000, trip/2-4*4096)
		if s := far.Stats(); s.Dropped == 0 || s.Accepted+s.Dropped != host.Stats().Accepted {
			t.Errorf("%v, little headroom: %d dropped, %d accepted", rate, s.Dropped, s.Accepted)
		}
	}
}

// A pause stops a queue whoever's packets wait there: an innocent flow to an idle queue, which
// shares nothing with the crowded one but the queue before both, is held up with the guilty one.
func TestPausesBlockInnocents(t *testing.T) {
	const size, rate = units.Bytes(1000), units.Rate(100e9)
	for _, xoff := range []units.Bytes{0, 10 * size} {
		d := NewDomain()
		border := NewQueue(QueueConfig{Rate: rate, Buffer: 1 << 50, Domain: d})
		crowded := NewQueue(QueueConfig{Rate: rate / 10, Buffer: 100 * size, Domain: d,
			Pause: Pause{Xoff: xoff, Xon: xoff / 2}})
		idle := NewQueue(QueueConfig{Rate: rate, Buffer: 100 * size, Domain: d})
		var ends []*sink
		for i, to := range []*Queue{crowded, idle} {
			flow, end := &Flow{}, &sink{}
			source := &feed{pieces: []Piece{{At: units.Time(i), Spacing: 2 * rate.TransmitTime(size),
				Count: 5000, Size: size, Flow: flow}}}
			flow.Route = []Taker{border.Input(source, 0), to.Input(border, units.Microsecond), end}
			ends = append(ends, end)
		}
		for _, q := range d.queues {
			q.Reset(nil)
		}
		idle.Flush()
		last := ends[1].taken[len(ends[1].taken)-1].at
		alone := units.Time(0).Add(10000 * rate.TransmitTime(size))
		if blocked := last > 4*alone; blocked != (xoff > 0) || len(ends[1].taken) != 5000 {
			t.Errorf("xoff %d: the innocent flow ends at %v, alone at %v", xoff, last, alone)
		}
		if s := crowded.Stats(); (s.Dropped == 0) != (xoff > 0) {
			t.Errorf("xoff %d: %d dropped", xoff, s.Dropped)
		}
		if paused := border.Stats().Paused; (paused > 0) != (xoff > 0) {
			t.Errorf("xoff %d: paused for %v", xoff, paused)
		}
	}
}
