// Package schemes is the contract between a reliability scheme and the world it runs in.
//
// A scheme is two state machines, a Sender and a Receiver for one message. They are handed the
// time and never ask for it; they hold no clock, no socket and no randomness. A host (a simulated
// NIC, or a program with a real socket) pumps:
//
//	            NextSend, HandleSent                    Quiet, HandleArrival
//	Sender  <------------------------->  host  <--------------------------------->  Receiver
//	            HandleControl                          HandleControl
//	            NextTimeout, HandleTimeout             NextTimeout, HandleTimeout
//
// Acknowledgements travel as encoded bytes through the Control that a state machine was built with.
//
// The unit of the contract is the run: consecutive packets, back to back. A host that handles one
// packet at a time uses runs of one and may ignore Quiet and Unsend; the outcome is the same to the
// picosecond, which is a property test of the simulator.
package schemes
