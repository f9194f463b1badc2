package wire

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzDecode checks that no input makes a decoder panic, and that what it accepts survives being
// encoded and decoded again. Seeds are in testdata/fuzz/FuzzDecode.
func FuzzDecode(f *testing.F) {
	f.Add(AppendAck(nil, &Ack{Cumulative: 300}, roomy))
	f.Fuzz(func(t *testing.T, msg []byte) {
		if err := decodeAny(msg); err != nil {
			return
		}
		again, decoded := reencode(t, msg)
		twice, decodedAgain := reencode(t, again)
		if !bytes.Equal(again, twice) || !slices.Equal(decoded, decodedAgain) {
			t.Fatalf("%x became %x and then %x", msg, again, twice)
		}
		if len(again) > len(msg) {
			t.Fatalf("%x is %d bytes, encoded %d", msg, len(msg), len(again))
		}
	})
}

// reencode decodes a valid message and encodes what it says.
func reencode(t *testing.T, msg []byte) ([]byte, []Range) {
	kind, _, err := Header(msg)
	if err != nil {
		t.Fatal(err)
	}
	if kind == KindAck {
		var a Ack
		if err := DecodeAck(msg, &a); err != nil {
			t.Fatalf("%x: %v", msg, err)
		}
		msg = AppendAck(nil, &a, roomy)
		return msg, a.Selective
	}
	var n Nack
	err = DecodeNack(msg, &n)
	out, covered := AppendNack(nil, &n, roomy)
	if err != nil || covered != len(n.Missing) {
		t.Fatalf("%x: %v, covered %d of %d", msg, err, covered, len(n.Missing))
	}
	return out, n.Missing
}

// FuzzRoundTrip builds an Ack and a Nack from the gaps and lengths in data, and reads them back
// within a limit. Seeds are in testdata/fuzz/FuzzRoundTrip.
func FuzzRoundTrip(f *testing.F) {
	f.Add(uint32(1), uint32(0), []byte{1, 1, 0, 3}, uint16(64))
	f.Fuzz(func(t *testing.T, message, cumulative uint32, data []byte, limit uint16) {
		a := Ack{Message: message, Cumulative: int64(cumulative)}
		least := a.Cumulative + 1
		for i := 0; i+1 < len(data); i += 2 {
			r := Range{least + int64(data[i])*int64(data[i]), int64(data[i+1]) + 1}
			a.Selective = append(a.Selective, r)
			least = r.End() + 1
		}
		var ack Ack
		msg := AppendAck(nil, &a, int(limit))
		if err := DecodeAck(msg, &ack); err != nil || len(msg) > max(int(limit), 15) {
			t.Fatalf("%+v within %d: %x, %v", a, limit, msg, err)
		}
		if !slices.Equal(ack.Selective, clip(a.Selective, total(ack.Selective))) {
			t.Fatalf("%v became %v", a.Selective, ack.Selective)
		}
		if len(a.Selective) == 0 {
			return
		}
		n, nack := Nack{Message: message, Missing: a.Selective}, Nack{}
		msg, covered := AppendNack(nil, &n, int(limit))
		if err := DecodeNack(msg, &nack); err != nil || !slices.Equal(nack.Missing, n.Missing[:covered]) {
			t.Fatalf("%+v within %d: %+v, %v", n, limit, nack, err)
		}
	})
}
