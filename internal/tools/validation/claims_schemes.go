package validation

import (
	"fmt"
	"math"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
	"sdrsim/schemes/model"
)

// comparison are the claims of figures 9, 10 and 12.
var comparison = []claim{
	{"§4.2", "the mean of 1000 samples is within 5 % of the expectation", samplesNearForm},
	{"fig. 9", "erasure coding wins from 128 KiB to 1 GiB for drop rates of 1e-6 to 1e-2",
		codingWins},
	{"fig. 9", "Selective Repeat wins below 1e-6 and above 1 GiB", repeatWins},
	{"ours, fig. 9", "the tail gains at lower drop rates than the mean", tailGain},
	{"ours, fig. 10a", "1e-5: the gain of erasure coding is largest below the bandwidth-delay " +
		"product, and gone far beyond", gainBySize},
	{"fig. 10", "up to 6.5 times faster than SR RTO in the mean", bestMean},
	{"fig. 10", "up to 12.2 times faster than SR RTO at p99.9", bestTail},
	{"fig. 10", "128 MiB: XOR gives up near 1e-3", kneeOf("ec-xor", 5e-4, 3e-3)},
	{"fig. 10", "128 MiB: MDS gives up beyond 1e-2", kneeOf("ec-mds", 1e-2, 1e-1)},
	{"fig. 10", "negative acknowledgements help up to 4 times", nackGain},
	{"ours, fig. 10d", "more parity, and longer submessages, give up later", splitOrder},
	{"fig. 12", "from injection-dominated (near, slow) to RTT-dominated (far, fast)",
		distanceAndBandwidth},
}

func samplesNearForm(b *book) finding {
	c := exactPoints(b, swept{"paper/fig9", paper}, "sr-rto")
	return finding{
		model: "exact to 2 GiB",
		simulated: fmt.Sprintf("%d of %d points of fig. 9, farthest %+.1f %%", c.within5, c.points,
			100*c.worst),
		verdict: holdsIf(c.within5 == c.points),
	}
}

// region calls visit with the speed-up of MDS over SR RTO at every point of a table, simulated and
// by the model.
func (b *book) region(
	table string, visit func(r *result.Row, ratio stats.Estimate, model float64),
) {
	for _, r := range b.rows(table, "ec-mds") {
		base := b.partner(table, "sr-rto", r)
		visit(r, stats.RatioOf(meanOf(base), meanOf(r)), paper.at(r).speedup())
	}
}

func codingWins(b *book) finding {
	worst, best, cells := math.Inf(1), 0.0, 0
	modelWorst, modelBest := math.Inf(1), 0.0
	b.region("paper/fig9", func(r *result.Row, ratio stats.Estimate, model float64) {
		p, size := value(r, onLoss), value(r, onSize)
		if p < 0.99e-6 || p > 1.01e-2 || size > 1<<30 {
			return
		}
		cells++
		worst, best = min(worst, ratio.Value), max(best, ratio.Value)
		modelWorst, modelBest = min(modelWorst, model), max(modelBest, model)
	})
	return finding{
		model:     fmt.Sprintf("%.4f to %s", modelWorst, show(modelBest)),
		simulated: fmt.Sprintf("%.4f to %s in %d cells", worst, show(best), cells),
		verdict:   holdsIf(worst > 0.999 && best > 5),
		note:      "in small messages at 1e-6 the gain is below 0.1 %",
	}
}

func repeatWins(b *book) finding {
	worst, modelWorst, modelBest := math.Inf(1), math.Inf(1), 0.0
	b.region("paper/fig9", func(r *result.Row, ratio stats.Estimate, model float64) {
		if value(r, onSize) <= 1<<30 || value(r, onLoss) > 1e-7 {
			return
		}
		worst = min(worst, ratio.Value)
		modelWorst, modelBest = min(modelWorst, model), max(modelBest, model)
	})
	large := b.rows("paper/fig3a", "ec-mds")
	if len(large) == 0 {
		return finding{}
	}
	last := large[len(large)-1]
	base := b.partner("paper/fig3a", "sr-rto", last)
	far := base.CompletionMean / last.CompletionMean
	return finding{
		model: fmt.Sprintf("%s to %s above 1 GiB, to 1e-7", show(modelWorst), show(modelBest)),
		simulated: fmt.Sprintf("%s or more above 1 GiB, to 1e-7; %s at %s, 1e-5", show(worst),
			show(far), sizeText(value(last, onSize))),
		verdict: departsIf(worst > 0.97 && modelBest < 1 && far < 0.9),
		note: "the receiver acknowledges as soon as everything is recoverable, so without loss " +
			"the parity costs nothing; SR RTO wins where parity is needed and the message is long",
	}
}

// tailGain compares the least drop rates that double the completion time of SR RTO at 128 MiB.
func tailGain(b *book) finding {
	var xs, means, tails, model []float64
	for _, r := range b.rows("paper/fig9-p999", "ec-mds", on{onSize, 128 << 20}) {
		base := b.partner("paper/fig9-p999", "sr-rto", r)
		s := paper.at(r)
		xs = append(xs, value(r, onLoss))
		means = append(means, base.CompletionMean/r.CompletionMean)
		tails = append(tails, base.CompletionP999/r.CompletionP999)
		model = append(model, s.sr(rtos).Quantile(0.999).Seconds/s.meanOf("ec-mds").Seconds)
	}
	mean, tail := crossing(xs, means, 2), crossing(xs, tails, 2)
	return finding{
		model: fmt.Sprintf("twice as fast at p99.9 from %.1g", crossing(xs, model, 2)),
		simulated: fmt.Sprintf("twice as fast at p99.9 from %.1g, in the mean from %.1g",
			tail, mean),
		verdict: holdsIf(tail < mean/10),
		note:    "128 MiB, interpolated between decades",
	}
}

func gainBySize(b *book) finding {
	ratio := func(size float64) (sim, model float64) {
		r := b.row("paper/fig10a", "ec-mds", on{onSize, size})
		base := b.partner("paper/fig10a", "sr-rto", r)
		return base.CompletionMean / r.CompletionMean, paper.at(r).speedup()
	}
	mid, modelMid := ratio(512 << 20)
	far, modelFar := ratio(8 << 30)
	return finding{
		model:     fmt.Sprintf("%s at 512 MiB, %s at 8 GiB", show(modelMid), show(modelFar)),
		simulated: fmt.Sprintf("%s at 512 MiB, %s at 8 GiB", show(mid), show(far)),
		verdict:   holdsIf(mid > 2 && far < 1.3),
	}
}

func bestMean(b *book) finding {
	var best stats.Estimate
	at, modelBest := 0.0, 0.0
	b.region("paper/fig10b", func(r *result.Row, ratio stats.Estimate, model float64) {
		if ratio.Value > best.Value {
			best, at = ratio, value(r, onLoss)
		}
		modelBest = max(modelBest, model)
	})
	return finding{
		model:     show(modelBest),
		simulated: fmt.Sprintf("%s at %.2g", showInterval(best, 1), at),
		verdict:   holdsIf(best.Value > 6 && best.Value < 8),
	}
}

func bestTail(b *book) finding {
	best, at, modelBest := 0.0, 0.0, 0.0
	for _, r := range b.rows("paper/fig10c", "ec-mds") {
		base := b.partner("paper/fig10c", "sr-rto", r)
		if ratio := base.CompletionP999 / r.CompletionP999; ratio > best {
			best, at = ratio, value(r, onLoss)
		}
		s := paper.at(r)
		if s.ec(model.MDS).PFallback() < 1e-3 { // p99.9 of ec-mds is then its base time
			modelBest = max(modelBest,
				s.sr(rtos).Quantile(0.999).Seconds/s.meanOf("ec-mds").Seconds)
		}
	}
	return finding{
		model:     show(modelBest),
		simulated: fmt.Sprintf("%s at %.2g", show(best), at),
		verdict:   holdsIf(best > 11 && best < 13.5),
	}
}

// kneeOf is the drop rate at which the mean of a code leaves its base time by a tenth.
func kneeOf(scheme string, least, most float64) func(*book) finding {
	return func(b *book) finding {
		var xs, sim, model []float64
		for _, r := range b.rows("paper/fig10b", scheme) {
			s := paper.at(r)
			xs = append(xs, value(r, onLoss))
			model = append(model, s.meanOf(scheme).Seconds)
			sim = append(sim, r.CompletionMean)
		}
		if len(xs) == 0 {
			return finding{}
		}
		knee := crossing(xs, sim, 1.1*sim[0])
		return finding{
			model:     fmt.Sprintf("10 %% above the base time at %.2g", crossing(xs, model, 1.1*model[0])),
			simulated: fmt.Sprintf("at %.2g", knee),
			verdict:   holdsIf(knee >= least && knee <= most),
		}
	}
}

func nackGain(b *book) finding {
	best, modelBest := 0.0, 0.0
	for _, r := range b.rows("paper/fig10b", "sr-nack") {
		base := b.partner("paper/fig10b", "sr-rto", r)
		best = max(best, base.CompletionMean/r.CompletionMean)
		s := paper.at(r)
		modelBest = max(modelBest, s.meanOf("sr-rto").Seconds/s.meanOf("sr-nack").Seconds)
	}
	return finding{
		model: show(modelBest), simulated: show(best),
		verdict: slipIf(best > 1.8 && best < 3),
		note:    "timeouts of 3 RTT and 1 RTT cannot differ by more than 3",
	}
}

// slipIf is slip where what was found is within what the equations allow, and differs otherwise.
func slipIf(ok bool) verdict {
	if ok {
		return slip
	}
	return differs
}

// splitOrder looks at which drop rate half of the messages fall back.
func splitOrder(b *book) finding {
	var list [6]float64
	names := []string{"(32,2)", "(32,4)", "(16,4)", "(32,8)", "(64,16)", "(32,16)"}
	text := ""
	for i, name := range names {
		var xs, ys []float64
		for _, r := range b.rows("paper/fig10d", "MDS "+name) {
			xs, ys = append(xs, value(r, onLoss)), append(ys, r.FallbackFraction)
		}
		list[i] = crossing(xs, ys, 0.5)
		if i > 0 {
			text += ", "
		}
		if math.IsNaN(list[i]) {
			list[i] = math.Inf(1)
			text += name + " beyond 0.1"
			continue
		}
		text += fmt.Sprintf("%s %.2g", name, list[i])
	}
	ordered := true
	for i := 1; i < len(list); i++ {
		ordered = ordered && list[i-1] <= list[i]
	}
	return finding{
		model: splitsByModel(), simulated: "half fall back at: " + text, verdict: holdsIf(ordered),
	}
}

// splitsByModel is the drop rate of even odds for (32,8), by bisection.
func splitsByModel() string {
	low, high := 1e-3, 0.5
	for range 60 {
		middle := math.Sqrt(low * high)
		s := paper
		s.p = middle
		if s.ec(model.MDS).PFallback() < 0.5 {
			low = middle
		} else {
			high = middle
		}
	}
	return fmt.Sprintf("(32,8) at %.2g", low)
}

func distanceAndBandwidth(b *book) finding {
	at := func(km, gbps float64) (sim, model float64) {
		r := b.row("paper/fig12", "sr-rto", on{onDistance, 1e3 * km}, on{"link.bandwidth", 1e9 * gbps})
		s := paper
		s.p = 1e-4
		s = s.at(r)
		return r.SlowdownMean, s.meanOf("sr-rto").Seconds / s.lossless()
	}
	near, modelNear := at(75, 100)
	far, modelFar := at(6000, 3200)
	return finding{
		model: fmt.Sprintf("%s to %s", show(modelNear), show(modelFar)),
		simulated: fmt.Sprintf("slowdown %s at 75 km and 100 Gbit/s, %s at 6000 km and 3.2 Tbit/s",
			show(near), show(far)),
		verdict: holdsIf(near < 1.3 && far > 3.5),
	}
}
