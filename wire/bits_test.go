package wire

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawBits draws bits, from sparse to dense, in words whose ends are not zero.
func drawBits(t *rapid.T) Bits {
	b := Bits{First: 64 * rapid.Int64Range(0, 1<<40).Draw(t, "first word")}
	for range rapid.IntRange(1, 40).Draw(t, "words") {
		b.Words = append(b.Words, rapid.OneOf(rapid.Uint64(),
			rapid.SampledFrom([]uint64{0, 1, 1 << 63, ^uint64(0), 1<<40 - 1})).Draw(t, "word"))
	}
	b.Words[0] |= 1 << rapid.IntRange(0, 63).Draw(t, "start")
	b.Words[len(b.Words)-1] |= 1 << rapid.IntRange(0, 63).Draw(t, "end")
	return b
}

// The selective part says the same, and takes the same bytes, whether it is given as bits or as
// ranges, and whether it is read as one or the other.
func TestBitsAndRangesSayTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBits(t)
		ranges := b.appendRanges(nil)
		if int64(len(ranges)) != b.runs() || ranges[0].First != b.start() ||
			ranges[len(ranges)-1].End() != b.End() {
			t.Fatalf("%x: %v, %d runs from %d to %d", b, ranges, b.runs(), b.start(), b.End())
		}
		cumulative := max(0, b.start()-1-rapid.Int64Range(0, 1<<20).Draw(t, "gap"))
		if cumulative >= b.start() {
			t.Skip("nothing is beyond the cumulative part")
		}
		limit := rapid.IntRange(AckOverhead, 400).Draw(t, "limit")
		asRanges := AppendAck(nil, &Ack{Cumulative: cumulative, Selective: ranges}, limit)
		asBits := AppendAck(nil, &Ack{Cumulative: cumulative, Bits: b}, limit)
		if !bytes.Equal(asRanges, asBits) {
			t.Fatalf("%x\n ranges as %x\n   bits as %x", b, asRanges, asBits)
		}
		var plain, packed Ack
		if err := DecodeAck(asBits, &plain); err != nil {
			t.Fatal(err)
		}
		if err := DecodeAckBits(asBits, &packed); err != nil {
			t.Fatal(err)
		}
		if packed.End() != plain.End() {
			t.Fatalf("ends with %d as bits, %d as ranges", packed.End(), plain.End())
		}
		if len(packed.Bits.Words) > 0 {
			packed.Selective = packed.Bits.appendRanges(nil)
		}
		if !slices.Equal(packed.Selective, plain.Selective) {
			t.Fatalf("bits %v, ranges %v", packed.Selective, plain.Selective)
		}
	})
}
