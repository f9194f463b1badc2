package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/units"
)

// Limits of what a dry run tries out: points, evenly spread, and time in all. It waits as long once
// more for a sample that does not end.
const (
	triedPoints = 24
	tryFor      = 2 * time.Second
)

// dryRun prints what a run would do, and about what it would take. It tries a few samples at some
// of the points: the time of a run is that of its events, whose number follows from the scenario.
func (a *app) dryRun(ctx context.Context, j *job) error {
	s := j.scenario
	fmt.Fprintf(a.stdout, "%s: %s, %s, %s in all\n", s.File, counted(j.source.Len(), "point"),
		counted(len(s.Schemes), "scheme"), counted(j.total, "sample"))
	if !j.options.part.Whole() {
		fmt.Fprintf(a.stdout, "shard %s of %d points\n", j.options.part, s.Len())
	}
	for i := range min(j.source.Len(), shownPoints) {
		p := j.source.At(i)
		if p.Key != "" {
			fmt.Fprintln(a.stdout, " ", p.Key)
		}
	}
	if rest := j.source.Len() - shownPoints; rest > 0 {
		fmt.Fprintf(a.stdout, "  ... and %d more\n", rest)
	}
	t, err := a.tryUntil(ctx, j)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "results: %s\n", j.target)
	about := "about"
	if t.late {
		about = "more than"
		fmt.Fprintln(a.stdout, "events: not known, a sample takes longer than a dry run waits")
	} else {
		fmt.Fprintf(a.stdout, "events: about %.3g, %.0f a sample\n", t.events,
			t.events/float64(j.total))
	}
	if t.failed > 0 {
		fmt.Fprintf(a.stdout, "failed: %d of %s tried, the first at %s\n", t.failed,
			counted(t.samples, "sample"), t.firstFail)
	}
	fmt.Fprintf(a.stdout, "time: %s %s with %s (%s tried)\n", about,
		t.time(j.options.jobs), counted(j.options.jobs, "job"), counted(t.samples, "sample"))
	memory := j.memory * units.Bytes(j.options.jobs)
	fmt.Fprintf(a.stdout, "memory: up to about %s", roughly(memory))
	if available, known := availableMemory(); known {
		fmt.Fprintf(a.stdout, ", of %s available", roughly(available))
	}
	fmt.Fprintln(a.stdout)
	return nil
}

// shownPoints is how many points a dry run lists.
const shownPoints = 20

// trial is what a few samples stand for.
type trial struct {
	limit    time.Duration // for each point under each scheme
	forecast *forecast
	late     bool // a sample did not end; what is known is a bound from below

	mu      sync.Mutex // of what follows
	samples int
	events  float64 // of all samples of the run
	// failed samples were given up by their scheme; firstFail says the first of them.
	failed    int
	firstFail string
	// unit is what is being tried; its sample began at began, and is the first one.
	unit  ledger.Unit
	began time.Time
	first bool
}

// leave is what is known of a trial that is left alone.
func (t *trial) leave() *trial {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u := t.forecast.at[t.unit]; u != nil && t.first {
		u.took(1, time.Since(t.began))
	}
	return &trial{samples: t.samples, forecast: t.forecast, late: true, failed: t.failed,
		firstFail: t.firstFail}
}

// begin notes that a sample of a unit begins.
func (t *trial) begin(u ledger.Unit, first bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unit, t.first, t.began = u, first, time.Now()
}

// fail notes that the scheme of a unit gave up a sample.
func (t *trial) fail(u ledger.Unit, number int, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed++; t.failed > 1 {
		return
	}
	where := "scheme " + u.Scheme
	if u.Point != "" {
		where = "point " + u.Point + ", " + where
	}
	t.firstFail = fmt.Sprintf("%s, sample %d: %s", where, number, why)
}

// count notes that a unit was tried, which stands for so many events.
func (t *trial) count(samples int, events float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.samples += samples
	t.events += events
}

// time is about how long a run takes.
func (t *trial) time(jobs int) time.Duration {
	left, _ := t.forecast.left()
	d := left / time.Duration(min(jobs, runtime.GOMAXPROCS(0)))
	switch {
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d < 10*time.Minute:
		return d.Round(time.Second)
	}
	return d.Round(time.Minute)
}

// tryUntil is try, and ends with the context and when its time is up, even where a sample does not.
func (a *app) tryUntil(ctx context.Context, j *job) (*trial, error) {
	wait := cmp.Or(a.tryFor, tryFor)
	t := &trial{forecast: newForecast(j.source)}
	done := make(chan error, 1)
	go func() { done <- a.try(ctx, j, t, wait) }()
	late := time.NewTimer(2 * wait)
	defer late.Stop()
	select {
	case err := <-done:
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-late.C:
		t = t.leave()
	}
	t.forecast.forget()
	return t, nil
}

// try runs some samples of some points under every scheme. What is between two tried points is
// taken to have as many events as the one before; its time is forecast as that of a run is.
func (a *app) try(ctx context.Context, j *job, t *trial, during time.Duration) error {
	points := min(j.source.Len(), triedPoints)
	t.limit = during / time.Duration(max(1, points*len(j.scenario.Schemes)))
	for i := range points {
		at, next := i*j.source.Len()/points, (i+1)*j.source.Len()/points
		p := j.source.At(at)
		for k := range p.Schemes {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := a.tryUnit(t, &p, &p.Schemes[k], next-at); err != nil {
				return fmt.Errorf("point %q, scheme %s: %w", p.Key, p.Schemes[k].Label, err)
			}
		}
	}
	return nil
}

// tryUnit runs the first samples of a unit, which stands for so many.
func (a *app) tryUnit(t *trial, p *spec.Point, s *spec.Scheme, units int) error {
	unit := ledger.Unit{Point: p.Key, Scheme: s.Label}
	t.begin(unit, true)
	runner, err := t.forecast.timed(a.newRunner)(p, s)
	if err != nil {
		return err
	}
	var sample experiment.Sample
	events, n := int64(0), 0
	for began := time.Now(); n < p.Samples && (n == 0 || time.Since(began) < t.limit); n++ {
		t.begin(unit, n == 0)
		number := (n + 1) % p.Samples // 0 may be the one without loss, which is cheap
		if err := runner.Sample(number, &sample); err != nil {
			return err
		}
		events += sample.Events
		if sample.Failed > 0 {
			t.fail(unit, number, sample.Failure)
		}
	}
	t.count(n, float64(events)*float64(units)*float64(p.Samples)/float64(n))
	return nil
}
