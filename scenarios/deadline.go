package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

var deadlineKeys = []Key{
	{Path: "message.deadline", Kind: KindDuration, Min: 1e-12, Max: maxSendSeconds,
		Doc: "latency up to which a message is in time; without it nobody counts"},
}

// deadline is that of messages; 0 where there is none.
func (d *draft) deadline() units.Duration { return units.Duration(d.get("message.deadline").whole) }

// checkDeadline wants samples that can be counted: each for one.
func checkDeadline(d *draft, f *faults) {
	if deadline := d.get("message.deadline"); deadline.has() {
		checkPlain(d, deadline, f)
	}
}

// checkPlain wants samples that meet losses as they come, beside a setting that needs those.
func checkPlain(d *draft, beside *setting, f *faults) {
	tilt, how := d.get("acceleration.tilt"), d.get("acceleration.sampling")
	refusal := "does not go with " + beside.name + ": samples must meet losses as they come"
	if how.text == spec.SamplingStrata || how.text == spec.SamplingTilt {
		f.blame(refusal, nil, how, beside)
	}
	if tilt.has() && tilt.number > 1 {
		f.blame(refusal, nil, tilt, beside)
	}
}
