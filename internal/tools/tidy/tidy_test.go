package tidy

import (
	"strings"
	"testing"
)

// TestProjectIsTidy holds the whole project to the rules.
func TestProjectIsTidy(t *testing.T) {
	findings, files, err := Check("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("found only %d files: is the root right?", files)
	}
	for _, f := range findings {
		t.Error(f)
	}
}

// TestImportTablePointsDown finds cycles and entries that name no package of the table.
func TestImportTablePointsDown(t *testing.T) {
	state := map[string]int{} // 1 on the way, 2 done
	var visit func(folder string, path []string)
	visit = func(folder string, path []string) {
		path = append(path, folder)
		if state[folder] == 1 {
			t.Fatalf("the table allows a cycle: %s", strings.Join(path, " -> "))
		}
		if state[folder] == 2 {
			return
		}
		state[folder] = 1
		for below := range layers {
			if below != folder && layers[folder].allows(below) {
				visit(below, path)
			}
		}
		state[folder] = 2
	}
	for folder, l := range layers {
		visit(folder, nil)
		for _, entry := range l.imports {
			if _, known := layers[entry]; !known && !strings.HasSuffix(entry, "/...") {
				t.Errorf("%s may import %s, which is not in the table", folder, entry)
			}
		}
	}
}

func TestRulesFindWhatBreaksThem(t *testing.T) {
	const head = "// Package p is here.\npackage p\n"
	long := strings.Repeat("\t_ = 0\n", maxFunctionLines)
	tests := []struct {
		name, file, text string
		want             string // part of the only finding; empty: none
	}{
		{"clean", "sdr/doc.go", head, ""},
		{"unknown package", "sdr/extra/doc.go", head, "not in the import table"},
		{"no package comment", "sdr/doc.go", "package p\n", "no doc.go"},
		{"comment elsewhere", "sdr/qp.go", head, "no doc.go"},
		{"upward import", "sdr/doc.go", head + `import _ "sdrsim/sim"`, "sdr may not import sdrsim/sim"},
		{"downward import", "sim/doc.go", head + `import _ "sdrsim/units"`, ""},
		{"subtree", "schemes/catalog/doc.go", head + `import _ "sdrsim/schemes/ec/code"`, ""},
		{"scheme in the closed form", "schemes/model/doc.go", head + `import _ "sdrsim/schemes/sr"`,
			"may not import"},
		{"files in the protocol", "sdr/doc.go", head + `import _ "os"`, "sdr may not import os"},
		{"second YAML reader", "link/doc.go", head + `import _ "gopkg.in/yaml.v3"`, "may not import"},
		{"prefix of a module is no module", "internal/report/doc.go",
			head + `import _ "gonum.org/v1/plotter"`, "may not import"},
		{"name of a scheme", "scenarios/doc.go", head + "const n = `ec-xor`", "names the scheme ec-xor"},
		{"name of a scheme in its place", "schemes/ec/doc.go", head + "const n = `ec-xor`", ""},
		{"scheme in a text", "scenarios/doc.go", head + "const n = `such as ec-xor`", ""},
		{"parameter of a scheme", "scenarios/doc.go",
			head + "var n = params[`retries`]", "looks up retries"},
		{"parameter of a draft", "scenarios/doc.go", head + "var n = s.get(`beta`)", "looks up beta"},
		{"global random numbers", "link/doc.go",
			head + "import \"math/rand/v2\"\nvar n = rand.Int()", "rand.Int below"},
		{"own random numbers", "link/doc.go",
			head + "import \"math/rand/v2\"\nvar n = rand.New(rand.NewPCG(1, 2))", ""},
		{"exponential by processor", "link/doc.go",
			head + "import \"math\"\nvar n = math.Exp(1)", "math.Exp differs by processor"},
		{"logarithm by processor, in the world", "cmd/sdrsim/doc.go",
			head + "import m \"math\"\nvar n = m.Log(2)", "m.Log differs by processor"},
		{"exact function", "link/doc.go",
			head + "import \"math\"\nvar n = math.Floor(math.Sqrt(math.Pi))", ""},
		{"goroutine", "link/doc.go", head + "func f() { go f() }", "goroutine below"},
		{"goroutine in the sweep", "internal/sweep/doc.go", head + "func f() { go f() }", ""},
		{"long function", "sdr/doc.go", head + "func f() {\n" + long + "}", "of 72 lines"},
		{"long line", "sdr/doc.go", head + "// " + strings.Repeat("x", 98), "101 columns"},
		{"long file", "sdr/doc.go", head + strings.Repeat("\n", maxFileLines), "file of"},
		{"work put off", "sdr/doc.go", head + "// TO" + "DO: more", "comment marked"},
		{"no comment", "sdr/doc.go", head + "func F() {}", "F has no comment"},
		{"no comment on a method", "sdr/doc.go",
			head + "// T is.\ntype T[P any] int\nfunc (*T[P]) M() {}", "M has no comment"},
		{"method of a hidden type", "sdr/doc.go", head + "type t int\nfunc (t) M() {}", ""},
		{"group of constants", "sdr/doc.go", head + "// All of them.\nconst (\n\tA = 1\n)", ""},
		{"method of an error", "sdr/doc.go",
			head + "// T is.\ntype T int\nfunc (T) Error() string { return \"\" }", ""},
		{"bare constant", "sdr/doc.go", head + "const (\n\tA = 1\n)", "A has no comment"},
		{"many parameters", "sdr/doc.go", head + "func f(a, b, c, d, e int) {}", "of 5 parameters"},
		{"boolean", "sdr/doc.go", head + "// F is.\nfunc F(b bool) {}", "takes a boolean"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := parse(test.file, test.text)
			if err != nil {
				t.Fatal(err)
			}
			found := check([]*source{s})
			switch {
			case test.want == "" && len(found) > 0:
				t.Errorf("found %v in what is clean", found)
			case test.want != "" && (len(found) != 1 || !strings.Contains(found[0].Message, test.want)):
				t.Errorf("found %v, want one with %q", found, test.want)
			}
		})
	}
}

func TestClockIsBannedBelowTheWorld(t *testing.T) {
	text := "// Package p is here.\npackage p\nimport clock \"time\"\nvar t = clock.Now()"
	s, err := parse("sdr/doc.go", text)
	if err != nil {
		t.Fatal(err)
	}
	if found := check([]*source{s}); len(found) != 2 || found[1].Line != 4 {
		t.Errorf("found %v, want the import and the call of line 4", found)
	}
}

// Imports point down: to the band of a package, or to one below.
func TestImportsPointDown(t *testing.T) {
	for pkg, l := range layers {
		for _, imported := range l.imports {
			if bandOf(imported) > bandOf(pkg) {
				t.Errorf("%s imports %s, which is of a higher band", pkg, imported)
			}
		}
	}
}
