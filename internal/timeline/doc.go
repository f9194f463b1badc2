// Package timeline shows one sample on tracks over time, for ui.perfetto.dev and chrome://tracing.
//
//	WritePerfetto   the protobuf of Perfetto (perfetto.dev/docs/reference/trace-packet-proto)
//	WriteJSON       the Trace Event Format
//
// A hop is a group of tracks: messages, first transmissions, retransmissions, losses, arrivals,
// acknowledgements at both ends, timers, and a counter of bytes in flight. A flow leads from a
// transmission to its arrival.
//
// Limitations: Perfetto counts in nanoseconds, JSON in microseconds with a fraction; a slice that
// would overlap the one before it on its track (packets that overtake) begins where that one ends.
package timeline
