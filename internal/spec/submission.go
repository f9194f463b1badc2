package spec

import (
	"math"

	"sdrsim/units"
)

// Ways of starting an operation from a GPU.
const (
	SubmitNone  = "none"  // it costs nothing
	SubmitCPU   = "cpu"   // a thread of the CPU posts the work request: GPUDirect RDMA
	SubmitIBGDA = "ibgda" // threads of the GPU assemble the work request and ring the doorbell
	SubmitToken = "token" // the GPU writes 8 bytes, from which the NIC rebuilds the request
)

// Ways in which the GPU learns that an operation is complete.
const (
	CompleteByCPU  = "cpu"  // a thread of the CPU polls, and sets a flag for the GPU
	CompleteByCQ   = "cq"   // threads of the GPU poll the completion queue in its memory
	CompleteByFlag = "flag" // the NIC writes a flag in order behind the data
)

// When memory is registered.
const (
	RegisterBefore = "before" // before the sample
	RegisterOnce   = "once"   // with the first message
	RegisterEach   = "each"   // with every message
)

// Submission is what it costs an application to start a message and to learn that it is complete,
// beside what its network takes. By is SubmitNone where it costs nothing.
type Submission struct {
	By string
	// Start is from the decision to send until the NIC sends the first bit, Done from the arrival of
	// the last acknowledgement until the application knows.
	Start, Done units.Duration
	// Interval is the least time from one submission to the next; 0: it is not known to be bounded.
	Interval units.Duration
	// Outstanding is how many messages may be submitted and not known to be complete; 0: as many as
	// may be in flight.
	Outstanding int
	// PCIe is the slot of the NIC; without one the bus is no limit.
	PCIe PCIe
	// Bounce is a copy of every message through host memory, on either side.
	Bounce bool
	// Register is what registering memory takes, besides a part that grows with its size; When is
	// one of the constants above.
	Register units.Duration
	When     string
	MTT      MTT
}

// Costs by default, of a 200 Gbit/s NIC looped back beside a GPU. The sum of start and completion
// is what was measured from the decision in a kernel until it knows, of 8 bytes: 5.44 us by a CPU
// proxy, 12.6 us by put and quiet of one thread with IBGDA; of a token 5.40 us is the sum of what
// was measured of its parts. 2.64 us of the start are a posted write until its data is visible.
const (
	cpuStart   = 3260 * units.Nanosecond
	ibgdaStart = 6710 * units.Nanosecond // 3.07 to post, 1.0 to fetch the request
	tokenStart = 3220 * units.Nanosecond // 0.58 to store and fence

	cpuDone  = 2180 * units.Nanosecond
	cqDone   = 5890 * units.Nanosecond
	flagDone = 2180 * units.Nanosecond
)

// SubmissionOf is a way with its default costs; none for SubmitNone. How many tokens a NIC takes in
// a second is not known.
func SubmissionOf(by string) Submission {
	s := Submission{By: by, When: RegisterBefore}
	switch by {
	case SubmitCPU:
		s.Start, s.Done, s.Interval = cpuStart, cpuDone, IntervalOf(2.5e6)
	case SubmitIBGDA:
		s.Start, s.Done, s.Interval = ibgdaStart, cqDone, IntervalOf(12.7e6)
		s.Outstanding = 1024 // a queue of NVSHMEM
	case SubmitToken:
		s.Start, s.Done = tokenStart, flagDone
		s.Outstanding = 32768 // of OpenRDMA's public driver
	}
	return s
}

// DoneBy is what a way of learning of completions takes.
func DoneBy(completion string) units.Duration {
	switch completion {
	case CompleteByCQ:
		return cqDone
	case CompleteByFlag:
		return flagDone
	}
	return cpuDone
}

// IntervalOf is the time between operations of a rate a second.
func IntervalOf(rate float64) units.Duration {
	return units.Duration(math.Round(float64(units.Second) / rate))
}

// PCIe is a slot: what a NIC writes and reads in it, in payloads of 256 bytes.
type PCIe struct {
	Name          string
	Written, Read units.Rate
}

// PCIeSlots are the slots, as pcie-bench's model has their rates.
var PCIeSlots = []PCIe{
	{"gen3-x16", 104 * units.Gbps, 105 * units.Gbps},
	{"gen4-x16", 208 * units.Gbps, 211 * units.Gbps},
	{"gen5-x8", 212 * units.Gbps, 215 * units.Gbps},
	{"gen5-x16", 416 * units.Gbps, 422 * units.Gbps},
}

// bounceCost is what a copy through host memory takes besides its bytes.
const bounceCost = 4600 * units.Nanosecond

// CopyTime is how long a message takes through host memory at a rate of the bus.
func CopyTime(size units.Bytes, rate units.Rate) units.Duration {
	return bounceCost + rate.TransmitTime(size)
}

// registerPerByte is the part of registration that grows with the region, in picoseconds. UCX has
// 16 us + 0.06 ns a byte.
const registerPerByte = 60

// RegisterTime is how long it takes to register a region.
func (s *Submission) RegisterTime(size units.Bytes) units.Duration {
	return s.Register + registerPerByte*units.Duration(size)
}

// MTT is the cache of the NIC for translations of addresses. A Region of 0 is one whose
// translations are all there.
type MTT struct {
	// Region is the memory over which messages are spread at random, in pages of Page; Size is what
	// the cache holds, at 8 bytes a page; Miss is what fetching one takes.
	Region, Page, Size units.Bytes
	Miss               units.Duration
}

// entryBytes is the size of a translation.
const entryBytes = 8

// MissShare is the part of the pages whose translation is not in the cache, where all of a region
// are as likely to be used.
func (m *MTT) MissShare() float64 {
	if m.Region == 0 {
		return 0
	}
	entries := entryBytes * units.CeilDiv(m.Region, m.Page)
	return max(0, 1-float64(m.Size)/float64(entries))
}

// Pages is how many pages a message touches that begins with one.
func (m *MTT) Pages(size units.Bytes) int64 { return int64(units.CeilDiv(size, m.Page)) }

// Submits reports whether starting messages costs something.
func (p *Point) Submits() bool { return p.Submission.By != "" && p.Submission.By != SubmitNone }

// OnBus is the point with links that are no faster than the slots of its NICs. Headers are made by
// the NIC and do not pass the bus.
func (p *Point) OnBus() *Point {
	slot := p.Submission.PCIe
	if !p.Submits() || slot.Written == 0 {
		return p
	}
	limited := *p
	limit := func(rate units.Rate) units.Rate {
		wire := float64(slot.Written) * float64(p.Link.MTU+p.Link.Overhead) / float64(p.Link.MTU)
		return min(rate, units.Rate(math.Round(wire)))
	}
	onBus := func(l Link) Link {
		l.Bandwidth = limit(l.Bandwidth)
		l.Changes = append([]Change(nil), l.Changes...)
		for i := range l.Changes {
			l.Changes[i].Bandwidth = limit(l.Changes[i].Bandwidth)
		}
		return l
	}
	if p.Network.Kind != "" { // the link is that between the borders
		limited.Network.Access.Bandwidth = limit(p.Network.Access.Bandwidth)
		return &limited
	}
	limited.Link = onBus(p.Link)
	limited.Collective.Hops = append([]Link(nil), p.Collective.Hops...)
	for i := range limited.Collective.Hops {
		limited.Collective.Hops[i] = onBus(limited.Collective.Hops[i])
	}
	return &limited
}
