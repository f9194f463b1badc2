package scenarios

import (
	"math"
	"slices"
	"strings"

	"sdrsim/internal/portable"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// lossPrefixes are the two loss models of a point.
var lossPrefixes = []string{"link.loss", "link.ack_loss"}

// modelKeys are the keys that each loss model may have. `same` and `none` have none.
var modelKeys = map[string][]string{
	spec.LossIID:            {"per", "p"},
	spec.LossGilbertElliott: {"per", "p", "r", "h", "k", "mean", "burst", "gap"},
	spec.LossScript:         {"per", "drops"},
	spec.LossTraced:         {"per", "file"},
}

// lossUse is checked once: a parameter must be used by a model that some point has, since a sweep
// over models keeps the parameters of all of them in one place.
func lossUse(d *decoder, axes []Axis) {
	for _, prefix := range lossPrefixes {
		model := d.draft.get(prefix + ".model")
		models := []string{model.text}
		for i := range axes {
			if axes[i].Path == model.name {
				models = axes[i].texts()
			}
		}
		if model.state == broken {
			continue
		}
		unusedLossKeys(d, d.draft.block, prefix, models)
		for i := range d.draft.events {
			if e := &d.draft.events[i]; prefix == "link.loss" && e.lookup("loss.model") != nil {
				eventLossUse(d, e, axes)
			}
		}
		unusedDrops(d, d.draft.dropsAt[prefix+".drops"], prefix+".drops", models)
		for _, h := range d.draft.hops {
			hopLossUse(d, h, prefix, models)
		}
	}
}

// eventLossUse checks the loss of a change.
func eventLossUse(d *decoder, e *eventDraft, axes []Axis) {
	model := e.get("loss.model")
	models := []string{model.text}
	for i := range axes {
		if axes[i].Path == model.name {
			models = axes[i].texts()
		}
	}
	if model.has() {
		unusedLossKeys(d, e.block, "loss", models)
	}
}

// hopLossUse checks the loss of a hop, whose model is that of the link unless it names another.
func hopLossUse(d *decoder, h *hopDraft, prefix string, models []string) {
	name := strings.TrimPrefix(prefix, "link.")
	switch model := h.get(name + ".model"); {
	case model.state == broken:
		return
	case model.has():
		models = []string{model.text}
	}
	unusedLossKeys(d, h.block, name, models)
	unusedDrops(d, h.dropsAt[name+".drops"], joinPath(h.path, name+".drops"), models)
}

// unusedLossKeys reports the keys of a loss model that none of the models has.
func unusedLossKeys(d *decoder, b block, prefix string, models []string) {
	for _, key := range append(slices.Clip(modelKeys[spec.LossGilbertElliott]), "file") {
		s := b.lookup(prefix + "." + key)
		if s != nil && s.wrote() && !anyHas(models, key) {
			d.f.blame("is not a parameter of the loss model, which is "+
				strings.Join(models, ", "), nil, s)
		}
	}
}

// unusedDrops reports a script of losses that none of the models takes.
func unusedDrops(d *decoder, at pos, key string, models []string) {
	if at != (pos{}) && !anyHas(models, "drops") {
		d.f.add(at, "is not a parameter of the loss model, which is "+strings.Join(models, ", "),
			Error{Key: key})
	}
}

// anyHas reports whether one of the models has the parameter.
func anyHas(models []string, key string) bool {
	return slices.ContainsFunc(models, func(m string) bool {
		return slices.Contains(modelKeys[m], key)
	})
}

func checkLoss(d point, f *faults)    { checkModel(d, "link.loss", f) }
func checkAckLoss(d point, f *faults) { checkModel(d, "link.ack_loss", f) }

// checkModel wants the parameters that a loss model needs.
func checkModel(d point, prefix string, f *faults) {
	model := d.get(prefix + ".model")
	if !model.has() {
		return
	}
	if model.text == spec.LossScript {
		if _, ok := d.dropsAt[prefix+".drops"]; !ok {
			f.blame("the model needs drops", nil, model)
		}
	}
	checkParameters(&d.block, prefix, f)
}

// checkParameters wants the parameters that are words.
func checkParameters(d *block, prefix string, f *faults) {
	switch d.get(prefix + ".model").text {
	case spec.LossIID:
		needs(d, prefix, f, "p")
	case spec.LossGilbertElliott:
		checkGilbertElliott(d, prefix, f)
	case spec.LossTraced:
		needs(d, prefix, f, "file")
	}
}

// needs reports parameters that the model has to have.
func needs(d *block, prefix string, f *faults, wanted ...string) {
	for _, key := range wanted {
		if d.get(prefix+"."+key).state == absent {
			f.blame("the model needs "+key, nil, d.get(prefix+".model"))
		}
	}
}

// checkGilbertElliott wants burst with mean or gap, or p and r. A p beside them is left to iid
// where a sweep has both models.
func checkGilbertElliott(d *block, prefix string, f *faults) {
	mean, burst, gap := d.get(prefix+".mean"), d.get(prefix+".burst"), d.get(prefix+".gap")
	p, r := d.get(prefix+".p"), d.get(prefix+".r")
	if mean.state == absent && burst.state == absent && gap.state == absent {
		if p.state == absent && r.state == absent {
			f.blame("the model needs mean and burst, or burst and gap, or p and r", nil,
				d.get(prefix+".model"))
			return
		}
		needs(d, prefix, f, "p", "r")
		if r.has() && r.number == 0 {
			f.blame("must be above 0, or a bad state never ends", nil, r)
		}
		return
	}
	checkBursts(d, prefix, f)
	switch timed := usable(burst) && burst.timed(); {
	case usable(gap, burst) && gap.timed() != timed:
		f.blame("burst and gap must both be times, or both numbers of packets", nil, gap, burst)
	case !usable(mean, burst):
	case timed && mean.number == 1:
		f.blame("leaves no time between bursts: must be below 1", nil, mean)
	case !timed && mean.number*(burst.number+1) > burst.number:
		f.blame("mean %v in bursts of %v leaves no room between them: mean must be at most "+
			"burst/(burst+1)", []any{mean.text, burst.text}, mean, burst)
	}
}

// checkBursts wants one way to say how often bursts come, and nothing that they stand for.
func checkBursts(d *block, prefix string, f *faults) {
	mean, gap := d.get(prefix+".mean"), d.get(prefix+".gap")
	h, k := d.get(prefix+".h"), d.get(prefix+".k")
	stands, others := "mean and burst, which stand for p, r, h and k", []*setting{h, k}
	if mean.state == absent && gap.state != absent {
		stands, others = "burst and gap, which stand for p and r", nil
		needs(d, prefix, f, "burst")
	} else if needs(d, prefix, f, "burst"); mean.state == absent {
		f.blame("the model needs mean or gap beside burst", nil, d.get(prefix+".model"))
	}
	if mean.state != absent && gap.state != absent {
		f.blame("must have only one of mean and gap", nil, gap, mean)
	}
	for _, s := range append([]*setting{d.get(prefix + ".r")}, others...) {
		if s.wrote() {
			f.blame("must not be given beside "+stands, nil, s)
		}
	}
}

// loss builds a loss model from settings that have been checked.
func (d point) loss(prefix string, drops []dropDraft) spec.Loss {
	l := modelOf(&d.block, prefix)
	if l.Model == spec.LossScript {
		l.Drops = []spec.Drop{} // a script that drops nothing is a script
		for i := range drops {
			l.Drops = append(l.Drops, drops[i].Drop)
		}
	}
	if l.Model == spec.LossTraced {
		l.Trace = d.fileOf(prefix + ".file").(*spec.LossTrace)
	}
	return l
}

// modelOf builds what is said of a loss model by words.
func modelOf(b *block, prefix string) spec.Loss {
	l := spec.Loss{Model: b.get(prefix + ".model").text, Per: spec.PerPacket}
	if per := b.lookup(prefix + ".per"); per != nil {
		l.Per = per.text
	}
	switch l.Model {
	case spec.LossIID:
		l.P = b.get(prefix + ".p").number
	case spec.LossGilbertElliott:
		bursts(b, prefix, &l)
	}
	return l
}

// bursts fills in the chain of a loss. Bursts of mean length B end with probability 1/B, and begin
// with 1/G after gaps of mean length G, or as often as makes the mean loss L: p = L*r/(1-L). All is
// lost in the bad state then, and nothing in the good.
func bursts(b *block, prefix string, l *spec.Loss) {
	mean, burst, gap := b.get(prefix+".mean"), b.get(prefix+".burst"), b.get(prefix+".gap")
	l.LossBad = 1
	if !mean.has() {
		l.LossGood, l.LossBad = 1-b.get(prefix+".k").number, 1-b.get(prefix+".h").number
	}
	switch {
	case !burst.has():
		l.GoodBad, l.BadGood = b.get(prefix+".p").number, b.get(prefix+".r").number
	case burst.timed():
		l.Burst, l.Share = units.Duration(burst.whole), mean.number
		if gap.has() {
			l.Share = float64(burst.whole) / (float64(burst.whole) + float64(gap.whole))
		}
	case gap.has():
		l.GoodBad, l.BadGood = 1/gap.number, 1/burst.number
	default:
		l.BadGood = 1 / burst.number
		l.GoodBad = mean.number / (burst.number * (1 - mean.number))
	}
}

// losses are those of data, and of control packets, which are lost one by one.
func (d point) losses(forward, reverse units.Rate) (data, control spec.Loss) {
	data = d.inTime(d.loss("link.loss", d.drops), forward)
	if d.get("link.ack_loss.model").text == LossSame {
		return data, sameLoss(data)
	}
	return data, d.inTime(d.loss("link.ack_loss", d.ackDrops), reverse)
}

// sameLoss is the loss of control packets beside one of data. Bursts last as long.
func sameLoss(l spec.Loss) spec.Loss {
	switch {
	case l.Model == spec.LossScript || l.Model == spec.LossTraced:
		return spec.Loss{Model: spec.LossNone, Per: spec.PerPacket}
	case l.Model == spec.LossGilbertElliott && l.Burst == 0: // without memory
		return spec.Loss{Model: spec.LossIID, Per: spec.PerPacket, P: l.Mean()}
	}
	l.Per = spec.PerPacket
	return l
}

// inTime turns a chain that is counted in packets into the chain of continuous time that is the
// same one wherever packets are sent back to back at a bandwidth: over the time T of a packet, and
// with the rates a to bad and b to good,
//
//	exp(-(a+b) T) = 1 - p - r,   a / (a+b) = p / (p+r)
//
// A burst so passes while nobody sends. A chain that forgets its state within a packet, such as one
// with bursts of a packet, stays as it is.
func (d point) inTime(l spec.Loss, bandwidth units.Rate) spec.Loss {
	if l.Model != spec.LossGilbertElliott || l.Burst != 0 || l.GoodBad == 0 ||
		l.GoodBad+l.BadGood >= 1 {
		return l
	}
	l.Share = l.BadShare()
	rates := -portable.Log1p(-(l.GoodBad + l.BadGood)) / float64(d.unitTime(l.Per, bandwidth))
	burst := math.Round(1 / float64((1-l.Share)*rates))
	l.Burst = max(1, units.Duration(min(burst, maxSendSeconds*float64(units.Second))))
	return l
}

// unitTime is how long the link takes for one unit of loss.
func (d point) unitTime(per string, bandwidth units.Rate) units.Duration {
	packet := d.bytes("link.mtu") + overhead(d.get("link.encapsulation").text)
	packets := int64(1)
	if per == spec.PerChunk {
		packets = units.CeilDiv(d.chunk().whole, d.get("link.mtu").whole)
	}
	return units.Duration(packets) * bandwidth.TransmitTime(packet)
}
