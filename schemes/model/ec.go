package model

import (
	"errors"
	"math"

	"sdrsim/internal/portable"
	"sdrsim/units"
)

// Code is the rule by which a submessage is recoverable.
type Code string

// Codes.
const (
	MDS Code = "mds" // any k of the k+m chunks
	XOR Code = "xor" // at most one loss in each of m groups, parity counted
)

// AckRule is when a receiver says that it has everything.
type AckRule string

// Rules of acknowledgement.
const (
	// AckAllArrived waits for data and parity, as the paper's base time does.
	AckAllArrived AckRule = "all arrived"
	// AckRecoverable speaks as soon as everything can be recovered: without loss, before parity that
	// is sent last has arrived.
	AckRecoverable AckRule = "recoverable"
)

// Parameters for which the model of erasure coding has no value.
var (
	ErrSplit = errors.New("a submessage needs k >= 1 data and m >= 1 parity chunks below 2^31")
	ErrCode  = errors.New("the code is neither mds nor xor")
	ErrBeta  = errors.New("beta is negative or not a number")
	ErrAck   = errors.New("the rule of acknowledgement is unknown")
)

// EC is erasure coding of one message with Selective Repeat to fall back on.
// arXiv:2505.05366 §4.2.2:
//
//	E[T_EC] >= (M + ceil(M/R)) T_inj + P_fallback (1+beta) RTT + E[T_SR(failed)]    R = k/m
//
// The last submessage of a message that k does not divide has fewer data chunks and m parity.
type EC struct {
	Link
	Chunks int64          // M, data chunks
	K, M   int64          // data and parity chunks of a submessage
	Code   Code           // which patterns of loss are recoverable
	Beta   float64        // round trips that the fallback timeout waits beyond the injection
	RTO    units.Duration // timeout of the Selective Repeat that a failed submessage falls back on
	// P is the probability that a chunk is lost, for each chunk and attempt. Where Packets is above
	// one, it is that of each of so many packets of a chunk, and a chunk is lost with any of them.
	P       float64
	Packets int64
	Ack     AckRule // empty: AckAllArrived
	// Order, FirstPacket, Last and LastPackets count where Ack is AckRecoverable. FirstPacket is when
	// the first packet has left, from whose arrival on the fallback timeout runs. Last is the time
	// of the last data chunk where it is a short one, and LastPackets how many packets that has.
	Order             Order
	FirstPacket, Last units.Duration
	LastPackets       int64
	// Injection is how long the fallback timeout takes data and parity to be sent, where not all
	// chunks are full ones and Ack is AckRecoverable; 0: (M + L m) T_inj.
	Injection units.Duration
	// Limit is when a message that has fallen back is given up; nil: never.
	Limit *Limit
}

// Validate names the parameter for which the model has no value; nil if there is none.
func (e EC) Validate() error {
	const most = 1 << 31
	switch {
	case e.K < 1 || e.M < 1 || e.K > most || e.M > most:
		return ErrSplit
	case e.Code != MDS && e.Code != XOR:
		return ErrCode
	case !(e.Beta >= 0) || math.IsInf(e.Beta, 1):
		return ErrBeta
	case e.Ack != "" && e.Ack != AckAllArrived && e.Ack != AckRecoverable:
		return ErrAck
	case e.Order != "" && e.Order != OrderParityLast &&
		(e.Order != OrderInterleaved || e.Ack != AckRecoverable):
		return ErrOrder
	}
	if err := e.repeat(e.Chunks).Validate(); err != nil {
		return err
	}
	if e.loss() > maxCodedProbability {
		return ErrCodedLossy
	}
	if float64(e.Chunks)*(1+float64(e.M)/float64(e.K))*float64(e.ChunkTime) > float64(maxSpan) {
		return ErrTooLong
	}
	return nil
}

// loss is the probability that a chunk is lost when it is sent for the first time.
func (e EC) loss() float64 {
	if e.Packets > 1 {
		return ChunkLoss(e.P, e.Packets)
	}
	return e.P
}

// repeat is the Selective Repeat of so many chunks. The paper's repeats bring chunks whole; those
// of a receiver with a packet bitmap only what is missing of them.
func (e EC) repeat(chunks int64) SR {
	if e.Ack == AckRecoverable {
		return SR{Link: e.Link, Chunks: chunks, RTO: e.RTO, P: e.P, Packets: e.Packets}
	}
	return SR{Link: e.Link, Chunks: chunks, RTO: e.RTO, P: e.loss()}
}

// ParityChunks is ceil(M/R), how many parity chunks the paper counts for the message.
func (e EC) ParityChunks() int64 {
	whole, rest := e.Chunks/e.K, e.Chunks%e.K
	return whole*e.M + (rest*e.M+e.K-1)/e.K
}

// FTO is the fallback timeout, (M + ceil(M/R)) T_inj + beta RTT.
func (e EC) FTO() units.Duration {
	wait := units.Duration(math.Round(e.Beta * float64(e.RTT)))
	return units.Duration(e.Chunks+e.ParityChunks())*e.ChunkTime + wait
}

// failure is the probability that a submessage of so many data chunks is not recoverable.
func (e EC) failure(data int64) float64 {
	if e.Code == MDS {
		return binomialTail(data+e.M, e.M, e.loss())
	}
	// Groups differ by one chunk where m does not divide the data.
	small, larger := data/e.M, data%e.M
	log := float64(float64(e.M-larger)*portable.Log1p(-binomialTail(small+1, 1, e.loss()))) +
		float64(float64(larger)*portable.Log1p(-binomialTail(small+2, 1, e.loss())))
	return -portable.Expm1(log)
}

// PRecoverable is P_EC, the probability that a full submessage is recoverable:
//
//	MDS  sum_{i<=m} C(k+m,i) P^i (1-P)^(k+m-i)
//	XOR  [(1-P)^n + n P (1-P)^(n-1)]^m,  n = k/m + 1
func (e EC) PRecoverable() float64 { return 1 - e.failure(e.K) }

// PFailed is 1 - P_EC, with all its digits where it is small.
func (e EC) PFailed() float64 { return e.failure(e.K) }

// submessages returns how many are full and how many chunks are left for the tail.
func (e EC) submessages() (full, tail int64) { return e.Chunks / e.K, e.Chunks % e.K }

// PFallback is the probability that any submessage fails, 1 - P_EC^L, with all its digits.
func (e EC) PFallback() float64 {
	full, tail := e.submessages()
	log := 0.0
	if full > 0 { // a submessage that always fails must not count where there is none
		log = float64(full) * portable.Log1p(-e.failure(e.K))
	}
	if tail > 0 {
		log += portable.Log1p(-e.failure(tail))
	}
	return -portable.Expm1(log)
}

// MeanFailed is E[failed], the mean number of submessages that fail.
func (e EC) MeanFailed() float64 {
	full, tail := e.submessages()
	mean := float64(float64(full) * e.failure(e.K))
	if tail > 0 {
		mean += e.failure(tail)
	}
	return mean
}

// Mean is E[T_EC], with the expectation of T_SR taken over the number of submessages that fail.
func (e EC) Mean() Value {
	if err := e.applicable(); err != nil {
		return notApplicable(err)
	}
	if e.Ack == AckRecoverable {
		return e.spokenMean()
	}
	rest, exact := e.meanRepeat()
	fallback := e.PFallback()
	return e.value(e.beforeRepeat(fallback)+float64(e.RTT+e.AckTime)+rest, exact)
}

// PaperMean is the paper's formula to the letter, in seconds; NaN where the model has no value.
// It takes T_SR of the mean number of chunks that fail, rather than the mean of T_SR. T_SR is
// concave in the number of chunks, so this is never below Mean: it is not the bound that the paper
// calls it. Between whole numbers of chunks T_SR is interpolated.
func (e EC) PaperMean() float64 {
	if e.applicable() != nil {
		return math.NaN()
	}
	full, tail := e.submessages()
	chunks := float64(float64(full)*e.failure(e.K)*float64(e.K)) +
		float64(e.failure(tail)*float64(tail))
	whole := min(math.Floor(chunks), float64(e.Chunks))
	low, high := e.repeat(int64(whole)), e.repeat(int64(whole)+1)
	below := float64(low.injection()) + low.excess()
	above := float64(high.injection()) + high.excess()
	repeat := below + float64((above-below)*(chunks-whole))
	return (e.beforeRepeat(e.PFallback()) + float64(e.RTT) + repeat) / float64(units.Second)
}

// beforeRepeat is the mean time until the repetition of failed submessages starts, less a trip
// back, in picoseconds: the injection, and the wait for the fallback where it comes to that.
func (e EC) beforeRepeat(fallback float64) float64 {
	data := float64(float64(e.Chunks) * float64(e.ChunkTime))
	parity := float64(float64(e.ParityChunks()) * float64(e.ChunkTime))
	return data + parity + float64(fallback*(1+e.Beta)*float64(e.RTT))
}

// meanRepeat is the mean over the failed submessages of E[T_SR] - RTT, in picoseconds. It is a
// bound as soon as the worst case that has weight is one.
func (e EC) meanRepeat() (ps float64, exact bool) {
	full, tail := e.submessages()
	lastFails := 0.0
	if tail > 0 {
		lastFails = e.failure(tail)
	}
	exact = true
	add := func(weight float64, chunks int64) {
		const vanishes, matters = 1e-20, 1e-12
		if math.Abs(weight) < vanishes || chunks == 0 {
			return
		}
		repeat := e.repeat(chunks)
		ps += float64(weight * (float64(repeat.injection()) + repeat.excess()))
		if v, _ := repeat.validity(); v != Exact && weight > matters {
			exact = false
		}
	}
	for _, node := range binomialNodes(full, e.failure(e.K)) {
		add(node.weight*(1-lastFails), node.count*e.K)
		add(node.weight*lastFails, node.count*e.K+tail)
	}
	return ps, exact
}

func (e EC) value(ps float64, exact bool) Value {
	v := Value{Seconds: ps / float64(units.Second), Validity: Exact}
	switch {
	case !exact:
		v.Validity, v.Why = LowerBound, "M*T_inj > RTO in the fallback: repetitions compete"
	case e.P == 0:
		v.Why = "nothing is lost"
	default:
		v.Why = "for a receiver that waits for data and parity, then for the fallback timeout"
	}
	return v
}
