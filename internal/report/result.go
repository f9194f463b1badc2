package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"sdrsim/internal/figure"
	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

// Result is what a result directory holds. The counts, the hash and the format of the manifest are
// filled in when it is written; its figures are completed.
type Result struct {
	Manifest Manifest
	Run      Run
	Table    result.Table
	// Page, where it is set, has report.html written too.
	Page Asker
}

// Asker finds the question that the text of a scenario asks.
type Asker func(scenario []byte) (question string)

// Outcome tells what was written.
type Outcome struct {
	Dir   string
	Files []string // base names, in the order of writing
	// Warnings are doubts about figures, each starting with the name of the figure.
	Warnings []string
	// Remains says what former results could not be removed, and where they are; empty: none.
	Remains string
}

// WriteResult writes the files of a result directory and draws its figures. The directory appears
// under its name only when it is whole: it is assembled beside its place, made durable and renamed.
// What was there before is replaced, and is still there after an error. Files in it that are not
// results stay.
//
// A figure that cannot be drawn is a warning, as it must not cost the numbers; check figures with
// CheckFigure before simulating, and the directory with CheckTarget.
func WriteResult(dir string, res Result) (Outcome, error) { return writeResult(dir, res, realDisk) }

func writeResult(dir string, res Result, d disk) (out Outcome, err error) {
	if err := CheckTarget(dir); err != nil {
		return Outcome{}, err
	}
	place, err := resolve(dir)
	if err != nil {
		return Outcome{}, err
	}
	temp, err := files.MakeDir(place)
	if err != nil {
		return Outcome{}, fmt.Errorf("writing %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, files.Drop(temp)) }() // nothing once it has its name
	out, err = fill(temp, res)
	if err != nil {
		return Outcome{}, fmt.Errorf("writing %s: %w", dir, err)
	}
	if err := files.SyncDir(temp); err != nil {
		return Outcome{}, err
	}
	if err := replaceable(place, out.Files); err != nil {
		return Outcome{}, err
	}
	out.Dir = dir
	err = files.Undivided(func() (err error) {
		out.Remains, err = d.place(temp, place)
		return err
	})
	return out, err
}

// fill writes every file of a result into dir.
func fill(dir string, res Result) (Outcome, error) {
	var out Outcome
	figures, warnings := completeFigures(res.Manifest.Figures, res.Table)
	out.Warnings = warnings
	res.Manifest.Figures = figures
	res.Table.Distributions = shownDistributions(res.Table, figures)
	res.Manifest.Tables = map[string]string{}
	write := func(name string, content []byte) error {
		out.Files = append(out.Files, name)
		return files.Save(filepath.Join(dir, name), content)
	}
	for _, f := range []struct {
		name  string
		wants bool
		write func(io.Writer) error
	}{
		{PointsFile, true, func(w io.Writer) error { return result.WriteCSV(w, res.Table.Rows) }},
		{SchemaFile, true, func(w io.Writer) error { return WriteSchema(w, res.Table.Rows) }},
		{DistributionFile, len(res.Table.Distributions) > 0, func(w io.Writer) error {
			return result.WriteDistributions(w, res.Table.Distributions)
		}},
		{result.RoundsFile, len(res.Table.Rounds) > 0, func(w io.Writer) error {
			return result.WriteRounds(w, res.Table.Rounds)
		}},
		{result.FlowsFile, len(res.Table.Flows) > 0, func(w io.Writer) error {
			return result.WriteFlows(w, res.Table.Flows)
		}},
		{result.QueuesFile, len(res.Table.Queues) > 0, func(w io.Writer) error {
			return result.WriteQueues(w, res.Table.Queues)
		}},
	} {
		var content bytes.Buffer
		if !f.wants {
			continue
		}
		if err := cmp.Or(f.write(&content), write(f.name, content.Bytes())); err != nil {
			return Outcome{}, err
		}
		res.Manifest.Tables[f.name] = files.Sum(content.Bytes())
	}
	manifest := res.Manifest.complete(res.Table)
	for _, f := range []struct {
		name    string
		content any
	}{{ManifestFile, manifest}, {RunFile, res.Run}} {
		content, err := files.EncodeJSON(f.content)
		if err == nil {
			err = write(f.name, content)
		}
		if err != nil {
			return Outcome{}, err
		}
	}
	// Draw what a reader of the files will have, so that drawing again gives the same figures.
	t, err := ReadTable(dir)
	if err != nil {
		return Outcome{}, fmt.Errorf("BUG: what was written cannot be read: %w", err)
	}
	if out, err = drawAll(dir, t, figures, out); err != nil || res.Page == nil {
		return out, err
	}
	return out, out.writePage(dir, manifest, t, res.Page)
}

// writePage adds report.html. Results of more rows than a browser shows have none.
func (o *Outcome) writePage(dir string, m Manifest, t result.Table, ask Asker) error {
	if n := len(t.Rows); n > maxPageRows {
		o.Warnings = append(o.Warnings, fmt.Sprintf("no %s: %d rows are more than a browser shows, "+
			"which are %d", ReportFile, n, maxPageRows))
		return nil
	}
	content, err := webpage(m, t, ask([]byte(m.Scenario)))
	if err != nil {
		return err
	}
	o.Files = append(o.Files, ReportFile)
	return files.Save(filepath.Join(dir, ReportFile), content)
}

// drawAll adds the figures to an outcome.
func drawAll(dir string, t result.Table, figures []figure.Figure, out Outcome) (Outcome, error) {
	for _, fig := range figures {
		err := out.draw(dir, t, fig)
		var fault *FigureError
		if errors.As(err, &fault) {
			out.Warnings = append(out.Warnings, fmt.Sprintf("not drawn: %v", fault))
			continue
		}
		if err != nil {
			return Outcome{}, err
		}
	}
	return out, nil
}

// draw adds a figure.
func (o *Outcome) draw(dir string, t result.Table, fig figure.Figure) error {
	warnings, err := drawSafely(dir, t, fig)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		o.Warnings = append(o.Warnings, fig.Name+": "+w)
	}
	o.Files = append(o.Files, fileNames(&fig)...)
	return nil
}

// drawSafely keeps a bug in drawing from losing the numbers of a long run.
func drawSafely(dir string, t result.Table, fig figure.Figure) (warnings []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &FigureError{Figure: fig.Name, Message: fmt.Sprintf("BUG: drawing failed: %v", p)}
		}
	}()
	return Draw(dir, t, fig)
}

// Redraw draws the figures of a result directory again, from its files alone. If the data of one is
// missing, changed, or does not fit, none is drawn and all stay as they were; the error is a
// files.InputError that names each such figure and what it lacks. Unless ask is nil report.html is
// written too; one that is not of this program is an error, and stays.
func Redraw(dir string, ask Asker) (Outcome, error) {
	m, t, err := readDrawable(dir)
	if err != nil {
		return Outcome{}, files.AsFault(err)
	}
	if ask != nil && !ownReport(filepath.Join(dir, ReportFile)) {
		return Outcome{}, files.Fault("%s is not a result of this program, but has the name of one: "+
			"move it away, or leave it with --no-report", filepath.Join(dir, ReportFile))
	}
	out := Outcome{Dir: dir}
	for _, fig := range m.Figures {
		if err := out.draw(dir, t, fig); err != nil {
			return Outcome{}, err
		}
	}
	if ask == nil {
		return out, nil
	}
	return out, out.writePage(dir, m, t, ask)
}

// readDrawable reads a result directory, and checks that all its figures can be drawn.
func readDrawable(dir string) (m Manifest, t result.Table, err error) {
	if m, err = ReadManifest(dir); err != nil {
		return m, t, err
	}
	if t, err = m.readTable(dir); err != nil {
		return m, t, err
	}
	var faults []error
	for _, fig := range m.Figures {
		faults = append(faults, checkFiles(fig, t))
	}
	return m, t, errors.Join(faults...)
}

// checkFiles reports whether the files of a result directory hold what the figure shows.
func checkFiles(f figure.Figure, t result.Table) error {
	full, sel, err := complete(f, t)
	if err != nil {
		return err
	}
	return full.checkData(t, sel)
}
