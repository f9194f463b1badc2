// Package experiment turns a point of a scenario and a scheme into a topology, and runs it.
//
//	sending application                                     receiving application
//	  senders (one per message in flight)                     receivers (posted ahead)
//	     NIC A  ------------- link, loss of data ------------->  NIC B
//	            <------------ link, loss of control packets ---
//
// A collective has one such connection for each hop of its ring, all on one engine.
//
// A Runner is built once and replays any sample by its number: everything is reset, nothing is
// allocated. All schemes of a point face the same losses, because the random streams depend on the
// seed, the point, the link and the sample, and not on the scheme.
//
// Limitations: the clear-to-send of a receive travels out of band, reliably, with the delay of the
// link; both ends know how large the next message is; connections share neither links nor NICs.
package experiment
