// Package openrdma is the transport of OpenRDMA (github.com/open-rdma): a NIC that keeps a bitmap
// of the last packets, and recovery in software on the CPU.
//
// The responder's bitmap has 128 bits and slides by 16. A packet beyond it has it slide; a slice
// that slides out with a hole is a NAK at once, so that a packet which is more than 112 to 128
// packets late is taken for lost. Everything else is reported on a poll, and for the last packet of
// a message that was retransmitted at once.
//
// The requester's software looks at its timer once a period. The timer runs while an
// acknowledgement is requested; each new request and any report restart it, and its retry counter
// with it: reports keep a timer from expiring that one of them should let expire. When it expires,
// everything from the oldest packet on that is not acknowledged is retransmitted, unpaced. On a NAK
// the public code does nothing more (Config.Range false); its paper has what slid out and the
// bitmap retransmitted (Range).
//
// Limitations: Writes only; the timeout of the public code is one of 4.096 us * 2^50, never: it has
// to be given; when the retry counter is used up the connection breaks, which the public code
// leaves open.
package openrdma
