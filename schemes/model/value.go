package model

import (
	"fmt"
	"math"

	"sdrsim/units"
)

// Validity tells what a value of the closed form says about the protocol that it describes.
type Validity string

// Validities.
const (
	Exact         Validity = "exact"          // the expectation or quantile itself
	LowerBound    Validity = "lower bound"    // the truth is not smaller
	NotApplicable Validity = "not applicable" // there is no such value; Seconds is NaN
)

// Value is a time by the closed form, with what it is worth.
type Value struct {
	Seconds  float64
	Validity Validity
	Why      string // the reason for the validity, a phrase for a person
}

// String prints the time in milliseconds and its validity.
func (v Value) String() string {
	if v.Validity == NotApplicable {
		return fmt.Sprintf("%s (%s)", v.Validity, v.Why)
	}
	return fmt.Sprintf("%.6g ms (%s: %s)", v.Seconds*1e3, v.Validity, v.Why)
}

func notApplicable(err error) Value {
	return Value{Seconds: math.NaN(), Validity: NotApplicable, Why: err.Error()}
}

// Link is what the model knows of a link.
type Link struct {
	// ChunkTime is T_inj: how long a chunk occupies the link.
	ChunkTime units.Duration
	// RTT is the round-trip time of the propagation.
	RTT units.Duration
	// AckTime is how long an acknowledgement occupies the way back. The paper's takes no time.
	AckTime units.Duration
}
