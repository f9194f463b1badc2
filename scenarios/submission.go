package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/units"
)

// slotNone is a bus that is no limit.
const slotNone = "none"

// slotNames are the choices of submission.pcie.
var slotNames = func() []string {
	names := []string{slotNone}
	for _, s := range spec.PCIeSlots {
		names = append(names, s.Name)
	}
	return names
}()

const (
	throughGPUDirect = "gpudirect"
	throughBounce    = "bounce"
)

var submissionKeys = []Key{
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
		Choices: []string{throughGPUDirect, throughBounce},
		Doc: "where the NIC reads and writes: in GPU memory, or in host memory, through which every " +
			"message is copied"},
	{Path: "submission.pcie", Kind: schemes.KindChoice, Default: slotNone, Choices: slotNames,
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

// submission builds what it costs to start messages, of a draft that has been checked.
func (d *draft) submission() spec.Submission {
	s := spec.SubmissionOf(d.get("submission.by").text)
	if s.By == spec.SubmitNone {
		return spec.Submission{}
	}
	if start := d.get("submission.start"); start.has() {
		s.Start = units.Duration(start.whole)
	}
	if completion := d.get("submission.completion"); completion.has() {
		s.Done = spec.DoneBy(completion.text)
	}
	if done := d.get("submission.done"); done.has() {
		s.Done = units.Duration(done.whole)
	}
	if rate := d.get("submission.rate"); rate.has() {
		s.Interval = spec.IntervalOf(rate.number)
	}
	if most := d.get("submission.outstanding"); most.has() {
		s.Outstanding = int(most.whole)
	}
	for _, slot := range spec.PCIeSlots {
		if slot.Name == d.get("submission.pcie").text {
			s.PCIe = slot
		}
	}
	s.Bounce = d.get("submission.memory").text == throughBounce
	s.When, s.Register = d.get("submission.registration").text, d.duration("submission.register")
	if region := d.get("submission.mtt.region"); region.has() {
		s.MTT = spec.MTT{Region: units.Bytes(region.whole), Page: d.bytes("submission.mtt.page"),
			Size: d.bytes("submission.mtt.size"), Miss: d.duration("submission.mtt.miss")}
	}
	return s
}

// checkSubmission wants a bus for copies to pass, and all messages inside the clock.
func checkSubmission(d *draft, f *faults) {
	by, memory, slot := d.get("submission.by"), d.get("submission.memory"), d.get("submission.pcie")
	if !by.has() || by.text == spec.SubmitNone {
		return
	}
	checkPlain(d, by, f)
	if memory.text == throughBounce && slot.text == slotNone {
		f.blame("copies pass a bus: needs submission.pcie", nil, memory, slot)
	}
	rate, count := d.get("submission.rate"), d.get("message.count")
	if usable(rate, count) && float64(d.turns())/rate.number > maxSendSeconds {
		f.blame("%d messages at that rate take more than 11 days of simulated time, the most that "+
			"there is", []any{d.turns()}, rate, count)
	}
	if page, region := d.get("submission.mtt.page"), d.get("submission.mtt.region"); usable(page,
		region) && page.whole > region.whole {
		f.blame("a page of %v is larger than submission.mtt.region %v",
			[]any{units.Bytes(page.whole), units.Bytes(region.whole)}, page, region)
	}
}

// submissionUse is checked once: what starting a message costs must be asked for by some point.
func (d *decoder) submissionUse(axes []Axis) {
	ways := d.textsOf("submission.by", axes)
	if len(ways) != 1 || ways[0] != spec.SubmitNone {
		return
	}
	for i := range submissionKeys {
		path := submissionKeys[i].Path
		if s := d.draft.get(path); path != "submission.by" && s.wrote() {
			d.f.blame("goes with submission.by, which is "+spec.SubmitNone, nil, s)
		}
	}
}
