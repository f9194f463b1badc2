package training

import (
	"testing"

	"sdrsim/units"

	"pgregory.net/rapid"
)

// played is how long a step takes, stage by stage and work by work, over a way of some delay.
func played(p *Pipeline, delay units.Duration) units.Duration {
	done := map[[3]int]units.Duration{} // stage, microbatch, backward
	key := func(stage int, w Work) [3]int {
		k := [3]int{stage, w.Microbatch, 0}
		if w.Backward {
			k[2] = 1
		}
		return k
	}
	next, free := make([]int, p.Stages), make([]units.Duration, p.Stages)
	orders := make([][]Work, p.Stages)
	for s := range orders {
		orders[s] = p.Order(s)
	}
	for moved := true; moved; {
		moved = false
		for s := range orders {
			for next[s] < len(orders[s]) {
				w := orders[s][next[s]]
				from, way, took := s-1, p.Hop == s && s > 0, p.Forward
				if w.Backward {
					from, way, took = s+1, p.Hop == s+1, p.Backward
				}
				start := free[s]
				if from >= 0 && from < p.Stages {
					at, ok := done[key(from, w)]
					if !ok {
						break
					}
					if way {
						at += delay
					}
					start = max(start, at)
				}
				free[s] = start + took
				done[key(s, w)] = free[s]
				next[s]++
				moved = true
			}
		}
	}
	if len(done) != 2*p.Stages*p.Microbatches {
		return -1 // the orders of the stages wait for each other
	}
	var end units.Duration
	for _, at := range free {
		end = max(end, at)
	}
	return end
}

func TestPipelinesOverALongWayTakeWhatIsPublished(t *testing.T) {
	const ms = units.Millisecond
	for _, c := range []struct {
		delay units.Duration
		ahead int
		want  units.Duration
	}{{0, 0, 1050 * ms}, {15 * ms, 0, 1530 * ms}, {15 * ms, 1, 1080 * ms}, {100 * ms, 0, 4250 * ms},
		{100 * ms, 7, 1250 * ms}} {
		p := Pipeline{Schedule: OneFOneB, Stages: 4, Microbatches: 32, Forward: 10 * ms,
			Backward: 20 * ms, Hop: 2, Ahead: c.ahead}
		if got := played(&p, c.delay); got != c.want {
			t.Errorf("1F1B over %v with %d ahead: %v, want %v", c.delay, c.ahead, got, c.want)
		}
	}
}

// (m + p - 1)(f + w) + 2 d is exact for GPipe, and for 1F1B where enough is started ahead.
func TestPipelinesThatStartEnoughLoseARoundTripOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pipeline{
			Schedule:     rapid.SampledFrom([]string{GPipe, OneFOneB}).Draw(t, "schedule"),
			Stages:       rapid.IntRange(1, 8).Draw(t, "stages"),
			Microbatches: rapid.IntRange(1, 40).Draw(t, "m"),
			Forward:      units.Duration(rapid.Int64Range(1, 1000).Draw(t, "f")),
		}
		p.Backward = units.Duration(rapid.Int64Range(1, 2000).Draw(t, "w"))
		p.Hop = rapid.IntRange(0, p.Stages-1).Draw(t, "hop")
		delay := units.Duration(rapid.Int64Range(0, 5000).Draw(t, "delay"))
		p.Ahead = p.Enough(delay)
		if got, want := played(&p, delay), p.Lossless(delay); got != want {
			t.Fatalf("%+v over %v: %v, want %v", p, delay, got, want)
		}
	})
}
