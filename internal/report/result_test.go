package report

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/files"
)

func sampleResult() Result {
	t := withDistributions(sweep("link.loss.p", []float64{1e-4, 1e-3, 1e-2}, fourSchemes))
	return Result{
		Manifest: Manifest{
			Name: "sample", Version: "0.1.0", Seed: 1, Scenario: "name: sample\n",
			Figures: []figure.Figure{
				{Kind: figure.Line, Y: "goodput"},
				{Kind: figure.CCDF, Name: "tail", Where: []figure.AxisMatch{{Path: "link.loss.p",
					Text: "1e-3"}}},
			},
		},
		Run:   Run{WallSeconds: 1.5, Jobs: 2},
		Table: t,
	}
}

// bareResult has no figures.
func bareResult() Result {
	res := sampleResult()
	res.Manifest.Figures = nil
	return res
}

// listing maps the files below dir to their content.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func names(files map[string]string) []string {
	var out []string
	for name := range files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

var sampleFiles = []string{
	"distribution.csv", "line-goodput-by-link.loss.p.png", "line-goodput-by-link.loss.p.svg",
	"manifest.json", "points.csv", "run.json", "schema.json", "tail.png", "tail.svg",
}

func mustWrite(t *testing.T, dir string, res Result) Outcome {
	t.Helper()
	out, err := WriteResult(dir, res)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestResultDirectoryIsWholeAndAlone(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "deep", "sample")
	out := mustWrite(t, dir, sampleResult())
	files := listing(t, parent)
	var want []string
	for _, name := range sampleFiles {
		want = append(want, filepath.Join("deep", "sample", name))
	}
	if got := names(files); !slices.Equal(got, want) {
		t.Errorf("files are\n%q, want\n%q", got, want)
	}
	slices.Sort(out.Files)
	if !slices.Equal(out.Files, sampleFiles) {
		t.Errorf("outcome lists %q", out.Files)
	}
	t.Log("# only the distributions that a figure shows are kept")
	table, err := ReadTable(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Distributions) != len(fourSchemes) {
		t.Errorf("%d distributions, want those of one point", len(table.Distributions))
	}
	m, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte("name: sample\n")))
	if m.Points != 3 || m.Schemes != 4 || m.Rows != 12 || m.Samples != 48000 ||
		m.ScenarioSHA256 != hash {
		t.Errorf("manifest is %+v", m)
	}
}

func TestEqualResultsGiveEqualBytesAndRedrawChangesNone(t *testing.T) {
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	mustWrite(t, a, sampleResult())
	other := sampleResult()
	other.Run = Run{WallSeconds: 99, Host: "elsewhere", Jobs: 64}
	mustWrite(t, b, other)
	first, second := listing(t, a), listing(t, b)
	if first[RunFile] == second[RunFile] {
		t.Error("run.json does not tell the runs apart")
	}
	delete(first, RunFile)
	delete(second, RunFile)
	for _, name := range names(first) {
		if first[name] != second[name] {
			t.Errorf("%s differs between equal runs", name)
		}
	}
	t.Log("# figures come back from the files alone")
	if err := os.Remove(filepath.Join(a, "tail.svg")); err != nil {
		t.Fatal(err)
	}
	if _, err := Redraw(a, nil); err != nil {
		t.Fatal(err)
	}
	redrawn := listing(t, a)
	delete(redrawn, RunFile)
	for _, name := range names(first) {
		if first[name] != redrawn[name] {
			t.Errorf("%s differs after drawing again", name)
		}
	}
	if len(redrawn) != len(first) {
		t.Errorf("files after drawing again are %q", names(redrawn))
	}
}

func TestResultReplacesResultsAndKeepsWhatIsNotOurs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample")
	mustWrite(t, dir, sampleResult())
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "notes", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes", "deep", "a"), []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log("# the second run has another figure and no distribution")
	res := sampleResult()
	res.Manifest.Figures = []figure.Figure{{Kind: figure.Line, Name: "other"}}
	mustWrite(t, dir, res)
	files := listing(t, filepath.Dir(dir))
	want := []string{"README.md", "manifest.json", "notes/deep/a", "other.png", "other.svg",
		"points.csv", "run.json", "schema.json"}
	for i := range want {
		want[i] = filepath.Join("sample", filepath.FromSlash(want[i]))
	}
	if got := names(files); !slices.Equal(got, want) {
		t.Errorf("files are\n%q, want\n%q", got, want)
	}
	if files[filepath.Join("sample", "README.md")] != "mine" {
		t.Error("README.md changed")
	}
}

func TestFailureMidwayLeavesFormerResults(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "sample")
	mustWrite(t, dir, bareResult())
	before := listing(t, parent)
	broken := errors.New("disk is gone")
	for failing := 1; failing <= 2; failing++ {
		renames := 0
		d := disk{rename: func(from, to string) error {
			if renames++; renames == failing {
				return broken
			}
			return os.Rename(from, to)
		}, remove: os.Remove}
		res := bareResult()
		res.Manifest.Seed = 2
		if _, err := writeResult(dir, res, d); !errors.Is(err, broken) {
			t.Fatalf("error is %v", err)
		}
		after := listing(t, parent)
		if !slices.Equal(names(before), names(after)) {
			t.Errorf("rename %d failed: files are %q", failing, names(after))
		}
		for name, content := range before {
			if after[name] != content {
				t.Errorf("rename %d failed: %s changed", failing, name)
			}
		}
	}
}

func TestFormerResultsThatStayAreNoFailure(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "sample")
	mustWrite(t, dir, bareResult())
	readOnly := disk{rename: os.Rename, remove: func(name string) error {
		return &os.PathError{Op: "unlinkat", Path: name, Err: os.ErrPermission}
	}}
	res := bareResult()
	res.Manifest.Seed = 2
	out, err := writeResult(dir, res, readOnly)
	aside := files.Sibling(dir, files.Old)
	if err != nil || !strings.Contains(out.Remains, "remains in "+aside+": unlinkat") ||
		strings.Contains(out.Remains, "\n") {
		t.Errorf("error %v, remains %q", err, out.Remains)
	}
	if m, err := ReadManifest(dir); err != nil || m.Seed != 2 {
		t.Errorf("seed %d, %v", m.Seed, err)
	}
	if m, err := ReadManifest(aside); err != nil || m.Seed != bareResult().Manifest.Seed {
		t.Errorf("seed %d, %v", m.Seed, err)
	}
	// It is no trouble for what comes after, and goes once it may.
	if err := readOnly.clean(dir); err != nil {
		t.Error(err)
	}
	if out, err = writeResult(dir, res, realDisk); err != nil || out.Remains != "" {
		t.Errorf("error %v, remains %q", err, out.Remains)
	}
	if entries, _ := os.ReadDir(parent); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestFirstResultThatFailsLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	d := disk{rename: func(from, to string) error {
		if strings.Contains(filepath.Base(from), files.New) {
			return errors.New("disk is gone")
		}
		return os.Rename(from, to)
	}}
	if _, err := writeResult(filepath.Join(parent, "sample"), bareResult(), d); err == nil {
		t.Fatal("no error")
	}
	if entries, _ := os.ReadDir(parent); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestTargetThatCannotBeWrittenIsNamed(t *testing.T) {
	parent := t.TempDir()
	file := filepath.Join(parent, "file")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(parent, "foreign")
	if err := os.MkdirAll(filepath.Join(foreign, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, want string }{
		{file, "is a file, results need a directory"},
		{filepath.Join(file, "below"), "results cannot be written to"},
		{foreign, "is not empty and holds no results"},
		{".", "holds the working directory"},
		{string(filepath.Separator), ""},
	} {
		err := CheckTarget(c.dir)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.dir, err, c.want)
		}
		if _, err := WriteResult(c.dir, bareResult()); err == nil {
			t.Errorf("%s was written to", c.dir)
		}
	}
	if data, _ := os.ReadFile(file); string(data) != "x" {
		t.Error("the file changed")
	}
	if entries, _ := os.ReadDir(parent); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestTargetInDirectoryWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	parent := t.TempDir()
	if err := os.Chmod(parent, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := CheckTarget(filepath.Join(parent, "sample")); !errors.Is(err, os.ErrPermission) {
		t.Errorf("error is %v", err)
	}
}

func TestLeftoversOfKilledRunsAreCleaned(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "sample")
	mustWrite(t, dir, bareResult())
	before := listing(t, parent)
	dead := func(mark string) string {
		return strings.TrimSuffix(files.Sibling(dir, mark), suffixOfPID()) + "4194304999"
	}
	t.Log("# killed while writing: an unfinished directory")
	if err := os.Mkdir(dead(files.New), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Log("# killed between two renames: only the former results, aside")
	if err := os.Rename(dir, dead(files.Old)); err != nil {
		t.Fatal(err)
	}
	t.Log("# of a process that is alive, and of another machine: not ours to touch")
	alive := strings.TrimSuffix(files.Sibling(dir, files.New), suffixOfPID()) + "1"
	other := filepath.Join(parent, ".sample.new-otherhost-4194304999")
	for _, d := range []string{alive, other} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := CheckTarget(dir); err != nil {
		t.Fatal(err)
	}
	after := listing(t, parent)
	if !slices.Equal(names(after), names(before)) {
		t.Errorf("files are %q", names(after))
	}
	for _, d := range []string{alive, other} {
		if _, err := os.Stat(d); err != nil {
			t.Errorf("%s: %v", d, err)
		}
	}
	t.Log("# killed after the last rename: both are there, the new one stays")
	mustWrite(t, dead(files.Old), bareResult())
	res := bareResult()
	if err := CheckTarget(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead(files.Old)); !os.IsNotExist(err) {
		t.Errorf("the former results remain: %v", err)
	}
	mustWrite(t, dir, res)
}

func suffixOfPID() string {
	name := files.Sibling("x", files.New)
	return name[strings.LastIndexByte(name, '-')+1:]
}

func TestFigureThatCannotBeDrawnDoesNotCostTheNumbers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample")
	res := sampleResult()
	res.Manifest.Figures = append(res.Manifest.Figures, figure.Figure{Kind: figure.Line, Name: "bad",
		Y: "godput"})
	out := mustWrite(t, dir, res)
	if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], `no quantity "godput"`) {
		t.Errorf("warnings are %q", out.Warnings)
	}
	if got := names(listing(t, dir)); !slices.Equal(got, sampleFiles) {
		t.Errorf("files are %q", got)
	}
}

func TestFiguresOfOneNameAreKeptApart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample")
	res := sampleResult()
	res.Manifest.Figures = []figure.Figure{{Kind: figure.Line, Name: "f"}, {Kind: figure.Bar,
		Name: "f"}}
	out := mustWrite(t, dir, res)
	if !slices.Contains(out.Files, "f.svg") || !slices.Contains(out.Files, "f-2.svg") {
		t.Errorf("files are %q", out.Files)
	}
}

func TestManifestOfAnotherFormatIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, ManifestFile)
	for _, c := range []struct{ text, want string }{
		{`{"program": "sdrsim", "format": 3}`, "written by a newer version of the program (format 3, " +
			"this one reads 2)"},
		{`{"format": 1, "scenario": "x", "scenario_sha256": "` + files.Sum([]byte("x")) + `"}`,
			"written by an older version of the program (format 1, this one reads 2): run again"},
		{`{"format": 1, "scenario": "x"}`, "not a manifest of results of this program"},
		{`{"format": "2", "name": "app"}`, "not a manifest of results of this program"},
		{`{"program": "sdrsim", "format": 2, "figurs": []}`, `unknown field "figurs"`},
		{`{`, "unexpected end of JSON input"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Redraw(dir, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Redraw(filepath.Join(dir, "none"), nil); err == nil ||
		!strings.Contains(err.Error(), "is not a result directory") {
		t.Errorf("error is %v", err)
	}
}
