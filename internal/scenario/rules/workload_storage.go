package rules

import (
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/internal/storage"
	"sdrsim/units"
)

// storage builds the file operations of a draft whose settings have values.
func (d point) storage() spec.Storage {
	s := spec.Storage{
		Operation: d.Get("workload.operation").Text, Size: d.bytes("workload.size"),
		Depth: d.count("workload.depth"), Queues: d.count("workload.queues"),
		Pages: d.count("workload.pages"), Station: d.duration("workload.station"),
		HostCPU: d.duration("workload.host_cpu"),
	}
	if ahead := d.Get("workload.read_ahead"); ahead.Has() {
		s.ReadAhead = units.Bytes(ahead.Whole)
	}
	return s
}

// lowerStorage says how large messages are, requests or replies, and how many are in flight: twice
// the requests, as acknowledgements may be late.
func lowerStorage(d, into point) {
	size, operation := d.Get("workload.size"), d.Get("workload.operation")
	queues, pages, count := d.Get("workload.queues"), d.Get("workload.pages"), d.Get("message.count")
	into.says("message.size", func() int64 {
		s := d.storage()
		request, reply := s.Ways()
		return int64(max(request, reply))
	}, size, operation)
	into.says("message.in_flight", func() int64 {
		s := d.storage()
		requests := min(count.Whole, int64(s.Requests(int(count.Whole))))
		return max(1, min(requests, 2*int64(s.InFlight())))
	}, queues, pages, count, size, operation)
}

func checkStorage(d point, f *format.Faults) {
	size, ahead := d.Get("workload.size"), d.Get("workload.read_ahead")
	operation, depth := d.Get("workload.operation"), d.Get("workload.depth")
	if by := d.Get("submission.by"); by.Has() && by.Text != spec.SubmitNone {
		f.Blame("goes with messages of a GPU, not with file operations of a host", nil, by)
	}
	if qps := d.Get("nic.qps"); qps.Has() && qps.Whole > 1 {
		f.Blame("must be 1 with workload.kind storage, which has a connection each way", nil, qps)
	}
	if arrival := d.Get("message.arrival.model"); depth.Wrote() && arrival.Has() &&
		arrival.Text != spec.ArrivalAllAtOnce {
		f.Blame("goes with operations that follow each other, not with message.arrival", nil, depth,
			arrival)
	}
	if pages := d.Get("workload.pages"); keys.Usable(size, operation, pages) {
		if s := d.storage(); s.Places() == 0 {
			f.Blame("a queue of %d pages does not hold one request", []any{pages.Whole}, pages, size)
		}
	}
	if !keys.Usable(ahead, size, operation) {
		return
	}
	if operation.Text != storage.Read {
		f.Blame("goes with workload.operation read", nil, ahead, operation)
	}
	if spec.ReadUnit%units.Bytes(size.Whole) != 0 || size.Whole > int64(storage.MaxRequest) {
		f.Blame("where the client reads ahead it must divide 1MiB and be at most 128KiB", nil, size,
			ahead)
	}
}

func buildStorage(d point, p *spec.Point) { p.Storage = d.storage() }
