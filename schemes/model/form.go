package model

import (
	"math"

	"sdrsim/units"
)

// Formula is the distribution of the completion time of one message: SR, EC, or what a scheme
// brings of its own.
type Formula interface {
	// Validate names the parameter for which there is no value; nil if there is none.
	Validate() error
	Mean() Value
	Quantile(q float64) Value
	// GivesUp is the probability that the message meets its retry limit.
	GivesUp() float64
	// Among is the formula of one of so many messages, all of which have to complete.
	Among(messages int64) Formula
	// Draw is a completion time drawn at random; the formula is valid.
	Draw(*Sampler) units.Duration
}

// Approximate values are neither exact nor a bound.
const Approximate Validity = "approximate"

// Form is a formula with what it is worth for a simulated message.
type Form struct {
	Formula // nil: there is none
	// Why tells why there is none.
	Why string
	// Caveats are what the simulation has and the formula does not know, the gravest last.
	Caveats []Caveat
}

// Caveat lowers what a value is worth.
type Caveat struct {
	Validity Validity
	Why      string
}

// Mean is the mean completion time by the formula, without the caveats.
func (f Form) Mean() Value {
	if f.Formula == nil {
		return Value{Seconds: math.NaN(), Validity: NotApplicable, Why: f.Why}
	}
	return f.Formula.Mean()
}

// Qualified is a value with the caveats.
func (f Form) Qualified(v Value) Value {
	if v.Validity == NotApplicable {
		return v
	}
	for _, c := range f.Caveats {
		v.Validity, v.Why = c.Validity, v.Why+"; "+c.Why
	}
	return v
}

// Among is the formula of one of so many messages, all of which have to complete.
func (s SR) Among(messages int64) Formula {
	s.Limit = s.Limit.among(messages)
	return s
}

// Draw is a completion time drawn at random.
func (s SR) Draw(from *Sampler) units.Duration { return from.SR(s) }

// Among is the formula of one of so many messages, all of which have to complete.
func (e EC) Among(messages int64) Formula {
	e.Limit = e.Limit.among(messages)
	return e
}

// Draw is a completion time drawn at random.
func (e EC) Draw(from *Sampler) units.Duration { return from.EC(e) }

func (l *Limit) among(messages int64) *Limit {
	if l == nil {
		return nil
	}
	among := *l
	among.Messages = messages
	return &among
}
