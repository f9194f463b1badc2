// Package schemestest tests an implementation of a reliability scheme against the contract of
// package schemes, in the manner of testing/fstest and golang.org/x/net/nettest.
//
//	func TestContract(t *testing.T) {
//		schemestest.Run(t, schemestest.Scheme{NewSender: ..., NewReceiver: ...})
//	}
//
// Run connects both ends by a link that loses packets and acknowledgements, and plays messages of
// several sizes through it, each of them under several hosts that the contract permits: one that
// handles each packet by itself, one that takes five at a time, and one that takes as many as there
// are; one that hands in passive acknowledgements late, one that calls HandleTimeout early, one
// that asks the receiver nothing, and one whose ends are new at each message. Hosts that handle no
// runs at all play it too, and are compared with each other. Two things are checked:
//
//   - each call, by itself: the test fails at the call that breaks a clause, and names the clause;
//   - all hosts together: what either end sends, and when, is the same to the picosecond. Where it
//     is not, the first event at which two hosts part is printed.
//
// Plain is a scheme to begin with: the smallest that delivers.
//
// The kit knows nothing of a scheme but its ends: no retransmission rule, no kind of control
// message but those of package wire.
package schemestest
