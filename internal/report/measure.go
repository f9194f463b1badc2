package report

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

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
	model func(*Row) float64
	get   func(*selection, *Row) (stats.Estimate, bool) // false: too few samples carry it
}

// simple are quantities that have a mean only, by the column that holds it.
var simple = map[string]struct {
	column, name string
	unit         unit
}{
	"delivery":             {"delivery_mean_s", "Mean delivery time", seconds},
	"throughput":           {"throughput_bps", "Throughput", bitRate},
	"wire_bytes":           {"wire_bytes_mean", "Mean bytes on the wire", bytesUnit},
	"packets":              {"packets_mean", "Mean packets sent", plain},
	"lost":                 {"lost_mean", "Mean packets lost", plain},
	"retransmits":          {"retransmits_mean", "Mean chunks sent again", plain},
	"spurious_retransmits": {"spurious_retransmits_mean", "Mean chunks sent again in vain", plain},
	"acks":                 {"acks_mean", "Mean ACKs sent", plain},
	"nacks":                {"nacks_mean", "Mean NACKs sent", plain},
	"timeouts":             {"timeouts_mean", "Mean timeouts", plain},
	"fallbacks":            {"fallbacks_mean", "Mean submessages that fell back", plain},
	"fallback_fraction":    {"fallback_fraction", "Fraction of messages that fell back", plain},
	"useful_parity":        {"useful_parity_mean", "Mean parity chunks used", plain},
	"events":               {"events_mean", "Mean events simulated", plain},
}

// quantities lists the names a figure may show, beside the columns of points.csv.
func quantities() []string {
	names := []string{
		"completion", "latency", "slowdown", "goodput", "overhead", "packet_rate", quantitySpeedup,
		"wall", "wall_ratio",
	}
	for name := range simple {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// measure returns how to read the quantity of the figure.
func (f *Figure) measure() (measure, error) {
	q := f.quantity()
	if f.distribution() && q != "completion" {
		return measure{}, f.fault("a %s shows the completion time, not %q", f.Kind, q)
	}
	switch q {
	case "completion":
		return completionMeasure(f.Stat), nil
	case "latency":
		return f.latencyMeasure()
	case "slowdown":
		return f.slowdownMeasure()
	case quantitySpeedup:
		return f.speedupMeasure()
	}
	if f.Stat != StatMean {
		return measure{}, f.fault("%s has no statistic %s, only mean", q, f.Stat)
	}
	switch q {
	case "goodput":
		return goodputMeasure(), nil
	case "overhead":
		return overheadMeasure(), nil
	case "packet_rate":
		return packetRateMeasure(), nil
	case "wall":
		return wallMeasure(), nil
	case "wall_ratio":
		return wallRatioMeasure(), nil
	}
	if s, ok := simple[q]; ok {
		m := columnMeasure(s.column)
		m.name, m.unit, m.times = s.name, s.unit, q == "delivery"
		m.delivered = m.times || q == "throughput"
		return m, nil
	}
	if slices.Contains(columnNames(), q) {
		return columnMeasure(q), nil
	}
	return measure{}, f.fault("no quantity %q; there are %s, and the columns of %s",
		q, list(quantities()), PointsFile)
}

// statWords start a title.
var statWords = map[string]string{
	StatMean: "Mean", StatP50: "Median", StatP99: "p99", StatP999: "p99.9", StatMax: "Largest",
}

// carriedBy is the statistic that warnings are about.
func carriedBy(stat string) string {
	if stat == StatMean || strings.HasPrefix(stat, "p") {
		return stat
	}
	return ""
}

// survived tells whether values are of those samples alone that a scheme did not give up, though it
// gave up others.
func (m measure) survived(sel *selection, r *Row) bool {
	if base := sel.all[rowKey(r.Axes, m.over)]; m.over != "" && base != nil && base.Failed > 0 {
		return true
	}
	return m.delivered && r.Failed > 0
}

// doubt is what is wrong with a value that too few samples carry.
func (m measure) doubt() string {
	if m.carried == StatMean || m.carried == "goodput" {
		return "the samples do not carry the mean"
	}
	return fmt.Sprintf("fewer than %d samples beyond %s", stats.MinBeyond, m.carried)
}

// completionOf reads a statistic of the completion time.
func completionOf(stat string, r *Row) stats.Estimate {
	nan := math.NaN()
	switch stat {
	case StatMean:
		return estimate(r.CompletionMean, r.CompletionMeanLo, r.CompletionMeanHi)
	case StatP50:
		return estimate(r.CompletionP50, nan, nan)
	case StatP99:
		return estimate(r.CompletionP99, r.CompletionP99Lo, r.CompletionP99Hi)
	case StatP999:
		return estimate(r.CompletionP999, r.CompletionP999Lo, r.CompletionP999Hi)
	case StatMax:
		return estimate(r.CompletionMax, nan, nan)
	}
	panic("BUG: report: statistic " + stat)
}

func estimate(v, lo, hi float64) stats.Estimate { return stats.Estimate{Value: v, Lo: lo, Hi: hi} }

func point(v float64) stats.Estimate { return estimate(v, math.NaN(), math.NaN()) }

func completionMeasure(stat string) measure {
	m := measure{
		name: statWords[stat] + " completion time", unit: seconds, carried: carriedBy(stat),
		times: true, delivered: true,
	}
	m.get = func(_ *selection, r *Row) (stats.Estimate, bool) {
		return completionOf(stat, r), r.carries(m.carried)
	}
	if stat == StatMean {
		m.model = func(r *Row) float64 { return r.ModelCompletionMean }
	}
	return m
}

// slowdownMeasure is of the completion time. Results of earlier versions have no interval of it but
// that of the completion time, by the lossless time.
func (f *Figure) slowdownMeasure() (measure, error) {
	column := map[string]string{StatMean: "slowdown_mean", StatP999: "slowdown_p999"}[f.Stat]
	if column == "" {
		return measure{}, f.fault("slowdown has no statistic %s, only mean and p99.9", f.Stat)
	}
	stat := f.Stat
	m := measure{
		name: statWords[stat] + " slowdown against lossless", unit: plain,
		carried: carriedBy(stat), ratio: true, times: true, delivered: true,
	}
	m.get = func(_ *selection, r *Row) (stats.Estimate, bool) {
		v, _ := r.Value(column)
		lo, _ := r.Value(column + "_lo")
		hi, _ := r.Value(column + "_hi")
		if c := completionOf(stat, r); math.IsNaN(lo) && math.IsNaN(hi) {
			scale := v / c.Value
			lo, hi = float64(c.Lo*scale), float64(c.Hi*scale)
		}
		return estimate(v, lo, hi), r.carries(m.carried)
	}
	if stat == StatMean {
		m.model = func(r *Row) float64 {
			return float64(r.ModelCompletionMean * (r.SlowdownMean / r.CompletionMean))
		}
	}
	return m, nil
}

// speedupMeasure compares two schemes at one point. Against the first scheme of the table the mean
// has the interval of paired samples; others have one that takes the two for independent.
func (f *Figure) speedupMeasure() (measure, error) {
	if f.Over == "" {
		return measure{}, f.fault("a speed-up needs over, the scheme it is compared with")
	}
	stat, over := f.Stat, f.Over
	name := statWords[stat] + " speed-up over " + over
	if f.Of != "" {
		name = statWords[stat] + " speed-up of " + f.Of + " over " + over
	}
	m := measure{
		name:  "Speed-up, " + lowerFirst(statWords[stat]) + " completion time",
		title: name,
		unit:  plain, carried: carriedBy(stat), ratio: true, times: true,
		delivered: true, over: over,
	}
	m.get = func(sel *selection, r *Row) (stats.Estimate, bool) {
		base, ok := sel.all[rowKey(r.Axes, over)]
		if !ok {
			return point(math.NaN()), true
		}
		if paired := estimate(r.SpeedupMean, r.SpeedupLo, r.SpeedupHi); stat == StatMean &&
			over == sel.first && usable(paired.Value) {
			return paired, r.carries(m.carried) && base.carries(m.carried)
		}
		e := stats.RatioOf(completionOf(stat, base), completionOf(stat, r))
		return e, r.carries(m.carried) && base.carries(m.carried)
	}
	return m, nil
}

func goodputMeasure() measure {
	return measure{name: "Goodput", unit: bitRate, carried: "goodput", delivered: true,
		get: func(_ *selection, r *Row) (stats.Estimate, bool) {
			return estimate(r.Goodput, r.GoodputLo, r.GoodputHi), r.carries("goodput")
		}}
}

// overheadMeasure is what was sent beyond the message, as a fraction of it: both rates are over the
// same time.
func overheadMeasure() measure {
	return measure{name: "Overhead on the wire (fraction of the message)", unit: plain,
		get: func(_ *selection, r *Row) (stats.Estimate, bool) {
			return point(r.Throughput/r.Goodput - 1), true
		}}
}

// packetRateMeasure is packets over the time in which they were sent, which is that of the
// throughput.
func packetRateMeasure() measure {
	return measure{name: "Packet rate", unit: packetRate,
		get: func(_ *selection, r *Row) (stats.Estimate, bool) {
			return point(float64(r.PacketsMean*r.Throughput) / float64(8*r.WireBytesMean)), true
		}}
}

// wallMeasure is what a sample costs on the machine that was measured.
func wallMeasure() measure {
	return measure{name: "Time to simulate a sample", unit: seconds,
		get: func(_ *selection, r *Row) (stats.Estimate, bool) {
			return estimate(r.SampleWall, r.SampleWallLo, r.SampleWallHi), true
		}}
}

// wallRatioMeasure is that over the time of the yardstick.
func wallRatioMeasure() measure {
	return measure{name: "Time over that of the yardstick", unit: plain, ratio: true,
		get: func(_ *selection, r *Row) (stats.Estimate, bool) {
			return estimate(r.WallRatio, r.WallRatioLo, r.WallRatioHi), true
		}}
}

// columnMeasure reads a column as it is; its name tells the unit.
func columnMeasure(column string) measure {
	m := measure{name: column, unit: plain, fraction: strings.HasSuffix(column, "_fraction")}
	switch {
	case strings.HasSuffix(column, "_s"):
		m.unit, m.times = seconds, true
	case strings.HasSuffix(column, "_bps"):
		m.unit = bitRate
	}
	if m.times && strings.Contains(column, "_mean") || column == "slowdown_mean" {
		m.carried = StatMean
	}
	m.delivered = (m.times || strings.HasSuffix(column, "_bps")) &&
		!strings.HasPrefix(column, "give_up")
	for _, q := range []string{StatP50, StatP99, StatP999} {
		if strings.Contains(column, "_"+strings.ReplaceAll(q, ".", "")+"_") ||
			strings.HasSuffix(column, "_"+strings.ReplaceAll(q, ".", "")) {
			m.carried = q
		}
	}
	m.get = func(_ *selection, r *Row) (stats.Estimate, bool) {
		v, _ := r.Value(column)
		e := point(v)
		switch {
		case column == "fallback_fraction": // none of many has a bound too
			e.Lo, e.Hi = r.FallbackLo, r.FallbackHi
		case strings.HasPrefix(column, "latency_"):
			return e, r.carriesLatency(m.carried)
		}
		return e, r.carries(m.carried)
	}
	return m
}
