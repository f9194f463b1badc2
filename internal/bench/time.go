package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// Effort says how long measurements take.
type Effort struct {
	Budget time.Duration // of a round of one variant
	Rounds int
}

// DefaultRounds are as many as a median needs for a 95 % interval: the least and the greatest of
// six enclose it with a probability of 1 - 2/2^6.
const DefaultRounds = 6

// variant is one of several things whose cost is compared.
type variant struct {
	name string
	// run does it once; i counts the calls.
	run func(i int) error
	// calls so far, and how many a round has.
	calls, perRound int
}

// times calls the variant n times and returns how long it takes.
func (v *variant) times(n int) (time.Duration, error) {
	started := time.Now()
	for range n {
		if err := v.run(v.calls); err != nil {
			return 0, fmt.Errorf("%s: %w", v.name, err)
		}
		v.calls++
	}
	return max(time.Since(started), time.Nanosecond), nil
}

// mostCalls bounds the calls of a round, for variants that cost nothing.
const mostCalls = 1 << 22

// calibrate finds how many calls fill the budget; what is needed once is made meanwhile.
func (v *variant) calibrate(budget time.Duration) error {
	for v.perRound = 1; ; v.perRound = min(2*v.perRound, mostCalls) {
		took, err := v.times(v.perRound)
		if err != nil {
			return err
		}
		if took >= budget/2 || v.perRound == mostCalls {
			v.perRound = max(1, int(float64(v.perRound)*min(2, float64(budget)/float64(took))))
			return nil
		}
	}
}

// interleaved measures the variants in turn, round by round, so that the drift of the machine meets
// all of them. It returns the seconds of a call by variant and round.
func interleaved(ctx context.Context, variants []*variant, e Effort) ([][]float64, error) {
	for _, v := range variants {
		if err := v.calibrate(e.Budget); err != nil {
			return nil, err
		}
	}
	seconds := make([][]float64, len(variants))
	for range e.Rounds {
		for i, v := range variants {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			took, err := v.times(v.perRound)
			if err != nil {
				return nil, err
			}
			seconds[i] = append(seconds[i], took.Seconds()/float64(v.perRound))
		}
	}
	return seconds, nil
}

// median is that of rounds, with its interval where there are enough.
func median(rounds []float64) stats.Estimate {
	return stats.Quantile(slices.Sorted(slices.Values(rounds)), 0.5)
}

// ratios divides round by round.
func ratios(over, under []float64) []float64 {
	list := make([]float64, len(over))
	for i := range over {
		list[i] = over[i] / under[i]
	}
	return list
}

// wallRow is a row of measurements: rounds count as samples. The yardstick may be nil.
func wallRow(row result.Row, rounds, yardstick []float64) result.Row {
	e := median(rounds)
	row.Samples = int64(len(rounds))
	row.SampleWall, row.SampleWallLo, row.SampleWallHi = e.Value, e.Lo, e.Hi
	if yardstick != nil {
		r := median(ratios(rounds, yardstick))
		row.WallRatio, row.WallRatioLo, row.WallRatioHi = r.Value, r.Lo, r.Hi
	}
	return row
}

// spent is a time for people, of three digits.
func spent(seconds float64) string {
	if math.IsNaN(seconds) {
		return "-"
	}
	d := time.Duration(seconds * float64(time.Second))
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= unit {
			return d.Round(unit / 100).String()
		}
	}
	return fmt.Sprintf("%.1fns", seconds*1e9)
}
