package scenarios

import (
	"slices"

	"sdrsim/internal/portable"
	"sdrsim/internal/spec"
)

// tilts are the factors by which samples exaggerate the loss of data, in turn; none for plain
// samples, and none where there is nothing to exaggerate.
func (d point) tilts(l spec.Loss) []float64 {
	tilt, levels := d.get("acceleration.tilt"), d.get("acceleration.levels")
	if tilt.number <= 1 || l.Model != spec.LossIID || l.P == 0 {
		return nil
	}
	list := make([]float64, levels.whole)
	for i := range list {
		list[i] = portable.Pow(tilt.number, float64(i))
	}
	return list
}

// needsIID is what is wrong where losses come in another way.
const needsIID = "goes with losses that are independent, model iid, and %s is %s"

// checkAcceleration wants losses whose likelihood is known, and one message, so that a sample has
// one weight and one time.
func checkAcceleration(d point, f *faults) {
	tilt, levels := d.get("acceleration.tilt"), d.get("acceleration.levels")
	if levels.wrote() && tilt.has() && !tilt.wrote() {
		f.blame("goes with acceleration.tilt, without which samples are plain ones", nil, levels)
	}
	how := d.get("acceleration.sampling")
	if !usable(tilt, how) {
		return
	}
	tilted := tilt.number > 1
	if tilted && how.wrote() && how.text != spec.SamplingTilt {
		f.blame("exaggerates losses, which goes with "+spec.SamplingTilt+" only", nil, tilt, how)
		return
	}
	switch {
	case tilted:
		how = tilt
	case how.text == spec.SamplingAuto || how.text == spec.SamplingNone:
		return
	}
	model, p, count := d.get("link.loss.model"), d.get("link.loss.p"), d.get("message.count")
	back := d.get("link.ack_loss.model")
	switch {
	case model.has() && model.text != spec.LossIID && model.text != spec.LossNone:
		f.blame(needsIID, []any{"link.loss", model.text}, how, model)
	case p.has() && p.number > 0.5:
		f.blame("goes with a loss of at most 0.5: plain samples serve such a link", nil, how, p)
	case count.has() && count.whole != 1:
		f.blame("goes with one message, not with a stream of %d", []any{count.whole}, how, count)
	case d.get("nic.qps").has() && d.get("nic.qps").whole != 1:
		f.blame("goes with one message, not with one of each of %d connections",
			[]any{d.get("nic.qps").whole}, how, d.get("nic.qps"))
	case d.ring():
		f.blame("goes with one message, not with a collective", nil, how)
	case d.pathCount() > 0 || d.get("link.jitter.model").text != spec.JitterNone:
		f.blame("goes with one path without jitter, where nothing but losses is left to chance",
			nil, how, d.get("link.jitter.model"))
	case len(d.events) > 0:
		f.blame("goes with a link that nothing happens to, without outages and changes", nil, how)
	case d.get("message.size.model").has() && d.get("message.size.model").text != spec.SizeFixed:
		f.blame("goes with messages of one size", nil, how, d.get("message.size.model"))
	case !tilted && slices.Contains([]string{spec.LossGilbertElliott, spec.LossScript,
		spec.LossTraced}, back.text):
		f.blame(needsIID, []any{"link.ack_loss", back.text}, how, back)
	}
}
