package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/scenarios"
)

var (
	linkPattern = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	codePattern = regexp.MustCompile("`([^`]+)`")
	// pathPattern is a path of the project in code: a folder or a file below one of its folders.
	pathPattern = regexp.MustCompile(
		`^\.?/?(?:sim|link|sdr|schemes|scenarios|cmd|internal|docs|notebooks|\.ci)/[\w./-]*$`)
	testPattern = regexp.MustCompile(`\b((?:Test|Fuzz|Benchmark)[A-Z]\w*)`)
	funcPattern = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)\w*)\(`)
)

// TestLinksLeadSomewhere follows every relative link, its anchor too.
func TestLinksLeadSomewhere(t *testing.T) {
	list := pages(t)
	for _, p := range list {
		for i, line := range p.prose() {
			for _, match := range linkPattern.FindAllStringSubmatch(line, -1) {
				if strings.Contains(match[1], "://") {
					continue
				}
				if why := follow(list, p.name, match[1]); why != "" {
					t.Errorf("%s:%d: link to %s: %s", p.name, i+1, match[1], why)
				}
			}
		}
	}
}

// follow tells why a link from a page leads nowhere; empty where it does.
func follow(list []page, from, link string) string {
	target, anchor, _ := strings.Cut(link, "#")
	name := from
	if target != "" {
		name = path.Join(path.Dir(from), target)
	}
	if result, ok := strings.CutPrefix(name, "results/"); ok {
		return followResult(result)
	}
	if !exists(name) {
		return "no such file"
	}
	i := slices.IndexFunc(list, func(p page) bool { return p.name == name })
	if anchor == "" || i < 0 {
		return ""
	}
	for level := 1; level <= 4; level++ {
		for _, title := range list[i].headings(level) {
			if slug(title) == anchor {
				return ""
			}
		}
	}
	return "no such heading"
}

// followResult tells why a file of results is not one that its scenario writes. Whether it is
// committed does not matter: running the scenario makes it. Measurements of the program have no
// scenario and are committed.
func followResult(name string) string {
	if measured := "results/" + name; strings.HasPrefix(measured, performanceFolder+"/") {
		if !exists(measured) {
			return "no such measurement"
		}
		return ""
	}
	folder, file := path.Split(name)
	scenario := "scenarios/" + strings.TrimSuffix(folder, "/") + ".yaml"
	text, err := os.ReadFile(filepath.Join(root, scenario))
	if err != nil {
		return "no scenario " + scenario
	}
	s, err := scenarios.Load(filepath.Join(root, scenario), text, nil)
	if err != nil {
		return err.Error()
	}
	base := strings.TrimSuffix(strings.TrimSuffix(file, ".png"), ".svg")
	drawn := func(f figure.Figure) bool { return f.Name == base }
	known := file == "" || file == "points.csv" || file == "manifest.json"
	if !known && !slices.ContainsFunc(s.Figures, drawn) {
		return scenario + " draws no such figure"
	}
	return ""
}

// slug is the anchor of a heading: lower case, dashes for spaces, no punctuation.
func slug(title string) string {
	keep := func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r > 127:
			return r
		}
		return -1
	}
	return strings.Map(keep, strings.ToLower(title))
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

// TestPathsExist looks for every file and folder of the project that a page names in code.
func TestPathsExist(t *testing.T) {
	for _, p := range pages(t) {
		for i, line := range p.prose() {
			for _, match := range codePattern.FindAllStringSubmatch(line, -1) {
				name := strings.TrimSuffix(match[1], "...")
				if pathPattern.MatchString(name) && !exists(name) {
					t.Errorf("%s:%d: there is no %s", p.name, i+1, name)
				}
			}
		}
	}
}

// TestNamedTestsExist looks for every test, fuzz target and benchmark that a page names.
func TestNamedTestsExist(t *testing.T) {
	known := testsBelow(t, root)
	named := 0
	for _, p := range pages(t) {
		for i, line := range p.prose() {
			for _, match := range codePattern.FindAllStringSubmatch(line, -1) {
				for _, name := range testPattern.FindAllString(match[1], -1) {
					named++
					if !slices.Contains(known, name) {
						t.Errorf("%s:%d: there is no %s", p.name, i+1, name)
					}
				}
			}
		}
	}
	if named < 20 {
		t.Errorf("pages name %d tests only", named)
	}
}

// testsBelow lists the tests, fuzz targets, benchmarks and examples of all packages below a folder.
func testsBelow(t *testing.T, folder string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != folder && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		// All sources are read, so that the test is not taken from the cache when they change.
		if filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		for _, match := range funcPattern.FindAllStringSubmatch(string(text), -1) {
			list = append(list, match[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestBrokenLinksAreFound holds the follower of links to mistakes.
func TestBrokenLinksAreFound(t *testing.T) {
	list := []page{{"docs/models/link.md", "# Link\n## What it is, and is not\n"}}
	for link, want := range map[string]bool{
		"link.md": true, "link.md#what-it-is-and-is-not": true, "#link": true, "nothing.md": false,
		"link.md#nothing": false, "../../results/quickstart/completion-mean.png": true,
		"../../results/quickstart/points.csv": true, "../../results/quickstart/none.png": false,
		"../../results/nothing/x.png": false, "../../sim": true,
	} {
		if why := follow(list, "docs/models/link.md", link); (why == "") != want {
			t.Errorf("%s: %q", link, why)
		}
	}
}
