package scenarios

import (
	"slices"
	"strings"
)

// lossPrefixes are the two loss models of a point.
var lossPrefixes = []string{"link.loss", "link.ack_loss"}

// modelKeys are the keys that each loss model may have. `same` and `none` have none.
var modelKeys = map[string][]string{
	LossIID:            {"per", "p"},
	LossGilbertElliott: {"per", "p", "r", "h", "k", "mean", "burst"},
	LossScript:         {"per", "drops"},
}

// lossUse is checked once: a parameter must be used by a model that some point has, since a sweep
// over models keeps the parameters of all of them in one place.
func (d *decoder) lossUse(axes []Axis) {
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
		d.unusedLossKeys(d.draft.block, prefix, models)
		d.unusedDrops(d.draft.dropsAt[prefix+".drops"], prefix+".drops", models)
		for _, h := range d.draft.hops {
			d.hopLossUse(h, prefix, models)
		}
	}
}

// hopLossUse checks the loss of a hop, whose model is that of the link unless it names another.
func (d *decoder) hopLossUse(h *hopDraft, prefix string, models []string) {
	name := strings.TrimPrefix(prefix, "link.")
	switch model := h.get(name + ".model"); {
	case model.state == broken:
		return
	case model.has():
		models = []string{model.text}
	}
	d.unusedLossKeys(h.block, name, models)
	d.unusedDrops(h.dropsAt[name+".drops"], joinPath(h.path, name+".drops"), models)
}

// unusedLossKeys reports the keys of a loss model that none of the models has.
func (d *decoder) unusedLossKeys(b block, prefix string, models []string) {
	for _, key := range modelKeys[LossGilbertElliott] {
		s := b.lookup(prefix + "." + key)
		if s != nil && s.wrote() && !anyHas(models, key) {
			d.f.blame("is not a parameter of the loss model, which is "+
				strings.Join(models, ", "), nil, s)
		}
	}
}

// unusedDrops reports a script of losses that none of the models takes.
func (d *decoder) unusedDrops(at pos, key string, models []string) {
	if at != (pos{}) && !anyHas(models, "drops") {
		d.f.add(at, "is not a parameter of the loss model, which is "+strings.Join(models, ", "),
			Error{Key: key})
	}
}

// anyHas tells whether one of the models has the parameter.
func anyHas(models []string, key string) bool {
	return slices.ContainsFunc(models, func(m string) bool {
		return slices.Contains(modelKeys[m], key)
	})
}

func checkLoss(d *draft, f *faults)    { checkModel(d, "link.loss", f) }
func checkAckLoss(d *draft, f *faults) { checkModel(d, "link.ack_loss", f) }

// checkModel wants the parameters that a loss model needs.
func checkModel(d *draft, prefix string, f *faults) {
	model := d.get(prefix + ".model")
	if !model.has() {
		return
	}
	switch model.text {
	case LossIID:
		needs(d, prefix, f, "p")
	case LossGilbertElliott:
		checkGilbertElliott(d, prefix, f)
	case LossScript:
		if _, ok := d.dropsAt[prefix+".drops"]; !ok {
			f.blame("the model needs drops", nil, model)
		}
	}
}

// needs reports parameters that the model has to have.
func needs(d *draft, prefix string, f *faults, keys ...string) {
	for _, key := range keys {
		if d.get(prefix+"."+key).state == absent {
			f.blame("the model needs "+key, nil, d.get(prefix+".model"))
		}
	}
}

// checkGilbertElliott wants mean and burst, or p and r. A p beside mean is left to iid where a
// sweep has both models.
func checkGilbertElliott(d *draft, prefix string, f *faults) {
	mean, burst := d.get(prefix+".mean"), d.get(prefix+".burst")
	p, r := d.get(prefix+".p"), d.get(prefix+".r")
	h, k := d.get(prefix+".h"), d.get(prefix+".k")
	if mean.state == absent && burst.state == absent {
		if p.state == absent && r.state == absent {
			f.blame("the model needs mean and burst, or p and r", nil, d.get(prefix+".model"))
			return
		}
		needs(d, prefix, f, "p", "r")
		if r.has() && r.number == 0 {
			f.blame("must be above 0, or a bad state never ends", nil, r)
		}
		return
	}
	needs(d, prefix, f, "mean", "burst")
	for _, s := range []*setting{r, h, k} {
		if s.wrote() {
			f.blame("must not be given beside mean and burst, which stand for p, r, h and k",
				nil, s)
		}
	}
	if usable(mean, burst) && mean.number*(burst.number+1) > burst.number {
		f.blame("mean %v in bursts of %v leaves no room between them: mean must be at most "+
			"burst/(burst+1)", []any{mean.text, burst.text}, mean, burst)
	}
}

// loss builds a loss model from settings that have been checked.
func (d *draft) loss(prefix string, drops []dropDraft) Loss {
	l := Loss{Model: d.get(prefix + ".model").text, Per: PerPacket}
	if per := d.lookup(prefix + ".per"); per != nil {
		l.Per = per.text
	}
	p := d.get(prefix + ".p")
	switch l.Model {
	case LossIID:
		l.P = p.number
	case LossScript:
		l.Drops = []Drop{} // a script that drops nothing is a script
		for i := range drops {
			l.Drops = append(l.Drops, drops[i].Drop)
		}
	case LossGilbertElliott:
		mean, burst := d.get(prefix+".mean"), d.get(prefix+".burst")
		if mean.has() {
			// Bursts of mean length B end with probability 1/B; they begin as often as makes the
			// mean loss L: p = L*r/(1-L). All is lost in the bad state, nothing in the good.
			l.BadGood, l.LossBad = 1/burst.number, 1
			l.GoodBad = mean.number / (burst.number * (1 - mean.number))
			break
		}
		l.GoodBad, l.BadGood = p.number, d.get(prefix+".r").number
		l.LossGood, l.LossBad = 1-d.get(prefix+".k").number, 1-d.get(prefix+".h").number
	}
	return l
}

// ackLoss builds the loss model of control packets, which are lost one by one.
func (d *draft) ackLoss() Loss {
	if d.get("link.ack_loss.model").text != LossSame {
		return d.loss("link.ack_loss", d.ackDrops)
	}
	l := d.loss("link.loss", nil)
	l.Per = PerPacket
	if l.Model == LossScript {
		return Loss{Model: LossNone, Per: PerPacket}
	}
	return l
}
