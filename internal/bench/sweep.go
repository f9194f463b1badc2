package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"
	"time"

	"sdrsim/internal/closedform"
	"sdrsim/internal/experiment"
	"sdrsim/internal/figure"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// Sweep measures a whole scenario.
type Sweep struct {
	Scenario *scenarios.Scenario
	Changes  []scenarios.Override // that it was loaded with
	Jobs     int                  // of the sweeps that use several
	Rounds   int

	times sweepTimes
}

// About is what the results are of.
func (b *Sweep) About() About {
	command := fmt.Sprintf("sweep %s --jobs %d --rounds %d", b.Scenario.File, b.Jobs, b.Rounds)
	for _, change := range b.Changes {
		command += " --set " + change.String()
	}
	return About{Name: "sweep", Jobs: b.Jobs, Command: command, Figures: sweepFigures,
		Paths: []string{"jobs"}}
}

// Measure measures round by round.
func (b *Sweep) Measure(ctx context.Context) ([]result.Row, error) {
	t := &b.times
	for _, scheme := range b.Scenario.At(0).Schemes {
		t.schemes = append(t.schemes, scheme.Label)
	}
	t.simulated = make([][]float64, len(t.schemes))
	t.bare = make([][]float64, len(t.schemes))
	for range b.Rounds {
		t.samples, t.events = make([]int64, len(t.schemes)), make([]int64, len(t.schemes))
		if err := t.unitByUnit(ctx, b.Scenario); err != nil {
			return nil, err
		}
		if err := t.whole(ctx, b.Scenario, b.Jobs); err != nil {
			return nil, err
		}
	}
	return t.rows(b.Jobs), nil
}

// sweepTimes are the seconds of every round.
type sweepTimes struct {
	schemes []string
	// simulated and bare are by scheme and round, on one core; one and several are of whole sweeps.
	simulated, bare [][]float64
	one, several    []float64
	// samples and events of a round, by scheme.
	samples, events []int64
}

// Check finds flags that cannot be, and points without a yardstick.
func (b *Sweep) Check() error {
	if b.Jobs < 2 || b.Rounds < 1 {
		return errors.New("--jobs must be at least 2, and --rounds at least 1")
	}
	s := b.Scenario
	schemes := len(s.At(0).Schemes)
	for i := range s.Len() {
		p := s.At(i)
		if len(p.Schemes) != schemes {
			return fmt.Errorf("%s: points have different schemes", s.File)
		}
		for k := range p.Schemes {
			if _, err := closedform.NewSampler(&p, &p.Schemes[k]); err != nil {
				return fmt.Errorf("%s: %w", s.File, err)
			}
		}
	}
	return nil
}

// sweepFigures show whole sweeps by jobs.
var sweepFigures = []figure.Figure{{
	Kind: figure.Bar, Name: "sample-by-jobs", X: "jobs", Y: "wall",
	YScale: figure.LinearScale, Schemes: []string{wholeSweep},
	Title: "Time of a whole sweep over the number of its samples, by jobs",
}}

// whole runs the sweep with one job, with several twice, and with one again: whatever grows or
// fades with time then meets both alike.
func (t *sweepTimes) whole(ctx context.Context, s *scenarios.Scenario, jobs int) error {
	var took [4]float64
	for i, n := range []int{1, jobs, jobs, 1} {
		started := time.Now()
		config := sweep.Config{Source: s, Jobs: n, NewRunner: newRunner, Model: closedform.Mean}
		if _, err := sweep.Run(ctx, config); err != nil {
			return err
		}
		took[i] = time.Since(started).Seconds()
	}
	t.one = append(t.one, (took[0]+took[3])/2)
	t.several = append(t.several, (took[1]+took[2])/2)
	return nil
}

// unitByUnit runs the samples of each point under each scheme, and those of the bare model right
// after them: what slows the machine down slows both. Making a runner counts, as it does in a
// sweep.
func (t *sweepTimes) unitByUnit(ctx context.Context, s *scenarios.Scenario) error {
	simulated := make([]time.Duration, len(t.schemes))
	bare := make([]time.Duration, len(t.schemes))
	for i := range s.Len() {
		p := s.At(i)
		for k := range p.Schemes {
			if err := ctx.Err(); err != nil {
				return err
			}
			took, events, err := timeUnit(&p, &p.Schemes[k], newRunner)
			if err != nil {
				return err
			}
			simulated[k] += took
			t.events[k] += events
			t.samples[k] += int64(p.Samples)
			if took, _, err = timeUnit(&p, &p.Schemes[k], closedform.NewSampler); err != nil {
				return err
			}
			bare[k] += took
		}
	}
	for k := range t.schemes {
		t.simulated[k] = append(t.simulated[k], simulated[k].Seconds())
		t.bare[k] = append(t.bare[k], bare[k].Seconds())
	}
	return nil
}

// newRunner makes the runner of the simulation.
func newRunner(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
	return experiment.NewRunner(p, s)
}

// timeUnit runs the samples of a point under a scheme.
func timeUnit(
	p *spec.Point, scheme *spec.Scheme,
	newRunner func(*spec.Point, *spec.Scheme) (sweep.Runner, error),
) (took time.Duration, events int64, err error) {
	started := time.Now()
	r, err := newRunner(p, scheme)
	if err != nil {
		return 0, 0, err
	}
	var sample experiment.Sample
	for i := range p.Samples {
		if err := r.Sample(i, &sample); err != nil {
			return 0, 0, err
		}
		events += sample.Events
	}
	return time.Since(started), events, nil
}

// wholeSweep labels rows of whole sweeps: all schemes, with what the sweep itself costs.
const wholeSweep = "whole sweep"

// rows are the measurements by jobs: each scheme and its yardstick on one core, whole sweeps on
// one and on several. Times are of a sample.
func (t *sweepTimes) rows(jobs int) []result.Row {
	var rows []result.Row
	add := func(jobs int, name string, rounds, yardstick []float64) *result.Row {
		axis := result.AxisValue{Path: "jobs", Text: strconv.Itoa(jobs), Number: float64(jobs)}
		rows = append(rows, wallRow(result.NewRow([]result.AxisValue{axis}, name), rounds, yardstick))
		return &rows[len(rows)-1]
	}
	total := int64(0)
	for k, name := range t.schemes {
		total += t.samples[k]
		bare := per(t.bare[k], t.samples[k])
		row := add(1, name, per(t.simulated[k], t.samples[k]), bare)
		row.EventsMean = float64(t.events[k]) / float64(t.samples[k])
		add(1, bareLabel(name), bare, nil)
	}
	one := per(t.one, total)
	add(1, wholeSweep, one, sum(t.bare, total))
	add(jobs, wholeSweep, per(t.several, total), one)
	return rows
}

// per divides the seconds of rounds by the samples of a round.
func per(rounds []float64, samples int64) []float64 {
	list := make([]float64, len(rounds))
	for i, s := range rounds {
		list[i] = s / float64(samples)
	}
	return list
}

// sum adds up schemes round by round, and divides by samples.
func sum(schemes [][]float64, samples int64) []float64 {
	total := make([]float64, len(schemes[0]))
	for _, rounds := range schemes {
		for i, s := range rounds {
			total[i] += s
		}
	}
	return per(total, samples)
}

// Print prints the measurements and what follows from them.
func (b *Sweep) Print(w io.Writer, rows []result.Row) error {
	t := &b.times
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "jobs\twhat\ta sample\tevents\tratio\t")
	for i := range rows {
		r := &rows[i]
		events, ratio := "", ""
		if !math.IsNaN(r.EventsMean) {
			events = fmt.Sprintf("%.1f", r.EventsMean)
		}
		switch {
		case r.Axes[0].Number > 1:
			ratio = fmt.Sprintf("%.2fx faster than one job", 1/r.WallRatio)
		case !math.IsNaN(r.WallRatio):
			ratio = fmt.Sprintf("%.1fx the bare model", r.WallRatio)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t\n",
			r.Axes[0].Text, r.Scheme, spent(r.SampleWall), events, ratio)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nsimulation %.1fx the bare model, on one core\n"+
		"%d samples: %s with one job, %s with %d\n",
		t.overBare(), t.total(), spent(median(t.one).Value), spent(median(t.several).Value), b.Jobs)
	return err
}

// overBare is the time of all samples over that of the bare model.
func (t *sweepTimes) overBare() float64 {
	return median(ratios(sum(t.simulated, 1), sum(t.bare, 1))).Value
}

// total is how many samples a round has.
func (t *sweepTimes) total() (n int64) {
	for _, s := range t.samples {
		n += s
	}
	return n
}
