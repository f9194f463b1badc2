package model

import (
	"errors"
	"math"

	"sdrsim/internal/portable"
	"sdrsim/units"
)

// Parameters for which the model has no value.
var (
	ErrChunks      = errors.New("the number of chunks is negative or above 2^40")
	ErrChunkTime   = errors.New("the chunk time is not positive")
	ErrSpan        = errors.New("a round-trip time or timeout is negative")
	ErrProbability = errors.New("the loss probability is not in [0, 1)")
	// ErrCodedLossy tells that a chunk is lost more often than not, which no code is for.
	ErrCodedLossy = errors.New("the form of coding is not evaluated beyond a chunk loss of 0.5")
	// ErrLossy tells that a loss is beyond what the sums of the form are evaluated for.
	ErrLossy   = errors.New("the form is not evaluated beyond a loss probability of 0.9999")
	ErrTooLong = errors.New("the message takes longer than 2^60 ps, 13 days, to inject")
)

const (
	maxChunks = 1 << 40
	maxSpan   = units.Duration(1 << 60)
	// maxProbability bounds the attempts that matter, of which there are about 50/(1-P).
	maxProbability = 0.9999
	// maxCodedProbability is where a code is of no use and its sums would not end.
	maxCodedProbability = 0.5
)

// SR is Selective Repeat of one message of so many chunks. arXiv:2505.05366 §4.2.1:
//
//	X_i = i*T_inj + (RTO + T_inj)(Y_i - 1)    T_SR = max_i X_i + RTT + acknowledgement
//
// X_i is when chunk i has been sent for the last time and Y_i how many times that took.
type SR struct {
	Link
	Chunks int64          // M
	RTO    units.Duration // from the departure of a chunk to its repetition
	// P is the probability that a chunk is lost, independently for each chunk and attempt. Where
	// Packets is above one, it is that of a packet.
	P float64
	// Packets, where above one, is how many packets a chunk has whose arrivals accumulate: an
	// attempt need only bring the packets that none before it has brought. Then
	// P(Y_i <= a) = (1 - P^a)^Packets instead of 1 - P^a.
	Packets int64
	// Limit is when a message is given up; nil: never.
	Limit *Limit
}

// Validate names the parameter for which the model has no value; nil if there is none.
func (s SR) Validate() error {
	switch {
	case s.Chunks < 0 || s.Chunks > maxChunks:
		return ErrChunks
	case s.ChunkTime <= 0:
		return ErrChunkTime
	case s.RTT < 0 || s.RTO < 0 || s.AckTime < 0:
		return ErrSpan
	case !(s.P >= 0 && s.P < 1):
		return ErrProbability
	case s.P > maxProbability:
		return ErrLossy
	case s.RTT > maxSpan || s.RTO > maxSpan || s.AckTime > maxSpan,
		int64(s.ChunkTime) > int64(maxSpan)/(s.Chunks+1):
		return ErrTooLong
	}
	return nil
}

// validity is what the distribution of T_SR is worth: beyond the timeout, repetitions compete with
// first transmissions for the link, which the model does not see.
func (s SR) validity() (Validity, string) {
	switch {
	case s.P == 0:
		return Exact, "nothing is lost"
	case s.injection() <= s.RTO:
		return Exact, "M*T_inj <= RTO: no repetition meets a first transmission"
	}
	return LowerBound, "M*T_inj > RTO: repetitions compete with first transmissions"
}

func (s SR) value(seconds float64) Value {
	validity, why := s.validity()
	return Value{Seconds: seconds, Validity: validity, Why: why}
}

// injection is how long the first transmissions take.
func (s SR) injection() units.Duration { return units.Duration(s.Chunks) * s.ChunkTime }

// base is the completion time when nothing is lost, the least possible.
func (s SR) base() units.Duration { return s.injection() + s.RTT + s.AckTime }

// Mean is E[T_SR].
func (s SR) Mean() Value {
	if err := s.applicable(); err != nil {
		return notApplicable(err)
	}
	return s.value((float64(s.base()) + s.excess()) / float64(units.Second))
}

// Excess is E[T_SR] less the lossless completion time. It has all its digits even where losses are
// so rare that they do not show in the mean.
func (s SR) Excess() Value {
	if err := s.applicable(); err != nil {
		return notApplicable(err)
	}
	return s.value(s.excess() / float64(units.Second))
}

// CDF is P(T_SR <= t); NaN where the model has no value. Beyond M*T_inj = RTO it is an upper bound.
func (s SR) CDF(t units.Duration) float64 {
	if s.applicable() != nil {
		return math.NaN()
	}
	return portable.Exp(s.logCDF(t))
}

// Survival is P(T_SR > t), with all its digits where it is small; NaN where the model has no value.
func (s SR) Survival(t units.Duration) float64 {
	if s.applicable() != nil {
		return math.NaN()
	}
	return -portable.Expm1(s.logCDF(t))
}

// Quantile is the least t, in whole picoseconds, with P(T_SR <= t) >= q, for 0 < q < 1.
func (s SR) Quantile(q float64) Value {
	if err := s.applicable(); err != nil {
		return notApplicable(err)
	}
	if !(q > 0 && q < 1) {
		return notApplicable(errors.New("the quantile is not in (0, 1)"))
	}
	target := portable.Log(q)
	low, span := s.base(), s.RTO+s.ChunkTime
	if s.logCDF(low) >= target {
		return s.value(low.Seconds())
	}
	high := low + span
	for s.logCDF(high) < target {
		if high > maxSpan<<1 {
			return notApplicable(ErrTooLong)
		}
		span *= 2
		low, high = high, high+span
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		if s.logCDF(middle) >= target {
			high = middle
		} else {
			low = middle
		}
	}
	return s.value(high.Seconds())
}
