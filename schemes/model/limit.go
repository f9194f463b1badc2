package model

import (
	"fmt"

	"sdrsim/internal/portable"
)

// Limit is how often a protocol tries before it gives a message up. The form knows no limit: it is
// of a protocol that tries until it is done. Where a limit does more to the mean than harmless, the
// form has no value.
type Limit struct {
	// Attempts is how often a chunk is sent at most: the first time and its repeats under Selective
	// Repeat, the repeats of a fallback under erasure coding. With 0 a chunk that has to be sent by
	// them is given up.
	Attempts int64
	// AckLoss is the probability that an attempt which brings what is missing is not heard of.
	AckLoss float64
	// Messages is how many messages have to complete, 0 for one: one failure fails all of them.
	Messages int64
}

// harmless is the part of a mean that messages which are given up may have in it: it is below the
// last of the six digits in which the commands print a mean. What is given up has no time, so the
// mean over the others lacks P(given up) * E[T | given up]. Such a message would have had all its
// attempts, each one RTO behind the other, and 1/(1-P) more, beside the time that others take.
const harmless = 1e-6

// limitError tells that the limit shows.
type limitError struct{ probability float64 }

// Error says how often a message is given up.
func (e limitError) Error() string {
	return fmt.Sprintf("the retry limit is met with probability %.3g, and the form knows none",
		e.probability)
}

// check is the error of a limit that shows in the mean of s, given that a message is given up with
// a probability, and is not shorter than base.
func (l *Limit) check(givenUp float64, s SR, base float64) error {
	if l.Messages > 1 && givenUp < 1 {
		givenUp = -portable.Expm1(float64(l.Messages) * portable.Log1p(-givenUp))
	}
	attempts := float64(l.Attempts) + 1/(1-s.P)
	longest := 1 + attempts*float64(s.RTO+s.ChunkTime)/base
	if givenUp*longest > harmless {
		return limitError{givenUp}
	}
	return nil
}

// givesUp is the probability that all attempts of any chunk of a message are lost.
func (l *Limit) givesUp(s SR) float64 {
	if s.Chunks == 0 {
		return 0
	}
	unheard := s.P + float64((1-s.P)*l.AckLoss)
	units := float64(s.Chunks) * float64(max(1, s.Packets))
	return -portable.Expm1(units * portable.Log1p(-portable.Pow(unheard, float64(l.Attempts))))
}

// GivesUp is the probability that a message meets its limit, 0 where it has none:
//
//	1 - (1 - P^attempts)^M
func (s SR) GivesUp() float64 {
	if s.Limit == nil {
		return 0
	}
	return s.Limit.givesUp(s)
}

// GivesUp is the probability that a message falls back and meets its limit there, 0 where it has
// none: that of Selective Repeat, in the mean over what fails.
func (e EC) GivesUp() float64 {
	if e.Limit == nil || e.P == 0 || e.Chunks == 0 {
		return 0
	}
	s, sum := e.spoken(), 0.0
	s.failures(func(weight float64, repeat SR) {
		sum += float64(weight * e.Limit.givesUp(repeat))
	})
	return min(max(sum, 0), 1)
}

// applicable is why the form has no value; nil where it has one.
func (s SR) applicable() error {
	if err := s.Validate(); err != nil || s.Limit == nil {
		return err
	}
	return s.Limit.check(s.GivesUp(), s, float64(s.base()))
}

// applicable is why the form has no value; nil where it has one.
func (e EC) applicable() error {
	if err := e.Validate(); err != nil || e.Limit == nil {
		return err
	}
	repeat := e.repeat(e.Chunks)
	return e.Limit.check(e.GivesUp(), repeat, float64(repeat.base()))
}
