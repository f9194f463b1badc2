package sweep

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"sdrsim/internal/experiment"
	"sdrsim/internal/report"
	"sdrsim/scenarios"
)

// Source is what a sweep runs: points that are made when they are needed.
type Source interface {
	Len() int
	At(i int) scenarios.Point
}

// Runner replays one point under one scheme. One worker uses it for many samples, one after the
// other; experiment.Runner is one.
type Runner interface {
	// Sample writes the outcome of replication index into s, reusing its memory.
	Sample(index int, s *experiment.Sample) error
}

// Config says what to run and how.
type Config struct {
	Source Source
	// Jobs is the number of workers, at least 1.
	Jobs int
	// NewRunner makes what a worker runs the samples of one point under one scheme with.
	NewRunner func(*scenarios.Point, *scenarios.Scheme) (Runner, error)
	// Model is the mean completion time in seconds that the closed form gives, ok where it applies;
	// nil: nowhere.
	Model func(*scenarios.Point, *scenarios.Scheme) (seconds float64, ok bool)
	// Distribution tells of which schemes at which points the distribution is kept; nil: of none.
	Distribution func(point []report.AxisValue, scheme string) bool
	// Progress is told what is done, one call at a time, from the workers; nil: nobody is.
	Progress func(Progress)
}

// Progress is what has been done so far.
type Progress struct {
	Samples int64
	// Failed counts samples of which their scheme gave up a message.
	Failed int64
	Events int64
}

// Result is the outcome of a sweep, in the order of the points and of their schemes.
type Result struct {
	Rows          []report.Row
	Distributions []report.Distribution
	Progress
}

// SampleError tells which sample ended the sweep.
type SampleError struct {
	Point  string // its key; empty where nothing is swept
	Scheme string
	Sample int // -1: the runner could not be made
	Err    error

	unit int
}

func (e *SampleError) Error() string {
	where := "scheme " + e.Scheme
	if e.Point != "" {
		where = "point " + e.Point + ", " + where
	}
	if e.Sample >= 0 {
		where += fmt.Sprintf(", sample %d", e.Sample)
	}
	return where + ": " + e.Err.Error()
}

func (e *SampleError) Unwrap() error { return e.Err }

// before orders errors as the samples are ordered.
func (e *SampleError) before(other *SampleError) bool {
	return other == nil || e.unit < other.unit || e.unit == other.unit && e.Sample < other.Sample
}

// Run runs every sample and reduces them. It returns the context's error when that ends first, and
// a *SampleError when a sample fails for another reason than its scheme giving up: of the failures
// met before all workers stopped, the first in the order of points, schemes and samples.
func Run(ctx context.Context, config Config) (*Result, error) {
	if config.Jobs < 1 {
		return nil, fmt.Errorf("BUG: sweep with %d jobs", config.Jobs)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &sweep{Config: config, stop: stop, schedule: schedule{source: config.Source}}
	var workers sync.WaitGroup
	for range config.Jobs {
		workers.Go(func() { (&worker{sweep: s}).run(ctx) })
	}
	workers.Wait()
	if s.failure != nil {
		return nil, s.failure
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.result(), nil
}

// sweep is the state that the workers share.
type sweep struct {
	Config
	schedule schedule
	stop     context.CancelFunc

	mu       sync.Mutex // guards what follows
	progress Progress
	reduced  []reduced // by unit; a unit that is not complete is zero
	failure  *SampleError
}

// fail stops the sweep.
func (s *sweep) fail(e *SampleError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.before(s.failure) {
		s.failure = e
	}
	s.stop()
}

// tell adds to what is done and passes it on.
func (s *sweep) tell(done Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Samples += done.Samples
	s.progress.Failed += done.Failed
	s.progress.Events += done.Events
	if s.Progress != nil {
		s.Progress(s.progress)
	}
}

// keep stores the rows of a complete unit.
func (s *sweep) keep(index int, r reduced) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.reduced) <= index {
		s.reduced = append(s.reduced, reduced{})
	}
	s.reduced[index] = r
}

func (s *sweep) result() *Result {
	result := &Result{Progress: s.progress}
	for _, r := range s.reduced {
		result.Rows = append(result.Rows, r.row)
		if r.distribution != nil {
			result.Distributions = append(result.Distributions, *r.distribution)
		}
	}
	return result
}

// worker claims blocks and runs them until there are none or the sweep ends.
type worker struct {
	sweep  *sweep
	unit   *unit  // of the last block
	runner Runner // for that unit
	sample experiment.Sample
}

func (w *worker) run(ctx context.Context) {
	for ctx.Err() == nil {
		b, ok := w.sweep.schedule.claim(w.unit)
		if !ok {
			return
		}
		if !w.runBlock(ctx, b) {
			return
		}
	}
}

// runBlock runs the samples of a block and reduces its unit where that completes it. It returns
// false when the sweep has to end.
func (w *worker) runBlock(ctx context.Context, b block) bool {
	var done tally
	if err := w.prepare(b.unit); err != nil {
		w.fail(b.unit, -1, err)
		return false
	}
	for i := b.from; i < b.to; i++ {
		if ctx.Err() != nil {
			return false
		}
		if err := w.runSample(i); err != nil {
			w.fail(b.unit, i, err)
			return false
		}
		done.count(i, &w.sample)
	}
	if w.sweep.schedule.add(b, done) {
		w.sweep.keep(b.unit.index, w.sweep.reduce(b.unit))
	}
	w.sweep.tell(Progress{
		Samples: int64(b.to - b.from), Failed: int64(done.failed), Events: done.Events,
	})
	return true
}

// prepare makes the runner of a unit, unless the last block was of the same.
func (w *worker) prepare(u *unit) (err error) {
	if w.unit == u {
		return nil
	}
	defer recoverBug(&err)
	w.runner, err = w.sweep.NewRunner(u.point, u.scheme)
	if err == nil {
		w.unit = u
	}
	return err
}

// runSample runs one sample and records it.
func (w *worker) runSample(index int) (err error) {
	defer recoverBug(&err)
	if err := w.runner.Sample(index, &w.sample); err != nil {
		return err
	}
	return w.unit.record.put(index, &w.sample)
}

// recoverBug turns a panic into an error, so that the point and the sample that show the bug are
// named and the command ends in order.
func recoverBug(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%v\n%s", p, debug.Stack())
	}
}

func (w *worker) fail(u *unit, sample int, err error) {
	w.sweep.fail(&SampleError{
		Point: u.point.Key, Scheme: u.scheme.Label, Sample: sample, Err: err, unit: u.index,
	})
}
