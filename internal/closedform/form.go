package closedform

import (
	"fmt"
	"math"
	"strconv"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/schemes/catalog"
	"sdrsim/schemes/model"
)

// Form is the closed form for one point under one scheme.
type Form struct {
	form model.Form
	// ring is how many datacenters a collective has whose rounds the form is of; 0 for a message.
	ring int64
}

// Of finds the closed form of arXiv:2505.05366 §4.2 for a point under a scheme. It is of one
// message with independent losses, and knows neither lost acknowledgements nor the cost of hosts:
// points with such costs, streams, sizes that are drawn and bursts have none. Losses of packets
// instead of chunks are taken as the simulation has them: packets that arrived stay arrived, and a
// code has lost a chunk with any of its packets.
//
// A collective has the form of ringForm.
func Of(p *spec.Point, s *spec.Scheme) Form {
	switch {
	case !p.Link.Steady():
		return none("it is of a link that does not change")
	case p.Network.Kind != "":
		return none("it knows no queues")
	case p.Training.Parallel != "":
		return none("it is of messages, not of training steps")
	case p.Storage.Operation != "":
		return none("it is of messages, not of file operations")
	case p.Submits():
		return none("it knows no cost of starting messages")
	case !p.Even():
		return none("it is of a path that keeps packets in order and at their distances")
	case p.Workload.Ranks > 0:
		return none("it is of a single message")
	case p.Collective.Kind != "":
		return ringForm(p, s)
	case p.Messages() > 1:
		return none("it is of a single message")
	case p.Message.Sizes != nil:
		return none("it is of messages of one size")
	case p.Link.Loss.Model != spec.LossNone && p.Link.Loss.Model != spec.LossIID:
		return none("it is of independent losses")
	case p.NIC.PerPacket > 0 || p.NIC.PerChunk > 0:
		return none("it knows no cost of completions")
	}
	scheme, err := catalog.Build(s.Name, s.Params)
	if err != nil || scheme.Form == nil {
		return none("it does not know the scheme")
	}
	return Form{form: scheme.Form(experiment.SettingOf(p))}
}

func none(why string) Form { return Form{form: model.Form{Why: why}} }

// Mean is the mean completion time by the form, with what it is worth for the simulated scheme.
func (f Form) Mean() model.Value {
	v := f.form.Mean()
	if f.ring > 0 {
		round := v.Why
		v = model.AllReduce(f.ring, v)
		v.Why += "; a round: " + round
	}
	return f.form.Qualified(v)
}

// Quantile is a quantile of the completion time in seconds; the form has one for messages only,
// NaN else.
func (f Form) Quantile(q float64) float64 {
	if f.form.Formula == nil || f.ring > 0 {
		return math.NaN()
	}
	return Steady(f.form.Quantile(q).Seconds)
}

// Mean is the mean completion time that stands beside simulated ones.
func Mean(p *spec.Point, s *spec.Scheme) sweep.Form {
	v := Of(p, s).Mean()
	return sweep.Form{
		Seconds: Steady(v.Seconds),
		Known:   v.Validity != model.NotApplicable, Exact: v.Validity == model.Exact,
	}
}

// Row is the closed form in place of simulated results: no samples, and what the value is worth is
// its warning.
func Row(p *spec.Point, s *spec.Scheme) result.Row {
	f := Of(p, s)
	row := result.NewRow(sweep.AxesOf(p), s.Label)
	v := f.Mean()
	row.Warnings = []string{fmt.Sprintf("closed form, %s: %s", v.Validity, v.Why)}
	if v.Validity == model.NotApplicable {
		return row
	}
	mean := Steady(v.Seconds)
	row.CompletionMean, row.ModelCompletionMean = mean, mean
	row.CompletionP50, row.CompletionP99 = f.Quantile(0.5), f.Quantile(0.99)
	row.CompletionP999 = f.Quantile(0.999)
	row.Goodput = 8 * float64(p.Message.Size) / mean
	if lossless := Lossless(p); lossless > 0 {
		row.SlowdownMean = mean / lossless
		row.SlowdownP999 = row.CompletionP999 / lossless
	}
	return row
}

// Lossless is the completion time of a message, or of a collective, without loss and parity, in
// seconds.
func Lossless(p *spec.Point) float64 {
	if p.Collective.Kind != "" {
		longest := 0.0
		for i := range p.Collective.Hops {
			hop := hopOf(p, i)
			longest = max(longest, Lossless(&hop))
		}
		return float64(p.Collective.Rounds()) * longest
	}
	at := experiment.SettingOf(p)
	return model.SR{Link: at.Link(), Chunks: at.Chunks()}.Mean().Seconds
}

// Steady keeps ten digits, so that the last bits of a processor's exponential and logarithm, which
// differ between machines, do not reach a result file.
func Steady(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64)
	return rounded
}
