package main

import (
	"path/filepath"

	"sdrsim/internal/files"
	"sdrsim/internal/report"
)

// outputs are files that a command writes beside its results, each with the flag that names it; an
// empty name is none.
type outputs []struct{ flag, file string }

// check finds early those that cannot be written, that would replace what is read or another of
// them, or that lie in a folder that is replaced as a whole.
func (list outputs) check(read, folders []string) error {
	for i, o := range list {
		if o.file == "" {
			continue
		}
		for _, name := range read {
			if sameFileAs(o.file, name) {
				return usagef("%s %s: would replace %s, which is read", o.flag, o.file, name)
			}
		}
		for _, other := range list[:i] {
			if other.file != "" && realPath(other.file) == realPath(o.file) {
				return usagef("%s %s: is the file of %s too", o.flag, o.file, other.flag)
			}
		}
		for _, dir := range folders {
			if report.Contains(realPath(dir), realPath(o.file)) {
				return usagef("%s %s: lies in %s, which is replaced as a whole; name a file outside of it",
					o.flag, o.file, dir)
			}
		}
		if err := files.Probe(o.file); err != nil {
			return usagef("%s %s: cannot be written: %w", o.flag, o.file, err)
		}
	}
	return nil
}

// realPath is an absolute name without links, as far as what it names is there.
func realPath(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(realPath(dir), filepath.Base(abs))
	}
	return abs
}
