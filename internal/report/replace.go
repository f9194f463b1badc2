package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sdrsim/internal/figure"
	"sdrsim/internal/files"
	"sdrsim/internal/result"
	"sdrsim/internal/web"
)

// disk is where the steps that can fail midway go through; tests make them fail.
type disk struct {
	rename func(from, to string) error
	remove func(name string) error
}

var realDisk = disk{rename: os.Rename, remove: os.Remove}

// place puts the finished directory from where dir is. What was there is put back if that fails,
// and is removed otherwise, except for files that are not results: they move to the new directory.
// Where that is not possible dir is whole all the same, and remains says what is left and where.
func (d disk) place(from, dir string) (remains string, err error) {
	aside := files.Sibling(dir, files.Old)
	replacing := true
	if err := d.rename(dir, aside); errors.Is(err, os.ErrNotExist) {
		replacing = false
	} else if err != nil {
		return "", fmt.Errorf("replacing %s: %w", dir, err)
	}
	if err := d.rename(from, dir); err != nil {
		if replacing {
			if back := d.rename(aside, dir); back != nil {
				return "", fmt.Errorf("replacing %s: %w; its former content is in %s (%w)",
					dir, err, aside, back)
			}
		}
		return "", fmt.Errorf("writing %s: %w", dir, err)
	}
	if replacing {
		if err := d.retire(aside, dir); err != nil {
			remains = fmt.Sprintf("what %s replaced could not be removed and remains in %s: %v",
				dir, aside, err)
		}
	}
	return remains, files.SyncDir(filepath.Dir(dir))
}

// retire removes the results in aside and moves everything else to dir, where it was before.
func (d disk) retire(aside, dir string) error {
	entries, err := os.ReadDir(aside)
	if err != nil {
		return err
	}
	// The manifest goes last: until then it says what the others are.
	last := func(name string) error { return nil }
	results := ownFiles(aside)
	for _, e := range entries {
		old := filepath.Join(aside, e.Name())
		if results.has(e) {
			if e.Name() == ManifestFile {
				last = d.remove
				continue
			}
			if err := d.remove(old); err != nil {
				return err
			}
			continue
		}
		kept := filepath.Join(dir, e.Name())
		if _, err := os.Lstat(kept); err == nil {
			return fmt.Errorf("%s is not a result of this program, and %s exists: move one of them away",
				old, kept)
		}
		if err := d.rename(old, kept); err != nil {
			return err
		}
	}
	if err := last(filepath.Join(aside, ManifestFile)); err != nil {
		return err
	}
	return d.remove(aside)
}

// own are the names of the files in a result directory that this program wrote.
type own map[string]bool

// has reports whether an entry of the directory is one of them, or what is left of writing one.
func (o own) has(e os.DirEntry) bool {
	if !e.Type().IsRegular() {
		return false
	}
	for name := range o {
		if _, dead := files.Leftover(e.Name(), name); dead {
			return true
		}
	}
	return o[e.Name()]
}

// ownFiles finds them by the manifest, which counts only if it is one of this program; there are
// none where there is no such.
func ownFiles(dir string) own {
	data, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		return nil
	}
	id, err := identify(data)
	if err != nil {
		return nil
	}
	list := own{ManifestFile: true, RunFile: isRun(filepath.Join(dir, RunFile)),
		ReportFile: ownReport(filepath.Join(dir, ReportFile))}
	if id.Format == 1 { // it had no list
		id.Tables = map[string]string{PointsFile: "", DistributionFile: "", result.RoundsFile: ""}
	}
	for name := range id.Tables {
		list[name] = true
	}
	for _, f := range id.Figures {
		for _, name := range fileNames(&figure.Figure{Name: f.Name, Style: f.Style}) {
			list[name] = true
		}
	}
	return list
}

// isRun reports whether a file has the facts of a run, and is not somebody else's of that name.
func isRun(file string) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var facts struct {
		Run
		WallSeconds *float64 `json:"wall_s"`
	}
	return dec.Decode(&facts) == nil && facts.WallSeconds != nil
}

// ownReport reports whether a file is a report of this program, or none.
func ownReport(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	start := make([]byte, 256)
	n, err := io.ReadFull(f, start)
	return (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) && web.Is(start[:n])
}

// FilesOf names the files that results may have, those of all their figures among them. The table
// needs no numbers.
func FilesOf(figures []figure.Figure, blank result.Table) []string {
	names := []string{PointsFile, SchemaFile, DistributionFile, result.RoundsFile, result.FlowsFile,
		result.QueuesFile,
		ManifestFile, RunFile}
	for _, f := range figures {
		if full, _, err := complete(f, blank); err == nil {
			names = append(names, fileNames(&full.Figure)...)
		}
	}
	return names
}

// CheckTarget tells early whether results of the named files can be written to dir: its parents
// exist or can be made and written to, and dir is absent, empty, or a result directory in which
// nothing else has these names. It makes the parents, and puts back what a run that was killed
// between two renames left aside.
func CheckTarget(dir string, names ...string) error {
	dir, err := resolve(dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return fmt.Errorf("results cannot be written to %s: %w", dir, err)
	}
	if err := realDisk.clean(dir); err != nil {
		return err
	}
	probe, err := files.MakeDir(dir)
	if err == nil {
		err = files.Drop(probe)
	}
	if err != nil {
		return fmt.Errorf("results cannot be written to %s: %w", dir, err)
	}
	return replaceable(dir, names)
}

// resolve follows symbolic links, so that a link to a result directory stays one.
func resolve(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	return abs, nil
}

// replaceable keeps a directory of something else from being replaced by a slip of -o, and files of
// the user in one of results from those that are to be written.
func replaceable(dir string, names []string) error {
	info, err := os.Lstat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is a file, results need a directory", dir)
	}
	if here, err := os.Getwd(); err == nil && Contains(dir, here) {
		return fmt.Errorf("%s holds the working directory and cannot be replaced; "+
			"name a directory below it", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	results := ownFiles(dir)
	if err := foreign(dir, entries); results == nil && err != nil {
		return err
	}
	for _, e := range entries {
		if takes(names, e.Name()) && !results.has(e) {
			return fmt.Errorf("%s is not a result of this program, but has the name of one: move it "+
				"away, or name another directory", filepath.Join(dir, e.Name()))
		}
	}
	return nil
}

// foreign says what a directory without results holds, if anything.
func foreign(dir string, entries []os.DirEntry) error {
	others := false
	for _, e := range entries {
		if e.Name() == ManifestFile {
			return fmt.Errorf("%s is no manifest of results of this program, or damaged: what is "+
				"beside it may be anybody's; name another directory or empty it",
				filepath.Join(dir, ManifestFile))
		}
		others = others || e.Name() != BaselineFile
	}
	if others {
		return fmt.Errorf("%s is not empty and holds no results (no %s); "+
			"name another directory or empty it", dir, ManifestFile)
	}
	return nil
}

// takes reports whether one of the names is that of the entry, on file systems of any kind.
func takes(names []string, entry string) bool {
	for _, name := range names {
		if strings.EqualFold(name, entry) {
			return true
		}
	}
	return false
}

// Contains reports whether path is dir or below it, wherever links lead.
func Contains(dir, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// clean deals with what runs for the same directory left when they were killed: a directory that
// was never finished is removed; one that stepped aside is put back if nothing took its place,
// and retired otherwise. Siblings of a process that is alive, or of another machine, stay.
func (d disk) clean(dir string) error {
	parent, base := filepath.Split(dir)
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, e := range entries {
		mark, dead := files.Leftover(e.Name(), base)
		if !dead || !e.IsDir() {
			continue
		}
		path := filepath.Join(parent, e.Name())
		if mark == files.New {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
			continue
		}
		if err := d.recover(path, dir); err != nil {
			return fmt.Errorf("recovering %s: %w", path, err)
		}
	}
	return nil
}

func (d disk) recover(aside, dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return d.rename(aside, dir)
	}
	if err := d.retire(aside, dir); !errors.Is(err, os.ErrPermission) {
		return err
	}
	return nil // the run that put it there has said so
}
