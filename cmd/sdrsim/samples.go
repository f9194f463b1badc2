package main

import (
	"context"
	"path/filepath"

	"sdrsim/internal/report"
	"sdrsim/internal/sweep"
)

// checkSamplesFile tells early whether samples can be written to a file.
func checkSamplesFile(file string) error {
	if err := report.CheckSamplesFile(file); err != nil {
		return usageError{err}
	}
	return nil
}

// writeSamples writes every sample of the job to the file that the user asked for, if any.
func writeSamples(ctx context.Context, j *job, store sweep.Store) error {
	file := j.options.samplesOut
	if file == "" {
		return nil
	}
	var paths []string
	for _, axis := range j.scenario.Axes {
		paths = append(paths, axis.Path)
	}
	samples := func(visit func(*report.SampleRow) error) error {
		return sweep.EachSample(j.source, store, func(r *report.SampleRow) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return visit(r)
		})
	}
	return report.WriteSamples(filepath.Clean(file), sweep.SampleHeader(paths), samples)
}
