package schemes

import "sdrsim/units"

// Kind is the type of a scheme parameter's value.
type Kind string

// Kinds of parameters.
const (
	KindSpan   Kind = "span"   // a duration or a multiple of the round-trip time: 75ms, 3RTT
	KindCount  Kind = "count"  // a whole number
	KindNumber Kind = "number" // a decimal number
	KindBytes  Kind = "bytes"  // a size: 4KiB
	KindRate   Kind = "rate"   // bits per second: 100Gbps
	KindChoice Kind = "choice" // one of a few words
)

// Param describes one parameter of a scheme, for the loader of scenarios and for listings.
type Param struct {
	Name    string
	Kind    Kind
	Default string   // as a user would write it; empty: none, derived as Doc says
	Min     float64  // least value allowed, for counts and numbers
	Max     float64  // greatest value allowed, for counts and numbers; 0: no bound
	Choices []string // words allowed, for choices
	Doc     string   // one line
}

// Values are parameters by name, every parameter of the scheme present.
type Values map[string]Value

// Value is the value of a parameter; the field that its kind calls for is set. A parameter without
// a default that the user did not give is the zero Value with Given false.
type Value struct {
	Given  bool       // the user wrote it
	Span   units.Span // spans
	Number float64    // counts, numbers, sizes in bytes, rates in bit/s
	Word   string     // choices
}
