package scenarios

import "sdrsim/internal/portable"

// tilts are the factors by which samples exaggerate the loss of data, in turn; none for plain
// samples, and none where there is nothing to exaggerate.
func (d *draft) tilts(l Loss) []float64 {
	tilt, levels := d.get("acceleration.tilt"), d.get("acceleration.levels")
	if tilt.number <= 1 || l.Model != LossIID || l.P == 0 {
		return nil
	}
	list := make([]float64, levels.whole)
	for i := range list {
		list[i] = portable.Pow(tilt.number, float64(i))
	}
	return list
}

// checkAcceleration wants losses whose likelihood is known, and one message, so that a sample has
// one weight and one time.
func checkAcceleration(d *draft, f *faults) {
	tilt, levels := d.get("acceleration.tilt"), d.get("acceleration.levels")
	if levels.wrote() && tilt.has() && !tilt.wrote() {
		f.blame("goes with acceleration.tilt, without which samples are plain ones", nil, levels)
	}
	how := d.get("acceleration.sampling")
	if !usable(tilt, how) {
		return
	}
	tilted := tilt.number > 1
	if tilted && how.wrote() && how.text != SamplingTilt {
		f.blame("exaggerates losses, which goes with "+SamplingTilt+" only", nil, tilt, how)
		return
	}
	switch {
	case tilted:
		how = tilt
	case how.text == SamplingAuto || how.text == SamplingNone:
		return
	}
	const advice = "acceleration of the tail goes with iid losses of at most 0.5, one message of " +
		"one size, no collective, and no outages or changes of the link"
	model, p, count := d.get("link.loss.model"), d.get("link.loss.p"), d.get("message.count")
	back := d.get("link.ack_loss.model")
	switch {
	case model.has() && model.text != LossIID && model.text != LossNone:
		f.blame(advice, nil, how, model)
	case p.has() && p.number > 0.5:
		f.blame(advice, nil, how, p)
	case count.has() && count.whole != 1:
		f.blame(advice, nil, how, count)
	case d.ring() || len(d.events) > 0:
		f.blame(advice, nil, how)
	case d.get("message.size.model").has() && d.get("message.size.model").text != SizeFixed:
		f.blame(advice, nil, how, d.get("message.size.model"))
	case !tilted && (back.text == LossGilbertElliott || back.text == LossScript):
		f.blame(advice, nil, how, back)
	}
}
