package result

import (
	"math"
	"strings"

	"sdrsim/internal/metric"
	"sdrsim/internal/stats"
)

// CarriedGoodput starts the warnings of a goodput.
const CarriedGoodput = "goodput"

// CarriedBy is the statistic that samples have to carry for a value of a column: a quantile
// ("p99.9"), "mean" or CarriedGoodput; empty: none.
func CarriedBy(c *metric.Field) string {
	switch {
	case c.Metric == nil:
		return ""
	case c.Metric.Times():
		return carriedBy(c.Stat)
	case c.Unit == metric.Bits && c.Lo != "": // its interval is by the mean time that it is over
		return CarriedGoodput
	}
	return ""
}

// carriedBy is the statistic that warnings are about.
func carriedBy(stat string) string {
	if stat == metric.Mean || strings.HasPrefix(stat, "p") {
		return stat
	}
	return ""
}

// Read is the estimate in a column, and whether the samples carry it. Results of earlier versions
// have no interval of the slowdown but that of the completion time, by the lossless time.
func (r *Row) Read(c *metric.Field) (e stats.Estimate, carried bool) {
	e = r.Estimate(c)
	if c.Metric == nil {
		return e, true
	}
	if c.Metric.Name == "slowdown" && c.Of == "" && math.IsNaN(e.Lo) && math.IsNaN(e.Hi) {
		time := r.Estimate(metric.Find("completion").Column(c.Stat))
		scale := e.Value / time.Value
		e.Lo, e.Hi = float64(time.Lo*scale), float64(time.Hi*scale)
	}
	by := CarriedBy(c)
	if by == CarriedGoodput {
		return e, r.Carries(by)
	}
	return e, r.carriesOf(c.Metric.Name, by)
}
