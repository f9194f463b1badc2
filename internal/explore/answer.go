package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/closedform"
	"sdrsim/internal/experiment"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// Parts of an answer.
const (
	PartText     = "text"     // the scenario that is run
	PartHere     = "here"     // the link itself
	PartDrop     = "drop"     // the link over the drop rate
	PartDistance = "distance" // the link over the distance
)

// Part is a part of an answer, as far as it is known. A later one of the same name takes its place.
type Part struct {
	Part string `json:"part"`
	// Text is the scenario, in PartText.
	Text string `json:"text,omitempty"`
	// Samples of Of are in it.
	Samples int `json:"samples,omitempty"`
	Of      int `json:"of,omitempty"`
	// Points is what points.csv holds.
	Points string `json:"points,omitempty"`
	// Path is the axis, At where on it the link stands; of PartHere there is none.
	Path string  `json:"path,omitempty"`
	At   float64 `json:"at,omitempty"`
	// Few are the rows, by column, whose samples do not carry a value.
	Few map[string][]int `json:"few,omitempty"`
	// Wins says, by column, who wins at each point.
	Wins map[string][]Win `json:"wins,omitempty"`
	// Fault is why there is nothing more of the part, or of the answer where the part has no name.
	Fault string `json:"fault,omitempty"`
}

// Win is a result.Verdict; what is no number is left out.
type Win struct {
	Best     string   `json:"best,omitempty"`
	Margin   float64  `json:"margin,omitempty"`
	Rivals   []string `json:"rivals,omitempty"`
	GaveUp   bool     `json:"gaveUp,omitempty"`
	Doubtful bool     `json:"doubtful,omitempty"`
	Failed   bool     `json:"failed,omitempty"`
}

// aroundSamples is how many samples the points around a link have at most.
const aroundSamples = 256

// more is how many times as many samples each round of the link itself has; rounds of the many
// points around it, each of which begins anew, are fewer.
const (
	more       = 4
	moreAround = 16
)

// Answer runs what is asked on so many cores, and emits every part again and again until it is
// complete. It ends with the error of the context, or of emit. A mistake of who asks is a Part with
// a Fault.
func (b *Base) Answer(ctx context.Context, a *Ask, jobs int, emit func(Part) error) error {
	text, err := b.TextOf(a)
	if err != nil {
		return emit(Part{Fault: err.Error()})
	}
	here, p, err := b.load(text, nil)
	if err != nil {
		return emit(Part{Fault: err.Error()})
	}
	if err := emit(Part{Part: PartText, Text: text}); err != nil {
		return err
	}
	var tasks []*task
	for _, name := range a.Parts {
		t := &task{part: name, source: here, samples: here.Samples}
		if name != PartHere {
			t.samples = min(here.Samples, aroundSamples)
			if t.source, err = b.around(name, text, p); err != nil {
				if err := emit(Part{Part: name, Fault: err.Error()}); err != nil {
					return err
				}
				continue
			}
		}
		if t.source != here {
			t.place(p)
		}
		tasks = append(tasks, t)
	}
	return rounds(ctx, tasks, jobs, emit)
}

// rounds goes on with every task until all are complete.
func rounds(ctx context.Context, tasks []*task, jobs int, emit func(Part) error) error {
	for len(tasks) > 0 {
		for _, t := range tasks {
			if t.part != PartHere && t.wait() {
				continue
			}
			part, err := t.next(ctx, jobs)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				part = Part{Part: t.part, Fault: err.Error()}
				t.done = t.samples
			}
			if err := emit(part); err != nil {
				return err
			}
		}
		tasks = slices.DeleteFunc(tasks, func(t *task) bool { return t.done >= t.samples })
	}
	return nil
}

// task is a part that is being answered.
type task struct {
	part, path    string
	at            float64
	source        *scenarios.Scenario
	samples, done int
	waited        bool
	store         memory
	runners       runners // of the link itself
}

// place finds where a link stands on the axis of the task. A round-trip time counts as a length of
// the medium.
func (t *task) place(p *spec.Point) {
	first := t.source.At(0)
	t.path = first.Axes[0].Path
	t.at = p.Link.Loss.Mean()
	if t.part == PartDistance {
		t.at = float64(p.Link.Delay) / float64(first.Link.Delay) * first.Axes[0].Number
	}
}

// wait lets the first round pass by, so that the link itself has its first answer soonest.
func (t *task) wait() bool {
	first := !t.waited
	t.waited = true
	return first
}

// next runs one more round.
func (t *task) next(ctx context.Context, jobs int) (Part, error) {
	samples := min(max(1, moreAround*t.done), t.samples)
	newRunner := func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
		return experiment.NewRunner(p, s)
	}
	if t.part == PartHere {
		samples = min(max(1, more*t.done), t.samples)
		defer t.runners.rest()
		newRunner = t.runners.get
	}
	swept, err := sweep.Run(ctx, sweep.Config{
		Source: limited{t.source, samples}, Jobs: jobs, Store: &t.store, Model: closedform.Mean,
		NewRunner: newRunner,
	})
	if err != nil {
		return Part{}, err
	}
	t.done = samples
	return t.partOf(swept.Rows)
}

// limited are points with fewer samples than they ask for.
type limited struct {
	sweep.Source
	samples int
}

func (l limited) At(i int) spec.Point {
	p := l.Source.At(i)
	if l.samples < p.Samples {
		p.Samples, p.Precision, p.SamplesMax = l.samples, nil, 0
	}
	return p
}

// partOf is what rows say.
func (t *task) partOf(rows []result.Row) (Part, error) {
	out := Part{Part: t.part, Path: t.path, At: t.at, Samples: t.done, Of: t.samples,
		Few: map[string][]int{}, Wins: map[string][]Win{}}
	var b bytes.Buffer
	if err := result.WriteCSV(&b, rows); err != nil {
		return out, err
	}
	out.Points = b.String()
	for _, name := range shown {
		c := metric.Lookup(name)
		for i := range rows {
			if _, carried := rows[i].Read(c); !carried || c.Metric.Times() && rows[i].Lone() {
				out.Few[name] = append(out.Few[name], i)
			}
		}
		if c.Better != "" && c.Metric != nil {
			out.Wins[name] = winsOf(result.Contest{Title: c.Title, Column: c}, rows)
		}
	}
	return out, nil
}

// winsOf judges every point; the rows of one follow each other.
func winsOf(c result.Contest, rows []result.Row) (list []Win) {
	for from := 0; from < len(rows); {
		to := from
		var point []*result.Row
		for ; to < len(rows) && result.PointKey(rows[to].Axes) == result.PointKey(rows[from].Axes); to++ {
			point = append(point, &rows[to])
		}
		v := c.Judge(point)
		w := Win{Best: v.Best, Rivals: v.Rivals, GaveUp: v.GaveUp, Doubtful: v.Doubtful,
			Failed: v.Failed}
		if result.Finite(v.Margin) {
			w.Margin = v.Margin
		}
		list = append(list, w)
		from = to
	}
	return list
}

// around is the link of a text over an axis.
func (b *Base) around(part, text string, p *spec.Point) (*scenarios.Scenario, error) {
	var values []scenarios.Override
	path, list := "link.loss.p", dropSteps
	switch {
	case part == PartDistance:
		path, list = "link.distance", distanceSteps
		reworked, err := scenarios.Rework(fileName, []byte(text), headOf(""),
			[]scenarios.Override{{Path: path, Value: list[0]}}) // in place of a round-trip time
		if err != nil {
			return nil, err
		}
		text = string(reworked)
	case part != PartDrop:
		return nil, fmt.Errorf("no part is called %q", part)
	case p.Link.Loss.Model == spec.LossNone:
		values = append(values, scenarios.Override{Path: "link.loss.model", Value: spec.LossIID})
	case p.Link.Loss.Model == spec.LossGilbertElliott:
		path = "link.loss.mean"
	case p.Link.Loss.Model != spec.LossIID:
		return nil, errors.New("the losses of the link are a list, and no rate")
	}
	values = append(values, scenarios.Override{
		Path: path, Value: "[" + strings.Join(list, ", ") + "]"})
	s, _, err := b.load(text, values)
	return s, err
}
