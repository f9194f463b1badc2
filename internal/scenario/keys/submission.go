package keys

import (
	"sdrsim/internal/spec"
	"sdrsim/schemes"
)

// SlotNone is a bus that is no limit.
const SlotNone = "none"

// slotNames are the choices of submission.pcie.
var slotNames = func() []string {
	names := []string{SlotNone}
	for _, s := range spec.PCIeSlots {
		names = append(names, s.Name)
	}
	return names
}()

const (
	throughGPUDirect = "gpudirect"
	// ThroughBounce is memory of the host, through which every message is copied.
	ThroughBounce = "bounce"
)

// SubmissionKeys are those below submission.
var SubmissionKeys = []Key{
	{Path: "submission.by", Kind: schemes.KindChoice, Default: spec.SubmitNone,
		Choices: []string{spec.SubmitNone, spec.SubmitCPU, spec.SubmitIBGDA, spec.SubmitToken},
		Doc: "how a GPU starts a message: at no cost, by a thread of the CPU, by a work request that " +
			"its threads assemble, or by a token of 8 bytes"},
	{Path: "submission.start", Kind: KindDuration, Max: 1,
		Doc: "from the decision to send to the first bit; default: cpu 3.26us, ibgda 6.71us, token " +
			"3.22us"},
	{Path: "submission.completion", Kind: schemes.KindChoice,
		Choices: []string{spec.CompleteByCPU, spec.CompleteByCQ, spec.CompleteByFlag},
		Doc: "how the GPU learns that a message is complete: from the CPU, from a queue in its memory, " +
			"from a flag behind the data; default: cpu, ibgda cq, token flag"},
	{Path: "submission.done", Kind: KindDuration, Max: 1,
		Doc: "from the acknowledgement until the GPU knows; default: cpu 2.18us, cq 5.89us, flag 2.18us"},
	{Path: "submission.rate", Kind: schemes.KindNumber, Min: 1e-3, Max: 1e12,
		Doc: "messages that can be started in a second; default: cpu 2.5e6, ibgda 12.7e6, token not " +
			"known and not bounded"},
	{Path: "submission.outstanding", Kind: schemes.KindCount, Min: 1, Max: 1 << 20,
		Doc: "messages started and not known to be complete, beside message.in_flight; default: ibgda " +
			"1024, token 32768"},
	{Path: "submission.memory", Kind: schemes.KindChoice, Default: throughGPUDirect,
		Choices: []string{throughGPUDirect, ThroughBounce},
		Doc: "where the NIC reads and writes: in GPU memory, or in host memory, through which every " +
			"message is copied"},
	{Path: "submission.pcie", Kind: schemes.KindChoice, Default: SlotNone, Choices: slotNames,
		Doc: "slot of the NIC, of 104, 208, 212 and 416 Gbit/s; none: the bus is no limit"},
	{Path: "submission.registration", Kind: schemes.KindChoice, Default: spec.RegisterBefore,
		Choices: []string{spec.RegisterBefore, spec.RegisterOnce, spec.RegisterEach},
		Doc:     "when memory is registered: before the sample, with its first message, with each"},
	{Path: "submission.register", Kind: KindDuration, Default: "16us", Max: 1,
		Doc: "what registering takes, beside 0.06 ns a byte"},
	{Path: "submission.mtt.region", Kind: schemes.KindBytes, Min: 1, Max: 1 << 50,
		Doc: "memory over which messages are spread at random; without it the NIC has all " +
			"translations"},
	{Path: "submission.mtt.page", Kind: schemes.KindBytes, Default: "4KiB", Min: 4096, Max: 1 << 30,
		Doc: "size of a page, which takes a translation of 8 bytes"},
	{Path: "submission.mtt.size", Kind: schemes.KindBytes, Default: "2MiB", Max: 1 << 40,
		Doc: "what the NIC keeps of translations"},
	{Path: "submission.mtt.miss", Kind: KindDuration, Default: "1us", Max: 1,
		Doc: "what it takes to fetch a translation, one after the other; not known, about one fetch " +
			"over the bus"},
}

var deadlineKeys = []Key{
	{Path: "message.deadline", Kind: KindDuration, Min: 1e-12, Max: MaxSendSeconds,
		Doc: "latency up to which a message is in time; without it nobody counts"},
}
