package sweep

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
)

// Source is what a sweep runs: points that are made when they are needed.
type Source interface {
	Len() int
	At(i int) spec.Point
}

// Runner replays one point under one scheme. One worker uses it for many samples, one after the
// other; experiment.Runner is one.
type Runner interface {
	// Sample writes the outcome of replication index into s, reusing its memory.
	Sample(index int, s *experiment.Sample) error
}

// Store keeps records beyond the life of the process. Its methods may be called by several workers
// at once.
type Store interface {
	// Load returns what was saved last of a unit, nil where nothing was.
	Load(point, scheme string) (*Record, error)
	// Save keeps what is in a record. When it returns, the end of the process does not lose it, and
	// the record may change.
	Save(r *Record) error
}

// Config says what to run and how.
type Config struct {
	Source Source
	// Jobs is the number of workers, at least 1.
	Jobs int
	// NewRunner makes what a worker runs the samples of one point under one scheme with.
	NewRunner func(*spec.Point, *spec.Scheme) (Runner, error)
	// Store has the samples of an earlier run, which are not run again, and keeps those of this one;
	// nil: nothing is kept.
	Store Store
	// Model is the mean completion time by the closed form; nil: there is none.
	Model func(*spec.Point, *spec.Scheme) Form
	// Distribution tells of which schemes at which points the distribution is kept; nil: of none.
	Distribution func(point []result.AxisValue, scheme string) bool
	// Progress is told what is done, one call at a time, from the workers; nil: nobody is.
	Progress func(Progress)
}

// Form is a mean completion time by a closed form.
type Form struct {
	Seconds float64
	// Known tells that the form applies, Exact that it is the expectation itself and no bound.
	Known, Exact bool
}

// Progress is what has been done so far.
type Progress struct {
	Samples int64
	// Restored samples of those came from the Store.
	Restored int64
	// Extra samples were added for precision to those that the points ask for at first.
	Extra int64
	// Failed counts samples of which their scheme gave up a message.
	Failed int64
	Events int64
	// Units counts the complete ones.
	Units int
	// Last is the unit that went on last.
	Last UnitProgress
}

// UnitProgress is how far a unit is.
type UnitProgress struct {
	Point  int    // its position in the Source
	Key    string // of the point
	Scheme string
	// Samples of Target are done; the unit is Complete when it needs no more.
	Samples, Target int
	Complete        bool
}

// Result is the outcome of a sweep, in the order of the points and of their schemes.
type Result struct {
	Rows          []result.Row
	Distributions []result.Distribution
	Rounds        []result.Round // of collectives
	Flows         []result.Flow  // of networks
	Queues        []result.Queue
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

// Run runs every sample and reduces them. It returns the context's error when that ends first,
// after the blocks under way and with all of their samples in the Store; and a *SampleError when a
// sample fails for another reason than its scheme giving up: of the failures met before all workers
// stopped, the first in the order of points, schemes and samples.
func Run(ctx context.Context, config Config) (*Result, error) {
	if config.Jobs < 1 {
		return nil, fmt.Errorf("BUG: sweep with %d jobs", config.Jobs)
	}
	s := newSweep(config)
	var workers sync.WaitGroup
	for range config.Jobs {
		workers.Go(func() { (&worker{sweep: s}).run(ctx) })
	}
	workers.Wait()
	if err := s.failure(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil && !s.complete() {
		if saving := s.saveOpen(); saving != nil {
			return nil, saving
		}
		return nil, err
	}
	return s.result(), nil
}

// sweep is the state that the workers share.
type sweep struct {
	Config
	schedule *schedule
	records  sync.Pool       // of *Record, of units that are complete, for those to come
	failing  context.Context // ends when the sweep has failed
	stop     context.CancelFunc

	mu       sync.Mutex // guards what follows
	progress Progress
	groups   [][]reduced // by point; a point that is not complete is nil
	first    *SampleError
	broken   error // of the store
}

func newSweep(config Config) *sweep {
	s := &sweep{Config: config, schedule: newSchedule(config.Source)}
	s.records.New = func() any { return new(Record) }
	s.failing, s.stop = context.WithCancel(context.Background())
	return s
}

// fail stops the sweep.
func (s *sweep) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := err.(*SampleError); !ok {
		s.broken = err
	} else if e.before(s.first) {
		s.first = e
	}
	s.stop()
}

func (s *sweep) failure() error {
	switch {
	case s.first != nil:
		return s.first
	case s.broken != nil:
		return s.broken
	}
	return nil
}

// complete tells, when all workers have ended, whether nothing is left to do.
func (s *sweep) complete() bool {
	for _, g := range s.groups {
		if g == nil {
			return false
		}
	}
	return len(s.groups) == s.Source.Len()
}

// saveOpen keeps the samples of the units that are not complete. Blocks are claimed in order and
// finished before workers end, so that those done are the first.
func (s *sweep) saveOpen() error {
	for _, u := range s.schedule.open {
		if s.Store == nil || u.block == 0 {
			continue
		}
		u.record.samples = u.done
		if err := s.Store.Save(u.record); err != nil {
			return err
		}
	}
	return nil
}

// tell adds to what is done and passes it on.
func (s *sweep) tell(done Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Samples += done.Samples
	s.progress.Restored += done.Restored
	s.progress.Extra += done.Extra
	s.progress.Failed += done.Failed
	s.progress.Events += done.Events
	s.progress.Units += done.Units
	s.progress.Last = done.Last
	if s.Progress != nil {
		s.Progress(s.progress)
	}
}

// keep stores the rows of a complete group.
func (s *sweep) keep(g *group) {
	pair(g)
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.groups) <= g.index {
		s.groups = append(s.groups, nil)
	}
	s.groups[g.index] = g.units
}

func (s *sweep) result() *Result {
	all := &Result{Progress: s.progress}
	all.Last = UnitProgress{} // which one that is depends on the schedule
	for _, units := range s.groups {
		for i := range units {
			all.Rows = append(all.Rows, units[i].row)
			if d := units[i].distribution; d != nil {
				all.Distributions = append(all.Distributions, *d)
			}
			all.Rounds = append(all.Rounds, units[i].rounds...)
			all.Flows = append(all.Flows, units[i].flows...)
			all.Queues = append(all.Queues, units[i].queues...)
		}
	}
	return all
}

// recoverBug turns a panic into an error, so that the point and the sample that show the bug are
// named and the command ends in order.
func recoverBug(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%v\n%s", p, debug.Stack())
	}
}
