package sweep

import (
	"fmt"

	"sdrsim/internal/experiment"
)

// judge decides what becomes of a unit that was just opened, or of which all samples asked for are
// there: it is given more, or it is complete, is saved and reduced.
func (s *sweep) judge(u *unit) (err error) {
	defer func() {
		if err != nil {
			s.schedule.abandon()
		}
	}()
	var told Progress
	opened := u.record == nil
	if opened {
		if err := s.restore(u); err != nil {
			return err
		}
		told = u.record.restored()
	} else {
		u.record.samples = u.target
	}
	target, err := u.nextTarget()
	if err != nil {
		return err
	}
	told.Extra = int64(max(0, target-max(u.target, u.point().Samples)))
	if target > u.record.samples {
		u.record.grow(target)
		told.Last = u.progress(u.record.samples)
		s.schedule.extend(u, target)
		s.tell(told)
		return nil
	}
	if !opened && s.Store != nil {
		if err := s.Store.Save(u.record); err != nil {
			return err
		}
	}
	told.Units = 1
	told.Last = u.progress(target)
	told.Last.Complete = true
	s.finish(u)
	s.tell(told)
	return nil
}

// finish reduces a complete unit, and its group if it was the last.
func (s *sweep) finish(u *unit) {
	r := s.reduce(u)
	s.records.Put(u.record)
	u.record = nil
	if s.schedule.close(u, r) {
		s.keep(u.group)
	}
}

// restore begins the record of a unit: with the samples that the store has, or empty.
func (s *sweep) restore(u *unit) error {
	var r *Record
	if s.Store != nil {
		var err error
		if r, err = s.Store.Load(u.point().Key, u.spec().Label); err != nil {
			return err
		}
	}
	if r == nil { // the samples of a record tell
		if err := u.settle(); err != nil {
			return sampleError(u, -1, err)
		}
	}
	fresh := s.records.Get().(*Record).renew(u.point(), u.spec())
	u.record = fresh
	if r == nil {
		return nil
	}
	if r.messages != fresh.messages || r.rounds != fresh.rounds ||
		r.numFlows != fresh.numFlows || r.numQueues != fresh.numQueues {
		return fmt.Errorf("BUG: what was saved of point %s, scheme %s is of another workload",
			r.Point, r.Scheme)
	}
	r.about = fresh.about
	u.record = r
	return nil
}

// restored is the progress that a record from a store stands for.
func (r *Record) restored() Progress {
	failed, _ := r.failed()
	n := int64(r.samples)
	return Progress{Samples: n, Restored: n, Failed: int64(failed), Events: r.total().Events}
}

// settle decides how the samples of the unit meet losses.
func (u *unit) settle() (err error) {
	defer recoverBug(&err)
	u.own.Plan, err = experiment.Settle(u.point(), &u.own)
	return err
}

// nextTarget is how many samples the unit shall have in all: as many as it has where those will do.
//
// They are judged at fixed numbers only: what the point asks for, twice that, and so on up to the
// most it allows. So the outcome depends on the samples alone, not on how they were dealt out.
func (u *unit) nextTarget() (int, error) {
	p, r := u.point(), u.record
	limit := max(p.Samples, p.SamplesMax)
	for n := p.Samples; ; n = min(2*n, limit) {
		switch {
		case r.samples < n:
			return n, nil
		case r.samples == n && (n == limit || r.precise(p)):
			return n, nil
		case n == limit:
			return 0, fmt.Errorf("BUG: point %s, scheme %s has %d samples, %d are the most",
				r.Point, r.Scheme, r.samples, limit)
		}
	}
}

// progress is how far the unit is with so many samples.
func (u *unit) progress(samples int) UnitProgress {
	return UnitProgress{
		Point: u.group.index, Key: u.point().Key, Scheme: u.spec().Label,
		Samples: samples, Target: u.record.capacity(),
	}
}
