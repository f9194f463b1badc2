package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/pflag"

	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/sweep"
)

// tables are files that are written beside the results where the user asks for them.
type tables struct{ samples, points, metrics string }

// addTables adds the flags.
func addTables(flags *pflag.FlagSet, t *tables) {
	flags.StringVar(&t.samples, "samples-out", "",
		"also write every sample to `FILE`.csv or FILE.parquet")
	flags.StringVar(&t.points, "points-out", "",
		"also write the points to `FILE`.parquet, in which numeric axes are numbers")
	flags.StringVar(&t.metrics, "metrics-out", "",
		"also write every number to `FILE`.json, flat, for trackers of experiments")
}

// outputs are those that the user asked for.
func (t tables) outputs() outputs {
	return outputs{{"--samples-out", t.samples}, {"--points-out", t.points},
		{"--metrics-out", t.metrics}}
}

// given is the flag of one that the user asked for, with its file; empty where there is none.
func (t tables) given() (flag, file string) {
	for _, o := range t.outputs() {
		if o.file != "" {
			return o.flag, o.file
		}
	}
	return "", ""
}

// check tells early whether the files can be written.
func (t tables) check() error {
	var faults []error
	if t.samples != "" {
		faults = append(faults, report.CheckSamplesFile(t.samples))
	}
	if t.points != "" {
		faults = append(faults, report.CheckEnding(t.points, ".parquet"))
	}
	if t.metrics != "" {
		faults = append(faults, report.CheckEnding(t.metrics, ".json"))
	}
	if err := errors.Join(faults...); err != nil {
		return usageError{err}
	}
	return nil
}

// write writes them.
func (t tables) write(ctx context.Context, j *job, store sweep.Store, rows []result.Row) error {
	if t.points != "" {
		if err := report.WritePoints(filepath.Clean(t.points), rows); err != nil {
			return err
		}
	}
	if t.metrics != "" {
		if err := report.WriteMetrics(filepath.Clean(t.metrics), rows); err != nil {
			return err
		}
	}
	return writeSamples(ctx, j, store)
}

// writeSamples writes every sample of the job to the file that the user asked for, if any.
func writeSamples(ctx context.Context, j *job, store sweep.Store) error {
	file := j.options.tables.samples
	if file == "" {
		return nil
	}
	var paths []string
	for _, axis := range j.scenario.Axes {
		paths = append(paths, axis.Path)
	}
	samples := func(visit func(*result.SampleRow) error) error {
		return sweep.EachSample(j.source, store, func(r *result.SampleRow) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return visit(r)
		})
	}
	return report.WriteSamples(filepath.Clean(file), sweep.SampleHeader(paths), samples)
}
