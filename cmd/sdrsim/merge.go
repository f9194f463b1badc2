package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/closedform"
	"sdrsim/internal/files"
	"sdrsim/internal/report"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/journal"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/internal/sweep/shard"
	"sdrsim/scenarios"
)

// mergeOptions are what the user chose for merge.
type mergeOptions struct {
	output   string
	tables   tables
	noReport bool
	quiet    bool
}

func (a *app) mergeCommand() *cobra.Command {
	var o mergeOptions
	cmd := &cobra.Command{
		Use:   "merge DIR... -o DIR",
		Short: "Join the shards of a run to its results",
		Long: "Join shards, which run --shard i/n has written, to the results of the whole: the same,\n" +
			"byte for byte, as one run without shards writes. A folder stands for the shards in it.\n" +
			"Every point must be there once.",
		Example: "  sdrsim merge results/quickstart.shards -o results/quickstart",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.merge(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", "", "write the results to `DIR`; required")
	addTables(flags, &o.tables)
	addNoReport(cmd, &o.noReport)
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print errors only")
	return cmd
}

// incompleteError tells that something is not there yet.
type incompleteError struct{ error }

// merge joins shards.
func (a *app) merge(ctx context.Context, args []string, o mergeOptions) error {
	started := time.Now()
	if o.output == "" {
		return usagef("-o DIR is required: where to write the results")
	}
	dirs, err := shardDirs(args)
	if err != nil {
		return err
	}
	shards, err := openShards(dirs)
	if err != nil {
		return err
	}
	s, err := shards.scenario()
	if err != nil {
		return err
	}
	if err := shards.check(s); err != nil {
		return err
	}
	j := &job{scenario: s, source: s, target: o.output, figures: s.Figures,
		blank: blankTable(s)}
	j.options = runOptions{quiet: o.quiet, tables: o.tables, noReport: o.noReport,
		jobs: runtime.GOMAXPROCS(0)}
	if err := j.options.check(); err != nil {
		return err
	}
	if err := j.checkResults(); err != nil {
		return err
	}
	if err := o.tables.outputs().check(nil, append(dirs, j.target)); err != nil {
		return err
	}
	res, err := a.join(ctx, j, shards)
	if err != nil {
		return err
	}
	res.Run = runFacts(started, j.options.jobs)
	res.Page = asker(o.noReport)
	a.finishes.Store(true)
	if err := j.options.tables.write(ctx, j, shards, res.Table.Rows); err != nil {
		return err
	}
	outcome, err := report.WriteResult(j.target, res)
	if err != nil || o.quiet {
		return err
	}
	for i := range res.Table.Rows {
		j.total += res.Table.Rows[i].Samples
	}
	shards.warn(a.stderr)
	return a.summarise(j, res, outcome)
}

// join reduces the samples of shards as those of a run are.
func (a *app) join(ctx context.Context, j *job, shards *shardSet) (res report.Result, err error) {
	swept, err := sweep.Run(ctx, sweep.Config{
		Source: j.source, Jobs: j.options.jobs, Store: shards, Model: closedform.Mean,
		NewRunner: func(*spec.Point, *spec.Scheme) (sweep.Runner, error) {
			return nil, errors.New("samples are missing")
		},
		Distribution: report.ShowsDistribution(j.blank, j.figures),
	})
	if err != nil {
		return res, err
	}
	res.Manifest = manifestOf(j.scenario)
	res.Table = tableOf(j.scenario, swept.Rows, swept.Distributions)
	res.Table.Rounds = swept.Rounds
	res.Table.Flows, res.Table.Queues = swept.Flows, swept.Queues
	return res, nil
}

// shardDirs finds the directories of shards: those given, and those in a folder that is given.
func shardDirs(args []string) ([]string, error) {
	var dirs []string
	for _, arg := range args {
		if _, err := os.Stat(filepath.Join(arg, ledger.HeadFile)); err == nil {
			dirs = append(dirs, arg)
			continue
		}
		entries, err := os.ReadDir(arg)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &incompleteError{fmt.Errorf("%s is no complete shard: %w", arg, err)}
		}
		if err != nil {
			return nil, usageError{err}
		}
		found := len(dirs)
		for _, e := range entries {
			dir := filepath.Join(arg, e.Name())
			_, err := os.Stat(filepath.Join(dir, ledger.HeadFile))
			if err == nil && !strings.HasPrefix(e.Name(), ".") {
				dirs = append(dirs, dir)
			}
		}
		if len(dirs) == found {
			if err := noneComplete(arg, entries); err != nil {
				return nil, err
			}
			return nil, usagef("%s holds no shards (folders with %s)", arg, ledger.HeadFile)
		}
	}
	slices.Sort(dirs)
	return dirs, nil
}

// noneComplete tells of shards that have begun in a folder where none is complete yet.
func noneComplete(dir string, entries []fs.DirEntry) error {
	of, begun := 0, 0
	for _, e := range entries {
		p, ok := shard.ParseName(shardName(e.Name()))
		if !ok || !strings.HasPrefix(e.Name(), ".") {
			continue
		}
		of = max(of, p.Of)
		begun++
	}
	if begun == 0 {
		return nil
	}
	var missing []string
	for i := 1; i <= of; i++ {
		missing = append(missing, shard.Part{Index: i, Of: of}.String())
	}
	return &incompleteError{fmt.Errorf("%s: %d of %d shards are missing, %d of them begun: "+
		"run --shard %s", dir, of, of, begun, someOf(missing))}
}

// shardSet is the samples of several shards of one run. It is a sweep.Store.
type shardSet struct {
	list []*ledger.Shard
	// holders has the shard of every point under a scheme, once they have been checked.
	holders map[ledger.Unit]*ledger.Shard
}

// warn tells of shards that may not go together though their heads agree.
func (set *shardSet) warn(w io.Writer) {
	for _, s := range set.list[1:] {
		if s.Head.Program != set.list[0].Head.Program {
			fmt.Fprintf(w, "warning: %s and %s were written by different builds of the program\n",
				set.list[0].Dir, s.Dir)
			return
		}
	}
}

func openShards(dirs []string) (*shardSet, error) {
	set := &shardSet{}
	for i, dir := range dirs {
		if i > 0 && dir == dirs[i-1] {
			return nil, usagef("%s is given twice", dir)
		}
		s, err := ledger.OpenShard(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &incompleteError{fmt.Errorf("%s is no complete shard: %w", dir, err)}
		}
		if errors.Is(err, journal.ErrDamaged) {
			return nil, fmt.Errorf("%w\nstarted again, --shard %s runs what is missing", err, s.Head.Shard)
		}
		var input files.InputError
		if errors.As(err, &input) {
			return nil, fmt.Errorf("%w; run the shard again with --fresh", err)
		}
		if err != nil {
			return nil, err
		}
		set.list = append(set.list, s)
	}
	return set, nil
}

// scenario is what the shards are of.
func (set *shardSet) scenario() (*scenarios.Scenario, error) {
	first := set.list[0]
	for _, s := range set.list[1:] {
		if d := first.Head.Foreign(s.Head); len(d) > 0 {
			return nil, usagef("%s and %s are not of one run:\n  %s", first.Dir, s.Dir,
				strings.Join(d, "\n  "))
		}
	}
	if first.Head.Version != version {
		return nil, usagef("%s was written by version %s of the program, this is %s",
			first.Dir, first.Head.Version, version)
	}
	return scenarioOf(first.Dir, first.Head)
}

// scenarioOf is the scenario that the run in a directory is of.
func scenarioOf(dir string, h ledger.Head) (*scenarios.Scenario, error) {
	var overrides []scenarios.Override
	for _, text := range h.Overrides {
		o, err := scenarios.ParseOverride(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, ledger.HeadFile), err)
		}
		overrides = append(overrides, o)
	}
	return scenarios.LoadKept(h.File, []byte(h.Scenario), overrides, h.Files)
}

// check makes sure that every point is there, once.
func (set *shardSet) check(s *scenarios.Scenario) error {
	byIndex := map[int]string{}
	for _, shard := range set.list {
		part := shard.Head.Shard
		if other, double := byIndex[part.Index]; double {
			return usagef("shard %s is doubled: it is in %s and in %s", part, other, shard.Dir)
		}
		byIndex[part.Index] = shard.Dir
	}
	of := set.list[0].Head.Shard.Of
	var missing []string
	for i := 1; i <= of; i++ {
		if _, ok := byIndex[i]; !ok {
			missing = append(missing, fmt.Sprintf("%d/%d", i, of))
		}
	}
	if len(missing) > 0 {
		return &incompleteError{fmt.Errorf("%d of %d shards are missing: run --shard %s",
			len(missing), of, someOf(missing))}
	}
	return set.checkPoints(s)
}

// checkPoints looks for every point under every scheme, and for others.
func (set *shardSet) checkPoints(s *scenarios.Scenario) error {
	set.holders = map[ledger.Unit]*ledger.Shard{}
	doubles := map[ledger.Unit]*ledger.Shard{}
	for _, shard := range set.list {
		for _, u := range shard.Units() {
			if set.holders[u] != nil {
				doubles[u] = shard
				continue
			}
			set.holders[u] = shard
		}
	}
	wanted := 0
	for i := range s.Len() {
		p := s.At(i)
		for k := range p.Schemes {
			u := ledger.Unit{Point: p.Key, Scheme: p.Schemes[k].Label}
			if set.holders[u] == nil {
				return &incompleteError{fmt.Errorf("point %q, scheme %s is in none of the shards",
					u.Point, u.Scheme)}
			}
			if other := doubles[u]; other != nil {
				return usagef("point %q, scheme %s is doubled: it is in %s and in %s",
					u.Point, u.Scheme, set.holders[u].Dir, other.Dir)
			}
			wanted++
		}
	}
	if held := len(set.holders); held != wanted {
		return usagef("the shards hold %d points and schemes, the scenario has %d", held, wanted)
	}
	return nil
}

// someOf lists the first few of many.
func someOf(list []string) string {
	const shown = 10
	if len(list) > shown {
		return strings.Join(list[:shown], ", ") + ", ..."
	}
	return strings.Join(list, ", ")
}

// Load implements sweep.Store.
func (set *shardSet) Load(point, scheme string) (*sweep.Record, error) {
	s := set.holders[ledger.Unit{Point: point, Scheme: scheme}]
	if s == nil {
		return nil, nil
	}
	return s.Load(point, scheme)
}

// Save implements sweep.Store. Nothing is run, so there is nothing to save.
func (set *shardSet) Save(r *sweep.Record) error {
	return fmt.Errorf("BUG: new samples of point %s, scheme %s in a merge", r.Point, r.Scheme)
}
