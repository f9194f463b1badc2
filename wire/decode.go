package wire

import (
	"encoding/binary"
	"math"
)

// DecodeAck reads an encoded Ack. It reuses the slice in into, so it allocates nothing in the long
// run, and keeps nothing of msg. After an error into is unspecified.
func DecodeAck(msg []byte, into *Ack) error {
	err := DecodeAckBits(msg, into)
	if err == nil && len(into.Bits.Words) > 0 {
		into.Selective = into.Bits.appendRanges(into.Selective)
		into.Bits.Words = into.Bits.Words[:0]
	}
	return err
}

// DecodeAckBits reads an encoded Ack like DecodeAck, and leaves a bitmap as it is, in Bits.
func DecodeAckBits(msg []byte, into *Ack) error {
	flags, err := decodeHeader(msg, KindAck, &into.Message)
	if err != nil {
		return err
	}
	into.Selective, into.Bits.Words = into.Selective[:0], into.Bits.Words[:0]
	into.Final = flags == flagFinal
	cumulative, end := uvarint(msg, headerBytes)
	if end < 0 {
		return varintError(msg[headerBytes:])
	}
	into.Cumulative, msg = cumulative, msg[end:]
	switch flags {
	case 0, flagFinal:
		if len(msg) > 0 {
			return ErrTrailing
		}
		return nil
	case flagRanges:
		into.Selective, err = decodeRanges(into.Selective, msg, into.Cumulative)
	case flagBitmap:
		err = decodeBitmap(&into.Bits, msg, into.Cumulative)
	default:
		err = ErrFlags
	}
	return err
}

// DecodeNack reads an encoded Nack, as DecodeAck does.
func DecodeNack(msg []byte, into *Nack) error {
	flags, err := decodeHeader(msg, KindNack, &into.Message)
	if err != nil {
		return err
	}
	if flags&^flagSubmessages != 0 {
		return ErrFlags
	}
	into.Submessages = flags == flagSubmessages
	into.Missing, err = decodeRanges(into.Missing[:0], msg[headerBytes:], -1)
	return err
}

// decodeHeader reads the header of a message that must be of the given kind.
func decodeHeader(msg []byte, want Kind, message *uint32) (flags uint8, err error) {
	kind, m, err := Header(msg)
	if err != nil {
		return 0, err
	}
	if kind != want {
		return 0, ErrKind
	}
	*message = m
	return msg[1], nil
}

// decodeUvarint reads a varint of minimal length below 2^63 and returns what follows.
func decodeUvarint(msg []byte) (v int64, rest []byte, err error) {
	v, n := uvarint(msg, 0)
	if n < 0 {
		return 0, nil, varintError(msg)
	}
	return v, msg[n:], nil
}

// uvarint reads the varint of minimal length below 2^63 that begins at a place of msg, and returns
// where it ends: a negative number where there is none, and varintError says why.
func uvarint(msg []byte, at int) (v int64, end int) {
	shift := 0
	for i, b := range msg[at:] {
		v |= int64(b&0x7f) << (shift & 63)
		if b < 0x80 {
			if b == 0 && shift > 0 {
				return 0, -1
			}
			return v, at + i + 1
		}
		if shift += 7; shift == 7*varintBytes {
			break
		}
	}
	return 0, -1
}

// varintError tells what is wrong with the varint that msg begins with.
func varintError(msg []byte) error {
	if _, n := binary.Uvarint(msg); n == 0 {
		return ErrTruncated
	}
	return ErrVarint
}

// decodeRanges appends the ranges in msg, which must hold at least one. The first begins beyond
// the unit before.
func decodeRanges(ranges []Range, msg []byte, before int64) ([]Range, error) {
	if len(msg) == 0 {
		return ranges, ErrEmpty
	}
	for len(msg) > 0 {
		if len(msg) >= 2 && msg[0]|msg[1] < 0x80 && before < math.MaxInt64-2*0x80 {
			r := Range{First: before + 1 + int64(msg[0]), Count: int64(msg[1]) + 1}
			ranges = append(ranges, r) // most often each number is a byte
			before, msg = r.End(), msg[2:]
			continue
		}
		gap, more, size := pair(msg)
		if size < 0 {
			return ranges, pairError(msg)
		}
		// The end is before + 1 + gap + 1 + more, and must stay below the greatest int64.
		if gap > math.MaxInt64-3-before || more > math.MaxInt64-3-before-gap {
			return ranges, ErrVarint
		}
		r := Range{First: before + 1 + gap, Count: more + 1}
		ranges = append(ranges, r)
		before, msg = r.End(), msg[size:]
	}
	return ranges, nil
}

// pair reads the two varints that msg begins with, and returns their size: a negative number where
// one of them is wrong, and pairError says why.
func pair(msg []byte) (first, second int64, size int) {
	first = -1
	v, shift := int64(0), 0
	for i, b := range msg {
		v |= int64(b&0x7f) << (shift & 63)
		switch {
		case b >= 0x80 && shift < 7*(varintBytes-1):
			shift += 7
		case b >= 0x80 || b == 0 && shift > 0:
			return 0, 0, -1
		case first >= 0:
			return first, v, i + 1
		default:
			first, v, shift = v, 0, 0
		}
	}
	return 0, 0, -1
}

// pairError tells what is wrong with the two varints that msg begins with.
func pairError(msg []byte) error {
	_, rest, err := decodeUvarint(msg)
	if err == nil {
		err = varintError(rest)
	}
	return err
}

// decodeBitmap reads a bitmap and the gap before it.
func decodeBitmap(into *Bits, msg []byte, cumulative int64) error {
	gap, bitmap, err := decodeUvarint(msg)
	if err != nil {
		return err
	}
	if len(bitmap) == 0 || bitmap[0]&1 == 0 || bitmap[len(bitmap)-1] == 0 {
		return ErrEmpty
	}
	if gap > math.MaxInt64-66-8*int64(len(bitmap))-cumulative {
		return ErrVarint
	}
	into.decode(bitmap, cumulative+1+gap)
	return nil
}

// loadWord reads up to 64 bits of a bitmap that is not empty, the lowest first, and tells how many
// bytes they are.
func loadWord(bitmap []byte) (word uint64, used int) {
	if len(bitmap) >= 8 {
		return binary.LittleEndian.Uint64(bitmap), 8
	}
	for i, b := range bitmap {
		word |= uint64(b) << (8 * i)
	}
	return word, len(bitmap)
}
