package fabric

import (
	"math/big"
	"math/bits"

	"sdrsim/units"
)

// Stats counts what a queue has done with data packets. Times are backlogs in time: what a packet
// waits before its service begins.
type Stats struct {
	Accepted, Dropped, Marked int64
	// Trimmed are those that lost their payload. They are not accepted.
	Trimmed int64
	// Pauses are those that the queue has caused. Paused is how long it stood still for those of
	// others.
	Pauses int64
	Paused units.Duration
	// Busy is what serving them takes together.
	Busy units.Duration
	// Longest is the longest that a backlog was, the packet that came included.
	Longest units.Duration
	// longestWait is the longest that a packet waited.
	longestWait units.Duration
	// waited is the sum of what packets waited; area that of the backlog over time.
	waited, area sum
	histogram    [buckets]int64 // of packets, by what they waited
}

// count adds k packets, the first of which waits so long, and each of the others slope longer.
func (s *Stats) count(k int64, wait, slope, service units.Duration) {
	s.Accepted += k
	s.Busy += units.Duration(k) * service
	if k == 1 {
		s.one(wait, service)
		return
	}
	last := wait + units.Duration(k-1)*slope
	var waits sum
	// The sum of an arithmetic series: k times the mean of the first and the last.
	waits.addProduct(uint64(k), uint64(wait+last))
	waits.halve()
	s.waited.add(waits)
	// While the backlog shrinks from w + service to w, its area grows by service*(w + service/2);
	// twice that, so that it stays whole.
	var area sum
	area.addTimes(waits, 2*uint64(service))
	var own sum
	own.addProduct(uint64(service), uint64(service))
	area.addTimes(own, uint64(k))
	s.area.add(area)
	s.spread(k, wait, slope)
}

// one is count for a single packet.
func (s *Stats) one(wait, service units.Duration) {
	s.waited.add(sum{0, 0, uint64(wait)})
	hi, lo := bits.Mul64(uint64(service), uint64(2*wait+service))
	s.area.add(sum{0, hi, lo})
	s.histogram[bucketOf(wait)]++
	s.longestWait = max(s.longestWait, wait)
}

// reach notes a backlog, the packet that came included.
func (s *Stats) reach(backlog units.Duration) { s.Longest = max(s.Longest, backlog) }

// MeanWait is what an accepted packet waits on average; 0 where there was none.
func (s *Stats) MeanWait() float64 {
	if s.Accepted == 0 {
		return 0
	}
	return s.waited.float() / float64(s.Accepted)
}

// MeanBacklog is the mean backlog over a time.
func (s *Stats) MeanBacklog(over units.Duration) float64 {
	if over <= 0 {
		return 0
	}
	return s.area.float() / 2 / float64(over)
}

// Waits are counted in buckets whose width grows with them: 64 for each power of two, so a quantile
// is at most a sixty-fourth too long.
const (
	perOctave = 6 // as a power of two
	buckets   = (64 - perOctave) << perOctave
)

// bucketOf is the bucket of a wait.
func bucketOf(w units.Duration) int {
	v := uint64(w)
	shift := max(0, bits.Len64(v)-perOctave-1)
	return shift<<perOctave + int(v>>shift)
}

// highest is the longest wait of a bucket.
func highest(bucket int) units.Duration {
	shift := max(0, bucket>>perOctave-1)
	v := uint64(bucket - shift<<perOctave)
	return units.Duration((v+1)<<shift - 1)
}

// spread counts k waits, each slope longer than the one before, bucket by bucket.
func (s *Stats) spread(k int64, wait, slope units.Duration) {
	s.longestWait = max(s.longestWait, wait, wait+units.Duration(k-1)*slope)
	if slope == 0 {
		s.histogram[bucketOf(wait)] += k
		return
	}
	if slope < 0 { // from the last to the first
		wait, slope = wait+units.Duration(k-1)*slope, -slope
	}
	for k > 0 {
		b := bucketOf(wait)
		n := min(k, int64((highest(b)-wait)/slope)+1)
		s.histogram[b] += n
		k -= n
		wait += units.Duration(n) * slope
	}
}

// WaitQuantile is what at least the fraction q of the accepted packets do not exceed, to a
// sixty-fourth.
func (s *Stats) WaitQuantile(q float64) units.Duration {
	seen := int64(0)
	for b, n := range s.histogram {
		if seen += n; n > 0 && float64(seen) >= float64(q*float64(s.Accepted)) {
			return min(highest(b), s.longestWait)
		}
	}
	return 0
}

// sum is a number of 192 bits: sums of products of times.
type sum struct{ hi, mid, lo uint64 }

func (s *sum) add(t sum) {
	var c uint64
	s.lo, c = bits.Add64(s.lo, t.lo, 0)
	s.mid, c = bits.Add64(s.mid, t.mid, c)
	s.hi, _ = bits.Add64(s.hi, t.hi, c)
}

func (s *sum) addProduct(a, b uint64) {
	hi, lo := bits.Mul64(a, b)
	s.add(sum{0, hi, lo})
}

// addTimes adds t times n; t is below 2^128.
func (s *sum) addTimes(t sum, n uint64) {
	hi, lo := bits.Mul64(t.lo, n)
	s.add(sum{0, hi, lo})
	hi, lo = bits.Mul64(t.mid, n)
	s.add(sum{hi, lo, 0})
}

func (s *sum) halve() {
	s.lo = s.lo>>1 | s.mid<<63
	s.mid = s.mid>>1 | s.hi<<63
	s.hi >>= 1
}

// float is the nearest float64.
func (s *sum) float() float64 {
	v := new(big.Int).SetUint64(s.hi)
	for _, word := range []uint64{s.mid, s.lo} {
		v.Lsh(v, 64)
		v.Or(v, new(big.Int).SetUint64(word))
	}
	f, _ := new(big.Float).SetInt(v).Float64()
	return f
}
