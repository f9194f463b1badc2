package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"sdrsim/internal/portable"
)

// StrataQuantile returns the q-quantile over strata, 0 < q < 1: the smallest value that is exceeded
// with a probability of at most 1-q. Its interval holds the values for which 1-q is within the
// interval of the probability beyond them: Clopper and Pearson's where one case is uncertain, that
// is the interval of order statistics; the gamma interval of counts where several are. Beyond the
// greatest value of a case there is none of it. A quantile that certain cases decide is exact.
//
// The warning is that of Quantile: where fewer than MinBeyond samples lie beyond the quantile, or
// where the upper end is unknown for lack of samples.
func StrataQuantile(strata []Stratum, q float64) Estimate {
	if !(q > 0 && q < 1) {
		panic(fmt.Sprintf("BUG: stats: StrataQuantile of %v", q))
	}
	d := newStrataTail(strata)
	name := QuantileName(q)
	if d == nil {
		return unknown(name + ": a stratum without a sample, or with one that is not finite")
	}
	beyond := 1 - q
	n := len(d.values)
	first := func(in func(p, lo, hi float64) bool) int {
		return sort.Search(n, func(i int) bool { return in(d.beyond(d.values[i])) })
	}
	// A probability that equals 1-q but for rounding does.
	slack := float64(beyond * (1 + 1e-12))
	at := min(first(func(p, _, _ float64) bool { return p <= slack }), n-1)
	est := Estimate{Value: d.values[at], Hi: math.NaN()}
	// Whatever lies below the first value that is not rejected has as many samples beyond it as a
	// value that is.
	i := first(func(_, lo, _ float64) bool { return lo <= slack })
	est.Lo = d.values[min(i, n-1)]
	if i := first(func(_, _, hi float64) bool { return hi <= slack }); i < n {
		est.Hi = d.values[i]
	}
	if est.Lo < est.Value && d.certain(est.Value, est.Lo, slack) {
		est.Lo = est.Value
	}
	est.Lo, est.Hi = min(est.Lo, est.Value), max(est.Hi, est.Value)
	if est.Lo != est.Hi {
		est.Warning = d.doubt(name, est, beyond)
	}
	return est
}

// strataTail tells how probable larger values are.
type strataTail struct {
	values []float64 // of all strata, distinct, in ascending order
	cases  []Stratum // with their values in ascending order
	// uncertain counts the cases with an uncertain outcome, share is their probability.
	uncertain int
	share     float64
}

// newStrataTail is nil where a stratum has no sample or one that is not finite.
func newStrataTail(strata []Stratum) *strataTail {
	d := &strataTail{}
	for _, s := range strata {
		switch {
		case s.Share == 0:
			continue
		case len(s.Values) == 0 || slices.ContainsFunc(s.Values, notFinite):
			return nil
		case !s.certain():
			d.uncertain++
			d.share += s.Share
		}
		s.Values, _ = Sorted(s.Values)
		d.cases = append(d.cases, s)
		d.values = append(d.values, s.Values...)
	}
	slices.Sort(d.values)
	d.values = slices.Compact(d.values)
	if len(d.values) == 0 {
		return nil
	}
	return d
}

// exceed counts the samples of a case above x.
func (s *Stratum) exceed(x float64) int {
	at, _ := slices.BinarySearch(s.Values, math.Nextafter(x, math.Inf(1)))
	return len(s.Values) - at
}

// beyond is the probability of more than x, with its interval.
func (d *strataTail) beyond(x float64) (p, lo, hi float64) {
	certain := 0.0
	var chance weighing
	var only Estimate
	for i := range d.cases {
		s := &d.cases[i]
		m, n := float64(s.exceed(x)), float64(len(s.Values))
		switch {
		case s.ends(x):
			continue
		case s.certain():
			certain += float64(s.Share * m)
			continue
		}
		part, c := m/n, s.each()
		chance.sum += float64(s.Share * part)
		wide := float64(c*student(len(s.Values)-1)) / z
		chance.dev += float64(float64(wide*wide) * float64(float64(n*n)/(n-1)*float64(part*(1-part))))
		chance.unseen = max(chance.unseen, c)
		if d.uncertain == 1 {
			only = Share(int(m), len(s.Values))
			only.Lo, only.Hi = float64(only.Lo*s.Share), float64(only.Hi*s.Share)
		}
	}
	p = certain + chance.sum
	switch d.uncertain {
	case 0:
		return p, p, p
	case 1:
		return p, certain + only.Lo, certain + only.Hi
	}
	chance.dev = math.Sqrt(chance.dev)
	lo, hi = chance.ends()
	return p, certain + lo, certain + min(hi, d.share)
}

// certain tells that no uncertain case can bring the quantile from a value down to a smaller one:
// what is certain beyond that is more than is asked for.
func (d *strataTail) certain(value, below, asked float64) bool {
	sure := 0.0
	for i := range d.cases {
		if s := &d.cases[i]; s.certain() && s.Values[0] >= value && s.Values[0] > below {
			sure += s.Share
		}
	}
	return sure > asked
}

// doubt is the warning of a quantile and its interval.
func (d *strataTail) doubt(name string, e Estimate, beyond float64) string {
	sum, squares, share, all := 0.0, 0.0, 0.0, 0
	for i := range d.cases {
		s := &d.cases[i]
		if s.certain() || s.ends(e.Value) {
			continue
		}
		share += s.Share
		c, m := s.each(), float64(s.exceed(e.Value))
		sum += float64(c * m)
		squares += float64(float64(c*c) * m)
		all += len(s.Values)
	}
	effective := 0.0
	if squares > 0 {
		effective = float64(sum*sum) / squares
	}
	text := ""
	if effective < MinBeyond-1e-9 {
		text = fmt.Sprintf("%s: %.3g of %d samples with a loss beyond it, fewer than %d", name,
			effective, all, MinBeyond)
	}
	if !math.IsNaN(e.Hi) {
		return text
	}
	needs := fmt.Sprintf("a two-sided interval needs some %.0f samples",
		math.Ceil(-portable.Log(tail)*share/beyond))
	if text == "" {
		return name + ": " + needs
	}
	return text + ", and " + needs
}
