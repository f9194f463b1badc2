package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/internal/sweep/shard"
	"sdrsim/scenarios"
)

func addShard(cmd *cobra.Command, o *runOptions) {
	cmd.Flags().StringVar(&o.shard, "shard", "",
		"run shard `i/n` of the points, 1/n to n/n; auto: the one that the environment of a Slurm\n"+
			"array or a Kubernetes Indexed Job names. It is written to a folder of its own below that\n"+
			"of the results; merge joins them")
	cmd.Flags().IntVar(&o.shards, "shards", 0,
		"with --shard auto: how many shards there are, where the environment does not tell")
}

// parseShard reads --shard and --shards.
func (o *runOptions) parseShard(getenv func(string) string) (p shard.Part, err error) {
	switch {
	case o.shardsGiven && o.shard != "auto":
		return p, usagef("--shards goes with --shard auto")
	case o.shardsGiven && (o.shards < 1 || o.shards > shard.MaxParts):
		return p, usagef("--shards %d: must be 1 to %d", o.shards, shard.MaxParts)
	case o.shard == "":
		return p, nil
	case o.shard == "auto":
		p, err = shard.Auto(getenv, o.shards)
	default:
		p, err = shard.Parse(o.shard)
	}
	if err != nil {
		return p, usagef("--shard %w", err)
	}
	return p, nil
}

// subset is some of the points of a scenario.
type subset struct {
	scenario *scenarios.Scenario
	at       []int
}

func (s subset) Len() int            { return len(s.at) }
func (s subset) At(i int) spec.Point { return s.scenario.At(s.at[i]) }

// partOf returns the points that a part has.
func partOf(s *scenarios.Scenario, p shard.Part) sweep.Source {
	if p.Whole() {
		return s
	}
	return subset{s, p.Select(keysOf(s))}
}

func keysOf(s *scenarios.Scenario) []string {
	keys := make([]string, s.Len())
	for i := range keys {
		keys[i] = s.KeyAt(i)
	}
	return keys
}

// checkShardTarget makes the folder of the shards, and refuses a place that holds something else.
func checkShardTarget(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return usagef("shards cannot be written: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usageError{err}
	}
	for _, e := range entries {
		if e.Name() != ledger.HeadFile && e.Name() != ledger.UnitsFile {
			return usagef("%s holds %s, which is not of a shard; name another directory",
				dir, e.Name())
		}
	}
	return nil
}

// runShard runs a part of the points, and gives the directory that holds its samples its name. A
// part that is complete already is left as it is, so that engines may start it again.
func (a *app) runShard(ctx context.Context, j *job) error {
	if done, err := a.finished(j); done || err != nil {
		if err == nil && !j.options.quiet {
			fmt.Fprintf(a.stdout, "shard %s is complete in %s\n", j.options.part, j.target)
		}
		return err
	}
	l, err := a.openLedger(j, ledger.Beside(j.target))
	if err != nil {
		return err
	}
	if _, err := a.simulate(ctx, j); err != nil {
		return a.keep(l, j, err)
	}
	if err := l.Publish(j.target); err != nil {
		return a.keep(l, j, err)
	}
	if !j.options.quiet {
		fmt.Fprintf(a.stdout, "wrote %s: shard %s, %d of %d points, %d samples\n",
			j.target, j.options.part, j.source.Len(), j.scenario.Len(), l.Samples())
	}
	return nil
}

// finished tells whether the very shard is there already, and whole. One that has been damaged
// since is prepared for the run to go on from what is left of it.
func (a *app) finished(j *job) (bool, error) {
	head, err := ledger.ReadHead(j.target)
	if errors.Is(err, fs.ErrNotExist) || j.options.fresh {
		return false, nil
	}
	var torn *json.SyntaxError
	if errors.As(err, &torn) { // nobody can tell any more what the samples are of
		a.noteDamage(j, err.Error(), "it is run anew")
		return false, nil
	}
	if err != nil {
		return false, usagef("%w; --fresh runs the shard anew", err)
	}
	if d := head.Differences(headOf(j)); len(d) > 0 {
		return false, usageError{&ledger.DifferentError{Dir: j.target, Differences: d}}
	}
	s := stateOf{Dir: j.target, part: head.Shard, Status: ledger.Status{State: ledger.Complete}}
	v := survey{loaded: map[string]*scenarios.Scenario{head.Hash: j.scenario}}
	if err := v.count(&s, head); err != nil || s.State == ledger.Complete {
		return err == nil, err
	}
	a.noteDamage(j, s.Error, "what is missing is run again")
	return false, ledger.Reopen(j.target)
}

// noteDamage tells what is done about a shard that is not whole.
func (a *app) noteDamage(j *job, damage, remedy string) {
	if !j.options.quiet {
		fmt.Fprintf(a.stderr, "note: shard %s is damaged (%s); %s\n", j.options.part, damage, remedy)
	}
}
