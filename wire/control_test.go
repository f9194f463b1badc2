package wire

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const roomy = 1 << 20

// drawRanges draws ascending ranges that are apart, from least on.
func drawRanges(t *rapid.T, least int64, atLeast int) []Range {
	var out []Range
	span := rapid.SampledFrom([]int64{2, 40, 1 << 40}).Draw(t, "span")
	for range rapid.IntRange(atLeast, 60).Draw(t, "ranges") {
		first := least + rapid.Int64Range(0, span).Draw(t, "gap")
		count := rapid.Int64Range(1, span).Draw(t, "count")
		out = append(out, Range{first, count})
		least = first + count + 1
	}
	return out
}

func drawAck(t *rapid.T) *Ack {
	a := &Ack{Message: rapid.Uint32().Draw(t, "message")}
	a.Cumulative = rapid.Int64Range(0, rapid.SampledFrom([]int64{0, 300, 1 << 50}).
		Draw(t, "size")).Draw(t, "cumulative")
	if a.Final = rapid.Bool().Draw(t, "final"); !a.Final {
		a.Selective = drawRanges(t, a.Cumulative+1, 0)
	}
	return a
}

func sameAck(a, b *Ack) bool {
	return a.Message == b.Message && a.Cumulative == b.Cumulative && a.Final == b.Final &&
		slices.Equal(a.Selective, b.Selective)
}

func TestAckRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, into := drawAck(t), Ack{Selective: []Range{{7, 7}}, Final: true}
		msg := AppendAck([]byte("prefix"), a, roomy)
		if string(msg[:6]) != "prefix" {
			t.Fatal("AppendAck changed what was there")
		}
		msg = msg[6:]
		if err := DecodeAck(msg, &into); err != nil || !sameAck(a, &into) {
			t.Fatalf("%+v became %+v, %v", a, into, err)
		}
		if kind, message, err := Header(msg); kind != KindAck || message != a.Message || err != nil {
			t.Fatalf("header %v %d %v", kind, message, err)
		}
	})
}

// clip returns the units of the ranges, as far as there are at most n.
func clip(ranges []Range, n int64) []Range {
	var out []Range
	for _, r := range ranges {
		if n == 0 {
			break
		}
		r.Count = min(r.Count, n)
		n -= r.Count
		out = append(out, r)
	}
	return out
}

func total(ranges []Range) (n int64) {
	for _, r := range ranges {
		n += r.Count
	}
	return n
}

func TestTruncatedAckKeepsTheNearEndAndFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, into := drawAck(t), Ack{}
		limit := rapid.IntRange(16, 80).Draw(t, "limit")
		msg := AppendAck(nil, a, limit)
		if len(msg) > limit {
			t.Fatalf("%d bytes, limit %d", len(msg), limit)
		}
		if err := DecodeAck(msg, &into); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(into.Selective, clip(a.Selective, total(into.Selective))) {
			t.Fatalf("%v became %v: not the near end", a.Selective, into.Selective)
		}
		// A message that fits is not improved by room that it does not use.
		if more := AppendAck(nil, a, limit+1); len(more) <= limit && len(more) != len(msg) {
			t.Fatalf("limit %d gives %d bytes, limit %d gives %d", limit, len(msg), limit+1, len(more))
		}
		// Neither form alone says more within the limit.
		most := max(reportedInRanges(a, limit), reportedInBitmap(a, limit))
		if got := total(into.Selective); got != most {
			t.Fatalf("%d chunks reported, %d fit", got, most)
		}
	})
}

// reportedInRanges is how many chunks fit into an Ack of the form that lists ranges.
func reportedInRanges(a *Ack, limit int) (chunks int64) {
	size := int64(len(AppendAck(nil, &Ack{Cumulative: a.Cumulative}, roomy)))
	before := a.Cumulative + 1
	for _, r := range a.Selective {
		pair := binary.AppendUvarint(nil, uint64(r.First-before))
		size += int64(len(binary.AppendUvarint(pair, uint64(r.Count-1))))
		if size > int64(limit) {
			break
		}
		chunks += r.Count
		before = r.End() + 1
	}
	return chunks
}

// reportedInBitmap is how many chunks fit into an Ack of the form that is a bitmap.
func reportedInBitmap(a *Ack, limit int) (chunks int64) {
	if len(a.Selective) == 0 {
		return 0
	}
	base := a.Selective[0].First
	msg := AppendAck(nil, &Ack{Cumulative: a.Cumulative}, roomy)
	msg = binary.AppendUvarint(msg, uint64(base-a.Cumulative-1))
	end := base + 8*max(0, int64(limit-len(msg)))
	for _, r := range a.Selective {
		chunks += max(0, min(r.End(), end)-r.First)
	}
	return chunks
}

// A receiver acknowledges part of a long message at a time. The part may begin far beyond
// Cumulative; nothing of it may be left out, whatever its pattern.
func TestAnyPatternFitsIntoItsSpanOfBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Ack{Message: rapid.Uint32().Draw(t, "message")}
		a.Cumulative = rapid.Int64Range(0, 1<<61).Draw(t, "cumulative")
		bytes := rapid.IntRange(1, 40).Draw(t, "bytes")
		base := a.Cumulative + 1 + rapid.SampledFrom([]int64{0, 1, 1 << 20, 1 << 61}).Draw(t, "gap")
		a.Selective = drawDense(t, base, 8*int64(bytes))
		limit := AckOverhead + bytes
		msg, into := AppendAck(nil, &a, limit), Ack{}
		if err := DecodeAck(msg, &into); err != nil || !sameAck(&a, &into) || len(msg) > limit {
			t.Fatalf("%+v became %+v in %d bytes, limit %d, %v", a, into, len(msg), limit, err)
		}
	})
}

// drawDense draws an arbitrary pattern of the span chunks from base on, as ranges.
func drawDense(t *rapid.T, base, span int64) (out []Range) {
	pattern := rapid.SliceOfN(rapid.Bool(), 0, int(span)).Draw(t, "pattern")
	for i, set := range pattern {
		at := base + int64(i)
		if n := len(out); set && n > 0 && out[n-1].End() == at {
			out[n-1].Count++
		} else if set {
			out = append(out, Range{at, 1})
		}
	}
	return out
}

func TestAckTakesTheShorterForm(t *testing.T) {
	every := func(n, step, first int64) (out []Range) {
		for i := range n {
			out = append(out, Range{first + i*step, 1})
		}
		return out
	}
	for _, c := range []struct {
		name      string
		selective []Range
		flags     byte
		bytes     int
	}{
		{"nothing", nil, 0, 7},
		{"one far chunk", []Range{{1000, 1}}, flagRanges, 10},
		{"one long range", []Range{{1, 1 << 20}}, flagRanges, 11},
		{"every other chunk", every(64, 2, 1), flagBitmap, 24},
		{"every other chunk, far away", every(64, 2, 1<<20), flagBitmap, 26},
		{"every twentieth chunk", every(64, 20, 1), flagRanges, 7 + 128},
		{"a tie goes to ranges", []Range{{3, 8}}, flagRanges, 9},
	} {
		msg := AppendAck(nil, &Ack{Selective: c.selective}, roomy)
		if msg[1] != c.flags || len(msg) != c.bytes {
			t.Errorf("%s: flags %d in %d bytes, want %d in %d", c.name, msg[1], len(msg),
				c.flags, c.bytes)
		}
	}
}

func TestNackRoundTripsAndSaysHowManyRangesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := &Nack{
			Message:     rapid.Uint32().Draw(t, "message"),
			Submessages: rapid.Bool().Draw(t, "submessages"),
			Missing:     drawRanges(t, 0, 1),
		}
		limit := rapid.SampledFrom([]int{26, 40, 64, roomy}).Draw(t, "limit")
		msg, covered := AppendNack(nil, n, limit)
		if len(msg) > limit || covered < 1 || limit == roomy && covered != len(n.Missing) {
			t.Fatalf("%d bytes cover %d of %d ranges, limit %d", len(msg), covered, len(n.Missing),
				limit)
		}
		into := Nack{Missing: []Range{{1, 1}}}
		if err := DecodeNack(msg, &into); err != nil || into.Message != n.Message ||
			into.Submessages != n.Submessages || !slices.Equal(into.Missing, n.Missing[:covered]) {
			t.Fatalf("%+v became %+v, %v", n, into, err)
		}
	})
}

func TestNackSaysSomethingWhateverTheLimit(t *testing.T) {
	msg, covered := AppendNack(nil, &Nack{Missing: []Range{{5, 2}, {9, 1}}}, 0)
	var n Nack
	err := DecodeNack(msg, &n)
	if err != nil || covered != 1 || !slices.Equal(n.Missing, []Range{{5, 2}}) {
		t.Errorf("covered %d, decoded %+v, %v", covered, n, err)
	}
}

// Only an acknowledgement that is not final may be handed in late, and left out where it is not
// selective either.
func TestPassiveIsAnAcknowledgementThatIsNotFinal(t *testing.T) {
	nack, _ := AppendNack(nil, &Nack{Missing: []Range{{5, 2}}}, roomy)
	for _, c := range []struct {
		name           string
		msg            []byte
		passive, plain bool
	}{
		{"ack", AppendAck(nil, &Ack{Cumulative: 3}, roomy), true, true},
		{"ack with ranges", AppendAck(nil, &Ack{Selective: []Range{{5, 2}}}, roomy), true, false},
		{"final ack", AppendAck(nil, &Ack{Cumulative: 3, Final: true}, roomy), false, false},
		{"nack", nack, false, false},
		{"truncated", []byte{1, 0, 0, 0, 0}, false, false},
		{"nothing", nil, false, false},
	} {
		if passive, plain := Passive(c.msg), Plain(c.msg); passive != c.passive || plain != c.plain {
			t.Errorf("%s: passive is %v, plain %v", c.name, passive, plain)
		}
	}
}

// The bytes of the layout comment, by hand.
func TestLayoutOnTheWire(t *testing.T) {
	ack := &Ack{Message: 0x01020304, Cumulative: 300, Selective: []Range{{302, 1}, {310, 200}}}
	bitmap := &Ack{Message: 1, Cumulative: 2, Selective: []Range{{3, 1}, {5, 2}, {10, 1}, {12, 1}}}
	far := &Ack{Message: 1, Cumulative: 2, Selective: []Range{{303, 1}, {305, 2}, {310, 1}, {312, 1}}}
	final := &Ack{Message: 7, Cumulative: 5, Final: true}
	lost := &Nack{Message: 9, Submessages: true, Missing: []Range{{0, 1}, {2, 3}}}
	nack, _ := AppendNack(nil, lost, 99)
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"ack with ranges", AppendAck(nil, ack, 99), "0102" + "01020304" + "ac02" + "0100" + "06c701"},
		{"ack with bitmap", AppendAck(nil, bitmap, 99), "0104" + "00000001" + "02" + "00" + "8d02"},
		{"ack with far bitmap", AppendAck(nil, far, 99), "0104" + "00000001" + "02" + "ac02" + "8d02"},
		{"final ack", AppendAck(nil, final, 99), "0101" + "00000007" + "05"},
		{"nack", nack, "0201" + "00000009" + "0000" + "0002"},
	} {
		if got := hex.EncodeToString(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestMalformedMessagesAreErrors(t *testing.T) {
	const max63 = "ffffffffffffffff7f" // 2^63-1
	for _, c := range []struct {
		msg  string
		want error
	}{
		{"", ErrTruncated},
		{"0100000000", ErrTruncated},
		{"010000000000", ErrTruncated},
		{"01000000000080", ErrTruncated},
		{"000000000000" + "00", ErrKind},
		{"030000000000" + "00", ErrKind},
		{"010000000000" + "0000", ErrTrailing},
		{"010100000000" + "0500", ErrTrailing},
		{"010800000000" + "00", ErrFlags},
		{"010300000000" + "000000", ErrFlags},
		{"010600000000" + "000000", ErrFlags},
		{"010000000000" + "8000", ErrVarint},
		{"010000000000" + "ffffffffffffffffff01", ErrVarint},
		{"010000000000" + "ffffffffffffffffffff01", ErrVarint},
		{"010200000000" + "00", ErrEmpty},
		{"010200000000" + "0000", ErrTruncated},
		{"010200000000" + "00" + max63 + "00", ErrVarint},
		{"010200000000" + "0000" + max63, ErrVarint},
		{"010200000000" + max63 + "0000", ErrVarint},
		{"010400000000" + "00", ErrTruncated},
		{"010400000000" + "00" + "8000" + "01", ErrVarint},
		{"010400000000" + "00" + "00", ErrEmpty},
		{"010400000000" + "00" + "00" + "0100", ErrEmpty},
		{"010400000000" + "00" + "00" + "02", ErrEmpty},
		{"010400000000" + "00" + max63 + "01", ErrVarint},
		{"010400000000" + max63 + "00" + "01", ErrVarint},
		{"020000000000", ErrEmpty},
		{"020200000000" + "0000", ErrFlags},
		{"020000000000" + "00", ErrTruncated},
		{"020000000000" + "0000" + "80", ErrTruncated},
	} {
		msg, err := hex.DecodeString(c.msg)
		if err != nil {
			t.Fatal(err)
		}
		if got := decodeAny(msg); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.msg, got, c.want)
		}
	}
}

// decodeAny decodes by the kind in the header.
func decodeAny(msg []byte) error {
	kind, _, err := Header(msg)
	switch {
	case err != nil:
		return err
	case kind == KindAck:
		return DecodeAck(msg, &Ack{})
	}
	return DecodeNack(msg, &Nack{})
}

func TestDecodersRefuseOtherKinds(t *testing.T) {
	ack := AppendAck(nil, &Ack{}, roomy)
	if err := DecodeNack(ack, &Nack{}); !errors.Is(err, ErrKind) {
		t.Errorf("ack as nack: %v", err)
	}
	nack, _ := AppendNack(nil, &Nack{Missing: []Range{{5, 2}}}, roomy)
	if err := DecodeAck(nack, &Ack{}); !errors.Is(err, ErrKind) {
		t.Errorf("nack as ack: %v", err)
	}
}

func TestEncodingBrokenMessagesPanics(t *testing.T) {
	nack := func(ranges ...Range) func() {
		return func() { AppendNack(nil, &Nack{Missing: ranges}, roomy) }
	}
	ack := func(a Ack) func() { return func() { AppendAck(nil, &a, roomy) } }
	for name, f := range map[string]func(){
		"nothing missing":    nack(),
		"negative":           nack(Range{-1, 1}),
		"empty range":        nack(Range{1, 0}),
		"adjacent":           nack(Range{1, 1}, Range{2, 1}),
		"descending":         nack(Range{5, 1}, Range{2, 1}),
		"overflow":           nack(Range{5, math.MaxInt64 - 4}),
		"final selective":    ack(Ack{Final: true, Selective: []Range{{3, 1}}}),
		"negative ack":       ack(Ack{Cumulative: -1}),
		"selective at front": ack(Ack{Cumulative: 3, Selective: []Range{{3, 1}}}),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// A varint is what encoding/binary reads, but for those that are too long or too large.
func TestVarintIsThatOfEncodingBinary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		msg := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]byte{0, 1, 0x7f, 0x80, 0xff}),
			rapid.Byte()), 0, 12).Draw(t, "bytes")
		u, n := binary.Uvarint(msg)
		want := error(nil)
		switch {
		case n == 0:
			want = ErrTruncated
		case n < 0 || u > math.MaxInt64 || n > 1 && msg[n-1] == 0:
			want = ErrVarint
		}
		v, rest, err := decodeUvarint(msg)
		if err != want || err == nil && (v != int64(u) || len(rest) != len(msg)-n) {
			t.Fatalf("%x read as %d before %x, %v; want %d, %v", msg, v, rest, err, u, want)
		}
	})
}

// Ranges are pairs of varints, whatever the bytes.
func TestRangesAreReadAsPairsOfVarints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		msg := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]byte{0, 1, 0x7f, 0x80, 0xff}),
			rapid.ByteRange(0, 0x7f), rapid.Byte()), 1, 24).Draw(t, "bytes")
		before := rapid.SampledFrom([]int64{-1, 0, 1 << 40, math.MaxInt64 - 200}).Draw(t, "before")
		got, err := decodeRanges(nil, msg, before)
		var want []Range
		wantErr := error(nil)
		for rest := msg; len(rest) > 0 && wantErr == nil; {
			var gap, more int64
			if gap, rest, wantErr = decodeUvarint(rest); wantErr != nil {
				break
			}
			if more, rest, wantErr = decodeUvarint(rest); wantErr != nil {
				break
			}
			if gap > math.MaxInt64-3-before || more > math.MaxInt64-3-before-gap {
				wantErr = ErrVarint
				break
			}
			want = append(want, Range{before + 1 + gap, more + 1})
			before += gap + more + 2
		}
		if err != wantErr || err == nil && !slices.Equal(got, want) {
			t.Fatalf("%x read as %v, %v; want %v, %v", msg, got, err, want, wantErr)
		}
	})
}
