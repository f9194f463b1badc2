package model

import (
	"errors"
	"math"

	"sdrsim/internal/portable"
	"sdrsim/units"
)

// The receiver that speaks as soon as everything can be recovered. Submessages are recovered one by
// one, by the data alone or by the first chunks of their parity, and their losses are independent.
// Let R(j) be the probability that one can be recovered from its data and the first j chunks of its
// parity, W = R(0), A = R(m). With parity behind all data, after q = s*m + j chunks of it,
//
//	F(q) = A^s R(j) W^(L-1-s)
//
// is the probability that all L submessages can be recovered: those before s have had all their
// parity, those behind it none. No message is complete before all its data has left, so that
//
//	E[T; no fallback] = A^L (M T_inj + RTT) + T_inj * sum over q < L*m of (A^L - F(q))
//
// The sum over s is a geometric series. With the parity of each submessage behind its data, only
// that of the last one is waited for. If a submessage fails, everything has arrived when the
// fallback timeout expires, FTO after the first packet; the report takes the way back, and the
// failed submessages are repeated as a whole.

// Order says how data and parity share the wire.
type Order string

// Orders on the wire; the empty one is OrderParityLast.
const (
	OrderParityLast  Order = "parity-last" // all data, then all parity
	OrderInterleaved Order = "interleaved" // the parity of a submessage behind its data
)

// ErrOrder is an order that is unknown, or other than the paper's where its formula is asked for.
var ErrOrder = errors.New("the order is not one that the form is of")

// spoken is an EC whose receiver speaks as soon as it can, with what its sums have in common.
type spoken struct {
	EC
	full, last int64   // submessages before the last one; data chunks of the last
	loss       float64 // of a chunk
	lastLoss   float64 // of the last data chunk, which may have fewer packets
}

func (e EC) spoken() spoken {
	s := spoken{EC: e, full: max(0, e.Chunks-1) / e.K, loss: e.loss()}
	s.last = e.Chunks - s.full*e.K
	s.lastLoss = s.loss
	if e.LastPackets > 0 && e.Packets > 1 {
		s.lastLoss = ChunkLoss(e.P, e.LastPackets)
	}
	return s
}

// subs is L, how many submessages there are.
func (s *spoken) subs() int64 { return s.full + min(1, s.last) }

// fto is the fallback timeout of a sender that gives every submessage, the last one too, all its
// parity.
func (s *spoken) fto() float64 {
	sent := float64((float64(s.Chunks) + float64(float64(s.subs())*float64(s.M))) *
		float64(s.ChunkTime))
	if s.Injection > 0 {
		sent = float64(s.Injection)
	}
	return sent + math.Round(float64(s.Beta*float64(s.RTT)))
}

// dataEnd is when the data of the message has left: with interleaved parity, that of the
// submessages before the last one with it.
func (s *spoken) dataEnd() float64 {
	end := float64(float64(s.Chunks) * float64(s.ChunkTime))
	if s.Last > 0 && s.Chunks > 0 {
		end -= float64(s.ChunkTime - s.Last)
	}
	if s.Order == OrderInterleaved {
		end += float64(float64(s.full) * float64(s.M) * float64(s.ChunkTime))
	}
	return end
}

// missAbove is P(X > most) for X ~ Binomial(n, p), also for a negative most.
func missAbove(n, most int64, p float64) float64 {
	if most < 0 {
		return 1
	}
	return binomialTail(n, most, p)
}

// fails is the probability that so many chunks, one of them lost with another probability q, lose
// more than most.
func (s *spoken) fails(n, most int64, q float64) float64 {
	if q == s.loss {
		return missAbove(n, most, s.loss)
	}
	return float64((1-q)*missAbove(n-1, most, s.loss)) + float64(q*missAbove(n-1, most-1, s.loss))
}

// logRecovered is log R(j) of a submessage of so many data chunks, the last of which is lost with
// probability q.
func (s *spoken) logRecovered(data, j int64, q float64) float64 {
	if data == 0 {
		return 0
	}
	if s.Code == MDS {
		return portable.Log1p(-s.fails(data+j, j, q))
	}
	return s.logGroups(data, j, q)
}

// logGroups is log R(j) under XOR: a group whose parity has been sent bears one loss, others none.
func (s *spoken) logGroups(data, j int64, q float64) float64 {
	small, larger := data/s.M, data%s.M // the first groups have one chunk more
	with := func(n int64, q float64) float64 { return portable.Log1p(-s.fails(n+1, 1, q)) }
	without := func(n int64, q float64) float64 { return portable.Log1p(-s.fails(n, 0, q)) }
	times := func(count int64, log float64) float64 {
		if count <= 0 {
			return 0
		}
		return float64(count) * log
	}
	sum := times(min(j, larger), with(small+1, s.loss)) +
		times(larger-j, without(small+1, s.loss))
	if small > 0 {
		covered := min(j, s.M) - min(j, larger)
		sum += times(covered, with(small, s.loss)) +
			times(s.M-larger-covered, without(small, s.loss))
	}
	if q != s.loss {
		group, of := (data-1)%s.M, without
		if group < j {
			of = with
		}
		n := small + 1 // the group of the last chunk has as many as any
		if larger == 0 {
			n = small
		}
		sum += of(n, q) - of(n, s.loss)
	}
	return sum
}

// logBy is log F: that everything can be recovered once the submessages before one have had all
// their parity, that one the first j chunks of it, and those behind it none.
func (s *spoken) logBy(before, j int64) float64 {
	all := s.logRecovered(s.K, s.M, s.loss)
	if before >= s.full {
		return logTimes(s.full, all) + s.logRecovered(s.last, j, s.lastLoss)
	}
	return logTimes(before, all) + s.logRecovered(s.K, j, s.loss) +
		logTimes(s.full-1-before, s.logRecovered(s.K, 0, s.loss)) +
		s.logRecovered(s.last, 0, s.lastLoss)
}

// logAfter is logBy a time since the data has left.
func (s *spoken) logAfter(spare float64) float64 {
	chunks := int64(min(spare/float64(s.ChunkTime), float64(s.subs()*s.M)))
	switch {
	case s.Order == OrderInterleaved:
		return s.logBy(s.full, min(chunks, s.M))
	case chunks == s.subs()*s.M:
		return s.logBy(s.full, s.M)
	}
	return s.logBy(chunks/s.M, chunks%s.M)
}

// logTimes is count*log, where none of what never happens is nothing.
func logTimes(count int64, log float64) float64 {
	if count == 0 {
		return 0
	}
	return float64(count) * log
}

// parityWaits is the sum over q of A^L - F(q): how many chunks of parity are waited for, in the
// mean over messages that do not fall back, times the probability that they do not.
func (s *spoken) parityWaits() float64 {
	all, none := s.logRecovered(s.K, s.M, s.loss), s.logRecovered(s.K, 0, s.loss)
	complete := portable.Exp(s.logBy(s.full, s.M))
	first, lasts := 0.0, 0.0
	for j := range s.M {
		if s.full > 0 {
			first += portable.Exp(s.logRecovered(s.K, j, s.loss))
		}
		lasts += portable.Exp(s.logRecovered(s.last, j, s.lastLoss))
	}
	sum := float64(float64(s.M)*complete) - float64(portable.Exp(logTimes(s.full, all))*lasts)
	if s.Order == OrderInterleaved || s.full == 0 {
		return sum
	}
	alone := portable.Exp(s.logRecovered(s.last, 0, s.lastLoss))
	return sum + float64(float64(s.full)*float64(s.M)*complete) -
		float64(alone*first*geometric(s.full, all, none))
}

// geometric is the sum over s < n of exp(s*all + (n-1-s)*none), none <= all <= 0.
func geometric(n int64, all, none float64) float64 {
	switch ratio := none - all; {
	case n == 1:
		return 1
	case math.IsInf(all, -1):
		return 0
	case ratio == 0:
		return float64(n) * portable.Exp(float64(n-1)*all)
	default:
		return portable.Exp(float64(n-1)*all) * portable.Expm1(float64(n)*ratio) / portable.Expm1(ratio)
	}
}

// failures calls visit with the Selective Repeat of what fails, and its probability.
func (s *spoken) failures(visit func(weight float64, repeat SR)) {
	const vanishes = 1e-20
	lastFails := -portable.Expm1(s.logRecovered(s.last, s.M, s.lastLoss))
	add := func(weight float64, chunks int64) {
		if math.Abs(weight) < vanishes || chunks == 0 {
			return
		}
		repeat := s.repeat(chunks)
		if s.Chunks == 1 && s.Last > 0 {
			repeat.ChunkTime = s.Last
			repeat.Packets = min(repeat.Packets, max(1, s.LastPackets))
		}
		visit(weight, repeat)
	}
	fails := -portable.Expm1(s.logRecovered(s.K, s.M, s.loss))
	for _, node := range binomialNodes(s.full, fails) {
		add(node.weight*(1-lastFails), node.count*s.K)
		add(node.weight*lastFails, node.count*s.K+s.last)
	}
}

// answer is what follows the last packet that is needed: its way, and the acknowledgement and its
// way.
func (s *spoken) answer() units.Duration { return s.RTT + s.AckTime }

// reported is when the report of a fallback, which is about as long as an acknowledgement, reaches
// the sender, in picoseconds.
func (s *spoken) reported() float64 {
	return float64(s.FirstPacket) + s.fto() + float64(s.answer())
}

// spokenMean is E[T_EC].
func (e EC) spokenMean() Value {
	s := e.spoken()
	if e.P == 0 || e.Chunks == 0 {
		lossless := s.dataEnd() + float64(s.answer())
		return Value{lossless / float64(units.Second), Exact, "nothing is lost"}
	}
	complete := portable.Exp(s.logBy(s.full, s.M))
	ps := float64(complete*(s.dataEnd()+float64(s.answer()))) +
		float64(float64(e.ChunkTime)*s.parityWaits())
	exact := true
	s.failures(func(weight float64, repeat SR) {
		const matters = 1e-12
		ps += float64(weight * (s.reported() + float64(repeat.base()) + repeat.excess()))
		if v, _ := repeat.validity(); v != Exact && weight > matters {
			exact = false
		}
	})
	v := Value{Seconds: ps / float64(units.Second), Validity: Exact,
		Why: "for a receiver that speaks as soon as everything can be recovered"}
	if !exact {
		v.Validity, v.Why = LowerBound, "M*T_inj > RTO in the fallback: repetitions compete"
	}
	return v
}

// CDF is P(T_EC <= t) of a receiver that speaks as soon as it can; NaN where the model has no
// value, and for a receiver that waits for all parity.
func (e EC) CDF(t units.Duration) float64 {
	if e.Ack != AckRecoverable || e.applicable() != nil {
		return math.NaN()
	}
	s := e.spoken()
	return s.cdf(t)
}

func (s *spoken) cdf(t units.Duration) (p float64) {
	spare := float64(t) - s.dataEnd() - float64(s.answer())
	switch {
	case spare < 0:
		return 0
	case s.P == 0 || s.Chunks == 0:
		return 1
	}
	p = portable.Exp(s.logAfter(spare))
	after := t - units.Duration(math.Round(s.reported()))
	s.failures(func(weight float64, repeat SR) {
		if after > 0 {
			p += float64(weight * repeat.CDF(after))
		}
	})
	return p
}

// Quantile is the least t, to a picosecond, with P(T_EC <= t) >= q, for 0 < q < 1 and a receiver
// that speaks as soon as it can.
func (e EC) Quantile(q float64) Value {
	switch err := e.applicable(); {
	case err != nil:
		return notApplicable(err)
	case e.Ack != AckRecoverable:
		return notApplicable(errors.New("a receiver that waits for all parity has a mean only"))
	case !(q > 0 && q < 1):
		return notApplicable(errors.New("the quantile is not in (0, 1)"))
	}
	s, v := e.spoken(), e.spokenMean()
	low, high := units.Duration(0), units.Duration(math.Ceil(s.dataEnd()))+s.answer()
	for s.cdf(high) < q {
		if high > maxSpan {
			return notApplicable(ErrTooLong)
		}
		low, high = high, 2*high
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; s.cdf(middle) >= q {
			high = middle
		} else {
			low = middle
		}
	}
	v.Seconds = high.Seconds()
	return v
}
