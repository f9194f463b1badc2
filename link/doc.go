// Package link models one direction of the connection between two datacenters: a port that sends at
// line rate, a path that takes time and loses packets, and an inbox where arrivals wait.
//
//	  Transmit, Cut         what has left           in order of arrival
//	----------->  [ port ]  ------------->  ( path )  ------------->  [ inbox ]  ---->  Next, Take
//	                 |                                                    |
//	             LossModel                      <------------------- Pull, Known
//
// What moves is a piece of a run, up to its next loss, so the cost of a message follows its losses
// and not its packets. A transmission can be cut at the boundary of the packet being sent; what is
// lost depends only on which packets were sent, and when.
//
// Nothing here has events. Who looks at an inbox pulls: the port hands on what has left, last bit
// included, and what it has handed on is final. So an inbox holds nothing that could still be cut,
// and the port never has to reach into it. A sink promises when it looks next (Promise), and is told
// of what may arrive before.
//
// A path is a Source for its inbox and a taker for its port. Delay, the simplest, has a list of what
// it may assume that others may not.
//
// Limitations: there is no queue but the sender's own.
package link
