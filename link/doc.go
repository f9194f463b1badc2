// Package link models one direction of the connection between two datacenters: a serializing
// transmitter, a propagation delay, and loss.
//
//	  Transmit            Bandwidth                Delay                 Head, Pop
//	----------->  [ packets back to back ]  ~~~~~~~~~~~~~~~~~~~  ---->  flights in order of arrival
//	                        |
//	                    LossModel: so many packets pass, then so many are lost
//
// What moves is a piece of a run, up to and including its next losses, so the cost of a message
// follows its losses and not its packets. A piece that is under way can be cut at the boundary of
// the packet being transmitted; what is lost depends only on which packets were sent, and when.
//
// Limitations: packets do not overtake each other, also where the delay changes; there is no queue
// but the sender's own.
package link
