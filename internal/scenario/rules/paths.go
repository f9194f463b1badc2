package rules

import (
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// checkJitter wants a spread beside a model, and room for it on the clock.
func checkJitter(d point, f *format.Faults) {
	model, spread := d.Get("link.jitter.model"), d.Get("link.jitter.spread")
	if !model.Has() {
		return
	}
	if model.Text != spec.JitterNone && spread.State == keys.Absent {
		f.Blame("the model needs spread", nil, model)
	}
	if d.timed() && spread.Has() && spread.Span.Of(2*d.delay()).Seconds() > maxJitterSeconds {
		f.Blame("must be at most %v", []any{units.Duration(maxJitterSeconds) * units.Second}, spread)
	}
}

// maxJitterSeconds bounds the spread of jitter: a packet may take a hundred times as long.
const maxJitterSeconds = 30

// jitterUse is checked once: what goes with jitter or several paths wants some point to have them.
func jitterUse(d *draft.Decoder, axes []axes.Axis) {
	model := d.Draft.Get("link.jitter.model")
	models := []string{model.Text}
	for i := range axes {
		if axes[i].Path == model.Name {
			models = axes[i].Texts()
		}
	}
	some := false
	for _, m := range models {
		some = some || m != spec.JitterNone
	}
	for _, path := range []string{"link.jitter.spread", "link.jitter.ordered"} {
		if s := d.Draft.Get(path); s.Wrote() && !some && model.State != keys.Broken {
			d.Faults.Blame("goes with link.jitter.model, which is "+spec.JitterNone, nil, s)
		}
	}
	if (point{d.Draft}).pathCount() > 0 {
		return
	}
	for _, path := range []string{"link.spread", "link.flowlet_gap"} {
		if s := d.Draft.Get(path); s.Wrote() {
			d.Faults.Blame("goes with "+keys.PathsPath+", of which there are none", nil, s)
		}
	}
}

// pathCount is how many paths data may take; 0: there is one and the link says how it is.
func (d point) pathCount() (n int) {
	for i := range d.Events {
		if d.Events[i].List == keys.PathsPath {
			n++
		}
	}
	return n
}

// checkPaths wants paths that go with the rest of the link.
func checkPaths(d point, f *format.Faults) {
	if d.pathCount() == 0 {
		return
	}
	gap, by := d.Get("link.flowlet_gap"), d.Get("link.spread")
	if gap.Wrote() && by.Has() && by.Text != spec.SpreadFlowlet {
		f.Blame("goes with link.spread "+spec.SpreadFlowlet, nil, gap, by)
	}
	for i := range d.Events {
		e := &d.Events[i]
		switch {
		case e.List == keys.PathsPath && d.Ring():
			f.Add(e.Get("weight").At, "goes with messages over one link, not with a collective",
				format.Error{Key: e.Path})
			return
		case e.List == keys.PathsPath && e.Get("loss.model").Has():
			checkParameters(&e.Block, "loss", f)
		case e.List == keys.ChangesPath && e.Get("delay").Has():
			f.Blame("does not go with "+keys.PathsPath+", which have delays of their own", nil,
				e.Get("delay"))
		}
	}
}

// addPaths builds jitter and several paths.
func (d point) addPaths(l *spec.Link) {
	if model := d.Get("link.jitter.model").Text; model != spec.JitterNone {
		l.Jitter = spec.Jitter{Model: model, Spread: d.Get("link.jitter.spread").Span.Of(l.RTT()),
			Ordered: d.Get("link.jitter.ordered").Text == "true"}
	}
	least, most := units.Duration(-1), units.Duration(0)
	for i := range d.Events {
		e := &d.Events[i]
		if e.List != keys.PathsPath {
			continue
		}
		p := spec.Path{Delay: l.Delay, Weight: e.Get("weight").Number,
			Loss: spec.Loss{Model: spec.LossNone}}
		if s := e.Get("delay"); s.Has() {
			p.Delay = units.Duration(s.Whole)
		}
		if e.Get("loss.model").Has() {
			p.Loss = modelOf(&e.Block, "loss")
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
	l.Spread, l.FlowletGap = d.Get("link.spread").Text, most-least
	if gap := d.Get("link.flowlet_gap"); gap.Has() {
		l.FlowletGap = gap.Span.Of(l.RTT())
	}
}
