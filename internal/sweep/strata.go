package sweep

import (
	"fmt"
	"math"
	"slices"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// strata are those that samples are of, by number.
type strata struct {
	shares  []float64 // the probability of each
	stratum []uint8
	// penalties of one more rare event in each, in seconds; 0: not known
	penalties []float64
}

// drawnBy are the strata that the samples are of; nil where they are plain.
func (r *Record) drawnBy() *strata {
	if r.shares == nil {
		return nil
	}
	return &strata{r.shares, append([]uint8(nil), r.stratum[:r.samples]...), r.penalties()}
}

// penalties are what one more rare event adds to a sample of each stratum, in seconds. Losses that
// a code bears only add what it takes to repair them.
func (r *Record) penalties() []float64 {
	list := slices.Repeat([]float64{r.about.penalty}, len(r.shares))
	if r.grouped() {
		list[experiment.StratumBorne] = r.borne.Seconds()
	}
	return list
}

// grouped tells that losses that a code does not bear have a stratum of their own.
func (r *Record) grouped() bool { return len(r.shares) > experiment.StratumFailing }

// strataWeights are how much samples count for by the share of their stratum:
//
//	weight = n share / (samples of the stratum)
//
// so that their sum is the number n of all samples. Where a stratum has none, the others stand for
// it.
func strataWeights(stratum []uint8, shares []float64) []float64 {
	counts := make([]float64, len(shares))
	for _, k := range stratum {
		counts[k]++
	}
	present := 0.0
	for k, n := range counts {
		if n > 0 {
			present += shares[k]
		}
	}
	weights := make([]float64, len(stratum))
	for i, k := range stratum {
		weights[i] = float64(float64(len(stratum))/counts[k]*shares[k]) / present
	}
	return weights
}

// wholeStrata is whole of samples of strata. A stratum counts for as much less as samples of it
// have failed, and all together for one.
func (r *Record) wholeStrata() *Record {
	w := *r
	if failed, _ := r.failed(); failed > 0 {
		w.keepWhole(r, failed)
		w.shares = make([]float64, len(r.shares))
		for k, s := range stats.Divide(r.shares, r.stratum[:r.samples], r.sampleTimes()) {
			w.shares[k] = s.Share
		}
	}
	w.weight = strataWeights(w.stratum[:w.samples], w.shares)
	return &w
}

// addStrata fills in the times and rates of a row whose samples are divided by what they lose.
func addStrata(row *result.Row, r *Record) {
	drawn := r.strataOf(r.completion)
	times := summary{meanOver(drawn), strataQuantile(drawn, 0.5), strataQuantile(drawn, 0.99),
		strataQuantile(drawn, 0.999)}
	sorted, _ := stats.Sorted(r.seconds(r.completion))
	times.completion(row, sorted)
	row.DeliveryMean = r.strataMean(r.delivery).Value
	addSlowdown(row, r, times)
	times.latency(row)
	goodput := r.strataGoodput()
	row.Goodput, row.GoodputLo, row.GoodputHi = goodput.Value, goodput.Lo, goodput.Hi
	doubtGoodput(row, goodput)
	_, wire, elapsed := r.rates()
	row.Throughput = ratioOnly(wire, elapsed)
	times.warn(row, "")
}

// strataOf divides times of single messages, all of which were delivered.
func (r *Record) strataOf(times []units.Duration) []stats.Stratum {
	list := divide(r.shares, r.stratum[:r.samples], r.seconds(times), r.penalties())
	if r.grouped() && r.samples > 0 && r.stratum[0] == 0 { // later than the lossless one by so much
		list[experiment.StratumBorne].Most = (times[0] + r.borne).Seconds()
	}
	return list
}

// divide divides values into strata. The first is of the sample without loss, which is certain; in
// the others one more rare event adds the penalty of each.
func divide(
	shares []float64, stratum []uint8, values []float64, penalties []float64,
) []stats.Stratum {
	list := stats.Divide(shares, stratum, values)
	for k := range list[1:] {
		list[1+k].Penalty = penalties[1+k]
	}
	return list
}

// scarce tells why there is no interval: a stratum in which chance has a part needs two samples.
func scarce(list []stats.Stratum) string {
	n := 0
	scarce := false
	for k := range list {
		n += len(list[k].Values)
		scarce = scarce || list[k].Share > 0 && len(list[k].Values) < min(k, 1)+1
	}
	switch {
	case n == 0:
		return "no samples"
	case scarce:
		return fmt.Sprintf("no interval: %d samples are too few for the strata of losses", n)
	}
	return ""
}

// strataMean is the mean of times of single messages.
func (r *Record) strataMean(times []units.Duration) stats.Estimate {
	return meanOver(r.strataOf(times))
}

// meanOver is the mean over strata. Where some have too few samples it has no interval, and the
// others stand for those without any.
func meanOver(list []stats.Stratum) stats.Estimate {
	floor, sum, present := math.Inf(1), 0.0, 0.0
	for _, s := range list {
		if n := float64(len(s.Values)); n > 0 {
			floor = min(floor, slices.Min(s.Values))
			present += s.Share
			sum += float64(s.Share * stats.Sum(s.Values) / n)
		}
	}
	if why := scarce(list); why != "" {
		nan := math.NaN()
		return stats.Estimate{Value: sum / present, Lo: nan, Hi: nan, Warning: "mean: " + why}
	}
	return stats.StrataMean(floor, list)
}

// strataQuantile is the quantile over strata, unknown where one has too few samples.
func strataQuantile(list []stats.Stratum, q float64) stats.Estimate {
	if why := scarce(list); why != "" {
		nan := math.NaN()
		return stats.Estimate{Value: nan, Lo: nan, Hi: nan,
			Warning: stats.QuantileName(q) + ": " + why}
	}
	return stats.StrataQuantile(list, q)
}

// strataGoodput is the goodput in bit/s: what every sample delivers over the mean time that it
// takes.
func (r *Record) strataGoodput() stats.Estimate {
	if r.samples == 0 {
		return stats.Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	bits := float64(8 * r.counters[0].PayloadBytes)
	t := r.strataMean(r.elapsed)
	return stats.Estimate{Value: bits / t.Value, Lo: bits / t.Hi, Hi: bits / t.Lo, Warning: t.Warning}
}

// strataFallbacks is the share of messages that fell back, of samples that are divided.
func (r *Record) strataFallbacks() stats.Estimate {
	fell := r.numbers(0, r.samples)
	for i := range fell {
		fell[i] = float64(r.counters[i].FellBack)
	}
	each := slices.Repeat([]float64{1}, len(r.shares))
	list := divide(r.shares, r.stratum[:r.samples], fell, each)
	if r.grouped() { // what all groups bear needs no fallback, by definition
		borne := &list[experiment.StratumBorne]
		if len(borne.Values) > 1 && slices.Max(borne.Values) == 0 {
			list[0].Share += borne.Share
			list = slices.Delete(list, experiment.StratumBorne, experiment.StratumBorne+1)
		}
	}
	e := meanOver(list)
	e.Lo, e.Hi = max(0, e.Lo), min(1, e.Hi)
	return e
}

// leastLossy is how many samples with a loss a precision rests on at least.
const leastLossy = 20

// strataEstimate is a quantity that a precision can be asked of.
func (r *Record) strataEstimate(quantity string) stats.Estimate {
	var e stats.Estimate
	if q, ok := quantiles[quantity]; ok {
		e = strataQuantile(r.strataOf(r.completion), q)
	} else if quantity == spec.PrecisionGoodput {
		e = r.strataGoodput()
	} else {
		e = r.strataMean(r.completion)
	}
	if lossy := r.samples - 1; lossy < leastLossy && e.Lo < e.Hi && e.Warning == "" {
		e.Warning = fmt.Sprintf("%d samples with a loss, fewer than %d", lossy, leastLossy)
	}
	return e
}

// strataSpeedup is the ratio of mean completion times where the samples of a scheme are divided.
// Those of the same strata met the same losses and are paired by number, but for those that one
// failed; others are taken as independent.
func strataSpeedup(base, other *reduced) stats.Estimate {
	if base.drawn == nil || other.drawn == nil ||
		!slices.Equal(base.drawn.shares, other.drawn.shares) {
		return stats.RatioOf(completionMean(&base.row), completionMean(&other.row))
	}
	n := min(len(base.times), len(other.times))
	p := pairs{shares: base.drawn.shares, stratum: base.drawn.stratum[:n],
		a: slices.Clone(base.times[:n]), b: slices.Clone(other.times[:n])}
	for i := range n {
		if !delivered(p.a[i]) || !delivered(p.b[i]) {
			p.a[i], p.b[i] = math.NaN(), math.NaN()
		}
	}
	return p.speedup(base.drawn.penalties, other.drawn.penalties)
}

func completionMean(r *result.Row) stats.Estimate {
	return stats.Estimate{Value: r.CompletionMean, Lo: r.CompletionMeanLo, Hi: r.CompletionMeanHi}
}
