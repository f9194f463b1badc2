package metric

import (
	"math"
	"slices"
)

// Counters add up over the messages of a sample.
type Counters struct {
	PayloadBytes int64 // of the messages delivered; of a collective: its buffer
	WireBytes    int64 // forward: parity, headers and repeats included
	Packets      int64 // forward data packets sent
	Lost         int64 // forward data packets dropped
	Retransmits  int64 // chunks sent again
	Spurious     int64 // chunks sent again though they had arrived
	Acks, Nacks  int64 // control messages sent
	Timeouts     int64
	Fallbacks    int64 // submessages that fell back to selective repeat
	FellBack     int64 // messages with at least one of them; a collective counts as one message
	UsefulParity int64 // parity chunks used in a reconstruction
	Events       int64 // engine events
	Discarded    int64 // packets discarded by the receiver: late or duplicate
	// Reordered packets arrived after one that was sent later; ReorderExtent sums how many had arrived
	// since the first of those (RFC 4737).
	Reordered, ReorderExtent int64
}

// Sum adds up every counter of samples: integers, whose sum does not depend on an order. It takes
// as many samples at a time as stay in a cache.
func Sum(samples []Counters) (sum Counters) {
	for some := range slices.Chunk(samples, 128) {
		for _, c := range counted {
			n := *c.Count(&sum)
			for i := range some {
				n += *c.Count(&some[i])
			}
			*c.Count(&sum) = n
		}
	}
	return sum
}

// Values are the numbers of a row of points.csv; NaN is one that is not known. Times are in
// seconds, rates in bit/s; means are per sample. Lo and Hi are the ends of a 95 % interval.
type Values struct {
	// Samples were simulated; Failed of them were given up and are in no other number.
	Samples, Failed int64

	CompletionMean, CompletionMeanLo, CompletionMeanHi float64
	CompletionP50                                      float64
	CompletionP99, CompletionP99Lo, CompletionP99Hi    float64
	CompletionP999, CompletionP999Lo, CompletionP999Hi float64
	CompletionMax                                      float64

	LatencyMean, LatencyMeanLo, LatencyMeanHi float64
	LatencyP50                                float64
	LatencyP99, LatencyP99Lo, LatencyP99Hi    float64
	LatencyP999, LatencyP999Lo, LatencyP999Hi float64

	DeliveryMean                                 float64
	SlowdownMean, SlowdownMeanLo, SlowdownMeanHi float64
	SlowdownP999, SlowdownP999Lo, SlowdownP999Hi float64
	SpeedupMean, SpeedupLo, SpeedupHi            float64
	Goodput, GoodputLo, GoodputHi                float64
	Throughput                                   float64

	WireBytesMean, PacketsMean, LostMean     float64
	RetransmitsMean, SpuriousRetransmitsMean float64
	AcksMean, NacksMean, TimeoutsMean        float64
	FallbacksMean                            float64
	FallbackFraction, FallbackLo, FallbackHi float64
	UsefulParityMean, EventsMean             float64
	ReorderedFraction, ReorderExtentMean     float64

	// DroppedMean, MarkedMean and Fairness are of networks.
	DroppedMean, MarkedMean, Fairness float64

	// Steps, Operations and InTime are of workloads that ask for them.
	StepMean, StepMeanLo, StepMeanHi                            float64
	ExposedMean, ExposedMeanLo, ExposedMeanHi                   float64
	ComputeEfficiency, ComputeEfficiencyLo, ComputeEfficiencyHi float64

	Operations, OperationsLo, OperationsHi float64
	HostCores                              float64
	InTime, InTimeLo, InTimeHi             float64

	// ModelCompletionMean is the closed form, where it applies.
	ModelCompletionMean float64
	GiveUpMean          float64

	SampleWall, SampleWallLo, SampleWallHi float64
	WallRatio, WallRatioLo, WallRatioHi    float64

	// Sampling says how the samples met losses; empty: nobody says.
	Sampling string
}

// Unknown returns values of which none is known.
func Unknown() (v Values) {
	for _, c := range columns {
		if c.Number != nil {
			*c.Number(&v) = math.NaN()
		}
	}
	return v
}
