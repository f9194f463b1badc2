package rules

import (
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// submission builds what it costs to start messages, of a draft that has been checked.
func (d point) submission() spec.Submission {
	s := spec.SubmissionOf(d.Get("submission.by").Text)
	if s.By == spec.SubmitNone {
		return spec.Submission{}
	}
	if start := d.Get("submission.start"); start.Has() {
		s.Start = units.Duration(start.Whole)
	}
	if completion := d.Get("submission.completion"); completion.Has() {
		s.Done = spec.DoneBy(completion.Text)
	}
	if done := d.Get("submission.done"); done.Has() {
		s.Done = units.Duration(done.Whole)
	}
	if rate := d.Get("submission.rate"); rate.Has() {
		s.Interval = spec.IntervalOf(rate.Number)
	}
	if most := d.Get("submission.outstanding"); most.Has() {
		s.Outstanding = int(most.Whole)
	}
	for _, slot := range spec.PCIeSlots {
		if slot.Name == d.Get("submission.pcie").Text {
			s.PCIe = slot
		}
	}
	s.Bounce = d.Get("submission.memory").Text == keys.ThroughBounce
	s.When, s.Register = d.Get("submission.registration").Text, d.duration("submission.register")
	if region := d.Get("submission.mtt.region"); region.Has() {
		s.MTT = spec.MTT{Region: units.Bytes(region.Whole), Page: d.bytes("submission.mtt.page"),
			Size: d.bytes("submission.mtt.size"), Miss: d.duration("submission.mtt.miss")}
	}
	return s
}

// checkSubmission wants a bus for copies to pass, and all messages inside the clock.
func checkSubmission(d point, f *format.Faults) {
	by, memory, slot := d.Get("submission.by"), d.Get("submission.memory"), d.Get("submission.pcie")
	if !by.Has() || by.Text == spec.SubmitNone {
		return
	}
	checkPlain(d, by, f)
	if memory.Text == keys.ThroughBounce && slot.Text == keys.SlotNone {
		f.Blame("copies pass a bus: needs submission.pcie", nil, memory, slot)
	}
	rate, count := d.Get("submission.rate"), d.Get("message.count")
	if keys.Usable(rate, count) && float64(d.turns())/rate.Number > keys.MaxSendSeconds {
		f.Blame("%d messages at that rate take more than 11 days of simulated time, the most that "+
			"there is", []any{d.turns()}, rate, count)
	}
	if page, region := d.Get("submission.mtt.page"), d.Get("submission.mtt.region"); keys.Usable(page,
		region) && page.Whole > region.Whole {
		f.Blame("a page of %v is larger than submission.mtt.region %v",
			[]any{units.Bytes(page.Whole), units.Bytes(region.Whole)}, page, region)
	}
}

// submissionUse is checked once: what starting a message costs must be asked for by some point.
func submissionUse(d *draft.Decoder, axes []axes.Axis) {
	ways := textsOf(d, "submission.by", axes)
	if len(ways) != 1 || ways[0] != spec.SubmitNone {
		return
	}
	for i := range keys.SubmissionKeys {
		path := keys.SubmissionKeys[i].Path
		if s := d.Draft.Get(path); path != "submission.by" && s.Wrote() {
			d.Faults.Blame("goes with submission.by, which is "+spec.SubmitNone, nil, s)
		}
	}
}
