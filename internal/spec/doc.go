// Package spec says what is simulated: a Point is one combination of swept values under some
// schemes, resolved, with every default filled in and every value checked.
//
//	Point
//	  Link        bandwidth, delay, losses, jitter, paths, what happens in time
//	  Message     size, count, arrivals, messages in flight
//	  Collective  a ring of datacenters in place of one connection
//	  Network     hosts behind borders, with Flows and Traffic that share them
//	  SDR, NIC    ids and receives; what completions cost
//	  Schemes     on the same losses
//	  Samples, Precision, Sampling, Seed
//
// Scenarios are read into it (package scenarios), experiments are built from it. It holds values
// and what follows from them, and reads no file.
package spec
