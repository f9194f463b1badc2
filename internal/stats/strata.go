package stats

import (
	"math"
	"slices"
)

// Stratum is what was drawn of one of several cases that exclude each other and of which the chance
// is known exactly, such as "no loss" and "a loss".
type Stratum struct {
	// Share is the probability of the case. Those of all strata add up to one.
	Share float64
	// Values are samples under the condition of the case; one value stands for a case of which the
	// outcome is certain.
	Values []float64
	// Penalty is what one more rare event adds to a sample of this case; 0: unknown.
	Penalty float64
	// Most is the greatest value that a sample of this case can have; 0: unknown.
	Most float64
}

// certain tells that chance has no part in the outcome of the case.
func (s *Stratum) certain() bool { return len(s.Values) == 1 }

// ends tells that no sample of the case can be above x, and none is.
func (s *Stratum) ends(x float64) bool {
	return s.Most > 0 && x >= s.Most && s.Values[len(s.Values)-1] <= x
}

// each is what a sample of the case counts for.
func (s *Stratum) each() float64 { return s.Share / float64(len(s.Values)) }

// Divide sorts values into strata of these shares: value i is of stratum[i]. Values that are not
// finite are left out: their stratum counts for as much less as they were many, and all strata
// together for one, so that estimates are of what is finite.
func Divide(shares []float64, stratum []uint8, values []float64) []Stratum {
	list := make([]Stratum, len(shares))
	all := make([]float64, len(shares))
	for i, k := range stratum {
		all[k]++
		if !notFinite(values[i]) {
			list[k].Values = append(list[k].Values, values[i])
		}
	}
	out, total := false, 0.0
	for k, share := range shares {
		list[k].Share = share
		if kept := float64(len(list[k].Values)); kept < all[k] {
			list[k].Share, out = float64(share*kept/all[k]), true
		}
		total += list[k].Share
	}
	for k := range list {
		if out && total > 0 {
			list[k].Share /= total
		}
	}
	return list
}

// StrataMean returns the mean over strata with the gamma interval of MeanWith: samples of different
// strata count for more or less,
//
//	S = Σ c e, V = Σ c² n s² (t/z)², w = the largest of what one more event would add, c = share/n,
//
// of excesses e over the floor, the smallest value possible. Strata of share 0 may be empty; others
// must have samples, and all of them finite ones, or there is no mean.
//
// The warning is that of too few carriers, where a stratum that varies declares no penalty: the
// carriers of a weighted sum are V³/(Σ c³ n m3)², which are n/g² where all samples count alike.
func StrataMean(floor float64, strata []Stratum) Estimate {
	strata = slices.DeleteFunc(slices.Clone(strata), func(s Stratum) bool { return s.Share == 0 })
	if len(strata) == 0 {
		return unknown("mean: no samples")
	}
	for _, s := range strata {
		if len(s.Values) == 0 || slices.ContainsFunc(s.Values, notFinite) {
			return unknown("mean: a stratum without a sample, or with one that is not finite")
		}
		floor = min(floor, slices.Min(s.Values))
	}
	sum := strataExcess(floor, strata)
	lo, hi := sum.above.ends()
	if sum.samples == 0 {
		lo, hi = sum.above.sum, sum.above.sum
	}
	if sum.third <= 0 && sum.below.unseen > 0 {
		_, fast := sum.below.ends()
		lo = max(0, min(lo, sum.top-fast))
	}
	est := Estimate{Value: floor + sum.above.sum, Lo: floor + lo, Hi: floor + hi}
	est.Lo, est.Hi = min(est.Lo, est.Value), max(est.Hi, est.Value)
	if sum.unknown {
		est.Warning = sum.doubt()
	}
	return est
}

// strataSums are what the interval of a mean over strata is made from, above the floor.
type strataSums struct {
	above, below weighing
	// top is the sum with the largest value of each case, which the sum below counts down from.
	top float64
	// second and third are the weighted moments of the samples, about the means of their strata;
	// samples counts those of cases with an uncertain outcome.
	second, third float64
	samples       int
	// unknown tells that a case that varies declares no penalty.
	unknown bool
}

func strataExcess(floor float64, strata []Stratum) strataSums {
	var r strataSums
	var sums, tops, short, variances, seconds, thirds []float64
	for i := range strata {
		s := &strata[i]
		if s.certain() {
			part := float64(s.Share * (s.Values[0] - floor))
			sums, tops = append(sums, part), append(tops, part)
			continue
		}
		c, n := s.each(), float64(len(s.Values))
		most := slices.Max(s.Values)
		_, dev := moments(s.Values)
		wide := float64(c*dev) * float64(student(len(s.Values)-1)/z)
		sums = append(sums, float64(c*excess(s.Values, floor)))
		tops = append(tops, float64(s.Share*(most-floor)))
		short = append(short, float64(c*shortfall(s.Values, most)))
		variances = append(variances, float64(n*float64(wide*wide)))
		spread := float64(float64(c*dev) * math.Sqrt((n-1)/n))
		seconds = append(seconds, float64(n*float64(spread*spread)))
		thirds = append(thirds, float64(n*skewness(s.Values))*float64(float64(spread*spread)*spread))
		r.above.unseen = max(r.above.unseen, float64(c*max(most-floor, s.Penalty)))
		r.below.unseen = max(r.below.unseen, float64(c*(most-floor)))
		r.unknown = r.unknown || s.Penalty == 0
		r.samples += len(s.Values)
	}
	r.above.sum, r.below.sum, r.top = Sum(sums), Sum(short), Sum(tops)
	r.above.dev = math.Sqrt(Sum(variances))
	r.below.dev = r.above.dev
	r.second, r.third = Sum(seconds), Sum(thirds)
	return r
}

// doubt is the warning of too few carriers.
func (r *strataSums) doubt() string {
	carriers := 0.0
	if r.second > 0 {
		carriers = float64(r.second*r.second) / float64(r.third*r.third) * r.second
	}
	return carried(carriers, r.samples)
}
