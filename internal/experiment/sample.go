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
	// Flows are the connections of a network, in the order of the scenario, and Queues its queues.
	Flows  []FlowSample
	Queues []QueueSample
	Counters
}

// FlowSample is what a sample counts of one connection of a network.
type FlowSample struct {
	PayloadBytes int64 // of the messages delivered
	Packets      int64 // data packets sent
	Dropped      int64 // those that queues had no room for
	Lost         int64 // those that the link between the borders lost
	Marked       int64 // marks, one for each queue that marked a packet
	Retransmits  int64 // chunks
	// Elapsed is from the posting of its first message to the acknowledgement of its last.
	Elapsed units.Duration
}

// QueueSample is what a sample counts of one queue, until it ended.
type QueueSample struct {
	// Mean and P99 are the backlog over time, and what 99 of 100 packets do not exceed when they
	// come; Max is the greatest, in bytes.
	Mean, P99, Max float64
	Wait           units.Duration // that packets met, on average
	Accepted       int64
	Dropped        int64 // packets that it had no room for
	Lost           int64 // packets and control messages that the link behind it lost
	Marked         int64
	// Utilisation is the part of the time in which it sent.
	Utilisation float64
}

// Counters add up over the messages of a sample.
type Counters = metric.Counters
