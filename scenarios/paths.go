package scenarios

import (
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
	"sdrsim/units"
)

// pathsPath is the list of paths. Its entries are read as events are, and swept by their number:
// link.paths.0.delay.
const pathsPath = "link.paths"

var pathKeys = func() []Key {
	keys := []Key{
		{Path: "delay", Kind: KindDuration, Min: 1e-9, Max: maxRTTSeconds / 2,
			Doc: "propagation one way; default: that of the link"},
		{Path: "weight", Kind: schemes.KindNumber, Default: "1", Min: 1e-6, Max: 1e6,
			Doc: "share of the data that takes the path, against those of the others"},
	}
	return append(keys, lossOfEntry()...)
}()

// spreadKeys are the keys of jitter and of several paths that are words.
var spreadKeys = []Key{
	{Path: "link.jitter.model", Kind: schemes.KindChoice, Default: spec.JitterNone,
		Choices: []string{spec.JitterNone, spec.JitterUniform, spec.JitterNormal,
			spec.JitterGamma, spec.JitterPareto},
		Doc: "what the extra delay of each packet is drawn from, both ways"},
	{Path: "link.jitter.spread", Kind: schemes.KindSpan, Max: maxSpanSeconds,
		Doc: "mean of the extra delay: uniform is even from 0 to twice that, normal has a third of it " +
			"for its deviation, gamma is of shape 2, pareto (Lomax) of index 3"},
	{Path: "link.jitter.ordered", Kind: schemes.KindChoice, Default: "false",
		Choices: []string{"true", "false"},
		Doc:     "packets do not overtake each other: who would waits for the one before"},
	{Path: "link.spread", Kind: schemes.KindChoice, Default: spec.SpreadPacket,
		Choices: []string{spec.SpreadPacket, spec.SpreadFlowlet, spec.SpreadMessage},
		Doc: "what stays together on one of several paths: nothing, packets without a gap, or a " +
			"message"},
	{Path: "link.flowlet_gap", Kind: schemes.KindSpan, Max: maxSpanSeconds,
		Doc: "silence after which a flowlet may take another path; default: what the longest path is " +
			"longer than the shortest, so that nothing is reordered"},
}

// checkJitter wants a spread beside a model, and room for it on the clock.
func checkJitter(d point, f *faults) {
	model, spread := d.get("link.jitter.model"), d.get("link.jitter.spread")
	if !model.has() {
		return
	}
	if model.text != spec.JitterNone && spread.state == absent {
		f.blame("the model needs spread", nil, model)
	}
	if d.timed() && spread.has() && spread.span.Of(2*d.delay()).Seconds() > maxJitterSeconds {
		f.blame("must be at most %v", []any{units.Duration(maxJitterSeconds) * units.Second}, spread)
	}
}

// maxJitterSeconds bounds the spread of jitter: a packet may take a hundred times as long.
const maxJitterSeconds = 30

// jitterUse is checked once: what goes with jitter or several paths wants some point to have them.
func jitterUse(d *decoder, axes []Axis) {
	model := d.draft.get("link.jitter.model")
	models := []string{model.text}
	for i := range axes {
		if axes[i].Path == model.name {
			models = axes[i].texts()
		}
	}
	some := false
	for _, m := range models {
		some = some || m != spec.JitterNone
	}
	for _, path := range []string{"link.jitter.spread", "link.jitter.ordered"} {
		if s := d.draft.get(path); s.wrote() && !some && model.state != broken {
			d.f.blame("goes with link.jitter.model, which is "+spec.JitterNone, nil, s)
		}
	}
	if (point{d.draft}).pathCount() > 0 {
		return
	}
	for _, path := range []string{"link.spread", "link.flowlet_gap"} {
		if s := d.draft.get(path); s.wrote() {
			d.f.blame("goes with "+pathsPath+", of which there are none", nil, s)
		}
	}
}

// pathCount is how many paths data may take; 0: there is one and the link says how it is.
func (d point) pathCount() (n int) {
	for i := range d.events {
		if d.events[i].list == pathsPath {
			n++
		}
	}
	return n
}

// checkPaths wants paths that go with the rest of the link.
func checkPaths(d point, f *faults) {
	if d.pathCount() == 0 {
		return
	}
	gap, by := d.get("link.flowlet_gap"), d.get("link.spread")
	if gap.wrote() && by.has() && by.text != spec.SpreadFlowlet {
		f.blame("goes with link.spread "+spec.SpreadFlowlet, nil, gap, by)
	}
	for i := range d.events {
		e := &d.events[i]
		switch {
		case e.list == pathsPath && d.ring():
			f.add(e.get("weight").at, "goes with messages over one link, not with a collective",
				Error{Key: e.path})
			return
		case e.list == pathsPath && e.get("loss.model").has():
			checkParameters(&e.block, "loss", f)
		case e.list == changesPath && e.get("delay").has():
			f.blame("does not go with "+pathsPath+", which have delays of their own", nil, e.get("delay"))
		}
	}
}

// addPaths builds jitter and several paths.
func (d point) addPaths(l *spec.Link) {
	if model := d.get("link.jitter.model").text; model != spec.JitterNone {
		l.Jitter = spec.Jitter{Model: model, Spread: d.get("link.jitter.spread").span.Of(l.RTT()),
			Ordered: d.get("link.jitter.ordered").text == "true"}
	}
	least, most := units.Duration(-1), units.Duration(0)
	for i := range d.events {
		e := &d.events[i]
		if e.list != pathsPath {
			continue
		}
		p := spec.Path{Delay: l.Delay, Weight: e.get("weight").number,
			Loss: spec.Loss{Model: spec.LossNone}}
		if s := e.get("delay"); s.has() {
			p.Delay = units.Duration(s.whole)
		}
		if e.get("loss.model").has() {
			p.Loss = modelOf(&e.block, "loss")
			p.Loss.Per = spec.PerPacket
			p.Loss = d.inTime(p.Loss, l.Bandwidth)
		}
		if least < 0 || p.Delay < least {
			least = p.Delay
		}
		most = max(most, p.Delay)
		l.Paths = append(l.Paths, p)
	}
	if len(l.Paths) == 0 {
		return
	}
	l.Spread, l.FlowletGap = d.get("link.spread").text, most-least
	if gap := d.get("link.flowlet_gap"); gap.has() {
		l.FlowletGap = gap.span.Of(l.RTT())
	}
}

// lossOfEntry are the keys of a loss in an entry of a list. A loss that is listed or replayed
// begins with the sample, so it is none to have there.
func lossOfEntry() (keys []Key) {
	for _, k := range lossKeys("link.loss", []string{spec.LossNone, spec.LossIID,
		spec.LossGilbertElliott}) {
		k.Path = strings.TrimPrefix(k.Path, "link.")
		switch k.Path {
		case "loss.per", "loss.file":
			continue
		case "loss.model":
			k.Default = ""
		}
		keys = append(keys, k)
	}
	return keys
}
