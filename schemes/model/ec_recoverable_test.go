package model

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"sdrsim/units"
)

// early is a small EC whose receiver speaks as soon as it can.
func early(code Code, chunks, k, m int64) EC {
	return EC{Link: Link{ChunkTime: 100, RTT: 10_000}, Chunks: chunks, K: k, M: m, Code: code, Beta: 1,
		RTO: 30_000, P: 0.1, Ack: AckRecoverable, FirstPacket: 25}
}

// shapes are ECs of which every pattern of loss can be gone through.
func shapes() (list []EC) {
	for _, code := range []Code{MDS, XOR} {
		for _, shape := range [][3]int64{{1, 1, 1}, {1, 4, 2}, {3, 4, 2}, {4, 4, 2}, {6, 3, 2}, {7, 3, 2},
			{8, 3, 1}, {5, 5, 4}, {4, 1, 1}, {7, 4, 3}} {
			e := early(code, shape[0], shape[1], shape[2])
			interleaved, packets, short := e, e, e
			interleaved.Order = OrderInterleaved
			packets.Packets, packets.P = 4, 0.03
			short.Packets, short.P, short.Last, short.LastPackets = 4, 0.05, 30, 1
			list = append(list, e, interleaved, packets, short)
			short.Order = OrderInterleaved
			list = append(list, short)
		}
	}
	return list
}

// brutePattern is when everything can be recovered for the chunks that are lost, in the order on
// the wire, less a round trip; ok is false where it cannot.
func brutePattern(e EC, lost uint) (at units.Duration, failed int64, ok bool) {
	type chunk struct{ sub, index int64 } // data first, then parity
	var wire []chunk
	subs := (e.Chunks + e.K - 1) / e.K
	dataOf := func(sub int64) int64 { return min(e.K, e.Chunks-sub*e.K) }
	parity := func(sub int64) {
		for j := range e.M {
			wire = append(wire, chunk{sub, dataOf(sub) + j})
		}
	}
	for sub := range subs {
		for j := range dataOf(sub) {
			wire = append(wire, chunk{sub, j})
		}
		if e.Order == OrderInterleaved {
			parity(sub)
		}
	}
	for sub := int64(0); sub < subs && e.Order != OrderInterleaved; sub++ {
		parity(sub)
	}
	have := make([]uint, subs)
	recoverable := func(sub int64) bool {
		n := dataOf(sub)
		if e.Code == MDS {
			return int64(bits.OnesCount(have[sub])) >= n
		}
		gone := ^have[sub]
		for j := range n {
			others := gone >> (n + j%e.M) & 1
			for i := j % e.M; i < n; i += e.M {
				others += gone >> i & 1
			}
			if gone>>j&1 == 1 && others > 1 {
				return false
			}
		}
		return true
	}
	for i, c := range wire {
		at += e.ChunkTime
		if e.Last > 0 && c.sub == subs-1 && c.index == dataOf(c.sub)-1 {
			at += e.Last - e.ChunkTime
		}
		if lost>>i&1 == 0 {
			have[c.sub] |= 1 << c.index
		}
		ok = true
		for sub := range subs {
			ok = ok && recoverable(sub)
		}
		if ok {
			return at, 0, true
		}
	}
	for sub := range subs {
		if !recoverable(sub) {
			failed += dataOf(sub)
		}
	}
	return 0, failed, false
}

// weigh is the probability of a pattern of loss.
func weigh(e EC, lost uint) float64 {
	subs := (e.Chunks + e.K - 1) / e.K
	n, last := e.Chunks+subs*e.M, e.Chunks-1
	if e.Order == OrderInterleaved {
		last += (subs - 1) * e.M
	}
	weight := 1.0
	for i := range n {
		packets := max(1, e.Packets)
		if i == last && e.LastPackets > 0 {
			packets = e.LastPackets
		}
		p := 1 - math.Pow(1-e.P, float64(packets))
		if lost>>i&1 == 0 {
			p = 1 - p
		}
		weight *= p
	}
	return weight
}

// The mean and the distribution are the sums over every pattern of loss of what it takes.
func TestEarlyReceiverIsTheSumOverAllPatterns(t *testing.T) {
	for _, e := range shapes() {
		subs := (e.Chunks + e.K - 1) / e.K
		fto := units.Duration(e.Chunks+subs*e.M)*e.ChunkTime + e.RTT
		mean := 0.0
		steps := map[units.Duration]float64{}
		reported := e.FirstPacket + fto + e.RTT
		for lost := range uint(1) << (e.Chunks + subs*e.M) {
			at, failed, ok := brutePattern(e, lost)
			weight := weigh(e, lost)
			if ok {
				steps[at+e.RTT] += weight
				mean += weight * float64(at+e.RTT)
				continue
			}
			repeat := SR{Link: e.Link, Chunks: failed, RTO: e.RTO, P: e.P, Packets: e.Packets}
			if e.Chunks == 1 && e.Last > 0 {
				repeat.ChunkTime, repeat.Packets = e.Last, e.LastPackets
			}
			mean += weight * (float64(reported) + repeat.Mean().Seconds*1e12)
		}
		what := fmt.Sprintf("%+v", e)
		near(t, what, e.Mean().Seconds*1e12, mean, 1e-12)
		sum := 0.0
		for at := units.Duration(0); at < reported; at++ {
			sum += steps[at]
			if steps[at] > 0 {
				near(t, what, e.CDF(at), sum, 1e-12)
				near(t, what+" before", e.CDF(at-1), sum-steps[at], 1e-12)
			}
		}
		if q := e.Quantile(sum/2).Seconds * 1e12; math.Abs(e.CDF(units.Duration(q))) < sum/2 {
			t.Errorf("%s: quantile %v", what, q)
		}
	}
}

// Samples are distributed as the CDF says, fallbacks included.
func TestSampledEarlyReceiverIsDistributedAsTheClosedForm(t *testing.T) {
	s := NewSampler(rand.NewPCG(5, 5))
	list := shapes()
	for _, e := range []EC{early(XOR, 300, 8, 3), early(MDS, 1000, 10, 2), early(MDS, 200, 7, 3)} {
		short := e
		e.P = 0.02
		short.Packets, short.P, short.Last, short.LastPackets = 4, 0.01, 30, 1
		list = append(list, e, short)
	}
	for _, e := range list {
		const n = 2000
		times := make([]units.Duration, n)
		for i := range times {
			times[i] = s.EC(e)
		}
		slices.Sort(times)
		distance := 0.0
		for i, x := range times {
			if i+1 < n && times[i+1] == x {
				continue
			}
			distance = max(distance, math.Abs(float64(i+1)/n-e.CDF(x)))
		}
		if distance > 2/math.Sqrt(n) {
			t.Errorf("%+v: distance %v", e, distance)
		}
	}
}

func TestEarlyReceiverRefusesWhatItHasNoFormOf(t *testing.T) {
	e := early(MDS, 10, 4, 2)
	e.Order = "random"
	if v := e.Mean(); v.Validity != NotApplicable {
		t.Errorf("order %q: %v", e.Order, v)
	}
	e.Order, e.Ack = OrderInterleaved, AckAllArrived
	if v := e.Mean(); v.Validity != NotApplicable {
		t.Errorf("the paper's receiver and interleaved parity: %v", v)
	}
	e.Order = ""
	if v := e.Quantile(0.5); v.Validity != NotApplicable || !math.IsNaN(e.CDF(1)) {
		t.Errorf("a receiver that waits for all has the median %v", v)
	}
	e.Ack = AckRecoverable
	if v := e.Quantile(1); v.Validity != NotApplicable {
		t.Errorf("quantile of one: %v", v)
	}
}
