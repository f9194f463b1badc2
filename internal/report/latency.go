package report

import (
	"math"
	"strings"

	"sdrsim/internal/stats"
)

// latencyStats are the statistics of latencies that a row has.
var latencyStats = []string{StatMean, StatP50, StatP99, StatP999}

// latencyOf reads a statistic of the latency.
func latencyOf(stat string, r *Row) stats.Estimate {
	switch stat {
	case StatMean:
		return estimate(r.LatencyMean, r.LatencyMeanLo, r.LatencyMeanHi)
	case StatP50:
		return estimate(r.LatencyP50, math.NaN(), math.NaN())
	case StatP99:
		return estimate(r.LatencyP99, r.LatencyP99Lo, r.LatencyP99Hi)
	case StatP999:
		return estimate(r.LatencyP999, r.LatencyP999Lo, r.LatencyP999Hi)
	}
	panic("BUG: report: statistic " + stat + " of latencies")
}

// carriesLatency tells whether the samples carry a statistic of latencies. What they do not carry
// of completion times they do not of latencies.
func (r *Row) carriesLatency(stat string) bool {
	return r.carries(stat) && (stat == "" || r.carries(LatencyPrefix+stat))
}

// latencyMeasure is the time from posting, beside that from first injection.
func (f *Figure) latencyMeasure() (measure, error) {
	stat := f.Stat
	if stat == StatMax {
		return measure{}, f.fault("latency has no statistic %s, only %s", stat,
			strings.Join(latencyStats, ", "))
	}
	m := measure{
		name: statWords[stat] + " latency from posting", unit: seconds, carried: carriedBy(stat),
		times: true, delivered: true,
	}
	m.get = func(_ *selection, r *Row) (stats.Estimate, bool) {
		return latencyOf(stat, r), r.carriesLatency(m.carried)
	}
	return m, nil
}
