package rules

import (
	"slices"

	"sdrsim/internal/portable"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
)

// tilts are the factors by which samples exaggerate the loss of data, in turn; none for plain
// samples, and none where there is nothing to exaggerate.
func (d point) tilts(l spec.Loss) []float64 {
	tilt, levels := d.Get("acceleration.tilt"), d.Get("acceleration.levels")
	if tilt.Number <= 1 || l.Model != spec.LossIID || l.P == 0 {
		return nil
	}
	list := make([]float64, levels.Whole)
	for i := range list {
		list[i] = portable.Pow(tilt.Number, float64(i))
	}
	return list
}

// needsIID is what is wrong where losses come in another way.
const needsIID = "goes with losses that are independent, model iid, and %s is %s"

// checkAcceleration wants losses whose likelihood is known, and one message, so that a sample has
// one weight and one time.
func checkAcceleration(d point, f *format.Faults) {
	tilt, levels := d.Get("acceleration.tilt"), d.Get("acceleration.levels")
	if levels.Wrote() && tilt.Has() && !tilt.Wrote() {
		f.Blame("goes with acceleration.tilt, without which samples are plain ones", nil, levels)
	}
	how := d.Get("acceleration.sampling")
	if !keys.Usable(tilt, how) {
		return
	}
	tilted := tilt.Number > 1
	if tilted && how.Wrote() && how.Text != spec.SamplingTilt {
		f.Blame("exaggerates losses, which goes with "+spec.SamplingTilt+" only", nil, tilt, how)
		return
	}
	switch {
	case tilted:
		how = tilt
	case how.Text == spec.SamplingAuto || how.Text == spec.SamplingNone:
		return
	}
	model, p, count := d.Get("link.loss.model"), d.Get("link.loss.p"), d.Get("message.count")
	back := d.Get("link.ack_loss.model")
	switch {
	case model.Has() && model.Text != spec.LossIID && model.Text != spec.LossNone:
		f.Blame(needsIID, []any{"link.loss", model.Text}, how, model)
	case p.Has() && p.Number > 0.5:
		f.Blame("goes with a loss of at most 0.5: plain samples serve such a link", nil, how, p)
	case count.Has() && count.Whole != 1:
		f.Blame("goes with one message, not with a stream of %d", []any{count.Whole}, how, count)
	case d.Get("nic.qps").Has() && d.Get("nic.qps").Whole != 1:
		f.Blame("goes with one message, not with one of each of %d connections",
			[]any{d.Get("nic.qps").Whole}, how, d.Get("nic.qps"))
	case d.Ring():
		f.Blame("goes with one message, not with a collective", nil, how)
	case d.pathCount() > 0 || d.Get("link.jitter.model").Text != spec.JitterNone:
		f.Blame("goes with one path without jitter, where nothing but losses is left to chance",
			nil, how, d.Get("link.jitter.model"))
	case len(d.Events) > 0:
		f.Blame("goes with a link that nothing happens to, without outages and changes", nil, how)
	case d.Get("message.size.model").Has() && d.Get("message.size.model").Text != spec.SizeFixed:
		f.Blame("goes with messages of one size", nil, how, d.Get("message.size.model"))
	case !tilted && slices.Contains([]string{spec.LossGilbertElliott, spec.LossScript,
		spec.LossTraced}, back.Text):
		f.Blame(needsIID, []any{"link.ack_loss", back.Text}, how, back)
	}
}
