// Package workload says what ranks do: graphs of operations, generators of them, and machines that
// run them.
//
//	Source     operations of ranks, handed out block by block
//	  Graph    one that is written out: from a file, or built by hand
//	  ...      collectives, which make theirs as they are asked for
//	Machine    runs a source: handed the time, it posts messages and says what has ended
//
// An operation sends or receives a message, computes, or adds what was received to what is there.
// It begins when every operation that it requires has ended, and every one that it requires the
// start of has begun; both are of its own rank. Ranks meet in messages only.
//
// The operations of a rank belong to threads, such as the channels of a collective. Those of a
// thread come in blocks. Nothing of a block can begin before something of the block before has
// begun, so that only what is under way, and the blocks behind it, have to be in memory.
//
// The package has no clock and no network: whoever runs a machine hands it the time, carries the
// messages that it posts, and reports their delivery.
package workload
