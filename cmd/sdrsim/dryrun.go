package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"sdrsim/internal/experiment"
	"sdrsim/scenarios"
	"sdrsim/sim/units"
)

// Limits of what a dry run tries out: points, evenly spread, and time in all.
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
	fmt.Fprintf(a.stdout, "events: about %.3g, %.0f a sample\n", t.events, t.events/float64(j.total))
	fmt.Fprintf(a.stdout, "time: about %s with %s (%s tried)\n",
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
	samples int
	events  float64       // of all samples of the run
	limit   time.Duration // for each point under each scheme

	forecast *forecast
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

// tryUntil is try, and ends with the context even where a sample does not.
func (a *app) tryUntil(ctx context.Context, j *job) (t *trial, err error) {
	done := make(chan struct{})
	var tried *trial
	var failure error
	go func() {
		tried, failure = a.try(ctx, j)
		close(done)
	}()
	select {
	case <-done:
		return tried, failure
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// try runs some samples of some points under every scheme. What is between two tried points is
// taken to have as many events as the one before; its time is forecast as that of a run is.
func (a *app) try(ctx context.Context, j *job) (*trial, error) {
	points := min(j.source.Len(), triedPoints)
	t := &trial{forecast: newForecast(j.source)}
	if points == 0 {
		return t, nil
	}
	t.limit = tryFor / time.Duration(points*len(j.scenario.Schemes))
	for i := range points {
		at, next := i*j.source.Len()/points, (i+1)*j.source.Len()/points
		p := j.source.At(at)
		for k := range p.Schemes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := a.tryUnit(t, &p, &p.Schemes[k], next-at); err != nil {
				return nil, fmt.Errorf("point %q, scheme %s: %w", p.Key, p.Schemes[k].Label, err)
			}
		}
	}
	t.forecast.forget()
	return t, nil
}

// tryUnit runs the first samples of a unit, which stands for so many.
func (a *app) tryUnit(t *trial, p *scenarios.Point, s *scenarios.Scheme, units int) error {
	runner, err := t.forecast.timed(a.newRunner)(p, s)
	if err != nil {
		return err
	}
	var sample experiment.Sample
	events, n := int64(0), 0
	began := time.Now()
	for n < p.Samples && (n == 0 || time.Since(began) < t.limit) {
		number := (n + 1) % p.Samples // 0 may be the one without loss, which is cheap
		if err := runner.Sample(number, &sample); err != nil {
			return err
		}
		events += sample.Events
		n++
	}
	scale := float64(units) * float64(p.Samples) / float64(n)
	t.samples += n
	t.events += float64(events) * scale
	return nil
}
