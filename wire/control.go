package wire

import (
	"encoding/binary"
	"errors"
)

// Kind is the kind of a control message, its first byte.
type Kind uint8

// Kinds of control messages.
const (
	KindAck  Kind = 1 + iota // Ack: what has arrived
	KindNack                 // Nack: what is missing
)

// String prints the name of the kind.
func (k Kind) String() string {
	switch k {
	case KindAck:
		return "ack"
	case KindNack:
		return "nack"
	}
	return "unknown"
}

// Range is the units First .. First+Count-1: chunks, or submessages. Count is at least one.
type Range struct{ First, Count int64 }

// End is the unit after the last.
func (r Range) End() int64 { return r.First + r.Count }

// Ack tells the sender which chunks of a message have arrived. arXiv:2505.05366 §4.1.1.
type Ack struct {
	// Message is the serial number of the message, modulo 2^32.
	Message uint32
	// Cumulative is the number of leading chunks that have all arrived.
	Cumulative int64
	// Final tells that everything is there. Selective is then empty.
	Final bool
	// Selective is what has arrived beyond: ascending, disjoint and not adjacent ranges, the first
	// beyond Cumulative, which itself has not arrived.
	Selective []Range
	// Bits says what has arrived beyond in place of Selective, which then is empty.
	Bits Bits
}

// End is the chunk after the last one that has arrived.
func (a *Ack) End() int64 {
	switch {
	case len(a.Bits.Words) > 0:
		return a.Bits.End()
	case len(a.Selective) > 0:
		return a.Selective[len(a.Selective)-1].End()
	}
	return a.Cumulative
}

// Nack tells the sender what the receiver misses.
type Nack struct {
	// Message is the serial number of the message, modulo 2^32.
	Message uint32
	// Submessages tells that Missing counts submessages of an erasure code, else chunks.
	Submessages bool
	// Missing is at least one range; the ranges are ascending, disjoint and not adjacent.
	Missing []Range
}

// Control messages are encoded as follows. Fixed-width numbers are big-endian; varint is an
// unsigned LEB128 number of minimal length, below 2^63.
//
//	byte  0      kind
//	byte  1      flags
//	bytes 2-5    message
//	bytes 6-     body
//
//	Ack   flags  1 final, 2 selective ranges, 4 selective bitmap; 2 and 4 exclude 1 and each other
//	      body   varint cumulative, then for
//	             ranges: pairs of varints, gap-1 and count-1, where the gap is the number of chunks
//	             between the range and the one before, or cumulative; to the end of the message
//	             bitmap: varint gap-1, where the gap is the number of chunks from cumulative to the
//	             first that is reported; then bit i%8 (from the least significant) of byte i/8 is
//	             chunk cumulative+gap+i, to the end of the message; the first bit is one, and the
//	             last byte is not zero
//	Nack  flags  1 the units are submessages
//	      body   pairs of varints: first and count-1, then as in an Ack; at least one pair
const (
	headerBytes = 6
	varintBytes = 9 // of the greatest number

	flagFinal       = 1
	flagRanges      = 2
	flagBitmap      = 4
	flagSubmessages = 1
)

// AckOverhead is room for everything in an Ack but its bitmap: an Ack whose selective part spans
// no more than 8*n chunks fits into AckOverhead+n bytes, whatever the pattern.
const AckOverhead = headerBytes + 2*varintBytes

// What can be wrong with a control message.
var (
	ErrTruncated = errors.New("wire: control message is truncated")
	ErrTrailing  = errors.New("wire: control message has bytes after its end")
	ErrKind      = errors.New("wire: control message is of another or an unknown kind")
	ErrFlags     = errors.New("wire: control message has flags that its kind does not have")
	ErrVarint    = errors.New("wire: control message has a number that is too large or too long")
	ErrEmpty     = errors.New("wire: control message has an empty list or a bitmap padded with zeros")
)

// Passive tells a control message that only spares its receiver work: an acknowledgement that is
// not final. It may be handed in late, with the time at which it arrived, as long as that is before
// anything else is done.
func Passive(msg []byte) bool {
	return len(msg) >= headerBytes && Kind(msg[0]) == KindAck && msg[1]&flagFinal == 0
}

// Final tells the acknowledgement of a message as a whole, after which nothing else of it matters.
func Final(msg []byte) bool {
	return len(msg) >= headerBytes && Kind(msg[0]) == KindAck && msg[1]&flagFinal != 0
}

// Plain tells an acknowledgement that has no selective part and is not final. What a receiver has
// from the first chunk on never becomes less, so every later acknowledgement of the message says as
// much: where one is at hand, this one may be left out.
func Plain(msg []byte) bool { return Passive(msg) && msg[1] == 0 }

// Header reads the kind of a control message and the message that it is about. The rest of the
// control message is not looked at.
func Header(msg []byte) (kind Kind, message uint32, err error) {
	if len(msg) < headerBytes {
		return 0, 0, ErrTruncated
	}
	kind = Kind(msg[0])
	if kind < KindAck || kind > KindNack {
		return 0, 0, ErrKind
	}
	return kind, binary.BigEndian.Uint32(msg[2:]), nil
}
