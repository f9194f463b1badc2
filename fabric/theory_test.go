package fabric

import (
	"math"
	"testing"

	"sdrsim/sim"
	"sdrsim/units"
)

// poisson is packets of one size that come at random.
func poisson(rate units.Rate, load float64, size units.Bytes, n int) []Piece {
	stream := sim.NewStream(7, "poisson", 0)
	mean := float64(rate.TransmitTime(size)) / load
	list := make([]Piece, n)
	at := units.Time(0)
	for i := range list {
		at = at.Add(1 + units.Duration(mean*stream.ExpFloat64()))
		list[i] = Piece{At: at, First: int64(i), Count: 1, Size: size}
	}
	return list
}

// Poisson packets of one size wait as those of M/D/1: rho/(2(1-rho)) services on average (Pollaczek
// and Khinchine); the mean backlog is that, plus half a service while one is under way.
func TestPoissonTrafficWaitsAsInMD1(t *testing.T) {
	const rate, size = units.Rate(100e9), units.Bytes(1500)
	service := float64(rate.TransmitTime(size))
	for _, load := range []float64{0.3, 0.6, 0.9} {
		const parts, n = 20, 40000
		q := NewQueue(QueueConfig{Rate: rate, Buffer: 1 << 40})
		flow := &Flow{}
		source := &feed{pieces: poisson(rate, load, size, parts*n)}
		for i := range source.pieces {
			source.pieces[i].Flow = flow
		}
		flow.Route = []Taker{q.Input(source, 0), &discard{}}
		q.Reset(nil)
		var means []float64
		var before Stats
		for part := range parts {
			q.Pull(source.pieces[(part+1)*n-1].At)
			s := *q.Stats()
			sum := s.MeanWait()*float64(s.Accepted) - before.MeanWait()*float64(before.Accepted)
			means = append(means, sum/float64(s.Accepted-before.Accepted)/service)
			before = s
		}
		mean, half := interval(means)
		if want := load / (2 * (1 - load)); math.Abs(mean-want) > half {
			t.Errorf("load %v: packets wait %.4f services, want %.4f +- %.4f", load, mean, want, half)
		}
		span := source.pieces[len(source.pieces)-1].At.Sub(0)
		area := q.Stats().MeanBacklog(span) / service
		if want := mean*load + load/2; math.Abs(area-want) > 0.02*want {
			t.Errorf("load %v: mean backlog %.4f services, want %.4f (Little)", load, area, want)
		}
	}
}

// interval is the mean of independent values and the half-width of its 99.9 % interval.
func interval(values []float64) (mean, half float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	s := 0.0
	for _, v := range values {
		s += (v - mean) * (v - mean)
	}
	n := float64(len(values))
	return mean, 3.88 * math.Sqrt(s/(n-1)/n) // Student, 19 degrees of freedom
}

// discard is a route's end that looks at nothing.
type discard struct{ n int64 }

// Take implements Taker.
func (d *discard) Take(p *Piece) { d.n += p.Count }
