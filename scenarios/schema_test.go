package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/scenario/schema"
	"sdrsim/schemes"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

const schemaFile = "../docs/scenario.schema.json"

func TestCommittedSchemaIsCurrent(t *testing.T) {
	if *update {
		if err := os.WriteFile(schemaFile, schema.Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, schema.Schema()) {
		t.Errorf("%s is not what sdrsim schema prints; run with -update after a look", schemaFile)
	}
}

// compiled is the schema as an implementation of ours reads it: not ours.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("scenario.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("scenario.json") // checks the schema against its own
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// asJSON reads YAML as an editor does.
func asJSON(text string) (any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	noDates(&doc)
	var v any
	if err := doc.Decode(&v); err != nil {
		return nil, err
	}
	return plainValue(v)
}

// noDates takes dates as words, as YAML 1.2 does.
func noDates(n *yaml.Node) {
	if n.Tag == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, below := range n.Content {
		noDates(below)
	}
}

// plainValue turns what YAML makes into what JSON has.
func plainValue(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		for key, one := range v {
			plain, err := plainValue(one)
			if err != nil {
				return nil, err
			}
			v[key] = plain
		}
	case []any:
		for i, one := range v {
			plain, err := plainValue(one)
			if err != nil {
				return nil, err
			}
			v[i] = plain
		}
	case map[any]any:
		return nil, fmt.Errorf("a key is no word")
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v), nil
		}
		return json.Number(strconv.FormatFloat(v, 'g', -1, 64)), nil
	case int, uint64:
		return json.Number(fmt.Sprint(v)), nil
	}
	return v, nil
}

// scenarioFiles finds every scenario that is committed.
func scenarioFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == ModelsFolder {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".yaml" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 4 {
		t.Fatalf("found scenarios %v: %v", files, err)
	}
	return files
}

func TestCommittedScenariosSatisfyTheSchema(t *testing.T) {
	schema := compiled(t)
	for _, file := range scenarioFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := asJSON(string(data))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// modeline is what editors look for.
var modeline = regexp.MustCompile(`\A# yaml-language-server: \$schema=(\S+)\n`)

func TestCommittedScenariosNameTheSchema(t *testing.T) {
	want, err := filepath.Abs(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range scenarioFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := modeline.FindSubmatch(data)
		if m == nil {
			t.Errorf("%s does not begin with # yaml-language-server: $schema=PATH", file)
			continue
		}
		got, err := filepath.Abs(filepath.Join(filepath.Dir(file), string(m[1])))
		if err != nil || got != want {
			t.Errorf("%s names %s, which is %s; want %s", file, m[1], got, want)
		}
		s, err := Load(file, data, nil)
		if err == nil && strings.Contains(s.Question, "$schema") {
			t.Errorf("%s asks %q", file, s.Question)
		}
	}
}

// structural are faults that the schema has to refuse too. How the parts of a file belong together
// is out of its reach: labels, swept paths, ranges of quantities.
var structural = regexp.MustCompile(`unknown key|has no value|unknown scheme|missing; must be|` +
	`no scenario|must name at least one|must have one of distance|must be the only one of|` +
	`must be (a|the) .*, not (a mapping|a list|")|duplicate key|a key must be a word`)

// TestSchemaRefusesStructuralFaults holds the schema to every bad scenario. Those that satisfy it
// are listed in testdata/schema.golden, so that a schema that lets more through shows in review.
func TestSchemaRefusesStructuralFaults(t *testing.T) {
	schema := compiled(t)
	var left strings.Builder
	for name, body := range badCases(t) {
		text, overrides := badCase(t, name, body)
		if len(overrides) > 0 {
			continue // faults of the command line
		}
		v, err := asJSON(text)
		if err == nil {
			err = schema.Validate(v)
		}
		if err != nil {
			continue
		}
		left.WriteString(name + "\n")
		_, fault := Load("f.yaml", []byte(text), nil)
		for line := range strings.Lines(fault.Error()) {
			if structural.MatchString(line) {
				t.Errorf("%s: satisfies the schema, in spite of\n\t%s", name, line)
			}
		}
	}
	golden := filepath.Join("testdata", "schema.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(left.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, left.String(), string(want))
}

// spellings are ways to write a value of a kind, as they stand in a file.
var spellings = map[schemes.Kind][]string{
	schemes.KindBytes: {"4KiB", "1500B", "' 8 KiB '", "1.5MiB", "1e6B", "2GB", "64kB", "1TiB"},
	schemes.KindRate:  {"400Gbps", "1.6 Tbps", "10Gbit/s", "5e3kbps", "1bps", "2Kbps", "7Mbit/s"},
	schemes.KindSpan:  {"3RTT", "75ms", "0.5 RTT", "1min", "'10us'", "1h", "5µs", "9ns", "4ps"},
	schemes.KindCount: {"7", "1e3", "'12'", "+3", "010", "2.0", "0x10", "1_000"},
	schemes.KindNumber: {
		"0.5", "3", "'2'", "1e1", ".5", "2.", "+1", "-1", ".inf", "1:30",
	},
	keys.KindProbability: {"1e-5", "0", "1", "0.1%", "'50 %'", "1e-3", "5.0e-1", "2"},
	keys.KindShare:       {"2%", "0.02", "'1'", "1e-3", "0"},
	keys.KindDuration:    {"25ms", "12.5us", "1s", "1e-3min", "'2 ms'", "4000ps", "6μs", "0s"},
	keys.KindStay:        {"10", "200us", "'3'", "'1 ms'", "1e3", "0.5", "5μs", "0s"},
	keys.KindDistance:    {"3750km", "1m", "1e3 km", "0.5km"},
	keys.KindSplit:       {"10+18+4", "8+22+2", "'10 + 18 + 4'", "16+12+4"},
	keys.KindRuns:        {"unlimited", "1", "'8'", "1e2"},
	keys.KindSeed:        {"0", "18446744073709551615", "'5'", "1e3"},
	keys.KindName:        {"a", "_x.y", "12", "1e3", "true", "2026-01-01", "0x1f", "no"},
	keys.KindFile: {"testdata/sizes.cdf", "'testdata/arrivals.csv'", "testdata/losses.csv", "1",
		"none.csv"},
	keys.KindText: {"a", "12", "true", "'b c'", "2026-01-01", "1e3", "~"},
}

// TestWhatLoadsSatisfiesTheSchema writes values in many ways, also such that YAML takes for other
// than words.
func TestWhatLoadsSatisfiesTheSchema(t *testing.T) {
	schema := compiled(t)
	loaded := 0
	rapid.Check(t, func(t *rapid.T) {
		text := base
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			text = edited(t, text)
		}
		if _, err := Load("f.yaml", []byte(text), nil); err != nil {
			return
		}
		loaded++
		v, err := asJSON(text)
		if err == nil {
			err = schema.Validate(v)
		}
		if err != nil {
			t.Fatalf("loads, and does not satisfy the schema: %v\n%s", err, text)
		}
	})
	if loaded < 10 { // about 30 do
		t.Errorf("only %d scenarios loaded", loaded)
	}
}

// edited writes a drawn value to a drawn key, a parameter of a scheme, or an axis of the sweep.
func edited(t *rapid.T, text string) string {
	k := rapid.SampledFrom(keys.Root.Keys).Draw(t, "key")
	write := func(k *keys.Key) string {
		words := spellings[k.Kind]
		if k.Kind == schemes.KindChoice {
			words = k.Choices
		}
		return rapid.SampledFrom(words).Draw(t, k.Path)
	}
	path, value := k.Path, write(&k)
	switch rapid.IntRange(0, 3).Draw(t, "place") {
	case 0:
		name := rapid.SampledFrom(keys.EntryNames()).Draw(t, "scheme")
		param := rapid.SampledFrom(keys.SchemeKeys[name].Keys).Draw(t, "parameter")
		label := rapid.SampledFrom(spellings[keys.KindText]).Draw(t, "label")
		path = "schemes"
		value = fmt.Sprintf("[{name: %s, label: %s, %s: %s}]", name, label, param.Path, write(&param))
	case 1:
		path, value = "sweep", fmt.Sprintf("{%s: [%s, %s]}", path, value, write(&k))
	case 2:
		path, value = "sweep", fmt.Sprintf("{%s: {from: %s, to: %s, points: 3}}", path, value,
			write(&k))
	}
	o := Override{Path: path, Value: value}
	f := format.NewFaults("f.yaml", []Override{o})
	root := format.Parse([]byte(text), f)
	draft.ApplyOverrides(root, f)
	out, err := yaml.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
