package report

import (
	"math"
	"slices"
	"strings"
)

// AxisValue is one swept value of a point.
type AxisValue struct {
	Path string // as in the scenario, such as link.loss.p
	Text string // as in the table: a plain SI number, or a word
	// Number is the value in SI base units (bytes, bit/s, seconds, metres); NaN for words.
	Number float64
}

// Row is what one scheme did at one point. A number that is not known is NaN; start from NewRow.
// Times are in seconds, rates in bit/s; means are per sample.
type Row struct {
	// Axes are the swept values of the point; every row of a table has the same paths.
	Axes   []AxisValue
	Scheme string
	// Samples were simulated; Failed of them were given up and are in no other number.
	Samples, Failed int64

	// The completion time: mean with its 95 % interval, quantiles, and the largest.
	CompletionMean, CompletionMeanLo, CompletionMeanHi          float64
	CompletionP50, CompletionP99, CompletionP999, CompletionMax float64
	// The delivery time, and completion over the completion without loss or parity.
	DeliveryMean, SlowdownMean, SlowdownP999 float64
	// Message bits over completion time, and all bits sent over the same time.
	Goodput, Throughput float64

	WireBytesMean, PacketsMean, LostMean     float64
	RetransmitsMean, SpuriousRetransmitsMean float64
	AcksMean, NacksMean, TimeoutsMean        float64
	// Submessages that fell back to selective repeat, and the fraction of messages with one.
	FallbacksMean, FallbackFraction float64
	UsefulParityMean, EventsMean    float64

	// The 95 % intervals of quantiles and goodput; an end that too few samples carry is NaN.
	CompletionP99Lo, CompletionP99Hi   float64
	CompletionP999Lo, CompletionP999Hi float64
	GoodputLo, GoodputHi               float64
	// The mean completion time of the first scheme over that of this one, with the 95 % interval of
	// pairs of samples that met the same losses.
	SpeedupMean, SpeedupLo, SpeedupHi float64
	// FallbackLo and FallbackHi are the 95 % interval of FallbackFraction, of schemes that can fall
	// back.
	FallbackLo, FallbackHi float64
	// GiveUpMean is the mean time at which failed samples were given up; NaN where none was.
	GiveUpMean float64
	// The time from the posting of a message by the application to its completion, which has the wait
	// for others before its first injection: mean and quantiles with their 95 % intervals.
	LatencyMean, LatencyMeanLo, LatencyMeanHi float64
	LatencyP50                                float64
	LatencyP99, LatencyP99Lo, LatencyP99Hi    float64
	LatencyP999, LatencyP999Lo, LatencyP999Hi float64
	// The 95 % intervals of SlowdownMean and SlowdownP999.
	SlowdownMeanLo, SlowdownMeanHi float64
	SlowdownP999Lo, SlowdownP999Hi float64
	// ModelCompletionMean is the closed form, where it applies.
	ModelCompletionMean float64

	// SampleWall is how long the machine takes for a sample, in seconds, and WallRatio that over the
	// time of a yardstick: medians of rounds with their 95 % intervals. Only measurements have them.
	SampleWall, SampleWallLo, SampleWallHi float64
	WallRatio, WallRatioLo, WallRatioHi    float64

	// Sampling says how the samples met losses, SamplingPlain or another of those.
	Sampling string

	// Of the packets that arrived the fraction that others had overtaken, and how many had arrived
	// since the first of those did, on average of them (RFC 4737). Only points whose link may reorder
	// have them.
	ReorderedFraction, ReorderExtentMean float64

	// Warnings tell what to doubt. One that starts with "p99.9:" (or "p99:", "p50:", "mean:") says
	// that too few samples carry that statistic, and figures show it.
	Warnings []string
}

// Ways for samples to meet losses.
const (
	SamplingPlain  = "plain"  // as they come
	SamplingStrata = "strata" // the sample without loss once, all others where losses are
	SamplingTilt   = "tilt"   // exaggerated, and weighted
)

// NewRow returns a row whose numbers are all unknown.
func NewRow(axes []AxisValue, scheme string) Row {
	r := Row{Axes: axes, Scheme: scheme}
	for _, c := range columns {
		if c.number != nil {
			*c.number(&r) = math.NaN()
		}
	}
	return r
}

// Table is the content of a result directory that figures are drawn from.
type Table struct {
	Paths         []string // the swept paths, in the order of the scenario
	Rows          []Row
	Distributions []Distribution
	Rounds        []Round // of collectives, by point, scheme and number
}

// column is a field of a row in points.csv, after the swept paths and the scheme. One of count,
// number and word is set.
type column struct {
	name   string
	count  func(*Row) *int64
	number func(*Row) *float64
	word   func(*Row) *string
	// optional columns are in the file only where a row has them. Simulated results never have
	// those of a measurement, as they must not tell how fast a machine is.
	optional bool
}

// columns are in the order of the file; warnings follow them.
var columns = []column{
	{name: "samples", count: func(r *Row) *int64 { return &r.Samples }},
	{name: "failed", count: func(r *Row) *int64 { return &r.Failed }},
	{name: "completion_mean_s", number: func(r *Row) *float64 { return &r.CompletionMean }},
	{name: "completion_mean_lo_s", number: func(r *Row) *float64 { return &r.CompletionMeanLo }},
	{name: "completion_mean_hi_s", number: func(r *Row) *float64 { return &r.CompletionMeanHi }},
	{name: "completion_p50_s", number: func(r *Row) *float64 { return &r.CompletionP50 }},
	{name: "completion_p99_s", number: func(r *Row) *float64 { return &r.CompletionP99 }},
	{name: "completion_p999_s", number: func(r *Row) *float64 { return &r.CompletionP999 }},
	{name: "completion_max_s", number: func(r *Row) *float64 { return &r.CompletionMax }},
	{name: "delivery_mean_s", number: func(r *Row) *float64 { return &r.DeliveryMean }},
	{name: "slowdown_mean", number: func(r *Row) *float64 { return &r.SlowdownMean }},
	{name: "slowdown_p999", number: func(r *Row) *float64 { return &r.SlowdownP999 }},
	{name: "goodput_bps", number: func(r *Row) *float64 { return &r.Goodput }},
	{name: "throughput_bps", number: func(r *Row) *float64 { return &r.Throughput }},
	{name: "wire_bytes_mean", number: func(r *Row) *float64 { return &r.WireBytesMean }},
	{name: "packets_mean", number: func(r *Row) *float64 { return &r.PacketsMean }},
	{name: "lost_mean", number: func(r *Row) *float64 { return &r.LostMean }},
	{name: "retransmits_mean", number: func(r *Row) *float64 { return &r.RetransmitsMean }},
	{name: "spurious_retransmits_mean",
		number: func(r *Row) *float64 { return &r.SpuriousRetransmitsMean }},
	{name: "acks_mean", number: func(r *Row) *float64 { return &r.AcksMean }},
	{name: "nacks_mean", number: func(r *Row) *float64 { return &r.NacksMean }},
	{name: "timeouts_mean", number: func(r *Row) *float64 { return &r.TimeoutsMean }},
	{name: "fallbacks_mean", number: func(r *Row) *float64 { return &r.FallbacksMean }},
	{name: "fallback_fraction", number: func(r *Row) *float64 { return &r.FallbackFraction }},
	{name: "useful_parity_mean", number: func(r *Row) *float64 { return &r.UsefulParityMean }},
	{name: "events_mean", number: func(r *Row) *float64 { return &r.EventsMean }},
	{name: "completion_p99_lo_s", number: func(r *Row) *float64 { return &r.CompletionP99Lo }},
	{name: "completion_p99_hi_s", number: func(r *Row) *float64 { return &r.CompletionP99Hi }},
	{name: "completion_p999_lo_s", number: func(r *Row) *float64 { return &r.CompletionP999Lo }},
	{name: "completion_p999_hi_s", number: func(r *Row) *float64 { return &r.CompletionP999Hi }},
	{name: "goodput_lo_bps", number: func(r *Row) *float64 { return &r.GoodputLo }},
	{name: "goodput_hi_bps", number: func(r *Row) *float64 { return &r.GoodputHi }},
	{name: "speedup_mean", number: func(r *Row) *float64 { return &r.SpeedupMean }},
	{name: "speedup_lo", number: func(r *Row) *float64 { return &r.SpeedupLo }},
	{name: "speedup_hi", number: func(r *Row) *float64 { return &r.SpeedupHi }},
	{name: "model_completion_mean_s",
		number: func(r *Row) *float64 { return &r.ModelCompletionMean }},
	{name: "fallback_lo", number: func(r *Row) *float64 { return &r.FallbackLo }},
	{name: "fallback_hi", number: func(r *Row) *float64 { return &r.FallbackHi }},
	{name: "give_up_mean_s", number: func(r *Row) *float64 { return &r.GiveUpMean }},
	{name: "latency_mean_s", number: func(r *Row) *float64 { return &r.LatencyMean }},
	{name: "latency_mean_lo_s", number: func(r *Row) *float64 { return &r.LatencyMeanLo }},
	{name: "latency_mean_hi_s", number: func(r *Row) *float64 { return &r.LatencyMeanHi }},
	{name: "latency_p50_s", number: func(r *Row) *float64 { return &r.LatencyP50 }},
	{name: "latency_p99_s", number: func(r *Row) *float64 { return &r.LatencyP99 }},
	{name: "latency_p99_lo_s", number: func(r *Row) *float64 { return &r.LatencyP99Lo }},
	{name: "latency_p99_hi_s", number: func(r *Row) *float64 { return &r.LatencyP99Hi }},
	{name: "latency_p999_s", number: func(r *Row) *float64 { return &r.LatencyP999 }},
	{name: "latency_p999_lo_s", number: func(r *Row) *float64 { return &r.LatencyP999Lo }},
	{name: "latency_p999_hi_s", number: func(r *Row) *float64 { return &r.LatencyP999Hi }},
	{name: "slowdown_mean_lo", number: func(r *Row) *float64 { return &r.SlowdownMeanLo }},
	{name: "slowdown_mean_hi", number: func(r *Row) *float64 { return &r.SlowdownMeanHi }},
	{name: "slowdown_p999_lo", number: func(r *Row) *float64 { return &r.SlowdownP999Lo }},
	{name: "slowdown_p999_hi", number: func(r *Row) *float64 { return &r.SlowdownP999Hi }},
	{name: "sample_wall_s", optional: true,
		number: func(r *Row) *float64 { return &r.SampleWall }},
	{name: "sample_wall_lo_s", optional: true,
		number: func(r *Row) *float64 { return &r.SampleWallLo }},
	{name: "sample_wall_hi_s", optional: true,
		number: func(r *Row) *float64 { return &r.SampleWallHi }},
	{name: "wall_ratio", optional: true, number: func(r *Row) *float64 { return &r.WallRatio }},
	{name: "wall_ratio_lo", optional: true,
		number: func(r *Row) *float64 { return &r.WallRatioLo }},
	{name: "wall_ratio_hi", optional: true,
		number: func(r *Row) *float64 { return &r.WallRatioHi }},
	{name: "sampling", optional: true, word: func(r *Row) *string { return &r.Sampling }},
	{name: "reordered_fraction", optional: true,
		number: func(r *Row) *float64 { return &r.ReorderedFraction }},
	{name: "reorder_extent_mean", optional: true,
		number: func(r *Row) *float64 { return &r.ReorderExtentMean }},
}

// LatencyPrefix starts a warning about a statistic of latencies, before that of its name.
const LatencyPrefix = "latency "

const (
	schemeColumn   = "scheme"
	warningsColumn = "warnings"
	warningSep     = "; "
)

// columnNames lists the names of columns, in their order.
func columnNames() []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// columnsOf are the columns of a file with these rows.
func columnsOf(rows []Row) []column {
	return slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return c.optional && !slices.ContainsFunc(rows, func(r Row) bool {
			if c.word != nil {
				return *c.word(&r) != ""
			}
			return !math.IsNaN(*c.number(&r))
		})
	})
}

// Value returns the number in the column of points.csv with that name, NaN where it is unknown;
// false where there is no such column, or one of words.
func (r *Row) Value(column string) (value float64, ok bool) {
	for _, c := range columns {
		switch {
		case c.name != column:
		case c.count != nil:
			return float64(*c.count(r)), true
		case c.word != nil:
			return math.NaN(), false
		default:
			return *c.number(r), true
		}
	}
	return math.NaN(), false
}

// axis returns the value of the row on a path; the scheme counts as an axis of words.
func (r *Row) axis(path string) (AxisValue, bool) {
	if path == schemeColumn {
		return AxisValue{Path: path, Text: r.Scheme, Number: math.NaN()}, true
	}
	return findAxis(r.Axes, path)
}

func findAxis(axes []AxisValue, path string) (AxisValue, bool) {
	for _, a := range axes {
		if a.Path == path {
			return a, true
		}
	}
	return AxisValue{}, false
}

// pointKey names the point of a row among the rows of a table.
func pointKey(axes []AxisValue) string {
	var b strings.Builder
	for _, a := range axes {
		b.WriteString(a.Path + "=" + a.Text + ",")
	}
	return strings.TrimSuffix(b.String(), ",")
}

// carries tells whether the samples carry a statistic of the row, a quantile ("p99.9") or the mean.
func (r *Row) carries(stat string) bool {
	for _, w := range r.Warnings {
		if stat != "" && strings.HasPrefix(w, stat+":") {
			return false
		}
	}
	return true
}

// lone tells that the values of the row are those of a single sample, which has no spread.
// Measurements count rounds as samples, and their values are medians.
func (r *Row) lone() bool { return r.Samples-r.Failed == 1 && !usable(r.SampleWall) }
