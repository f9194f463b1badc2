package check

import (
	"encoding/json"
	"math"
)

// Number is a value of JSON that may be unknown: NaN is null.
type Number float64

// MarshalJSON writes the shortest number that reads back as n; null where it is not finite.
func (n Number) MarshalJSON() ([]byte, error) {
	if x := float64(n); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads a number, or NaN from null.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Known reports whether there is a value.
func (n Number) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// Value is what was measured, in SI base units, with its 95 % interval; NaN where it is unknown.
type Value struct {
	Value Number `json:"value"`
	Lo    Number `json:"lo"`
	Hi    Number `json:"hi"`
	// N is the number of samples.
	N int64 `json:"n"`
}

// Case is one metric of one scheme at one point.
type Case struct {
	// Point is the key of the point; empty where nothing is swept.
	Point  string `json:"point"`
	Scheme string `json:"scheme"`
	Metric string `json:"metric"`
	Value
}

// id names a case among those of a scenario.
type id struct{ point, scheme, metric string }

func (c *Case) id() id { return id{c.Point, c.Scheme, c.Metric} }
