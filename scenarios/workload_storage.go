package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/internal/storage"
	"sdrsim/schemes"
	"sdrsim/units"
)

const workloadStorage = "storage"

var storageKeys = []Key{
	{Path: "workload.operation", Kind: schemes.KindChoice,
		Choices: []string{storage.Read, storage.Write},
		Doc:     "storage: what the host does, message.count times"},
	{Path: "workload.size", Kind: schemes.KindBytes, Min: 512, Max: 1 << 20,
		Doc: "storage: bytes of an operation; above 128KiB it is several requests"},
	{Path: "workload.depth", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1 << 16,
		Doc: "storage: operations that the host keeps under way, where message.arrival is all-at-once"},
	{Path: "workload.queues", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 4096,
		Doc: "storage: virtio queues, over which operations go in turn"},
	{Path: "workload.pages", Kind: schemes.KindCount, Default: "64", Min: 4, Max: 1 << 20,
		Doc: "storage: pages of 4 KiB that a queue holds, 3 more for each read and 4 for each write"},
	{Path: "workload.station", Kind: KindDuration, Default: "17us", Max: 1,
		Doc: "storage: mean of the part of a request that the client takes one at a time, drawn from " +
			"an exponential distribution"},
	{Path: "workload.read_ahead", Kind: schemes.KindBytes, Min: 1, Max: 1 << 40,
		Doc: "storage: how far ahead of sequential reads the client on the DPU reads, in " +
			"units of 1MiB"},
	{Path: "workload.host_cpu", Kind: KindDuration, Default: "14.6us", Max: 1,
		Doc: "storage: time of a core of the host for an operation; 64.7us of an NFS client on the host"},
}

var storageKind = workloadKind{
	name: workloadStorage,
	keys: []string{"operation", "size", "depth", "queues", "pages", "station", "read_ahead",
		"host_cpu"},
	needs: []string{"operation", "size"},
	says:  []string{"message.size", "message.size.model", "message.in_flight"},
	lower: lowerStorage, check: checkStorage, build: buildStorage,
}

// storage builds the file operations of a draft whose settings have values.
func (d *draft) storage() spec.Storage {
	s := spec.Storage{
		Operation: d.get("workload.operation").text, Size: d.bytes("workload.size"),
		Depth: d.count("workload.depth"), Queues: d.count("workload.queues"),
		Pages: d.count("workload.pages"), Station: d.duration("workload.station"),
		HostCPU: d.duration("workload.host_cpu"),
	}
	if ahead := d.get("workload.read_ahead"); ahead.has() {
		s.ReadAhead = units.Bytes(ahead.whole)
	}
	return s
}

// lowerStorage says how large messages are, requests or replies, and how many are in flight: twice
// the requests, as acknowledgements may be late.
func lowerStorage(d, into *draft) {
	size, operation := d.get("workload.size"), d.get("workload.operation")
	queues, pages, count := d.get("workload.queues"), d.get("workload.pages"), d.get("message.count")
	into.says("message.size", func() int64 {
		s := d.storage()
		request, reply := s.Ways()
		return int64(max(request, reply))
	}, size, operation)
	into.says("message.in_flight", func() int64 {
		s := d.storage()
		requests := min(count.whole, int64(s.Requests(int(count.whole))))
		return max(1, min(requests, 2*int64(s.InFlight())))
	}, queues, pages, count, size, operation)
}

func checkStorage(d *draft, f *faults) {
	size, ahead := d.get("workload.size"), d.get("workload.read_ahead")
	operation, depth := d.get("workload.operation"), d.get("workload.depth")
	if by := d.get("submission.by"); by.has() && by.text != spec.SubmitNone {
		f.blame("goes with messages of a GPU, not with file operations of a host", nil, by)
	}
	if qps := d.get("nic.qps"); qps.has() && qps.whole > 1 {
		f.blame("must be 1 with workload.kind storage, which has a connection each way", nil, qps)
	}
	if arrival := d.get("message.arrival.model"); depth.wrote() && arrival.has() &&
		arrival.text != spec.ArrivalAllAtOnce {
		f.blame("goes with operations that follow each other, not with message.arrival", nil, depth,
			arrival)
	}
	if pages := d.get("workload.pages"); usable(size, operation, pages) {
		if s := d.storage(); s.Places() == 0 {
			f.blame("a queue of %d pages does not hold one request", []any{pages.whole}, pages, size)
		}
	}
	if !usable(ahead, size, operation) {
		return
	}
	if operation.text != storage.Read {
		f.blame("goes with workload.operation read", nil, ahead, operation)
	}
	if spec.ReadUnit%units.Bytes(size.whole) != 0 || size.whole > int64(storage.MaxRequest) {
		f.blame("where the client reads ahead it must divide 1MiB and be at most 128KiB", nil, size,
			ahead)
	}
}

func buildStorage(d *draft, p *spec.Point) { p.Storage = d.storage() }
