package main

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"sdrsim/internal/experiment"
	"sdrsim/internal/portable"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/units"
)

// forecast tells what the rest of a run takes. Points differ in cost by orders of magnitude, and
// sweeps tend to have the costly ones last, so samples are not counted but weighed: each unit (a
// point under a scheme) costs what its samples have taken so far; one that has not begun costs what
// its scheme takes for the losses that are expected at its point.
type forecast struct {
	units []*forecastUnit
	at    map[ledger.Unit]*forecastUnit
}

// forecastUnit is what is known of a unit.
type forecastUnit struct {
	scheme string
	load   float64 // losses and messages that are expected in a sample
	// Of target samples restored ones were not run; the others are, or will be.
	restored, target int
	complete         bool
	ran, nanoseconds atomic.Int64 // samples of this run, and what they took one worker
	tried            int64        // of those, not for the run
}

func newForecast(source sweep.Source) *forecast {
	f := &forecast{at: map[ledger.Unit]*forecastUnit{}}
	for i := range source.Len() {
		p := source.At(i)
		for k := range p.Schemes {
			u := &forecastUnit{scheme: p.Schemes[k].Label, load: loadOf(&p), target: p.Samples}
			f.units = append(f.units, u)
			f.at[ledger.Unit{Point: p.Key, Scheme: u.scheme}] = u
		}
	}
	return f
}

// loadOf is what the cost of a sample follows: losses, and messages.
func loadOf(p *spec.Point) float64 {
	messages, size := p.Messages(), p.Message.Size
	if p.Collective.Kind != "" {
		size = p.Collective.Part(size)
	}
	packets := units.CeilDiv(size, p.Link.MTU)
	return float64(messages) * (1 + float64(float64(packets)*p.Link.Loss.Mean()))
}

// runnerMaker makes the runner of a point under a scheme.
type runnerMaker = func(*spec.Point, *spec.Scheme) (sweep.Runner, error)

// timed makes runners that tell the forecast what their samples take.
func (f *forecast) timed(next runnerMaker) runnerMaker {
	return func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
		runner, err := next(p, s)
		u := f.at[ledger.Unit{Point: p.Key, Scheme: s.Label}]
		if err != nil || u == nil {
			return runner, err
		}
		return &timedRunner{Runner: runner, unit: u}, nil
	}
}

// timedRunner times the samples of one worker. Of brief ones it times one in briefTimed, which
// stands for the others: the clock is a part of what they take.
type timedRunner struct {
	sweep.Runner
	unit *forecastUnit
	// untold samples have been run since the unit was told last; brief tells of the one timed last.
	untold int64
	brief  bool
}

const (
	briefSample = 50 * time.Microsecond
	briefTimed  = 16
)

func (r *timedRunner) Sample(index int, s *experiment.Sample) error {
	r.untold++
	if r.brief && r.untold < briefTimed {
		return r.Runner.Sample(index, s)
	}
	began := time.Now()
	err := r.Runner.Sample(index, s)
	took := time.Since(began)
	r.unit.took(r.untold, time.Duration(r.untold)*took)
	r.untold, r.brief = 0, took < briefSample
	return err
}

// took notes what samples have taken one worker.
func (u *forecastUnit) took(samples int64, d time.Duration) {
	u.ran.Add(samples)
	u.nanoseconds.Add(int64(d))
}

// update notes how far the unit is that went on last.
func (f *forecast) update(last sweep.UnitProgress) {
	u := f.at[ledger.Unit{Point: last.Key, Scheme: last.Scheme}]
	if u == nil {
		return
	}
	if u.ran.Load() == 0 {
		u.restored = last.Samples
	}
	u.target, u.complete = last.Target, last.Complete
}

// forget keeps what samples cost, and takes none to have been run.
func (f *forecast) forget() {
	for _, u := range f.units {
		u.tried = u.ran.Load()
	}
}

// left is how many samples of the unit are to be run.
func (u *forecastUnit) left() float64 {
	if u.complete {
		return 0
	}
	return float64(max(0, u.target-u.restored-int(u.ran.Load()-u.tried)))
}

// left is what remains, of the time of one worker; false before anything is known.
func (f *forecast) left() (d time.Duration, known bool) {
	bySchemes, all := f.measured()
	if len(all) == 0 {
		return 0, false
	}
	laws := map[string]costLaw{}
	for scheme, list := range bySchemes {
		laws[scheme] = newCostLaw(list)
	}
	common := newCostLaw(all)
	seconds := 0.0
	for _, u := range f.units {
		n := u.left()
		if n == 0 {
			continue
		}
		cost, begun := u.cost()
		if !begun {
			law, ok := laws[u.scheme]
			if !ok {
				law = common
			}
			cost = law.at(u.load)
		}
		seconds += n * cost
	}
	return time.Duration(min(seconds, math.MaxInt64/4e9) * float64(time.Second)), true
}

// cost is what a sample of the unit has taken on average, in seconds; false before the first.
func (u *forecastUnit) cost() (seconds float64, known bool) {
	n := u.ran.Load()
	return float64(u.nanoseconds.Load()) / 1e9 / float64(max(1, n)), n > 0
}

// measured are the costs that are known, by scheme and together.
func (f *forecast) measured() (byScheme map[string][]costPoint, all []costPoint) {
	byScheme = map[string][]costPoint{}
	for _, u := range f.units {
		if cost, known := u.cost(); known && cost > 0 {
			p := costPoint{u.load, cost}
			byScheme[u.scheme] = append(byScheme[u.scheme], p)
			all = append(all, p)
		}
	}
	return byScheme, all
}

// costPoint is what a sample takes in seconds, at a load.
type costPoint struct{ load, cost float64 }

// costLaw predicts costs from those that were measured: a line through them, fixed + perLoad*load,
// which at a measured load passes through what was measured there.
type costLaw struct {
	points         []costPoint // ascending in load
	fixed, perLoad float64
}

// newCostLaw fits the line, neither end of which falls below zero. Costs are spread over orders of
// magnitude, so each deviation counts relative to its cost.
func newCostLaw(points []costPoint) costLaw {
	slices.SortFunc(points, func(a, b costPoint) int { return cmp.Compare(a.load, b.load) })
	var n, x, xx, y, xy float64 // sums of weights, loads, their squares, costs, products
	for _, p := range points {
		w := 1 / p.cost / p.cost
		n, x, xx = n+w, x+w*p.load, xx+w*p.load*p.load
		y, xy = y+w*p.cost, xy+w*p.load*p.cost
	}
	l := costLaw{points: points, fixed: y / n}
	det := n*xx - x*x
	if det <= 1e-9*n*xx {
		return l // all at one load
	}
	l.fixed, l.perLoad = (xx*y-x*xy)/det, (n*xy-x*y)/det
	switch {
	case l.perLoad < 0:
		l.fixed, l.perLoad = y/n, 0
	case l.fixed < 0:
		l.fixed, l.perLoad = 0, xy/xx
	}
	return l
}

// at is the cost at a load: that of the line, as far off as it is at the nearest measured load.
func (l *costLaw) at(load float64) float64 {
	line := func(x float64) float64 { return l.fixed + l.perLoad*x }
	i, _ := slices.BinarySearchFunc(l.points, load, func(p costPoint, x float64) int {
		return cmp.Compare(p.load, x)
	})
	i = min(i, len(l.points)-1)
	if i > 0 && apart(l.points[i-1].load, load) < apart(l.points[i].load, load) {
		i--
	}
	return line(load) * l.points[i].cost / line(l.points[i].load)
}

// apart is how far loads are from each other, as factors.
func apart(a, b float64) float64 { return math.Abs(portable.Log(a / b)) }
