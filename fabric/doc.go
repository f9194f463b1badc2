// Package fabric is what lies between NICs: queues that flows share.
//
// It has no events. It is pulled: whoever wants to know what has arrived asks the last stage of its
// path at the engine's time, which asks the stages before it, and so on back to the ports of NICs.
// A port hands on what has left by then; a delay lies between two stages, so a queue knows all of
// its inputs up to some instant, serves in order what comes up to there, and what it hands on is
// final.
//
//	port --delay--> Queue --delay--> Queue --delay--> inbox
//	port --delay--/      \--delay--> Queue ...
//
// What moves is a Piece: packets of one flow at equal distances. While one piece passes a queue the
// backlog is linear in the number of the packet, so the first packet that is dropped or marked is a
// division. Pieces of several inputs that overlap in time are merged packet by packet, and only as
// long as they do. With Single every packet is served alone: the same results, slowly.
//
// A backlog in time does not depend on what goes before what, so with priority only the departures
// are scheduled, once everything is known that has come by then. Queues that share a buffer
// (Pool) or
// pause each other (Pause) form a Domain: there everything happens in order of time, packet by
// packet
// where one may depend on another. A Choice sends the packets of a flow over several ways.
//
// Invariants, on which everything here relies:
//
//   - Pull(now) is called with the engine's time only, which never decreases.
//   - What was handed on is never changed or taken back, and comes in order of time at every taker.
//   - Known never promises more than was handed on.
//   - What comes to a queue at one instant is served in the order of its inputs.
//
// Limitations: routes have no cycles outside a domain. Headers of trimmed packets arrive, but no
// receiver is told of them. A pause stops a queue, whoever's packets wait there; it does not
// reach a
// port, so a host that is to be paused needs a queue in front of its port. A backlog is counted
// in time, so the packet in service counts
// by what is left of it. Packets are stored and forwarded: service begins when the last bit is in.
package fabric
