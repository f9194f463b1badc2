package sim

import (
	"math"
	"math/bits"
)

const (
	// minBits and maxBits bound the number of fine buckets, as powers of two.
	minBits, maxBits = 8, 20
	// upperBits is the logarithm of the buckets of an upper level.
	upperBits = 6
	// upperLevels is enough for every time: minBits + 10*6 > 63.
	upperLevels = 10
	nowhere     = math.MaxUint64
)

// wheel holds nodes in buckets by their time in ticks of 2^shift picoseconds. The next 2^bits ticks
// have a bucket each. What is later lies in one of the upper levels, whose buckets are wider by 2^6
// from one level to the next, and is dealt out when its time has come: a node is touched once for
// each level it lies on, and most go to the fine buckets at once.
//
//	fine     bucket t mod 2^bits             cursor <= t < cursor + 2^bits
//	upper j  bucket t / 2^(bits+6j) mod 64   t and cursor differ in this digit, in none before
type wheel struct {
	shift, bits uint
	// cursor is the first tick that has not been taken out.
	cursor uint64
	// count is the number of nodes; above most, and with less than least, another size fits better.
	count, most int
	// heads are the first nodes of the fine buckets; full has a bit for each of them that is not
	// empty, words a bit for each word of full.
	heads []int32
	full  []uint64
	words []uint64
	upper [upperLevels]level
	// levels has a bit for each upper level that is not empty; stop is the first tick of the first
	// bucket there, nowhere if there is none.
	levels uint
	stop   uint64
	// taken counts the nodes taken out since the cursor was at since; at window it is looked at.
	taken, window int
	since         uint64
}

type level struct {
	full  uint64
	heads [1 << upperBits]int32
}

// clear forgets all nodes.
func (w *wheel) clear() {
	if w.count > 0 {
		clear(w.heads)
		clear(w.full)
		clear(w.words)
		w.upper = [upperLevels]level{}
	}
	w.count, w.levels, w.stop = 0, 0, nowhere
}

// open prepares an empty wheel for about count nodes from a time on.
func (w *wheel) open(from uint64, shift uint, count int) {
	w.shift = shift
	w.bits = uint(min(max(bits.Len(uint(count))+1, minBits), maxBits))
	size := 1 << w.bits
	if size > cap(w.heads) {
		w.heads = make([]int32, size)
		w.full = make([]uint64, size/64)
		w.words = make([]uint64, (size+4095)/4096)
	}
	w.heads, w.full, w.words = w.heads[:size], w.full[:size/64], w.words[:(size+4095)/4096]
	w.most = size
	if w.bits == maxBits {
		w.most = math.MaxInt
	}
	w.cursor = from >> shift
	w.stop = nowhere
	w.measure(count)
}

// measure starts to count again how many nodes there are to a tick.
func (w *wheel) measure(count int) {
	w.taken, w.since, w.window = 0, w.cursor, max(count, 1<<minBits)
}

// edge is the instant of the cursor.
func (w *wheel) edge() uint64 { return w.cursor << w.shift }

// place puts a node, which is at the cursor or after it, into its bucket.
func (w *wheel) place(nodes []node, slot int32) {
	n := &nodes[slot]
	t := uint64(n.at) >> w.shift
	if t-w.cursor >= 1<<w.bits {
		w.placeUpper(n, t, slot)
		return
	}
	i := t & (1<<w.bits - 1)
	n.next = w.heads[i]
	w.heads[i] = slot
	w.full[i/64] |= 1 << (i % 64)
	w.words[i/4096] |= 1 << (i / 64 % 64)
}

func (w *wheel) placeUpper(n *node, t uint64, slot int32) {
	j := uint(bits.Len64((t^w.cursor)>>w.bits)-1) / upperBits
	shift := w.bits + j*upperBits
	i := t >> shift % (1 << upperBits)
	u := &w.upper[j]
	n.next = u.heads[i]
	u.heads[i] = slot
	u.full |= 1 << i
	w.levels |= 1 << j
	w.stop = min(w.stop, t>>shift<<shift)
}

// deal moves the cursor to stop, and the nodes of the bucket there to finer ones.
func (w *wheel) deal(nodes []node) {
	w.cursor = w.stop
	j := bits.TrailingZeros(w.levels)
	slot := w.takeUpper(j, bits.TrailingZeros64(w.upper[j].full))
	w.stop = nowhere
	if w.levels != 0 {
		j := uint(bits.TrailingZeros(w.levels))
		shift := w.bits + j*upperBits
		above := w.cursor >> shift >> upperBits << upperBits
		w.stop = (above | uint64(bits.TrailingZeros64(w.upper[j].full))) << shift
	}
	// The node put in last comes first. Turned around, the list gives the same order again.
	list := int32(0)
	for slot != 0 {
		next := nodes[slot].next
		nodes[slot].next, list = list, slot
		slot = next
	}
	for list != 0 {
		next := nodes[list].next
		w.place(nodes, list)
		list = next
	}
}

// takeUpper empties a bucket of an upper level and returns its nodes.
func (w *wheel) takeUpper(j, i int) int32 {
	u := &w.upper[j]
	slot := u.heads[i]
	u.heads[i] = 0
	if u.full &^= 1 << i; u.full == 0 {
		w.levels &^= 1 << j
	}
	return slot
}

// take empties a fine bucket and returns its nodes.
func (w *wheel) take(i uint64) int32 {
	slot := w.heads[i]
	w.heads[i] = 0
	if w.full[i/64] &^= 1 << (i % 64); w.full[i/64] == 0 {
		w.words[i/4096] &^= 1 << (i / 64 % 64)
	}
	return slot
}

// next is the first tick whose fine bucket is not empty, nowhere if there is none.
func (w *wheel) next() uint64 {
	mask := uint64(1)<<w.bits - 1
	start := w.cursor & mask
	i := w.find(start)
	if i == nowhere {
		i = w.find(0)
		if i == nowhere {
			return nowhere
		}
	}
	return w.cursor + (i-start)&mask
}

// find is the first bucket from i on that is not empty, nowhere if there is none.
func (w *wheel) find(i uint64) uint64 {
	if rest := w.full[i/64] >> (i % 64); rest != 0 {
		return i + uint64(bits.TrailingZeros64(rest))
	}
	i = i/64 + 1 // the next word
	for k := i / 64; k < uint64(len(w.words)); k++ {
		if rest := w.words[k] >> (i % 64) << (i % 64); rest != 0 {
			i = k*64 + uint64(bits.TrailingZeros64(rest))
			return i*64 + uint64(bits.TrailingZeros64(w.full[i]))
		}
		i = 0
	}
	return nowhere
}

// takeAll empties the wheel and puts all nodes in front of a list.
func (w *wheel) takeAll(nodes []node, list int32) int32 {
	if w.count > 0 {
		for i := w.find(0); i != nowhere; i = w.find(i) {
			list = join(nodes, w.take(i), list)
		}
	}
	for w.levels != 0 {
		j := bits.TrailingZeros(w.levels)
		list = join(nodes, w.takeUpper(j, bits.TrailingZeros64(w.upper[j].full)), list)
	}
	w.count, w.stop = 0, nowhere
	return list
}

// join puts list a, which is not empty, in front of list b.
func join(nodes []node, a, b int32) int32 {
	last := a
	for nodes[last].next != 0 {
		last = nodes[last].next
	}
	nodes[last].next = b
	return a
}
