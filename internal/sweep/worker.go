package sweep

import (
	"context"

	"sdrsim/internal/experiment"
)

// worker claims blocks and runs them until there are none or the sweep ends.
type worker struct {
	sweep  *sweep
	unit   *unit  // of the last block
	runner Runner // for runs, a unit
	runs   *unit
	sample experiment.Sample
}

// run ends after the block under way when the context does.
func (w *worker) run(ctx context.Context) {
	for ctx.Err() == nil && w.sweep.failing.Err() == nil {
		b, ok := w.sweep.schedule.claim(w.unit)
		if !ok {
			return
		}
		if err := w.runBlock(b); err != nil {
			w.sweep.fail(err)
			return
		}
	}
}

// runBlock runs the samples of a block, and judges its unit where it is due.
func (w *worker) runBlock(b block) error {
	w.unit = b.unit
	if b.len() == 0 {
		return w.sweep.judge(b.unit)
	}
	if err := w.prepare(b.unit); err != nil {
		return sampleError(b.unit, -1, err)
	}
	var done tally
	for i := b.from; i < b.to; i++ {
		if w.sweep.failing.Err() != nil {
			return nil
		}
		if err := w.runSample(i); err != nil {
			return sampleError(b.unit, i, err)
		}
		done.count(i, &w.sample)
	}
	told := Progress{
		Samples: int64(b.len()), Failed: int64(done.failed), Events: done.events,
		Last: b.unit.progress(b.to),
	}
	due := w.sweep.schedule.add(b, done)
	w.sweep.tell(told)
	if due {
		return w.sweep.judge(b.unit)
	}
	return nil
}

// prepare makes the runner of a unit, unless the last block was of the same.
func (w *worker) prepare(u *unit) (err error) {
	if w.runs == u {
		return nil
	}
	defer recoverBug(&err)
	w.runs = nil
	w.runner, err = w.sweep.NewRunner(u.point(), u.spec())
	if err == nil {
		w.runs = u
	}
	return err
}

// runSample runs one sample and records it.
func (w *worker) runSample(index int) (err error) {
	defer recoverBug(&err)
	if err := w.runner.Sample(index, &w.sample); err != nil {
		return err
	}
	return w.runs.record.put(index, &w.sample)
}

func sampleError(u *unit, sample int, err error) *SampleError {
	return &SampleError{
		Point: u.point().Key, Scheme: u.spec().Label, Sample: sample, Err: err, unit: u.index,
	}
}
