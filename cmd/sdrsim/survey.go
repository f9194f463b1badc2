package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"sdrsim/internal/report"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/internal/sweep/shard"
	"sdrsim/scenarios"
)

// survey finds how far runs are. It reads what they have left on disk, and locks nothing.
type survey struct {
	// loaded has the scenarios by their hashes, as shards have theirs in common; nil is one that this
	// program cannot read.
	loaded map[string]*scenarios.Scenario
}

// statesOf finds what there is at a place: a run of the place itself, or else its results, or else
// shards in it.
func (v *survey) statesOf(dir string) ([]stateOf, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, usagef("%s is a file; status takes the folder of results or of shards", dir)
	}
	for _, run := range []string{dir, ledger.Beside(dir)} {
		if s, ok, err := v.stateIn(run); ok || err != nil {
			return []stateOf{s}, err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, report.ManifestFile)); err == nil {
		s, err := resultState(dir)
		if err != nil {
			s = damaged(dir, err)
		}
		return []stateOf{s}, nil
	}
	return v.shardsIn(dir)
}

// resultState is the state of a run whose results are written.
func resultState(dir string) (s stateOf, err error) {
	m, err := report.Verify(dir)
	if err != nil {
		return s, err
	}
	s = stateOf{Dir: dir, Status: ledger.Status{
		State: ledger.Complete, Scenario: m.Name, Samples: m.Samples, Total: m.Samples,
		Failed: m.Failed, Units: m.Rows, UnitsTotal: m.Rows,
	}}
	r, err := report.ReadRun(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil // results that were passed on
	}
	if err != nil {
		return s, err
	}
	s.Host, s.Started, s.Elapsed = r.Host, r.Started, r.WallSeconds
	if began, err := time.Parse(time.RFC3339, r.Started); err == nil {
		took := time.Duration(r.WallSeconds * float64(time.Second))
		s.Updated = began.Add(took).Format(time.RFC3339)
	}
	return s, nil
}

// shardsIn finds the shards in a folder, and those that should be there and are not.
func (v *survey) shardsIn(dir string) ([]stateOf, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{err}
	}
	var all []stateOf
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		s, ok, err := v.stateIn(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, s)
		}
	}
	missing := missingShards(dir, all)
	for i := range missing {
		if s := v.loaded[missing[i].hash]; s != nil {
			missing[i].compare(s, ledger.Kept{})
		}
	}
	all = append(all, missing...)
	slices.SortStableFunc(all, func(a, b stateOf) int {
		if a.part.Of != b.part.Of {
			return a.part.Of - b.part.Of
		}
		return a.part.Index - b.part.Index
	})
	return all, nil
}

// missingShards are those of n that nothing is there of, for every n that one is there of.
func missingShards(dir string, found []stateOf) (missing []stateOf) {
	present := map[shard.Part]bool{}
	first := map[int]stateOf{} // by n
	for _, s := range found {
		present[s.part] = true
		if _, known := first[s.part.Of]; !known && !s.part.Whole() {
			first[s.part.Of] = s
		}
	}
	for of, other := range first {
		for i := 1; i <= of; i++ {
			p := shard.Part{Index: i, Of: of}
			if present[p] {
				continue
			}
			s := stateOf{Dir: filepath.Join(dir, p.Name()), part: p, hash: other.hash}
			s.State, s.Scenario, s.Shard = ledger.Missing, other.Scenario, p.String()
			missing = append(missing, s)
		}
	}
	return missing
}

// stateIn reads the state of a directory in which a run keeps what it does, or of a complete shard.
func (v *survey) stateIn(dir string) (s stateOf, ok bool, err error) {
	head, err := ledger.ReadHead(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return s, false, nil
	}
	if err != nil {
		return damaged(dir, err), true, nil
	}
	s = stateOf{Dir: dir, part: head.Shard, hash: head.Hash}
	if strings.HasPrefix(filepath.Base(dir), ".") {
		s.runState(dir)
	} else { // a shard that has its name is complete
		s.State = ledger.Complete
	}
	s.Scenario = head.Name
	if !head.Shard.Whole() {
		s.Shard = head.Shard.String()
	}
	if s.State != ledger.Running || s.Total == 0 {
		if err := v.count(&s, head); err != nil {
			s.State, s.Error = ledger.Damaged, err.Error()
		}
	}
	return s, true, nil
}

// damaged is the state of what cannot be read. Of a shard at least its name is known.
func damaged(dir string, cause error) stateOf {
	s := stateOf{Dir: dir, Status: ledger.Status{State: ledger.Damaged, Error: cause.Error()}}
	if part, ok := shard.ParseName(shardName(filepath.Base(dir))); ok {
		s.part, s.Shard = part, part.String()
	}
	return s
}

// shardName is the name of a shard whose run keeps what it does in the named directory.
func shardName(dir string) string {
	return strings.TrimSuffix(strings.TrimPrefix(dir, "."), ".run")
}

// runState reads what a run last said of itself, and whether it still goes on.
func (s *stateOf) runState(dir string) {
	var err error
	s.Status, err = ledger.ReadStatus(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !ledger.Held(dir) {
		s.Status = ledger.Status{State: ledger.Damaged, Error: err.Error()}
		return
	}
	// One that has not said anything yet has only begun.
	if s.State == "" || s.State == ledger.Complete {
		s.State = ledger.Running
	}
	if s.State == ledger.Running && !ledger.Held(dir) {
		s.State, s.Left = ledger.Killed, 0
	}
}

// count counts what is on disk, which is what another run goes on from: a run that was killed may
// have kept more than it last said, and one that failed less.
func (v *survey) count(s *stateOf, head ledger.Head) error {
	kept, err := ledger.ReadKept(s.Dir)
	if s.State == ledger.Complete {
		if _, strict := ledger.OpenShard(s.Dir); strict != nil {
			s.State, s.Error = ledger.Damaged, strict.Error()
			return nil
		}
	}
	if err != nil {
		return err
	}
	s.Samples, s.Failed = 0, kept.Failed
	for _, n := range kept.Samples {
		s.Samples += int64(n)
	}
	if t := kept.Written.UTC().Format(time.RFC3339); !kept.Written.IsZero() && t > s.Updated {
		s.Updated = t
	}
	s.Total, s.Units, s.UnitsTotal = s.Samples, len(kept.Samples), len(kept.Samples)
	if scenario := v.scenario(s.Dir, head); scenario != nil {
		s.compare(scenario, kept)
	}
	return nil
}

// compare finds how much of what is needed is kept. Where a precision is asked for, it is what is
// needed at least.
func (s *stateOf) compare(scenario *scenarios.Scenario, kept ledger.Kept) {
	points := partOf(scenario, s.part)
	s.Total, s.Units, s.UnitsTotal = 0, 0, 0
	for i := range points.Len() {
		p := points.At(i)
		for k := range p.Schemes {
			n := kept.Samples[ledger.Unit{Point: p.Key, Scheme: p.Schemes[k].Label}]
			s.Total += int64(max(n, p.Samples))
			s.UnitsTotal++
			if n >= p.Samples {
				s.Units++
			}
		}
	}
	if s.State == ledger.Complete && s.Units < s.UnitsTotal {
		s.State, s.Error = ledger.Damaged, "points are missing"
	}
}

// scenario is that of a run; nil where this program cannot read it.
func (v *survey) scenario(dir string, head ledger.Head) *scenarios.Scenario {
	s, known := v.loaded[head.Hash]
	if known {
		return s
	}
	if v.loaded == nil {
		v.loaded = map[string]*scenarios.Scenario{}
	}
	s, err := scenarioOf(dir, head)
	if err != nil {
		s = nil
	}
	v.loaded[head.Hash] = s
	return s
}
