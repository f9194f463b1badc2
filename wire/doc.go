// Package wire holds what travels between two NICs: runs of data packets, their 32-bit immediate,
// and the encoded acknowledgements.
//
//	immediate (default split 10+18+4)         message id | packet offset | user fragment
//	run                                       first packet, count, first departure, spacing
//	control message                           kind, message number, body
//
// Data is not moved packet by packet but in runs: consecutive packets of one message sent back to
// back. A packet is a run of one. The package is a leaf: it imports only units, and holds no
// clock and no randomness.
package wire
