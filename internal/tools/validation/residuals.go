package validation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sdrsim/internal/result"
	"sdrsim/internal/stats"
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// swept is a table of results with the setting of what it does not sweep.
type swept struct {
	table string
	base  setting
}

// sweeps are the results that hold single messages with independent losses.
var sweeps = []swept{
	{"paper/fig3a", paper},
	{"paper/fig3b", paper.with(8*units.GiB, 1e-5)},
	{"paper/fig3c", paper},
	{"paper/fig9", paper},
	{"paper/fig10a", paper},
	{"paper/fig10b", paper},
	{"paper/fig12", paper.with(128*units.MiB, 1e-4)},
}

func (s setting) with(size units.Bytes, p float64) setting {
	s.size, s.p = size, p
	return s
}

// comparisonOf sums up how a scheme compares with the model in one table.
type comparisonOf struct {
	points  int     // where the form is exact
	within5 int     // mean within 5 % of the expectation
	wide    int     // mean farther off, by no more than three of its standard errors
	tested  int     // of those, without a doubt about the mean
	inside  int     // of those, with the expectation inside
	worst   float64 // greatest relative difference of a mean, in the direction of its sign
	errors  float64 // greatest difference in standard errors
}

// leftOut is the part of a time that the form here leaves out: the transmission of the
// acknowledgement, which is a fraction of a nanosecond, and the rounding to picoseconds. Intervals
// of strata are narrower where losses are rare.
const leftOut = 1e-6

// exactSchemes are the schemes whose form is exact at some points.
var exactSchemes = []string{"sr-rto", "ec-mds", "ec-xor"}

// exactPoints compares the points where the form of a scheme is exact.
func exactPoints(b *book, of swept, scheme string) comparisonOf {
	var c comparisonOf
	for _, r := range b.rows(of.table, scheme) {
		s := of.base.at(r)
		v := s.formOf(scheme)
		if v.Validity != model.Exact || s.p == 0 {
			continue
		}
		c.points++
		difference := r.CompletionMean/v.Seconds - 1
		switch {
		case math.Abs(difference) <= 0.05:
			c.within5++
		case standardErrors(r, v.Seconds) <= 3:
			c.wide++
		}
		if math.Abs(difference) > math.Abs(c.worst) {
			c.worst = difference
		}
		if doubted(r) {
			continue
		}
		c.tested++
		if r.CompletionMeanLo <= v.Seconds && v.Seconds <= r.CompletionMeanHi ||
			math.Abs(difference) <= leftOut {
			c.inside++
		}
		if math.Abs(difference) <= leftOut {
			continue
		}
		c.errors = max(c.errors, standardErrors(r, v.Seconds))
	}
	return c
}

// doubted reports whether a row says that its samples hardly carry the mean.
func doubted(r *result.Row) bool {
	return slices.ContainsFunc(r.Warnings, func(w string) bool {
		return strings.HasPrefix(w, "mean:")
	})
}

// standardErrors is how far a mean is from a value, by the side of its interval that faces it.
func standardErrors(r *result.Row, want float64) float64 {
	const z = 1.96
	side := r.CompletionMeanHi - r.CompletionMean
	if want < r.CompletionMean {
		side = r.CompletionMean - r.CompletionMeanLo
	}
	if want == r.CompletionMean {
		return 0
	}
	return math.Abs(r.CompletionMean-want) / (side / z)
}

// verdict holds where every mean is within 5 % or three standard errors, and where the share of
// intervals that hold the expectation is consistent with 95 %, none being four standard errors off.
func (c comparisonOf) verdict() verdict {
	if c.points == 0 {
		return notRun
	}
	share := stats.Share(c.inside, c.tested)
	return holdsIf(c.within5+c.wide == c.points && (c.tested == 0 || share.Hi >= 0.95) && c.errors < 4)
}

// writeExact writes the table of points where the closed form is exact.
func writeExact(w *strings.Builder, b *book) {
	w.WriteString("| scheme | results | exact points | within 5 % | largest difference | tested | " +
		"inside 95 % interval | farthest | verdict |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, scheme := range exactSchemes {
		for _, of := range sweeps {
			c := exactPoints(b, of, scheme)
			if c.points == 0 {
				if len(b.table(of.table).Rows) == 0 {
					fmt.Fprintf(w, "| %s | %s | | | | | | | %s |\n", scheme, of.table, notRun)
				}
				continue
			}
			fmt.Fprintf(w, "| %s | %s | %d | %d | %+.1f %% | %d | %d | %.1f standard errors | %s |\n",
				scheme, of.table, c.points, c.within5, 100*c.worst, c.tested, c.inside, c.errors,
				c.verdict())
		}
	}
}

// bounds compares a scheme with the values that it must lie between.
type bounds struct {
	points, below, above int
	least, most          float64 // mean by the upper value, at its least and at its most
}

// boundsOf compares the rows of a scheme; low and high are the values of the model for a point, and
// an infinite one is no bound. A mean is outside where its whole interval is, by more than an error
// of the interval itself.
func boundsOf(
	b *book, sweep int, scheme string, limits func(setting) (low, high float64),
) bounds {
	c := bounds{least: math.Inf(1)}
	const slack = 1e-4
	for _, r := range b.rows(sweeps[sweep].table, scheme) {
		s := sweeps[sweep].base.at(r)
		if doubted(r) {
			continue
		}
		low, high := limits(s)
		c.points++
		// Three times the distance of the interval, since many points are looked at.
		if r.CompletionMean+2*(r.CompletionMeanHi-r.CompletionMeanLo) < low*(1-slack) {
			c.below++
		}
		if r.CompletionMean-2*(r.CompletionMeanHi-r.CompletionMeanLo) > high*(1+slack) {
			c.above++
		}
		reference := high
		if math.IsInf(high, 1) {
			reference = low
		}
		c.least = min(c.least, r.CompletionMean/reference)
		c.most = max(c.most, r.CompletionMean/reference)
	}
	return c
}

// codeLimits are the time of the data alone, and the mean of a receiver that waits for all parity.
func codeLimits(code model.Code) func(setting) (low, high float64) {
	return func(s setting) (low, high float64) {
		return s.lossless(), s.ec(code).Mean().Seconds
	}
}

// timeoutLimit is the mean with a timeout of so many round trips, a lower bound.
func timeoutLimit(rtts int64) func(setting) (low, high float64) {
	return func(s setting) (low, high float64) { return s.sr(rtts).Mean().Seconds, math.Inf(1) }
}

// bounded are the schemes with the values that they lie between.
var bounded = []struct {
	scheme, between string
	limits          func(setting) (low, high float64)
}{
	{"sr-rto", "not below the form with 3 RTT", timeoutLimit(rtos)},
	{"sr-nack", "not below the form with 1 RTT", timeoutLimit(1)},
	{"ec-mds", "between waiting for no parity and for all", codeLimits(model.MDS)},
	{"ec-xor", "between waiting for no parity and for all", codeLimits(model.XOR)},
}

// writeBounds writes the table of the schemes for which the closed form is a bound.
func writeBounds(w *strings.Builder, b *book) {
	w.WriteString("| scheme | is | results | points | outside | mean / closed form | verdict |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, scheme := range bounded {
		for i := range sweeps {
			c := boundsOf(b, i, scheme.scheme, scheme.limits)
			if c.points == 0 {
				continue
			}
			fmt.Fprintf(w, "| %s | %s | %s | %d | %d | %.3f to %.3f | %s |\n", scheme.scheme,
				scheme.between, sweeps[i].table, c.points, c.below+c.above, c.least, c.most,
				holdsIf(c.below+c.above == 0))
		}
	}
}
