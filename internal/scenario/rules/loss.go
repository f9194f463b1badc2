package rules

import (
	"math"
	"slices"
	"strings"

	"sdrsim/internal/portable"
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
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
func lossUse(d *draft.Decoder, axes []axes.Axis) {
	for _, prefix := range lossPrefixes {
		model := d.Draft.Get(prefix + ".model")
		models := []string{model.Text}
		for i := range axes {
			if axes[i].Path == model.Name {
				models = axes[i].Texts()
			}
		}
		if model.State == keys.Broken {
			continue
		}
		unusedLossKeys(d, d.Draft.Block, prefix, models)
		for i := range d.Draft.Events {
			if e := &d.Draft.Events[i]; prefix == "link.loss" && e.Lookup("loss.model") != nil {
				eventLossUse(d, e, axes)
			}
		}
		unusedDrops(d, d.Draft.DropsAt[prefix+".drops"], prefix+".drops", models)
		for _, h := range d.Draft.Hops {
			hopLossUse(d, h, prefix, models)
		}
	}
}

// eventLossUse checks the loss of a change.
func eventLossUse(d *draft.Decoder, e *draft.Entry, axes []axes.Axis) {
	model := e.Get("loss.model")
	models := []string{model.Text}
	for i := range axes {
		if axes[i].Path == model.Name {
			models = axes[i].Texts()
		}
	}
	if model.Has() {
		unusedLossKeys(d, e.Block, "loss", models)
	}
}

// hopLossUse checks the loss of a hop, whose model is that of the link unless it names another.
func hopLossUse(d *draft.Decoder, h *draft.Hop, prefix string, models []string) {
	name := strings.TrimPrefix(prefix, "link.")
	switch model := h.Get(name + ".model"); {
	case model.State == keys.Broken:
		return
	case model.Has():
		models = []string{model.Text}
	}
	unusedLossKeys(d, h.Block, name, models)
	unusedDrops(d, h.DropsAt[name+".drops"], keys.JoinPath(h.Path, name+".drops"), models)
}

// unusedLossKeys reports the keys of a loss model that none of the models has.
func unusedLossKeys(d *draft.Decoder, b keys.Block, prefix string, models []string) {
	for _, key := range append(slices.Clip(modelKeys[spec.LossGilbertElliott]), "file") {
		s := b.Lookup(prefix + "." + key)
		if s != nil && s.Wrote() && !anyHas(models, key) {
			d.Faults.Blame("is not a parameter of the loss model, which is "+
				strings.Join(models, ", "), nil, s)
		}
	}
}

// unusedDrops reports a script of losses that none of the models takes.
func unusedDrops(d *draft.Decoder, at format.Pos, key string, models []string) {
	if at != (format.Pos{}) && !anyHas(models, "drops") {
		d.Faults.Add(at, "is not a parameter of the loss model, which is "+strings.Join(models, ", "),
			format.Error{Key: key})
	}
}

// anyHas reports whether one of the models has the parameter.
func anyHas(models []string, key string) bool {
	return slices.ContainsFunc(models, func(m string) bool {
		return slices.Contains(modelKeys[m], key)
	})
}

func checkLoss(d point, f *format.Faults) { checkModel(d, "link.loss", f) }

func checkAckLoss(d point, f *format.Faults) { checkModel(d, "link.ack_loss", f) }

// checkModel wants the parameters that a loss model needs.
func checkModel(d point, prefix string, f *format.Faults) {
	model := d.Get(prefix + ".model")
	if !model.Has() {
		return
	}
	if model.Text == spec.LossScript {
		if _, ok := d.DropsAt[prefix+".drops"]; !ok {
			f.Blame("the model needs drops", nil, model)
		}
	}
	checkParameters(&d.Block, prefix, f)
}

// checkParameters wants the parameters that are words.
func checkParameters(d *keys.Block, prefix string, f *format.Faults) {
	switch d.Get(prefix + ".model").Text {
	case spec.LossIID:
		needs(d, prefix, f, "p")
	case spec.LossGilbertElliott:
		checkGilbertElliott(d, prefix, f)
	case spec.LossTraced:
		needs(d, prefix, f, "file")
	}
}

// needs reports parameters that the model has to have.
func needs(d *keys.Block, prefix string, f *format.Faults, wanted ...string) {
	for _, key := range wanted {
		if d.Get(prefix+"."+key).State == keys.Absent {
			f.Blame("the model needs "+key, nil, d.Get(prefix+".model"))
		}
	}
}

// checkGilbertElliott wants burst with mean or gap, or p and r. A p beside them is left to iid
// where a sweep has both models.
func checkGilbertElliott(d *keys.Block, prefix string, f *format.Faults) {
	mean, burst, gap := d.Get(prefix+".mean"), d.Get(prefix+".burst"), d.Get(prefix+".gap")
	p, r := d.Get(prefix+".p"), d.Get(prefix+".r")
	if mean.State == keys.Absent && burst.State == keys.Absent && gap.State == keys.Absent {
		if p.State == keys.Absent && r.State == keys.Absent {
			f.Blame("the model needs mean and burst, or burst and gap, or p and r", nil,
				d.Get(prefix+".model"))
			return
		}
		needs(d, prefix, f, "p", "r")
		if r.Has() && r.Number == 0 {
			f.Blame("must be above 0, or a bad state never ends", nil, r)
		}
		return
	}
	checkBursts(d, prefix, f)
	switch timed := keys.Usable(burst) && burst.Timed(); {
	case keys.Usable(gap, burst) && gap.Timed() != timed:
		f.Blame("burst and gap must both be times, or both numbers of packets", nil, gap, burst)
	case !keys.Usable(mean, burst):
	case timed && mean.Number == 1:
		f.Blame("leaves no time between bursts: must be below 1", nil, mean)
	case !timed && mean.Number*(burst.Number+1) > burst.Number:
		f.Blame("mean %v in bursts of %v leaves no room between them: mean must be at most "+
			"burst/(burst+1)", []any{mean.Text, burst.Text}, mean, burst)
	}
}

// checkBursts wants one way to say how often bursts come, and nothing that they stand for.
func checkBursts(d *keys.Block, prefix string, f *format.Faults) {
	mean, gap := d.Get(prefix+".mean"), d.Get(prefix+".gap")
	h, k := d.Get(prefix+".h"), d.Get(prefix+".k")
	stands, others := "mean and burst, which stand for p, r, h and k", []*keys.Setting{h, k}
	if mean.State == keys.Absent && gap.State != keys.Absent {
		stands, others = "burst and gap, which stand for p and r", nil
		needs(d, prefix, f, "burst")
	} else if needs(d, prefix, f, "burst"); mean.State == keys.Absent {
		f.Blame("the model needs mean or gap beside burst", nil, d.Get(prefix+".model"))
	}
	if mean.State != keys.Absent && gap.State != keys.Absent {
		f.Blame("must have only one of mean and gap", nil, gap, mean)
	}
	for _, s := range append([]*keys.Setting{d.Get(prefix + ".r")}, others...) {
		if s.Wrote() {
			f.Blame("must not be given beside "+stands, nil, s)
		}
	}
}

// loss builds a loss model from settings that have been checked.
func (d point) loss(prefix string, drops []draft.Drop) spec.Loss {
	l := modelOf(&d.Block, prefix)
	if l.Model == spec.LossScript {
		l.Drops = []spec.Drop{} // a script that drops nothing is a script
		for i := range drops {
			l.Drops = append(l.Drops, drops[i].Drop)
		}
	}
	if l.Model == spec.LossTraced {
		l.Trace = d.FileOf(prefix + ".file").(*spec.LossTrace)
	}
	return l
}

// modelOf builds what is said of a loss model by words.
func modelOf(b *keys.Block, prefix string) spec.Loss {
	l := spec.Loss{Model: b.Get(prefix + ".model").Text, Per: spec.PerPacket}
	if per := b.Lookup(prefix + ".per"); per != nil {
		l.Per = per.Text
	}
	switch l.Model {
	case spec.LossIID:
		l.P = b.Get(prefix + ".p").Number
	case spec.LossGilbertElliott:
		bursts(b, prefix, &l)
	}
	return l
}

// bursts fills in the chain of a loss. Bursts of mean length B end with probability 1/B, and begin
// with 1/G after gaps of mean length G, or as often as makes the mean loss L: p = L*r/(1-L). All is
// lost in the bad state then, and nothing in the good.
func bursts(b *keys.Block, prefix string, l *spec.Loss) {
	mean, burst, gap := b.Get(prefix+".mean"), b.Get(prefix+".burst"), b.Get(prefix+".gap")
	l.LossBad = 1
	if !mean.Has() {
		l.LossGood, l.LossBad = 1-b.Get(prefix+".k").Number, 1-b.Get(prefix+".h").Number
	}
	switch {
	case !burst.Has():
		l.GoodBad, l.BadGood = b.Get(prefix+".p").Number, b.Get(prefix+".r").Number
	case burst.Timed():
		l.Burst, l.Share = units.Duration(burst.Whole), mean.Number
		if gap.Has() {
			l.Share = float64(burst.Whole) / (float64(burst.Whole) + float64(gap.Whole))
		}
	case gap.Has():
		l.GoodBad, l.BadGood = 1/gap.Number, 1/burst.Number
	default:
		l.BadGood = 1 / burst.Number
		l.GoodBad = mean.Number / (burst.Number * (1 - mean.Number))
	}
}

// losses are those of data, and of control packets, which are lost one by one.
func (d point) losses(forward, reverse units.Rate) (data, control spec.Loss) {
	data = d.inTime(d.loss("link.loss", d.Drops), forward)
	if d.Get("link.ack_loss.model").Text == keys.LossSame {
		return data, sameLoss(data)
	}
	return data, d.inTime(d.loss("link.ack_loss", d.AckDrops), reverse)
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
	l.Burst = max(1, units.Duration(min(burst, keys.MaxSendSeconds*float64(units.Second))))
	return l
}

// unitTime is how long the link takes for one unit of loss.
func (d point) unitTime(per string, bandwidth units.Rate) units.Duration {
	packet := d.bytes("link.mtu") + spec.Overhead(d.Get("link.encapsulation").Text)
	packets := int64(1)
	if per == spec.PerChunk {
		packets = units.CeilDiv(d.chunk().Whole, d.Get("link.mtu").Whole)
	}
	return units.Duration(packets) * bandwidth.TransmitTime(packet)
}
