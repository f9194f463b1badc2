package metric

import "strings"

// table is in the order in which figures and checks list metrics.
var table = []Metric{
	{Name: "completion", Title: "completion time", Unit: Seconds, Better: Lower, Drawn: true,
		Doc: "time from the first injection of a message to the acknowledgement of its last chunk, " +
			"at the sender",
		Columns: []Column{
			{Name: "completion_mean_s", Stat: Mean, Check: "completion_mean",
				of: func(v *Values) ends {
					return ends{&v.CompletionMean, &v.CompletionMeanLo, &v.CompletionMeanHi}
				}},
			{Name: "completion_p50_s", Stat: P50, Check: "completion_p50",
				of: func(v *Values) ends { return ends{&v.CompletionP50} }},
			{Name: "completion_p99_s", Stat: P99, Check: "completion_p99",
				of: func(v *Values) ends {
					return ends{&v.CompletionP99, &v.CompletionP99Lo, &v.CompletionP99Hi}
				}},
			{Name: "completion_p999_s", Stat: P999, Check: "completion_p999",
				of: func(v *Values) ends {
					return ends{&v.CompletionP999, &v.CompletionP999Lo, &v.CompletionP999Hi}
				}},
			{Name: "completion_max_s", Stat: Max,
				of: func(v *Values) ends { return ends{&v.CompletionMax} }},
		}},
	{Name: "latency", Title: "latency from posting", Unit: Seconds, Better: Lower, Drawn: true,
		Doc: "time from the posting of a message to its completion, with the wait before its " +
			"first injection",
		Columns: []Column{
			{Name: "latency_mean_s", Stat: Mean, Check: "latency_mean",
				of: func(v *Values) ends {
					return ends{&v.LatencyMean, &v.LatencyMeanLo, &v.LatencyMeanHi}
				}},
			{Name: "latency_p50_s", Stat: P50,
				of: func(v *Values) ends { return ends{&v.LatencyP50} }},
			{Name: "latency_p99_s", Stat: P99, Check: "latency_p99",
				of: func(v *Values) ends {
					return ends{&v.LatencyP99, &v.LatencyP99Lo, &v.LatencyP99Hi}
				}},
			{Name: "latency_p999_s", Stat: P999, Check: "latency_p999",
				of: func(v *Values) ends {
					return ends{&v.LatencyP999, &v.LatencyP999Lo, &v.LatencyP999Hi}
				}},
		}},
	{Name: "delivery", Title: "delivery time", Unit: Seconds, Better: Lower, Drawn: true,
		Doc: "time from the first injection of a message to its last needed bit, at the receiver",
		Columns: []Column{
			{Name: "delivery_mean_s", Stat: Mean,
				of: func(v *Values) ends { return ends{&v.DeliveryMean} }},
		}},
	{Name: "slowdown", Title: "slowdown against lossless", Better: Lower, Ratio: true, Drawn: true,
		Doc: "completion time over that of the message alone, without loss and parity",
		Columns: []Column{
			{Name: "slowdown_mean", Stat: Mean, Check: "slowdown",
				of: func(v *Values) ends {
					return ends{&v.SlowdownMean, &v.SlowdownMeanLo, &v.SlowdownMeanHi}
				}},
			{Name: "slowdown_p999", Stat: P999,
				of: func(v *Values) ends {
					return ends{&v.SlowdownP999, &v.SlowdownP999Lo, &v.SlowdownP999Hi}
				}},
		}},
	{Name: "speedup", Title: "speed-up", Better: Higher, Ratio: true, Drawn: true,
		Stats: []string{P50, P99, P999, Max},
		Doc: "completion time of the first scheme of the scenario over that of this one, of " +
			"samples that met the same losses",
		Columns: []Column{
			{Name: "speedup_mean", Stat: Mean, Stem: "speedup",
				of: func(v *Values) ends {
					return ends{&v.SpeedupMean, &v.SpeedupLo, &v.SpeedupHi}
				}},
		}},
	{Name: "goodput", Title: "Goodput", Unit: Bits, Better: Higher, Drawn: true,
		Doc: "bits of messages delivered over the time that took",
		Columns: []Column{
			{Name: "goodput_bps", Check: "goodput",
				of: func(v *Values) ends { return ends{&v.Goodput, &v.GoodputLo, &v.GoodputHi} }},
		}},
	{Name: "efficiency", Title: "Efficiency", Better: Higher, Checked: true,
		Doc: "goodput over link.bandwidth: the part of the data rate that becomes messages"},
	{Name: "throughput", Title: "Throughput", Unit: Bits, Drawn: true,
		Doc: "all bits on the wire (data, parity, retransmissions, headers) over the same time",
		Columns: []Column{
			{Name: "throughput_bps", of: func(v *Values) ends { return ends{&v.Throughput} }},
		}},
	{Name: "packet_rate", Title: "Packet rate", Unit: Packets, Drawn: true,
		Doc: "packets sent over the same time"},
	{Name: "overhead", Title: "Overhead on the wire (fraction of the message)", Better: Lower,
		Drawn:   true,
		Checked: true,
		Doc:     "bytes on the wire over message bytes, minus one: parity, headers and retransmissions"},
	{Name: "payload_bytes", Title: "message bytes delivered", Unit: Bytes,
		Doc:   "bytes of the messages delivered; of a collective, those of its buffer",
		Count: func(c *Counters) *int64 { return &c.PayloadBytes }},
	{Name: "wire_bytes", Title: "bytes on the wire", Unit: Bytes, Better: Lower, Drawn: true,
		Doc:   "bytes sent forward, with parity, headers and retransmissions",
		Count: func(c *Counters) *int64 { return &c.WireBytes },
		mean:  func(v *Values) *float64 { return &v.WireBytesMean }},
	{Name: "packets", Title: "packets sent", Better: Lower, Drawn: true,
		Doc:   "data packets sent forward",
		Count: func(c *Counters) *int64 { return &c.Packets },
		mean:  func(v *Values) *float64 { return &v.PacketsMean }},
	{Name: "lost", Title: "packets lost", Drawn: true,
		Doc:   "data packets dropped by the link",
		Count: func(c *Counters) *int64 { return &c.Lost },
		mean:  func(v *Values) *float64 { return &v.LostMean }},
	{Name: "retransmits", Title: "chunks sent again", Better: Lower, Drawn: true, Checked: true,
		Doc:   "chunks retransmitted in a sample",
		Count: func(c *Counters) *int64 { return &c.Retransmits },
		mean:  func(v *Values) *float64 { return &v.RetransmitsMean }},
	{Name: "spurious_retransmits", Title: "chunks sent again in vain", Better: Lower,
		Drawn: true, Checked: true,
		Doc:   "chunks retransmitted in a sample though they had arrived",
		Count: func(c *Counters) *int64 { return &c.Spurious },
		mean:  func(v *Values) *float64 { return &v.SpuriousRetransmitsMean }},
	{Name: "acks", Title: "ACKs sent", Better: Lower, Drawn: true, Checked: true,
		Doc:   "acknowledgements sent in a sample",
		Count: func(c *Counters) *int64 { return &c.Acks },
		mean:  func(v *Values) *float64 { return &v.AcksMean }},
	{Name: "nacks", Title: "NACKs sent", Better: Lower, Drawn: true, Checked: true,
		Doc:   "negative acknowledgements sent in a sample",
		Count: func(c *Counters) *int64 { return &c.Nacks },
		mean:  func(v *Values) *float64 { return &v.NacksMean }},
	{Name: "timeouts", Title: "timeouts", Better: Lower, Drawn: true, Checked: true,
		Doc:   "timers that expired in a sample, at sender and receiver",
		Count: func(c *Counters) *int64 { return &c.Timeouts },
		mean:  func(v *Values) *float64 { return &v.TimeoutsMean }},
	{Name: "fallbacks", Title: "submessages that fell back", Better: Lower, Drawn: true,
		Doc:   "submessages that a code could not recover, which fall back to Selective Repeat",
		Count: func(c *Counters) *int64 { return &c.Fallbacks },
		mean:  func(v *Values) *float64 { return &v.FallbacksMean }},
	{Name: "fallback_fraction", Title: "Fraction of messages that fell back", Better: Lower,
		Share: true, Drawn: true,
		Doc:   "messages of which a submessage fell back to Selective Repeat",
		Count: func(c *Counters) *int64 { return &c.FellBack }, Counter: "fell_back",
		Columns: []Column{
			{Name: "fallback_fraction", Check: "fallback_fraction", Stem: "fallback",
				of: func(v *Values) ends {
					return ends{&v.FallbackFraction, &v.FallbackLo, &v.FallbackHi}
				}},
		}},
	{Name: "failed_fraction", Title: "Fraction of samples that failed", Better: Lower, Share: true,
		Checked: true,
		Doc:     "samples of which a message was given up"},
	{Name: "useful_parity", Title: "parity chunks used", Drawn: true,
		Doc:   "parity chunks that a reconstruction used",
		Count: func(c *Counters) *int64 { return &c.UsefulParity },
		mean:  func(v *Values) *float64 { return &v.UsefulParityMean }},
	{Name: "events", Title: "events simulated", Better: Lower, Drawn: true,
		Doc:   "events simulated: the cost of a sample",
		Count: func(c *Counters) *int64 { return &c.Events },
		mean:  func(v *Values) *float64 { return &v.EventsMean }},
	{Name: "discarded", Title: "packets discarded", Better: Lower,
		Doc:   "packets that the receiver discarded: late, or duplicate",
		Count: func(c *Counters) *int64 { return &c.Discarded }},
	{Name: "reordered_fraction", Title: "Fraction of packets out of order", Better: Lower,
		Share: true, Drawn: true, Rare: true,
		Doc:   "the packets that arrive of which one that was sent later had arrived (RFC 4737)",
		Count: func(c *Counters) *int64 { return &c.Reordered }, Counter: "reordered",
		Columns: []Column{
			{Name: "reordered_fraction",
				of: func(v *Values) ends { return ends{&v.ReorderedFraction} }},
		}},
	{Name: "reorder_extent", Title: "extent of reordering, in packets", Better: Lower,
		Drawn: true, Rare: true,
		Doc: "packets that had arrived since the first that was sent later, of those out of order " +
			"(RFC 4737)",
		Count: func(c *Counters) *int64 { return &c.ReorderExtent },
		Columns: []Column{
			{Name: "reorder_extent_mean", Stat: Mean,
				of: func(v *Values) ends { return ends{&v.ReorderExtentMean} }},
		}},
	{Name: "model_completion", Title: "completion time by the closed form", Unit: Seconds,
		Better: Lower,
		Doc:    "completion time by the closed form, where it applies",
		Columns: []Column{
			{Name: "model_completion_mean_s", Stat: Mean,
				of: func(v *Values) ends { return ends{&v.ModelCompletionMean} }},
		}},
	{Name: "give_up", Title: "time to give up", Unit: Seconds, Better: Higher,
		Doc: "time at which failed samples were given up",
		Columns: []Column{
			{Name: "give_up_mean_s", Stat: Mean,
				of: func(v *Values) ends { return ends{&v.GiveUpMean} }},
		}},
	{Name: "wall", Title: "Time to simulate a sample", Unit: Seconds, Better: Lower, Measured: true,
		Doc: "time that the machine takes for a sample, median of rounds",
		Columns: []Column{
			{Name: "sample_wall_s",
				of: func(v *Values) ends {
					return ends{&v.SampleWall, &v.SampleWallLo, &v.SampleWallHi}
				}},
		}},
	{Name: "wall_ratio", Title: "Time over that of the yardstick", Better: Lower, Ratio: true,
		Measured: true,
		Doc:      "time of a sample over that of a yardstick, median of rounds",
		Columns: []Column{
			{Name: "wall_ratio",
				of: func(v *Values) ends {
					return ends{&v.WallRatio, &v.WallRatioLo, &v.WallRatioHi}
				}},
		}},
	{Name: "dropped", Title: "packets that queues dropped", Better: Lower, Drawn: true,
		Rare: true,
		Doc:  "data packets, of those lost, that a queue had no room for",
		Columns: []Column{
			{Name: "dropped_mean", Stat: Mean, Check: "dropped",
				of: func(v *Values) ends { return ends{&v.DroppedMean} }},
		}},
	{Name: "marked", Title: "marks", Better: Lower, Drawn: true, Rare: true,
		Doc: "ECN marks on data packets, one for each queue that marked",
		Columns: []Column{
			{Name: "marked_mean", Stat: Mean, Check: "marked",
				of: func(v *Values) ends { return ends{&v.MarkedMean} }},
		}},
	{Name: "operations", Title: "Operations a second", Unit: Operations, Better: Higher, Drawn: true,
		Rare: true,
		Doc:  "messages, or operations of storage, that were completed, over the time that took",
		Columns: []Column{
			{Name: "operations_per_s", Check: "operations",
				of: func(v *Values) ends {
					return ends{&v.Operations, &v.OperationsLo, &v.OperationsHi}
				}},
		}},
	{Name: "step", Title: "step time", Unit: Seconds, Better: Lower, Drawn: true, Rare: true,
		Doc: "time of a training step: that of a sample over its steps",
		Columns: []Column{
			{Name: "step_mean_s", Stat: Mean, Check: "step_mean",
				of: func(v *Values) ends {
					return ends{&v.StepMean, &v.StepMeanLo, &v.StepMeanHi}
				}},
		}},
	{Name: "exposed", Title: "exposed communication", Unit: Seconds, Better: Lower, Drawn: true,
		Rare: true,
		Doc:  "time of a training step beyond that without a network",
		Columns: []Column{
			{Name: "exposed_mean_s", Stat: Mean, Check: "exposed_mean",
				of: func(v *Values) ends {
					return ends{&v.ExposedMean, &v.ExposedMeanLo, &v.ExposedMeanHi}
				}},
		}},
	{Name: "compute_efficiency", Title: "Efficiency of a training step", Better: Higher, Drawn: true,
		Rare: true,
		Doc:  "time of a training step without a network over that with it",
		Columns: []Column{
			{Name: "compute_efficiency", Check: "compute_efficiency",
				of: func(v *Values) ends {
					return ends{&v.ComputeEfficiency, &v.ComputeEfficiencyLo, &v.ComputeEfficiencyHi}
				}},
		}},
	{Name: "host_cores", Title: "Cores of the host", Better: Lower, Drawn: true, Rare: true,
		Doc: "cores of the host that operations of storage take: their rate times workload.host_cpu",
		Columns: []Column{
			{Name: "host_cores", of: func(v *Values) ends { return ends{&v.HostCores} }},
		}},
	{Name: "in_time", Title: "Fraction of messages in time", Better: Higher, Share: true, Drawn: true,
		Rare: true,
		Doc:  "messages whose latency was within message.deadline; those given up were not",
		Columns: []Column{
			{Name: "in_time_fraction", Check: "in_time_fraction", Stem: "in_time",
				of: func(v *Values) ends { return ends{&v.InTime, &v.InTimeLo, &v.InTimeHi} }},
		}},
	{Name: "fairness", Title: "Fairness of flows (Jain)", Better: Higher, Drawn: true,
		Rare: true,
		Doc: "Jain's index of the goodputs of the flows of a sample, mean over samples: 1 where " +
			"all are equal",
		Columns: []Column{
			{Name: "fairness", Check: "fairness",
				of: func(v *Values) ends { return ends{&v.Fairness} }},
		}},
}

// beside are the columns of points.csv that hold no metric.
var beside = []*Field{
	{Name: "samples", Type: Integer, Title: "Samples",
		Doc:   "samples simulated; of measurements, rounds",
		Count: func(v *Values) *int64 { return &v.Samples }},
	{Name: "failed", Type: Integer, Better: Lower, Title: "Samples that failed",
		Doc:   "of these, samples that the scheme gave up; they are in no other number",
		Count: func(v *Values) *int64 { return &v.Failed }},
	{Name: "sampling", Type: Text, Title: "Sampling", Optional: true,
		Doc: "how samples met losses: plain, as they come; strata, divided by what they lose; tilt, " +
			"exaggerated and weighted",
		Word: func(v *Values) *string { return &v.Sampling }},
}

// places are those of columns that are older than the table. A column that is not among them
// follows them, in the order of the table: nothing has to be added here.
var places = strings.Fields(`
	samples failed completion_mean_s completion_mean_lo_s completion_mean_hi_s completion_p50_s
	completion_p99_s completion_p999_s completion_max_s delivery_mean_s slowdown_mean
	slowdown_p999 goodput_bps throughput_bps wire_bytes_mean packets_mean lost_mean
	retransmits_mean spurious_retransmits_mean acks_mean nacks_mean timeouts_mean
	fallbacks_mean fallback_fraction useful_parity_mean events_mean completion_p99_lo_s
	completion_p99_hi_s completion_p999_lo_s completion_p999_hi_s goodput_lo_bps goodput_hi_bps
	speedup_mean speedup_lo speedup_hi model_completion_mean_s fallback_lo fallback_hi
	give_up_mean_s latency_mean_s latency_mean_lo_s latency_mean_hi_s latency_p50_s
	latency_p99_s latency_p99_lo_s latency_p99_hi_s latency_p999_s latency_p999_lo_s
	latency_p999_hi_s slowdown_mean_lo slowdown_mean_hi slowdown_p999_lo slowdown_p999_hi
	sample_wall_s sample_wall_lo_s sample_wall_hi_s wall_ratio wall_ratio_lo wall_ratio_hi
	sampling
`)
