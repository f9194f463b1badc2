package web

import (
	"encoding/json"
	"math"
)

// Document is what a page says.
type Document struct {
	Name, Question string
	Answers        []Answer
	// Doubts are what to know before a value is believed.
	Doubts []string
	// Facts tell where the results come from.
	Facts     []Fact
	Overrides []string
	Scenario  string
	Data      Data
}

// Answer tells who wins by one measure, region by region.
type Answer struct {
	Title string
	Lines []Line
}

// Line is what holds in one region: the winner, or those that tie, and by how much; where; and what
// to doubt.
type Line struct {
	Winners               []string
	Verdict, Where, Doubt string
}

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// Long reports whether the value needs a line of its own.
func (f Fact) Long() bool { return len(f.Value) > 32 }

// Data is what the scripts draw from.
type Data struct {
	Name string `json:"name"`
	// Points is points.csv, Distribution is distribution.csv or empty.
	Points       string `json:"points"`
	Distribution string `json:"distribution,omitempty"`
	// Axes are the swept paths, in the order of their columns, and last the scheme.
	Axes     []Axis          `json:"axes"`
	Measures []Measure       `json:"measures"`
	Units    map[string]Unit `json:"units"`
	Figures  []Figure        `json:"figures"`
	// Looks are how series are drawn, Schemes the place among them of each scheme.
	Looks   []Look         `json:"looks"`
	Schemes map[string]int `json:"schemes"`
	// Ramp are colours from little to much; RatioRamp has 1 in its middle.
	Ramp      []string `json:"ramp"`
	RatioRamp []string `json:"ratioRamp"`
	// Contests say who wins at each point.
	Contests []Contest `json:"contests"`
}

// Axis is something that was varied.
type Axis struct {
	Path  string `json:"path"`
	Title string `json:"title"`
	Unit  string `json:"unit"`
}

// Measure is a quantity that can be shown: a column of points.csv, or Values by row. Lo and Hi
// name the columns of its interval, Los and His have it where it is computed.
type Measure struct {
	Key    string   `json:"key"`
	Title  string   `json:"title"`
	Doc    string   `json:"doc,omitempty"` // one line: what it is
	Unit   string   `json:"unit"`
	Column string   `json:"column,omitempty"`
	Lo     string   `json:"lo,omitempty"`
	Hi     string   `json:"hi,omitempty"`
	Values []Number `json:"values,omitempty"`
	Los    []Number `json:"los,omitempty"`
	His    []Number `json:"his,omitempty"`
	// Model is the column of the closed form.
	Model string `json:"model,omitempty"`
	// Doubtful are the rows whose samples do not carry the value.
	Doubtful []int `json:"doubtful,omitempty"`
	Ratio    bool  `json:"ratio,omitempty"`
	// Brief measures are in the table before it is widened.
	Brief bool `json:"brief,omitempty"`
}

// Number is a float of which JSON has null where it is not one.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Unit is how a quantity is written: its multiples, largest first.
type Unit struct {
	Steps  []Step `json:"steps"`
	Binary bool   `json:"binary,omitempty"`
}

// Step is a multiple of a unit.
type Step struct {
	Symbol string  `json:"symbol"`
	Factor float64 `json:"factor"`
}

// Views of a figure.
const (
	ViewLine = "line"
	ViewBar  = "bar"
	ViewMap  = "map"
	ViewCDF  = "cdf"
	ViewCCDF = "ccdf"
)

// Figure is a view to start from. Empty fields are left to the scripts.
type Figure struct {
	Title   string `json:"title"`
	Label   string `json:"label"` // in the list of figures
	View    string `json:"view"`
	X       string `json:"x,omitempty"`
	Z       string `json:"z,omitempty"` // the second axis of a map
	Series  string `json:"series,omitempty"`
	Measure string `json:"measure,omitempty"`
	// Contest is, for a map of winners, one more than its place among the contests.
	Contest    int               `json:"contest,omitempty"`
	Where      map[string]string `json:"where,omitempty"`
	Schemes    []string          `json:"schemes,omitempty"` // that are shown; none: all
	XScale     string            `json:"xScale,omitempty"`
	YScale     string            `json:"yScale,omitempty"`
	References []Reference       `json:"references,omitempty"`
}

// Reference is a line across a figure.
type Reference struct {
	Axis  string  `json:"axis"`
	Value float64 `json:"value"`
	Label string  `json:"label"`
}

// Look is how a series is drawn.
type Look struct {
	Color string      `json:"color"`
	Dash  []float64   `json:"dash,omitempty"`
	Shape [][]float64 `json:"shape"`
}

// Contest says who wins at each point.
type Contest struct {
	Title string `json:"title"`
	// Cells are in the order in which points first appear in points.csv.
	Cells []Cell `json:"cells"`
}

// Cell is who wins at a point.
type Cell struct {
	Best string `json:"best,omitempty"`
	Text string `json:"text"`
	// Mark is "3.7x", "~" or "?", for a cell of a map.
	Mark string `json:"mark"`
	// Tie tells that others may be as good, Doubt that the samples do not carry it.
	Tie   bool `json:"tie,omitempty"`
	Doubt bool `json:"doubt,omitempty"`
}
