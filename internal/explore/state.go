package explore

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"sdrsim/internal/metric"
	"sdrsim/internal/spec"
	"sdrsim/schemes/catalog"
)

// State is what a page starts from.
type State struct {
	Name     string    `json:"name"`
	Question string    `json:"question,omitempty"`
	Knobs    []Knob    `json:"knobs"`
	Schemes  []Chosen  `json:"schemes"`
	Catalog  []Kind    `json:"catalog"`
	Measures []Measure `json:"measures"`
}

// Knob is a value that the page changes.
type Knob struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	// Text is the value as a scenario has it; empty where the file says it in a way that no one value
	// does.
	Text  string   `json:"text"`
	Hint  string   `json:"hint,omitempty"`
	Steps []string `json:"steps,omitempty"` // what a slider has
}

// Kind is a scheme that can be chosen.
type Kind struct {
	Name   string  `json:"name"`
	Doc    string  `json:"doc"`
	Params []Param `json:"params"`
}

// Param is a parameter of a scheme.
type Param struct {
	Name    string   `json:"name"`
	Default string   `json:"default,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Doc     string   `json:"doc"`
}

// Measure is a column that can be shown.
type Measure struct {
	Column string `json:"column"`
	Title  string `json:"title"`
	Unit   string `json:"unit"`
	Lo     string `json:"lo,omitempty"`
	Hi     string `json:"hi,omitempty"`
	Better string `json:"better,omitempty"`
}

// shown are the columns that a page shows.
var shown = []string{
	"completion_mean_s", "completion_p50_s", "completion_p99_s", "completion_p999_s", "goodput_bps",
	"slowdown_mean", "retransmits_mean", "wire_bytes_mean",
}

// Steps of sliders.
var (
	bandwidthSteps = []string{"10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps",
		"800Gbps", "1.6Tbps", "3.2Tbps"}
	distanceSteps = []string{"10km", "20km", "50km", "100km", "200km", "500km", "1000km", "2000km",
		"5000km", "10000km", "20000km"}
	dropSteps = []string{"1e-7", "3e-7", "1e-6", "3e-6", "1e-5", "3e-5", "1e-4", "3e-4", "1e-3",
		"3e-3", "1e-2", "3e-2", "1e-1"}
	burstSteps = []string{"1", "2", "5", "10", "20", "50", "100", "200", "500", "1000"}
	sizeSteps  = []string{"64KiB", "256KiB", "1MiB", "4MiB", "16MiB", "32MiB", "64MiB", "128MiB",
		"256MiB", "512MiB", "1GiB", "2GiB", "4GiB", "8GiB"}
	sampleSteps = []string{"100", "200", "500", "1000", "2000", "5000", "10000", "20000", "50000",
		"100000"}
)

// State is what a page of the base starts from.
func (b *Base) State() (State, error) {
	s, p, err := b.load(b.Text, nil)
	if err != nil {
		return State{}, err
	}
	st := State{Name: b.Name, Question: upperFirst(s.Question), Knobs: knobsOf(p),
		Schemes: chosenOf(p.Schemes)}
	for _, e := range catalog.Entries() {
		k := Kind{Name: e.Name, Doc: e.Doc}
		for _, param := range e.Params {
			k.Params = append(k.Params, Param{Name: param.Name, Default: param.Default,
				Choices: param.Choices, Doc: param.Doc})
		}
		st.Catalog = append(st.Catalog, k)
	}
	for _, name := range shown {
		c := metric.Lookup(name)
		st.Measures = append(st.Measures, Measure{Column: c.Name, Title: c.Title, Unit: c.Unit,
			Lo: c.Lo, Hi: c.Hi, Better: c.Better})
	}
	return st, nil
}

// knobsOf are the values of a point.
func knobsOf(p *spec.Point) []Knob {
	per := "packets"
	if p.Link.Loss.Per == spec.PerChunk {
		per = "chunks"
	}
	size := p.Message.Size.String()
	if p.Message.Sizes != nil {
		size = "" // sizes that differ
	}
	return []Knob{
		{Key: knobBandwidth, Title: "Bandwidth", Text: p.Link.Bandwidth.String(),
			Steps: bandwidthSteps},
		{Key: knobDistance, Title: "Distance", Text: p.Link.RTT().String(), Steps: distanceSteps,
			Hint: "or a round-trip time such as 25ms"},
		{Key: knobDrop, Title: "Drop rate", Text: dropOf(p.Link.Loss), Steps: dropSteps,
			Hint: "of " + per},
		{Key: knobBurst, Title: "Mean burst", Text: burstOf(p.Link.Loss), Steps: burstSteps,
			Hint: per + " lost together, or a time such as 200us; 1: independent"},
		{Key: knobSize, Title: "Message size", Text: size, Steps: sizeSteps},
		{Key: knobSamples, Title: "Samples", Text: strconv.Itoa(p.Samples), Steps: sampleSteps},
		{Key: knobSeed, Title: "Seed", Text: strconv.FormatUint(p.Seed, 10)},
	}
}

func upperFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
