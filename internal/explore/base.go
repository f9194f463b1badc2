package explore

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/schemes"
	"sdrsim/units"
)

// Base is the link that an exploration starts from.
type Base struct {
	Name string `json:"name"`
	// Text is that of a scenario of one point; Files are those that it names.
	Text  string           `json:"text"`
	Files []scenarios.File `json:"files,omitempty"`
}

// fileName is what faults call the text of an ask.
const fileName = "link.yaml"

// NewBase starts from the point in the middle of a scenario.
func NewBase(s *scenarios.Scenario) (*Base, error) {
	p := s.At(s.Len() / 2)
	var values []scenarios.Override
	ofSchemes := false
	set := func(path, value string) {
		if ofEntry(path) {
			return // it stays as the file has it
		}
		if strings.HasPrefix(path, "scheme.") || strings.HasPrefix(path, "schemes.") {
			ofSchemes = true
			return
		}
		values = append(values, scenarios.Override{Path: path, Value: value})
	}
	for _, o := range s.Overrides {
		if !strings.HasPrefix(o.Path, "sweep") {
			set(o.Path, o.Value)
		}
	}
	for _, v := range p.Varied {
		set(v.Path, sweptText(v))
	}
	if ofSchemes {
		values = append(values, schemesValue(chosenOf(p.Schemes)))
	}
	values = slices.DeleteFunc(values, func(o scenarios.Override) bool {
		return o.Path == "figures" || o.Path == "check"
	})
	// A run of the link must not take the place of the results of the scenario.
	name := s.Name[:min(len(s.Name), 59)] + "-link"
	values = append(values, scenarios.Override{Path: "name", Value: name})
	b := &Base{Name: s.Name, Files: s.Files}
	text, err := scenarios.Rework(s.File, s.Text, headOf(s.Question), values)
	if err != nil {
		return nil, err
	}
	b.Text = string(text)
	_, _, err = b.load(b.Text, nil)
	return b, err
}

// ofEntry reports whether a path is of an entry of a list: link.outages.0.for.
func ofEntry(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "."), func(name string) bool {
		_, err := strconv.Atoi(name)
		return err == nil
	})
}

// sweptText writes a swept value as a scenario has it: with its unit.
func sweptText(v spec.AxisValue) string {
	for _, k := range keys.Defaults() {
		if k.Path != v.Path || math.IsNaN(v.Number) || strings.HasSuffix(v.Text, "RTT") {
			continue
		}
		switch k.Kind {
		case schemes.KindBytes:
			return units.Bytes(v.Number).String()
		case schemes.KindRate:
			return units.Rate(v.Number).String()
		case keys.KindDistance:
			return units.Distance(v.Number).String()
		case keys.KindDuration, schemes.KindSpan:
			return timeText(v.Number)
		case keys.KindStay:
			if v.Number < 1 { // no number of packets
				return timeText(v.Number)
			}
		}
	}
	return v.Text
}

// timeText writes seconds as a duration.
func timeText(seconds float64) string {
	return units.Duration(math.Round(seconds * float64(units.Second))).String()
}

// headOf is the comment at the head of a text.
func headOf(question string) string {
	if question == "" {
		question = "how do schemes compare on this link?"
	}
	return "Question: " + question + "\n"
}

// load reads the text of an ask, which may name the files of the base and no others.
func (b *Base) load(
	text string, values []scenarios.Override,
) (*scenarios.Scenario, *spec.Point, error) {
	s, err := scenarios.LoadKept(fileName, []byte(text), values, b.Files)
	if err != nil {
		return nil, nil, err
	}
	p := s.At(0)
	return s, &p, checkSize(s)
}

// maxMemory bounds what a point may take, for each worker.
const maxMemory = 1 << 30

// checkSize refuses a scenario that takes more memory than a page should.
func checkSize(s *scenarios.Scenario) error {
	for i := range s.Len() {
		if need := scenarios.MemoryEstimate(s.At(i)); need > maxMemory {
			return fmt.Errorf("takes about %d MiB of memory, and an exploration at most %d; run it with "+
				"sdrsim run", need>>20, maxMemory>>20)
		}
	}
	return nil
}
