package schemes

// Group is a set of chunks of which a few may be lost at no more cost than the wait for the others:
// those of a code that repair each other. Where more are lost, the message takes a repeat. Groups
// of a message are disjoint.
type Group struct {
	Chunks []Sent
	// Bears is how many of the chunks may be lost.
	Bears int
}

// Sent is the first transmission of a chunk: its number among the first transmissions of all chunks
// of a message, and the packets of it, numbered alike.
type Sent struct{ Chunk, Packet, Packets int64 }
