package scenarios

import (
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/internal/storage"
	"sdrsim/units"
)

func TestEveryKindOfWorkloadHasItsKeys(t *testing.T) {
	for _, kind := range keys.WorkloadKinds {
		for _, key := range append(slices.Clone(kind.Keys), kind.Needs...) {
			if path := keys.WorkloadPath + "." + key; !slices.Contains(keys.Root.Names(), path) {
				t.Errorf("%s has no key %s", kind.Name, key)
			}
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
