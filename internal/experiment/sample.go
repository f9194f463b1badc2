package experiment

import (
	"sdrsim/internal/metric"
	"sdrsim/units"
)

// Sample is the outcome of one replication of a point under one scheme.
type Sample struct {
	// Completion is the time of each message: first injection to the acknowledgement of its last
	// chunk, at the sender. One entry per message that was delivered.
	Completion []units.Duration
	// Delivery is the same at the receiver: first injection to the last bit that was needed.
	Delivery []units.Duration
	// Wait is from when the application posted each of those messages to its first injection: what
	// latency has beyond completion. Empty where nothing can wait: for a single message that is
	// there from the start, and for a collective.
	Wait []units.Duration
	// Ideals are the completion times of those messages alone, as Ideal is; empty where messages are
	// of one size.
	Ideals []units.Duration
	// Rounds is how long each round of a collective took: from the acknowledgement of the round
	// before on its slowest hop to that of this one. Empty for plain messages.
	Rounds []units.Duration
	// Failed counts messages that the scheme gave up, with the reason of the first.
	Failed  int
	Failure string
	// Elapsed is from the first injection of the first message to the last acknowledgement.
	Elapsed units.Duration
	// Ideal is the completion time of one message without loss, parity or competing messages; of
	// messages that differ in size, that of the largest.
	Ideal units.Duration
	// Weight is how much the sample counts for: one, unless tail acceleration exaggerates losses.
	Weight float64
	// Stratum is the number of the stratum that the sample is of, where samples are divided.
	Stratum int
	Counters
}

// Counters add up over the messages of a sample.
type Counters = metric.Counters
