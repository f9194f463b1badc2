package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Weighted holds samples that were drawn from other distributions than the one asked about, with
// their likelihood ratios. Sample i comes from distribution i mod Strata of a mixture, and its
// weight is p/((q_1+..+q_k)/k), the balance heuristic (Veach and Guibas, 1995): where one of the q
// is p itself, no weight exceeds k, so no rare sample can upset an estimate.
//
// All estimates are sums of weight times value over n, which are unbiased. The interval of a mean
// is the gamma interval of the sum above the smallest value, those of quantiles are normal, both
// from the variance within the strata. A value that is not finite counts as zero.
type Weighted struct {
	Values, Weights []float64
	Strata          int
}

// check panics unless there is a weight for each value and a stratum for each sample.
func (w Weighted) check() {
	if len(w.Values) != len(w.Weights) || w.Strata < 1 {
		panic("BUG: stats: Weighted needs a weight for each value, and strata")
	}
}

// Mean returns the mean with its 95 % interval, and the warning of MeanWith where too few samples
// carry it. It is unbiased:
//
//	mean = sum(w*(x - c))/n + c
//
// with c the weighted median; subtracting a constant keeps the noise of the weights out of a mean
// whose spread is small against its size.
func (w Weighted) Mean() Estimate {
	w.check()
	n := len(w.Values)
	if n < 2*w.Strata {
		return unknown("mean: no interval below two samples a stratum")
	}
	center := w.center()
	if math.IsNaN(center) {
		return unknown("mean: no samples")
	}
	terms := make([]float64, n)
	for i, x := range w.Values {
		terms[i] = float64(w.Weights[i] * finiteOr(x-center, 0))
	}
	mean, se := w.stratified(terms)
	least, most := w.above()
	value := center + mean
	excess := weighing{
		sum: max(0, value-least), dev: float64(se * (student(n/w.Strata-1) / z)),
		unseen: most / float64(n),
	}
	lo, hi := excess.ends()
	return Estimate{
		Value: value, Lo: min(least+lo, value), Hi: max(least+hi, value),
		Warning: w.carried(terms),
	}
}

// above is the smallest finite value, and the most that a sample weighs above it.
func (w Weighted) above() (least, most float64) {
	least = math.Inf(1)
	for _, x := range w.Values {
		if !notFinite(x) {
			least = min(least, x)
		}
	}
	for i, x := range w.Values {
		most = max(most, float64(w.Weights[i]*finiteOr(x-least, 0)))
	}
	return least, most
}

// carried is the warning of a mean of terms that too few samples carry: V³/(Σ n m3)², with the
// moments of the strata.
func (w Weighted) carried(terms []float64) string {
	var second, third float64
	for k := range w.Strata {
		part := w.stratum(terms, k)
		n := float64(len(part))
		_, dev := moments(part)
		spread := float64(dev * math.Sqrt((n-1)/n))
		second += float64(n * float64(spread*spread))
		third += float64(float64(n*skewness(part)) * float64(float64(spread*spread)*spread))
	}
	if second == 0 {
		return ""
	}
	return carried(float64(second*second)/float64(third*third)*second, len(terms))
}

// stratum is every term of one of the distributions.
func (w Weighted) stratum(terms []float64, k int) []float64 {
	var part []float64
	for i := k; i < len(terms); i += w.Strata {
		part = append(part, terms[i])
	}
	return part
}

// center is the weighted median: any constant will do, and this one does not depend on chance in
// the tail. NaN where no value is finite.
func (w Weighted) center() float64 {
	tail := w.tail() // from the largest value down
	if len(tail) == 0 {
		return math.NaN()
	}
	half := Sum(w.Weights) / float64(2*len(w.Values))
	center := tail[0].value
	for _, t := range tail[1:] {
		if t.beyond >= half {
			break
		}
		center = t.value
	}
	return center
}

func finiteOr(x, otherwise float64) float64 {
	if notFinite(x) {
		return otherwise
	}
	return x
}

// stratified returns the mean of terms and its standard error, from the variance within strata.
func (w Weighted) stratified(terms []float64) (mean, se float64) {
	n := float64(len(terms))
	variance := 0.0
	for k := range w.Strata {
		part := w.stratum(terms, k)
		_, dev := moments(part)
		variance += float64(len(part)) * dev * dev
	}
	return Sum(terms) / n, math.Sqrt(variance) / n
}

// Quantile returns the q-quantile, 0 < q < 1: the smallest value whose estimated probability of
// being exceeded is at most 1-q. The interval holds the values whose exceedance is compatible with
// 1-q at 95 %. The warning is set where fewer than MinBeyond effective samples lie beyond.
func (w Weighted) Quantile(q float64) Estimate {
	w.check()
	if !(q > 0 && q < 1) {
		panic(fmt.Sprintf("BUG: stats: Quantile of %v", q))
	}
	name := QuantileName(q)
	tail := w.tail()
	if len(tail) == 0 {
		return unknown(name + ": no samples")
	}
	e := Estimate{Value: tail[0].value, Lo: math.NaN(), Hi: math.NaN()}
	e.Lo = tail[len(tail)-1].value
	effective, found, upper := 0.0, false, false
	for _, s := range tail { // from the largest value down; s.beyond is what exceeds s.value
		if !upper && s.beyond+z*s.se <= 1-q {
			e.Hi = s.value
		} else {
			upper = true
		}
		if !found && s.beyond <= 1-q {
			e.Value, effective = s.value, s.effective
		} else {
			found = true
		}
		if s.beyond-z*s.se > 1-q {
			e.Lo = s.value
			break
		}
	}
	if effective < MinBeyond {
		e.Warning = fmt.Sprintf("%s: %.3g effective samples beyond it, fewer than %d", name,
			effective, MinBeyond)
	}
	return e
}

// Steps returns the estimated distribution at no more than limit values, as Steps does for plain
// samples. Its probabilities are divided by the mean weight, so that none exceeds one.
func (w Weighted) Steps(limit int) []Step {
	w.check()
	if limit < 4 {
		panic("BUG: stats: Steps with a limit below 4")
	}
	tail := w.tail()
	slices.Reverse(tail)
	picked := make([]int, len(tail))
	for i := range picked {
		picked[i] = i
	}
	if len(picked) > limit {
		picked = thin(picked, len(tail), limit)
	}
	var steps []Step
	total := Sum(w.Weights) / float64(len(w.Weights))
	for _, at := range picked {
		// Where hardly anything counts for the smallest, rounding may lift the rest above all.
		step := Step{X: tail[at].value, Exceed: min(1, tail[at].beyond/total)}
		// A weight may be too small to move the sum.
		if n := len(steps); n == 0 || step.Exceed < steps[n-1].Exceed {
			steps = append(steps, step)
		}
	}
	return steps
}

// exceedance is a value with the probability that it is exceeded.
type exceedance struct {
	value, beyond, se float64
	effective         float64 // equivalent number of plain samples beyond
}

// tail lists the distinct values from the largest down.
func (w Weighted) tail() []exceedance {
	order := make([]int, 0, len(w.Values))
	for i, x := range w.Values {
		if !notFinite(x) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(w.Values[b], w.Values[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	n := float64(len(w.Values))
	sum, squares := make([]float64, w.Strata), make([]float64, w.Strata)
	var list []exceedance
	for at := 0; at < len(order); {
		s := exceedance{value: w.Values[order[at]]}
		s.beyond, s.se, s.effective = w.beyond(sum, squares, n)
		list = append(list, s)
		for ; at < len(order) && w.Values[order[at]] == s.value; at++ {
			k, weight := order[at]%w.Strata, w.Weights[order[at]]
			sum[k] += weight
			squares[k] += float64(weight * weight)
		}
	}
	return list
}

// beyond is the probability that the sums of weights stand for, with its standard error and the
// effective number of samples behind it.
func (w Weighted) beyond(sum, squares []float64, n float64) (p, se, effective float64) {
	variance, all, allSquares := 0.0, 0.0, 0.0
	for k := range sum {
		size := math.Ceil((n - float64(k)) / float64(w.Strata))
		variance += max(0, squares[k]-float64(sum[k]*sum[k])/size)
		all += sum[k]
		allSquares += squares[k]
	}
	if allSquares > 0 {
		effective = float64(all*all) / allSquares
	}
	return all / n, math.Sqrt(variance) / n, effective
}
