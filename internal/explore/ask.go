package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// Ask is what a page wants to know. What it leaves out is as in the base.
type Ask struct {
	// Values are what was changed, by the key of a Knob, as a scenario has it: 400Gbps.
	Values map[string]string `json:"values"`
	// Schemes replace those of the base; nil: they stay.
	Schemes []Chosen `json:"schemes"`
	// Parts are what is asked for: PartHere and others.
	Parts []string `json:"parts"`
}

// Chosen is a scheme with parameters, as a scenario has them.
type Chosen struct {
	Name   string            `json:"name"`
	Label  string            `json:"label,omitempty"`
	Params map[string]string `json:"params,omitempty"`
}

// Keys of knobs.
const (
	knobBandwidth = "bandwidth"
	knobDistance  = "distance"
	knobDrop      = "drop"
	knobBurst     = "burst"
	knobSize      = "size"
	knobSamples   = "samples"
	knobSeed      = "seed"
)

// pathsOf are the paths that a knob sets, where it sets one.
var pathsOf = map[string]string{
	knobBandwidth: "link.bandwidth", knobSize: "message.size", knobSamples: "samples",
	knobSeed: "seed",
}

// TextOf is the scenario that an ask is about.
func (b *Base) TextOf(a *Ask) (string, error) {
	var values []scenarios.Override
	for key, value := range a.Values {
		if path := pathsOf[key]; path != "" {
			values = append(values, scenarios.Override{Path: path, Value: value})
		} else if key != knobDistance && key != knobDrop && key != knobBurst {
			return "", fmt.Errorf("nothing that can be changed is called %q", key)
		}
	}
	if text, ok := a.Values[knobDistance]; ok {
		values = append(values, scenarios.Override{Path: lengthPath(text), Value: text})
	}
	if a.Values[knobDrop] != "" || a.Values[knobBurst] != "" {
		loss, err := b.loss(a)
		if err != nil {
			return "", err
		}
		values = append(values, scenarios.Override{Path: "link.loss", Value: loss})
	}
	if a.Schemes != nil {
		values = append(values, schemesValue(a.Schemes))
	}
	text, err := scenarios.Rework(fileName, []byte(b.Text), headOf(""), values)
	return string(text), err
}

// lengthPath is the path of the length of a link: a distance, or a round-trip time.
func lengthPath(text string) string {
	if _, err := units.ParseDuration(text); err == nil {
		return "link.rtt"
	}
	return "link.distance"
}

// loss is the loss model of a drop rate and a length of bursts, of which one may be that of the
// base.
func (b *Base) loss(a *Ask) (string, error) {
	_, p, err := b.load(b.Text, nil)
	if err != nil {
		return "", err
	}
	l := p.Link.Loss
	drop, burst := a.Values[knobDrop], a.Values[knobBurst]
	if drop == "" {
		drop = dropOf(l)
	}
	if burst == "" {
		burst = burstOf(l)
	}
	if drop == "" || burst == "" {
		return "", errors.New("the losses of the file are a list; choose both a drop rate and a burst")
	}
	drop, burst, per := scalarText(drop), strings.TrimSpace(burst), scalarText(l.Per)
	if n, err := strconv.ParseFloat(burst, 64); err == nil && n <= 1 {
		return "{model: iid, per: " + per + ", p: " + drop + "}", nil
	}
	return "{model: gilbert-elliott, per: " + per + ", mean: " + drop + ", burst: " +
		scalarText(burst) + "}", nil
}

// dropOf is the drop rate of a loss; empty where it is none that a scenario can say by a number.
func dropOf(l spec.Loss) string {
	switch l.Model {
	case spec.LossNone, spec.LossIID, spec.LossGilbertElliott:
		return strconv.FormatFloat(l.Mean(), 'g', -1, 64)
	}
	return ""
}

// burstOf is the mean length of the bursts of a loss.
func burstOf(l spec.Loss) string {
	switch {
	case l.Model == spec.LossNone, l.Model == spec.LossIID:
		return "1"
	case l.Model != spec.LossGilbertElliott:
		return ""
	case l.BadGood > 0:
		return strconv.FormatFloat(1/l.BadGood, 'g', 6, 64)
	}
	return l.Burst.String()
}

// chosenOf are schemes as a scenario has them.
func chosenOf(list []spec.Scheme) []Chosen {
	out := make([]Chosen, 0, len(list))
	for _, s := range list {
		c := Chosen{Name: s.Name, Params: map[string]string{}}
		if s.Label != s.Name && !strings.HasPrefix(s.Label, s.Name+"(") &&
			!strings.HasPrefix(s.Label, s.Name+"[") {
			c.Label = s.Label
		}
		entry, _ := catalog.Lookup(s.Name)
		for _, param := range entry.Params {
			if v := s.Params[param.Name]; v.Given {
				c.Params[param.Name] = valueText(param.Kind, v)
			}
		}
		out = append(out, c)
	}
	return out
}

// valueText writes a parameter.
func valueText(kind schemes.Kind, v schemes.Value) string {
	switch kind {
	case schemes.KindSpan:
		return v.Span.String()
	case schemes.KindChoice:
		return v.Word
	case schemes.KindBytes:
		return units.Bytes(v.Number).String()
	case schemes.KindRate:
		return units.Rate(v.Number).String()
	}
	return strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// schemesValue are schemes as YAML: a line for each.
func schemesValue(list []Chosen) scenarios.Override {
	var b strings.Builder
	for _, c := range list {
		b.WriteString("- {name: " + scalarText(c.Name))
		if c.Label != "" {
			b.WriteString(", label: " + scalarText(c.Label))
		}
		entry, _ := catalog.Lookup(c.Name)
		known := map[string]bool{}
		for _, param := range entry.Params { // in their order
			known[param.Name] = true
			if v := c.Params[param.Name]; v != "" {
				b.WriteString(", " + param.Name + ": " + scalarText(v))
			}
		}
		var unknown []string
		for name := range c.Params {
			if !known[name] {
				unknown = append(unknown, name)
			}
		}
		slices.Sort(unknown)
		for _, name := range unknown { // for the loader to refuse
			b.WriteString(", " + scalarText(name) + ": " + scalarText(c.Params[name]))
		}
		b.WriteString("}\n")
	}
	if len(list) == 0 {
		return scenarios.Override{Path: "schemes", Value: "[]"}
	}
	return scenarios.Override{Path: "schemes", Value: b.String()}
}

// bare are texts that YAML takes as one word, or as a number.
var bare = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.+_-]*$`)

// scalarText writes a text as a word of YAML, quoted where it has to be.
func scalarText(text string) string {
	if text = strings.TrimSpace(text); bare.MatchString(text) {
		return text
	}
	quoted, _ := json.Marshal(text) // a string of JSON is one of YAML
	return string(quoted)
}
