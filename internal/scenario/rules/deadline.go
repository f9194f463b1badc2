package rules

import (
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// deadline is that of messages; 0 where there is none.
func (d point) deadline() units.Duration { return units.Duration(d.Get("message.deadline").Whole) }

// checkDeadline wants samples that can be counted: each for one.
func checkDeadline(d point, f *format.Faults) {
	if deadline := d.Get("message.deadline"); deadline.Has() {
		checkPlain(d, deadline, f)
	}
}

// checkPlain wants samples that meet losses as they come, beside a setting that needs those.
func checkPlain(d point, beside *keys.Setting, f *format.Faults) {
	tilt, how := d.Get("acceleration.tilt"), d.Get("acceleration.sampling")
	refusal := "does not go with " + beside.Name + ": samples must meet losses as they come"
	if how.Text == spec.SamplingStrata || how.Text == spec.SamplingTilt {
		f.Blame(refusal, nil, how, beside)
	}
	if tilt.Has() && tilt.Number > 1 {
		f.Blame(refusal, nil, tilt, beside)
	}
}
