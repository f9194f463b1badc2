package scenarios

import "sdrsim/sim/portable"

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
	if !tilt.has() || tilt.number <= 1 {
		return
	}
	const advice = "acceleration of the tail goes with iid losses of at most 0.5, one message of " +
		"one size and no collective"
	model, p, count := d.get("link.loss.model"), d.get("link.loss.p"), d.get("message.count")
	switch {
	case model.has() && model.text != LossIID && model.text != LossNone:
		f.blame(advice, nil, tilt, model)
	case p.has() && p.number > 0.5:
		f.blame(advice, nil, tilt, p)
	case count.has() && count.whole != 1:
		f.blame(advice, nil, tilt, count)
	case d.ring():
		f.blame(advice, nil, tilt)
	case d.get("message.size.model").has() && d.get("message.size.model").text != SizeFixed:
		f.blame(advice, nil, tilt, d.get("message.size.model"))
	}
}
