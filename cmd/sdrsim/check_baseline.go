package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sdrsim/internal/check"
	"sdrsim/internal/files"
)

// readBaseline reads a baseline; nil where there is none.
func readBaseline(file string) (*check.Baseline, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := check.ReadBaseline(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return b, nil
}

// readBaseline reads that of a scenario. One of another scenario is refused, unless it is to be
// replaced.
func (j *checkJob) readBaseline(o *checkOptions) (err error) {
	j.base, err = readBaseline(j.baseline)
	if err == nil && j.base != nil && j.base.Scenario != j.scenario.Name && !o.update {
		return fmt.Errorf("%s: is of scenario %q, but %s has %q; --update makes it a baseline of that",
			j.baseline, j.base.Scenario, j.file, j.scenario.Name)
	}
	return err
}

// checkTargets tells early whether what a check writes can be written.
func checkTargets(jobs []checkJob, o *checkOptions) error {
	var written []string
	if o.output != "" {
		written = append(written, o.output)
	}
	for _, j := range jobs {
		for _, read := range []string{j.file, j.baseline} {
			if sameFileAs(o.output, read) {
				return fmt.Errorf("-o %s: the report would replace %s", o.output, read)
			}
		}
		if o.update {
			written = append(written, j.baseline)
		}
	}
	for _, file := range written {
		if err := probe(file); err != nil {
			return err
		}
	}
	return nil
}

// sameFileAs reports whether two names are of one file that is there.
func sameFileAs(a, b string) bool {
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// probe makes the folders that lead to a file, and tells whether it can be written by writeWhole.
func probe(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("%s cannot be written: %w", file, err)
	}
	if err := files.Probe(file); err != nil {
		return fmt.Errorf("%s cannot be written: %w", file, err)
	}
	return nil
}

// updateBaseline writes the baseline anew, unless nothing would change.
func (a *app) updateBaseline(
	j checkJob, source check.Source, o *checkOptions,
) (*check.Baseline, error) {
	b := check.Renew(j.base, source, o.reason)
	if b == j.base {
		fmt.Fprintf(a.stderr, "%s is what was measured, and stays as it is\n", j.baseline)
		return b, nil
	}
	var text bytes.Buffer
	if _, err := b.WriteTo(&text); err != nil {
		return nil, err
	}
	if err := writeWhole(j.baseline, text.Bytes()); err != nil {
		return nil, err
	}
	u := b.History[len(b.History)-1]
	fmt.Fprintf(a.stderr, "wrote %s: %d cases added, %d changed, %d removed\n", j.baseline,
		u.Added, u.Changed, u.Removed)
	return b, nil
}

// writeWhole writes a file that appears whole or not at all, with the folders that lead to it.
func writeWhole(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	if err := files.Save(file, text); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}
