package code

import "math/bits"

// has reports whether chunk i is present.
func has(present []uint64, i int) bool { return present[i>>6]>>(i&63)&1 == 1 }

// count returns how many of the first n chunks are present, at least one.
func count(present []uint64, n int) int {
	if n <= 64 {
		return bits.OnesCount64(present[0] << ((64 - n) & 63))
	}
	total := 0
	for _, w := range present[:n>>6] {
		total += bits.OnesCount64(w)
	}
	if rest := n & 63; rest != 0 {
		total += bits.OnesCount64(present[n>>6] & (1<<rest - 1))
	}
	return total
}

// nextMissing returns the first chunk in [i, n) that is absent, or n.
func nextMissing(present []uint64, i, n int) int {
	for i < n {
		if absent := ^present[i>>6] >> (i & 63); absent != 0 {
			return min(n, i+bits.TrailingZeros64(absent))
		}
		i = (i>>6 + 1) << 6
	}
	return n
}

// checkPattern stops a caller whose pattern is too short to speak of n chunks.
func checkPattern(present []uint64, n int) {
	if len(present)*64 < n {
		panic("BUG: code: pattern has fewer bits than the code has chunks")
	}
}
