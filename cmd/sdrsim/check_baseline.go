package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sdrsim/internal/check"
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
	temp := filepath.Join(filepath.Dir(file), ".sdrsim-"+filepath.Base(file))
	if err := os.WriteFile(temp, text, 0o644); err != nil {
		return err
	}
	if err := os.Rename(temp, file); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}
