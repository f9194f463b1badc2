package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"sdrsim/internal/figure"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/scenarios"
	"sdrsim/units"
)

// job is a run that can start: everything that the user could have got wrong has been checked.
type job struct {
	scenario *scenarios.Scenario
	options  runOptions
	target   string       // the folder of the results
	source   sweep.Source // the points to run: all, or those of a shard
	total    int64        // samples of those points under all schemes
	memory   units.Bytes  // of the greediest point, for one worker
	figures  []figure.Figure
	blank    result.Table // what the results will fill in
	ledger   *ledger.Ledger
	watch    *watch // once it is simulated
}

// prepare reads and checks all that a run depends on but the place of its results.
func prepare(file string, o runOptions) (*job, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	overrides, err := parseOverrides(o.set)
	if err != nil {
		return nil, err
	}
	s, err := load(file, overrides)
	if err != nil {
		return nil, err
	}
	j := &job{scenario: s, options: o, figures: s.Figures, blank: blankTable(s)}
	if err := checkFigures(j.figures, j.blank); err != nil {
		return nil, err
	}
	j.source = partOf(s, o.part)
	return j, j.plan()
}

// check finds options that contradict each other or cannot be.
func (o *runOptions) check() error {
	if o.jobs < 1 {
		return usagef("--jobs %d: must be at least 1", o.jobs)
	}
	switch o.logFormat {
	case "", logText, logJSON:
	default:
		return usagef("--log-format %q: must be %s or %s", o.logFormat, logText, logJSON)
	}
	if flag, _ := o.tables.given(); flag != "" && !o.part.Whole() {
		return usagef("%s goes with merge, not with --shard: shards keep every sample", flag)
	}
	return o.tables.check()
}

// forFile gives each of several scenarios a folder of its own.
func (o runOptions) forFile(file string, files int) runOptions {
	if files > 1 && o.output != "" {
		name := filepath.Base(file)
		o.output = filepath.Join(o.output, name[:len(name)-len(filepath.Ext(name))])
	}
	return o
}

// placeResults decides where the results of each go, and keeps two scenarios from overwriting each
// other's. Then the places are made.
func placeResults(jobs []*job, files []string) error {
	taken := map[string]string{}
	for i, j := range jobs {
		if flag, file := j.options.tables.given(); flag != "" && len(jobs) > 1 {
			return usagef("%s %s: holds the numbers of one scenario, not of %d", flag, file, len(jobs))
		}
		dir := j.findTarget(files[i])
		if other, ok := taken[dir]; ok {
			return usagef("%s and %s would both write their results to %s", other, files[i], dir)
		}
		taken[dir] = files[i]
	}
	o := jobs[0].options
	written := append(o.tables.outputs(), outputs{{"--cpuprofile", o.profiles.cpu},
		{"--memprofile", o.profiles.memory}}...)
	var folders []string
	read := slices.Clone(files)
	for i, j := range jobs {
		for _, f := range j.scenario.Files {
			read = append(read, filepath.Join(filepath.Dir(files[i]), f.Name))
		}
		if err := j.checkTarget(); err != nil {
			return err
		}
		folders = append(folders, j.target, ledger.Beside(j.target))
	}
	return written.check(read, folders)
}

// plan counts samples, and refuses a scenario that does not fit in memory.
func (j *job) plan() error {
	for i := range j.source.Len() {
		p := j.source.At(i)
		j.total += int64(p.Samples) * int64(len(p.Schemes))
		j.memory = max(j.memory, scenarios.MemoryEstimate(p)+sweep.MemoryEstimate(&p))
	}
	if j.options.dryRun {
		return nil
	}
	available, known := availableMemory()
	if jobs := j.options.jobs; known && j.memory > available/units.Bytes(jobs) {
		return usagef("%s: the greediest point needs about %s of memory for each of %d jobs, "+
			"and %s is available; fewer --jobs, a smaller message.in_flight, fewer samples or "+
			"payload: virtual need less", j.scenario.File, roughly(j.memory), jobs, roughly(available))
	}
	return nil
}

// findTarget decides where the results go.
func (j *job) findTarget(file string) string {
	j.target = j.options.output
	if j.target == "" {
		j.target = resultFolder(file, j.scenario.Name)
		if !j.options.part.Whole() {
			j.target += ".shards"
		}
	}
	if !j.options.part.Whole() {
		j.target = filepath.Join(j.target, j.options.part.Name())
	}
	j.target = filepath.Clean(j.target)
	return j.target
}

// checkTarget makes what leads to the results, and reports whether they can be written.
func (j *job) checkTarget() error {
	switch {
	case j.options.dryRun:
		return nil
	case !j.options.part.Whole():
		return checkShardTarget(j.target)
	}
	return j.checkResults()
}

// checkResults reports whether results can take the place of what is in their folder.
func (j *job) checkResults() error {
	names := report.FilesOf(j.figures, j.blank)
	if !j.options.noReport {
		names = append(names, report.ReportFile)
	}
	if err := report.CheckTarget(j.target, names...); err != nil {
		return usageError{err}
	}
	return nil
}

// roughly prints a size for people.
func roughly(b units.Bytes) string {
	switch {
	case b >= 10*units.GiB:
		return fmt.Sprintf("%d GiB", b/units.GiB)
	case b >= 10*units.MiB:
		return fmt.Sprintf("%d MiB", b/units.MiB)
	}
	return fmt.Sprintf("%d KiB", b/units.KiB)
}

// headOf says what a run is of, for another run to go on with it.
func headOf(j *job) ledger.Head {
	s := j.scenario
	h := ledger.Head{
		Version: version, Program: programIdentity(), Name: s.Name, File: s.File, Hash: s.Hash,
		Seed: s.Seed, Points: s.Len(), Shard: j.options.part, Scenario: string(s.Text),
		Files: s.Files,
	}
	for _, o := range s.Overrides {
		h.Overrides = append(h.Overrides, o.String())
	}
	return h
}

// manifestOf says what a result is of.
func manifestOf(s *scenarios.Scenario) report.Manifest {
	m := report.Manifest{
		Name: s.Name, Version: version, Seed: s.Seed, Scenario: string(s.Text),
		Figures: s.Figures,
	}
	for _, o := range s.Overrides {
		m.Overrides = append(m.Overrides, o.String())
	}
	for _, f := range s.Files {
		m.Files = append(m.Files, report.File(f))
	}
	return m
}

// keptFiles are the files of a scenario that results have kept.
func keptFiles(list []report.File) []scenarios.File {
	files := make([]scenarios.File, len(list))
	for i, f := range list {
		files[i] = scenarios.File(f)
	}
	return files
}

// tableOf puts rows under the swept paths of a scenario.
func tableOf(
	s *scenarios.Scenario, rows []result.Row, distributions []result.Distribution,
) result.Table {
	t := result.Table{Rows: rows, Distributions: distributions}
	for _, axis := range s.Axes {
		t.Paths = append(t.Paths, axis.Path)
	}
	return t
}
