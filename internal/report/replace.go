package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// disk is where the steps that can fail midway go through; tests make them fail.
type disk struct {
	rename func(from, to string) error
	remove func(name string) error
}

var realDisk = disk{rename: os.Rename, remove: os.Remove}

// A directory is assembled in a sibling .NAME.new-HOST-PID, and what it replaces steps aside as
// .NAME.old-HOST-PID. Both are on the same file system as NAME, so every step is one rename.
const (
	newMark = "new"
	oldMark = "old"
)

// tempPrefix starts the name of a file that is being written.
const tempPrefix = ".sdrsim-"

func siblingName(dir, mark string) string {
	return filepath.Join(filepath.Dir(dir), fmt.Sprintf(".%s.%s-%s-%d",
		filepath.Base(dir), mark, hostName(), os.Getpid()))
}

// hostName keeps runs of different machines on a shared file system apart.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return strings.ReplaceAll(name, string(filepath.Separator), "_")
}

// place puts the finished directory from where dir is. What was there is put back if that fails,
// and is removed otherwise, except for files that are not results: they move to the new directory.
// Where that is not possible dir is whole all the same, and remains says what is left and where.
func (d disk) place(from, dir string) (remains string, err error) {
	aside := siblingName(dir, oldMark)
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
	return remains, syncDir(filepath.Dir(dir))
}

// retire removes the results in aside and moves everything else to dir, where it was before.
func (d disk) retire(aside, dir string) error {
	entries, err := os.ReadDir(aside)
	if err != nil {
		return err
	}
	results := resultFiles(aside)
	for _, e := range entries {
		old := filepath.Join(aside, e.Name())
		ours := results[e.Name()] || strings.HasPrefix(e.Name(), tempPrefix)
		if ours && e.Type().IsRegular() {
			if err := d.remove(old); err != nil {
				return err
			}
			continue
		}
		kept := filepath.Join(dir, e.Name())
		if _, err := os.Lstat(kept); err == nil {
			return fmt.Errorf("%s is not a result of this program, and %s exists", old, kept)
		}
		if err := d.rename(old, kept); err != nil {
			return err
		}
	}
	return d.remove(aside)
}

// resultFiles names the files of a result directory that this program wrote, by its manifest.
func resultFiles(dir string) map[string]bool {
	files := map[string]bool{
		PointsFile: true, DistributionFile: true, RoundsFile: true, RunFile: true,
		ManifestFile: true,
	}
	m, err := ReadManifest(dir)
	if err != nil {
		return files
	}
	for _, f := range m.Figures {
		files[f.Name+".svg"], files[f.Name+".png"] = true, true
	}
	return files
}

// CheckTarget tells early whether results can be written to dir: its parents exist or can be made
// and written to, and dir is absent, empty, or a result directory. It makes the parents, and puts
// back what a run that was killed between two renames left aside.
func CheckTarget(dir string) error {
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
	probe := siblingName(dir, newMark)
	if err := os.Mkdir(probe, 0o777); err != nil {
		return fmt.Errorf("results cannot be written to %s: %w", dir, err)
	}
	if err := os.Remove(probe); err != nil {
		return err
	}
	return replaceable(dir)
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

// replaceable keeps a directory of something else from being replaced by a slip of -o.
func replaceable(dir string) error {
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
	if here, err := os.Getwd(); err == nil && contains(dir, here) {
		return fmt.Errorf("%s holds the working directory and cannot be replaced; "+
			"name a directory below it", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	results, others := false, false
	for _, e := range entries {
		results = results || e.Name() == ManifestFile
		others = others || e.Name() != BaselineFile
	}
	if others && !results {
		return fmt.Errorf("%s is not empty and holds no results (no %s); "+
			"name another directory or empty it", dir, ManifestFile)
	}
	return nil
}

// contains tells whether path is dir or below it.
func contains(dir, path string) bool {
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
		mark, dead := leftover(e.Name(), base)
		if !dead || !e.IsDir() {
			continue
		}
		path := filepath.Join(parent, e.Name())
		if mark == newMark {
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

// leftover reads the name of a sibling of base; dead tells that its process has ended.
func leftover(name, base string) (mark string, dead bool) {
	for _, mark := range []string{newMark, oldMark} {
		prefix := fmt.Sprintf(".%s.%s-%s-", base, mark, hostName())
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			pid, err := strconv.Atoi(rest)
			return mark, err == nil && pid > 0 && (pid == os.Getpid() || !alive(pid))
		}
	}
	return "", false
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// syncDir makes renames in a directory durable. Some file systems cannot, and that is no error.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
