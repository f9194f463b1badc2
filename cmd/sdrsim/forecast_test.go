package main

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/units"
)

// losses is a source that sweeps the drop rate, from low to high, under two schemes.
type losses []float64

func (l losses) Len() int { return len(l) }
func (l losses) At(i int) spec.Point {
	return spec.Point{
		Index: i, Key: fmt.Sprintf("p=%g", l[i]), Samples: 100,
		Link: spec.Link{
			MTU: 4 * units.KiB, Loss: spec.Loss{Model: spec.LossIID, P: l[i]},
		},
		Message: spec.Message{
			Size: 128 * units.MiB, Chunk: 64 * units.KiB, Count: 1, InFlight: 1,
		},
		Schemes: []spec.Scheme{{Label: "sr"}, {Label: "ec"}},
	}
}

// trueCost is what a sample takes in this test: something fixed, and something for each loss.
func trueCost(scheme string, p float64) time.Duration {
	lost := p * 32768
	if scheme == "ec" {
		return time.Duration((30 + 2*lost) * float64(time.Microsecond))
	}
	return time.Duration((10 + 9*lost) * float64(time.Microsecond))
}

// TestForecastFollowsTheCostOfPoints completes unit after unit of a sweep whose last points cost a
// thousand times what the first do. By the number of samples, what is left would come out too small
// by far.
func TestForecastFollowsTheCostOfPoints(t *testing.T) {
	source := losses{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}
	f := newForecast(source)
	if d, known := f.left(); known {
		t.Errorf("%v are left before the first sample", d)
	}
	var whole, spent time.Duration
	for i := range source {
		whole += 100 * (trueCost("sr", source[i]) + trueCost("ec", source[i]))
	}
	for i, p := range source {
		for _, scheme := range []string{"sr", "ec"} {
			u := f.units[2*i]
			if scheme == "ec" {
				u = f.units[2*i+1]
			}
			u.took(100, 100*trueCost(scheme, p))
			spent += 100 * trueCost(scheme, p)
			f.update(sweep.UnitProgress{Key: fmt.Sprintf("p=%g", p), Scheme: scheme, Samples: 100,
				Target: 100, Complete: true})
		}
		if i < 2 {
			continue // what losses cost cannot be told from what a sample costs anyway
		}
		left, known := f.left()
		off := math.Abs((left - (whole - spent)).Seconds()) / whole.Seconds()
		if !known || off > 0.1 {
			t.Errorf("after %g: %v are left (%v), want %v", p, left, known, whole-spent)
		}
		count := spent.Seconds() / float64(i+1) * float64(len(source)-i-1)
		if rest := (whole - spent).Seconds(); i == len(source)-2 && count > rest/5 {
			t.Errorf("the number of samples would do: %.3f s of %.3f s", count, rest)
		}
	}
	if left, _ := f.left(); left != 0 {
		t.Errorf("%v are left in the end", left)
	}
}

// TestForecastCountsWhatIsToBeRun has restored samples, a precision that adds some, and samples of
// a unit under way.
func TestForecastCountsWhatIsToBeRun(t *testing.T) {
	f := newForecast(losses{1e-3})
	sr := sweep.UnitProgress{Key: "p=0.001", Scheme: "sr", Samples: 60, Target: 100}
	f.update(sr)
	f.units[0].took(10, 10*time.Second)
	ec := sweep.UnitProgress{Key: "p=0.001", Scheme: "ec", Samples: 0, Target: 100}
	f.update(ec)
	f.units[1].took(50, 100*time.Second)
	want := 30*time.Second + 50*2*time.Second
	if left, _ := f.left(); left != want {
		t.Errorf("%v are left, want %v", left, want)
	}
	sr.Samples, sr.Target = 70, 200
	f.update(sr)
	if left, _ := f.left(); left != want+100*time.Second {
		t.Errorf("%v are left, want %v", left, want+100*time.Second)
	}
	p := pace{jobs: 2, forecast: f}
	if left, known := p.left(); !known || left != (want+100*time.Second)/2 {
		t.Errorf("%v are left for two jobs (%v)", left, known)
	}
	if left, known := (&pace{}).left(); known {
		t.Errorf("%v are left of nothing", left)
	}
	f.update(sweep.UnitProgress{Key: "elsewhere"}) // a merge has no such units
	t.Log("# trying samples out leaves as many to be run")
	f = newForecast(losses{1e-3})
	f.units[0].took(5, 5*time.Second)
	f.forget()
	if left, _ := f.left(); left != 200*time.Second {
		t.Errorf("%v are left, want %v", left, 200*time.Second)
	}
}

// TestCostsArePredictedWithinWhatWasMeasured draws costs of any kind.
func TestCostsArePredictedWithinWhatWasMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.Custom(func(t *rapid.T) costPoint {
			return costPoint{math.Pow(10, rapid.Float64Range(0, 6).Draw(t, "load")),
				math.Pow(10, rapid.Float64Range(-9, 3).Draw(t, "cost"))}
		})
		points := rapid.SliceOfNDistinct(draw, 1, 20,
			func(p costPoint) float64 { return p.load }).Draw(t, "points")
		l := newCostLaw(append([]costPoint{}, points...))
		for _, p := range points {
			if got := l.at(p.load); math.Abs(got-p.cost) > 1e-9*p.cost {
				t.Fatalf("at %v: %v, measured %v", p.load, got, p.cost)
			}
		}
		at := math.Pow(10, rapid.Float64Range(0, 7).Draw(t, "at"))
		if got := l.at(at); !(got > 0) || math.IsInf(got, 0) {
			t.Fatalf("at %v: %v", at, got)
		}
	})
}

// ticking is a runner whose samples fail.
type ticking struct{}

func (ticking) Sample(int, *experiment.Sample) error { return errors.New("no") }

func TestTimedRunnerPassesErrorsOnAndCounts(t *testing.T) {
	f := newForecast(losses{1e-3})
	p := losses{1e-3}.At(0)
	make := f.timed(func(*spec.Point, *spec.Scheme) (sweep.Runner, error) {
		return ticking{}, nil
	})
	r, err := make(&p, &p.Schemes[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Sample(0, nil); err == nil || f.units[1].ran.Load() != 1 {
		t.Errorf("error %v, %d samples", err, f.units[1].ran.Load())
	}
	t.Log("# samples that are told later are counted all the same")
	const many = 20 * briefTimed
	for i := range many {
		if r.Sample(1+i, nil) == nil {
			t.Fatal("no error")
		}
	}
	if n := f.units[1].ran.Load(); n <= 1+many-briefTimed || n > 1+many {
		t.Errorf("%d samples were told of %d", n, 1+many)
	}
}
