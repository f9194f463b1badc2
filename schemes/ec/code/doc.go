// Package code holds the erasure codes that protect a submessage: k data chunks and m parity
// chunks, some of which arrive (arXiv:2505.05366 §4.1.2).
//
//	        data 0 .. k-1                      parity 0 .. m-1
//	MDS     d0 d1 d2 d3 d4 d5 d6 d7            p0 p1        any 8 of the 10 recover the rest
//	XOR     d0    d2    d4    d6         xor = p0           one loss in d0 d2 d4 d6 p0
//	           d1    d3    d5    d7      xor =    p1        one loss in d1 d3 d5 d7 p1
//
// MDS is a Reed-Solomon code by github.com/klauspost/reedsolomon, over GF(2^8) to 256 chunks and
// over GF(2^16) beyond. XOR is interleaved parity: parity i is the XOR of the data chunks j with
// j mod m = i, by crypto/subtle.
//
// Every code answers two questions that must agree: Recoverable, the rule by which the simulator
// decides from a bitmap alone, and Reconstruct, which rebuilds real bytes. A test holds the rule
// against the codec over all loss patterns of small codes.
//
// The last submessage of a message may have fewer data chunks, and its last chunk fewer bytes. It
// keeps its m parity chunks: Tail gives the shortened code, and the bytes that a short chunk lacks
// count as zeros that never travel.
//
// Limitations: a code corrects erasures, not errors: a chunk that is said to be present is
// believed. Beyond 256 chunks MDS works on parity chunks of a multiple of 64 bytes. Rateless
// codes and codes that overlap submessages are not provided.
package code
