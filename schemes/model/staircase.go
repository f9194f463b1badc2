package model

import (
	"math"
	"slices"

	"sdrsim/internal/portable"
	"sdrsim/units"
)

// The distribution of max_i X_i is a staircase. Let s be the time since the first transmissions
// ended and j = M - i count the chunks from the last one backwards. Up to s, chunk j has had
//
//	a = floor((s + j*T)/D) + 1 attempts,  T = T_inj, D = RTO + T_inj,
//
// and F(s) is the product over j of P(Y <= a). Chunks with equal a are counted, not visited: with
// s = (a0-1)*D + u, 0 <= u < D, the number of chunks with at least a0+b attempts is
//
//	N_b = #{ j < M : u + j*T >= b*D }
//
// whatever a0 is. As u grows by T, each boundary b is crossed by one chunk, at the phase b*D mod T.
// Between two phases log F therefore grows by the same amount from one period T to the next, and
// the sum of 1 - F over the periods is a geometric series. A mean costs one such sum for each
// number of attempts and phase that matter, however many chunks there are.

// staircase is what of the distribution does not depend on a0. Times are in picoseconds.
type staircase struct {
	chunks     int64
	period     int64 // T
	round      int64 // D
	boundaries []boundary
	late       int64 // first period in which the last boundary is crossed; 0: all of them
}

// boundary is crossed by one chunk in each period, at the phase.
type boundary struct {
	number int64 // b
	phase  int64 // b*D mod T
	before int64 // N_b when the first period starts, were the number of chunks unbounded below
}

func (s SR) round() int64 { return int64(s.RTO + s.ChunkTime) }

// levels is how many numbers of attempts beyond the least must be told apart: the chance that any
// chunk misses more of them vanishes beside the chance that the last chunk misses the least.
func (s SR) levels() int64 {
	const vanishes = 41.5 // -log 1e-18
	return int64(math.Ceil((portable.Log(float64(s.Chunks)) + vanishes) / -portable.Log(s.P)))
}

func (s SR) staircase() staircase {
	c := staircase{chunks: s.Chunks, period: int64(s.ChunkTime), round: s.round()}
	// Boundary b is crossed within a round when (b-1)*D < (M-1)*T.
	crossed := ((c.chunks-1)*c.period + c.round - 1) / c.round
	for b := int64(1); b <= min(crossed, s.levels()); b++ {
		whole, phase := b*c.round/c.period, b*c.round%c.period
		c.boundaries = append(c.boundaries,
			boundary{number: b, phase: phase, before: c.chunks - whole - 1})
	}
	if n := len(c.boundaries); n > 0 {
		// Only the last boundary can lie beyond the first chunk when the round begins.
		c.late = max(0, -c.boundaries[n-1].before)
	}
	return c
}

// logArrived is log P(Y <= a) given P^a.
func (s SR) logArrived(power float64) float64 {
	return float64(max(1, s.Packets)) * portable.Log1p(-power)
}

// excess is the integral over s > 0 of 1 - F(s), in picoseconds.
func (s SR) excess() float64 {
	if s.P == 0 || s.Chunks == 0 {
		return 0
	}
	c := s.staircase()
	depth := len(c.boundaries)
	// logs[b] is log P(Y <= a0+b).
	logs := make([]float64, depth+1)
	power := s.P
	for b := range logs {
		logs[b] = s.logArrived(power)
		power *= s.P
	}
	gains := make([]float64, depth+1)
	byPhase := slices.Clone(c.boundaries)
	slices.SortFunc(byPhase, func(a, b boundary) int { return int(a.phase - b.phase) })

	// rest bounds what the rounds to come can add: M*P(Y > a)*D, a geometric series over a.
	rest := float64(s.Chunks) * float64(max(1, s.Packets)) * float64(c.round) / (1 - s.P)
	total := 0.0
	for {
		for b := 1; b <= depth; b++ {
			gains[b] = logs[b] - logs[b-1]
		}
		total += c.roundIntegral(byPhase, logs, gains)
		rest *= s.P
		if rest*s.P <= relativeRest*total {
			return total
		}
		copy(logs, logs[1:])
		logs[depth] = s.logArrived(power)
		power *= s.P
	}
}

// roundIntegral is the integral of 1 - F over the round in which the last chunk's attempts are a0.
func (c *staircase) roundIntegral(byPhase []boundary, logs, gains []float64) float64 {
	last := int64(len(c.boundaries))
	if c.late == 0 {
		return c.stretch(byPhase, gains, stretch{last: last, log: c.logAt(0, last, logs)})
	}
	// Until the last boundary is first crossed, nobody is beyond it.
	early := stretch{periods: c.late, last: last - 1, log: c.logAt(0, last-1, logs)}
	late := stretch{from: c.late, last: last, log: c.logAt(c.late, last, logs)}
	return c.stretch(byPhase, gains, early) + c.stretch(byPhase, gains, late)
}

// stretch is a run of periods in which the same boundaries are crossed.
type stretch struct {
	from    int64   // first period
	periods int64   // how many; 0: to the end of the round
	last    int64   // greatest boundary that is crossed
	log     float64 // log F when the first period starts, before any crossing
}

// logAt is log F at the start of a period, before its crossings, with boundaries up to last.
func (c *staircase) logAt(period, last int64, logs []float64) float64 {
	sum, above := 0.0, c.chunks
	for b := range last {
		beyond := c.boundaries[b].before + period
		sum += float64(float64(above-beyond) * logs[b])
		above = beyond
	}
	return sum + float64(float64(above)*logs[last])
}

// stretch integrates 1 - F over a stretch, phase by phase.
func (c *staircase) stretch(byPhase []boundary, gains []float64, t stretch) float64 {
	step := 0.0
	for b := int64(1); b <= t.last; b++ {
		step += gains[b]
	}
	whole, rest := c.round/c.period, c.round%c.period
	sum, phase, log := 0.0, int64(0), t.log
	// upTo adds the part of every period between phase and end.
	upTo := func(end int64) {
		if end == phase {
			return
		}
		count := t.periods
		if count == 0 {
			count = whole - t.from
			if phase < rest {
				count++ // the round ends within a period, behind this phase
			}
		}
		sum += float64(float64(end-phase) * missedSum(min(log, 0), step, count))
		phase = end
	}
	for _, b := range byPhase {
		if b.number > t.last {
			continue
		}
		upTo(b.phase)
		log += gains[b.number]
	}
	// The phase at which the round ends is that of the first boundary, b = 1: a phase already, unless
	// no boundary is crossed.
	if phase < rest {
		upTo(rest)
	}
	upTo(c.period)
	return sum
}

// logCDF is log P(T_SR <= t).
func (s SR) logCDF(t units.Duration) float64 {
	since := int64(t - s.base())
	switch {
	case since < 0:
		return math.Inf(-1)
	case s.P == 0 || s.Chunks == 0:
		return 0
	}
	period, round := int64(s.ChunkTime), s.round()
	u := since % round
	power := portable.Pow(s.P, float64(since/round+1))
	sum, above, levels := 0.0, s.Chunks, s.levels()
	for b := int64(1); above > 0 && b <= levels && b*round <= u+(s.Chunks-1)*period; b++ {
		beyond := s.Chunks - (b*round-u+period-1)/period
		sum += float64(float64(above-beyond) * s.logArrived(power))
		above = beyond
		power *= s.P
	}
	return sum + float64(float64(above)*s.logArrived(power))
}
