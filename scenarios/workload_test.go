package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/internal/storage"
	"sdrsim/internal/training"
	"sdrsim/units"
)

func TestEveryKindOfWorkloadIsAChoice(t *testing.T) {
	names := workloadNames()
	for i, kind := range workloadKinds {
		if len(names) != len(workloadKinds) || names[i] != kind.name {
			t.Errorf("choices %v, kind %d is %s", names, i, kind.name)
		}
		for _, key := range append(kind.keys, kind.needs...) {
			if _, ok := rootKeys.find(workloadPrefix + key); !ok {
				t.Errorf("%s has no key %s", kind.name, key)
			}
		}
	}
	for i := range workloadKeys {
		key, used := strings.TrimPrefix(workloadKeys[i].Path, workloadPrefix), false
		for _, kind := range workloadKinds {
			used = used || strings.Contains(" "+strings.Join(kind.keys, " ")+" ", " "+key+" ")
		}
		if !used && key != "kind" {
			t.Errorf("no kind has the key %s", key)
		}
	}
}

func TestCommittedModelsAreThePublicOnes(t *testing.T) {
	want := map[string]int64{"7b": 6738415616, "13b": 13015864320, "8b": 8030261248,
		"70b": 70553706496, "405b": 405853388800, "175b": 174604259328}
	files, err := filepath.Glob(filepath.Join(ModelsFolder, "*.yaml"))
	if err != nil || len(files) != len(want) {
		t.Fatalf("models %v: %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shape, err := parseShape(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		_, name, _ := strings.Cut(strings.TrimSuffix(file, ".yaml"), "transformer-")
		if got := shape.(*training.Shape).Parameters(); got != want[name] {
			t.Errorf("%s: %d parameters, want %d", file, got, want[name])
		}
		digits := strings.NewReplacer(" ", "").Replace(string(text))
		if !strings.Contains(digits, fmt.Sprint(want[name])) {
			t.Errorf("%s does not say how many parameters it has", file)
		}
	}
}

func TestModelsThatAreNoneAreRefused(t *testing.T) {
	const whole = "architecture: llama\nhidden: 4096\nffn: 11008\nlayers: 32\nheads: 32\n" +
		"kv_heads: 32\nvocabulary: 32000\n"
	if _, err := parseShape(whole); err != nil {
		t.Error(err)
	}
	for change, want := range map[string]string{
		"hidden: 4096\n>":         "line 1: hidden: missing",
		"heads: 32\n>heads: 31\n": "multiple",
		"4096>4096.5":             `line 2: hidden: "4096.5": must be an integer`,
		"ffn>fnn":                 `line 3: unknown key "fnn"`,
		"llama>[llama]":           "line 1: architecture: must be one of llama, gpt, not a list",
		whole + ">- a\n":          "line 1: a scenario must be a mapping",
		whole + ">":               "line 1: no scenario",
	} {
		old, new, _ := strings.Cut(change, ">")
		_, err := parseShape(strings.Replace(whole, old, new, 1))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", change, err, want)
		}
	}
}

// workloadPoint is the first point of the base scenario with a workload in place of its size.
func workloadPoint(t *testing.T, message, workload string, sets ...string) spec.Point {
	t.Helper()
	text := strings.Replace(base, "message: {size: 1MiB}", "message: {"+message+"}", 1) +
		"workload: {" + workload + "}\n"
	return load(t, text, sets...).At(0)
}

func TestBulkMessagesHaveTheSizeOfTheirModel(t *testing.T) {
	p := workloadPoint(t, "count: 2", "kind: checkpoint, model: models/transformer-405b.yaml, "+
		"shards: 1024")
	if want := units.Bytes(14 * 405853388800 / 1024); p.Message.Size != want {
		t.Errorf("a shard has %d bytes, want %d", p.Message.Size, want)
	}
	p = workloadPoint(t, "count: 2",
		"kind: kv-cache, model: models/transformer-70b.yaml, tokens: 8192")
	if p.Message.Size != 2684354560 || p.Message.Sizes != nil {
		t.Errorf("keys and values of 8192 tokens have %d bytes, want 2.684 GB", p.Message.Size)
	}
	p = workloadPoint(t, "count: 2", "kind: kv-cache, model: models/transformer-70b.yaml, "+
		"tokens: 2048, sigma: 1.5, tokens_max: 16384")
	const token = 327680
	if s := p.Message.Sizes; s == nil || s.Of(0.5) != 2048*token || s.Of(0.9999999) != 16384*token ||
		s.Of(1e-9) != token || p.Message.Size != 16384*token {
		t.Errorf("sizes %+v of %+v", s, p.Message)
	}
}

func TestFileOperationsAreRequestsAndReplies(t *testing.T) {
	p := workloadPoint(t, "count: 5000", "kind: storage, operation: read, size: 64KiB, depth: 7, "+
		"queues: 2")
	want := spec.Storage{Operation: storage.Read, Size: 64 * units.KiB, Depth: 7, Queues: 2,
		Pages: 64, Station: 17 * units.Microsecond, HostCPU: 14600 * units.Nanosecond}
	if p.Storage != want {
		t.Errorf("%+v, want %+v", p.Storage, want)
	}
	if m := p.Message; m.Size != 64*units.KiB+256 || m.InFlight != 12 || m.Count != 5000 {
		t.Errorf("%+v, want twice six requests in flight", m)
	}
	request, reply := p.Storage.Ways()
	if request != 256 || reply != 64*units.KiB+256 {
		t.Errorf("a read asks with %v and gets %v", request, reply)
	}
	p.Storage.Operation = storage.Write
	if request, reply = p.Storage.Ways(); reply != 256 || request != 64*units.KiB+256 {
		t.Errorf("a write asks with %v and gets %v", request, reply)
	}
	p = workloadPoint(t, "count: 5000", "kind: storage, operation: read, size: 4KiB, "+
		"read_ahead: 10MiB", "workload.depth=3")
	if got := p.Storage.Requests(5000); got != 20 || p.Message.InFlight != 20 ||
		p.Message.Size != units.MiB+256 {
		t.Errorf("%d units, %+v", got, p.Message)
	}
}

func TestSubmissionHasTheCostsOfItsWay(t *testing.T) {
	us := func(x float64) units.Duration { return units.Duration(x * float64(units.Microsecond)) }
	for set, want := range map[string]spec.Submission{
		"submission.by=none": {},
		"submission.by=cpu": {By: "cpu", Start: us(3.26), Done: us(2.18),
			Interval: us(0.4), When: "before", Register: us(16)},
		"submission.by=token submission.completion=cq submission.rate=1e6": {By: "token",
			Start: us(3.22), Done: us(5.89), Interval: us(1), Outstanding: 32768, When: "before",
			Register: us(16)},
		"submission.by=ibgda submission.done=1us submission.start=2us submission.outstanding=7 " +
			"submission.memory=bounce submission.pcie=gen4-x16 submission.registration=each " +
			"submission.register=280us": {By: "ibgda", Start: us(2), Done: us(1),
			Interval: units.Duration(78740), Outstanding: 7, Bounce: true,
			PCIe: spec.PCIe{Name: "gen4-x16", Written: 208 * units.Gbps, Read: 211 * units.Gbps},
			When: "each", Register: us(280)},
		"submission.by=cpu submission.mtt.region=1GiB submission.mtt.page=64KiB " +
			"submission.mtt.size=1KiB submission.mtt.miss=2us": {By: "cpu", Start: us(3.26),
			Done: us(2.18), Interval: us(0.4), When: "before", Register: us(16),
			MTT: spec.MTT{Region: units.GiB, Page: 64 * units.KiB, Size: units.KiB, Miss: us(2)}},
	} {
		if got := load(t, base, strings.Fields(set)...).At(0).Submission; got != want {
			t.Errorf("%s: %+v, want %+v", set, got, want)
		}
	}
}
