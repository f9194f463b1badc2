package report

import (
	"fmt"
	"math"
	"slices"

	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

// quantitySpeedup is the quantity that compares two schemes.
const quantitySpeedup = "speedup"

// measure reads one quantity from rows.
type measure struct {
	name string // as an axis title: "Mean completion time"
	// title names it at the top of the figure where the name is too long.
	title string
	unit  unit
	// carried is the statistic of times that the samples must carry ("p99.9", "mean"); empty: none.
	carried string
	// delivered tells that the values are of the samples that were delivered alone; over is the
	// scheme that they are compared with.
	delivered bool
	over      string
	// times tells that the values are times, or of times, which differ between samples.
	times bool
	// ratio tells that 1 means no difference.
	ratio bool
	// fraction tells that the values are within 0 and 1.
	fraction bool
	// model is the closed form for the same quantity, nil where there is none.
	model func(*result.Row) float64
	get   func(*selection, *result.Row) (stats.Estimate, bool) // false: too few samples carry it
}

// quantities lists the names a figure may show, beside the columns of points.csv.
func quantities() []string {
	var names []string
	for _, m := range metric.Table() {
		if m.Drawn || m.Measured {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

// measure returns how to read the quantity of the figure.
func (f *drawing) measure() (measure, error) {
	q := f.quantity()
	if f.Distribution() && q != "completion" {
		return measure{}, f.fault("a %s shows the completion time, not %q", f.Kind, q)
	}
	m, column := metric.Find(q), metric.Lookup(q)
	known := m != nil && (m.Drawn || m.Measured)
	shows := []string{metric.Mean}
	if known {
		shows = m.Shows()
	}
	switch {
	case !known && (column == nil || column.Type == metric.Text):
		return measure{}, f.fault("no quantity %q; there are %s, and the columns of %s",
			q, list(quantities()), PointsFile)
	case !slices.Contains(shows, f.Stat):
		return measure{}, f.fault("%s has no statistic %s, only %s", q, f.Stat, list(shows))
	case !known:
		return columnMeasure(column), nil
	}
	switch q {
	case quantitySpeedup:
		return f.speedupMeasure()
	case "overhead":
		return derivedMeasure(m, overheadOf), nil
	case "packet_rate":
		return derivedMeasure(m, packetRateOf), nil
	}
	return columnMeasure(m.Column(f.Stat)), nil
}

// unitsOf are the units of values in text.
var unitsOf = map[string]unit{
	metric.None: plain, metric.Seconds: seconds, metric.Bits: bitRate, metric.Bytes: bytesUnit,
	metric.Packets: packetRate, metric.Operations: operationRate,
}

// survived tells whether values are of those samples alone that a scheme did not give up, though it
// gave up others.
func (m measure) survived(sel *selection, r *result.Row) bool {
	if base := sel.all[result.RowKey(r.Axes, m.over)]; m.over != "" && base != nil && base.Failed > 0 {
		return true
	}
	return m.delivered && r.Failed > 0
}

// doubt is what is wrong with a value that too few samples carry.
func (m measure) doubt() string {
	if m.carried == metric.Mean || m.carried == result.CarriedGoodput {
		return "the samples do not carry the mean"
	}
	return fmt.Sprintf("fewer than %d samples beyond %s", stats.MinBeyond, m.carried)
}

// columnOf is the column of a statistic of a metric that is known to have it.
func columnOf(name, stat string) *metric.Field {
	if m := metric.Find(name); m != nil {
		if c := m.Column(stat); c != nil {
			return c
		}
	}
	panic("BUG: report: no statistic " + stat + " of " + name)
}

func estimate(v, lo, hi float64) stats.Estimate { return stats.Estimate{Value: v, Lo: lo, Hi: hi} }

func point(v float64) stats.Estimate { return estimate(v, math.NaN(), math.NaN()) }

// columnMeasure reads a column with its interval.
func columnMeasure(c *metric.Field) measure {
	m := measure{name: c.Title, unit: unitsOf[c.Unit],
		get: func(_ *selection, r *result.Row) (stats.Estimate, bool) { return r.Read(c) }}
	of := c.Metric
	if of == nil {
		return m
	}
	m.times, m.ratio, m.fraction = of.Times(), of.Ratio, of.Share
	m.carried = result.CarriedBy(c)
	m.delivered = m.times && of.Name != "give_up" || c.Unit == metric.Bits
	switch {
	case c.Stat != metric.Mean || c.Of != "":
	case of.Name == "completion":
		m.model = func(r *result.Row) float64 { return r.ModelCompletionMean }
	case of.Name == "slowdown":
		m.model = func(r *result.Row) float64 {
			return float64(r.ModelCompletionMean * (r.SlowdownMean / r.CompletionMean))
		}
	}
	return m
}

// speedupMeasure compares two schemes at one point. Against the first scheme of the table the mean
// has the interval of paired samples; others have one that takes the two for independent.
func (f *drawing) speedupMeasure() (measure, error) {
	if f.Over == "" {
		return measure{}, f.fault("a speed-up needs over, the scheme it is compared with")
	}
	stat, over, time := f.Stat, f.Over, columnOf("completion", f.Stat)
	name := metric.StatWord(stat) + " speed-up over " + over
	if f.Of != "" {
		name = metric.StatWord(stat) + " speed-up of " + f.Of + " over " + over
	}
	m := measure{
		name:  "Speed-up, " + lowerFirst(metric.StatWord(stat)) + " completion time",
		title: name,
		unit:  plain, carried: result.CarriedBy(time), ratio: true, times: true,
		delivered: true, over: over,
	}
	m.get = func(sel *selection, r *result.Row) (stats.Estimate, bool) {
		base, ok := sel.all[result.RowKey(r.Axes, over)]
		if !ok {
			return point(math.NaN()), true
		}
		if paired := estimate(r.SpeedupMean, r.SpeedupLo, r.SpeedupHi); stat == metric.Mean &&
			over == sel.first && result.Usable(paired.Value) {
			return paired, r.Carries(m.carried) && base.Carries(m.carried)
		}
		e := stats.RatioOf(base.Estimate(time), r.Estimate(time))
		return e, r.Carries(m.carried) && base.Carries(m.carried)
	}
	return m, nil
}

// derivedMeasure is of a metric that follows from columns.
func derivedMeasure(m *metric.Metric, of func(*result.Row) float64) measure {
	return measure{name: m.Title, unit: unitsOf[m.Unit],
		get: func(_ *selection, r *result.Row) (stats.Estimate, bool) { return point(of(r)), true }}
}

// overheadOf is what was sent beyond the message, as a fraction of it: both rates are over the same
// time.
func overheadOf(r *result.Row) float64 { return r.Throughput/r.Goodput - 1 }

// packetRateOf is packets over the time in which they were sent, which is that of the throughput.
func packetRateOf(r *result.Row) float64 {
	return float64(r.PacketsMean*r.Throughput) / float64(8*r.WireBytesMean)
}
