package wire

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
)

func drawRun(t *rapid.T, s Split) Run {
	r := Run{
		Generation: 3,
		User:       rapid.Uint32().Draw(t, "user"),
		Message:    uint32(rapid.Int64Range(0, s.Messages()-1).Draw(t, "message")),
		Serial:     rapid.Int64Range(0, 1<<40).Draw(t, "serial"),
		Count:      rapid.Int64Range(1, min(64, s.Packets())).Draw(t, "count"),
		Payload:    units.Bytes(rapid.IntRange(1, 9).Draw(t, "payload")),
		Depart:     units.Time(rapid.Int64Range(0, 1<<50).Draw(t, "depart")),
		Spacing:    units.Duration(rapid.Int64Range(0, 1<<20).Draw(t, "spacing")),
		Repeat:     rapid.Bool().Draw(t, "repeat"),
	}
	r.First = rapid.Int64Range(0, s.Packets()-r.Count).Draw(t, "first")
	if rapid.Bool().Draw(t, "real") {
		r.Data = make([]byte, r.Count*int64(r.Payload))
		for i := range r.Data {
			r.Data[i] = byte(i)
		}
	}
	return r
}

func TestSubIsTheSamePackets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSplit(t)
		r := drawRun(t, s)
		skip := rapid.Int64Range(0, r.Count-1).Draw(t, "skip")
		count := rapid.Int64Range(1, r.Count-skip).Draw(t, "n")
		sub := r.Sub(skip, count)
		if sub.First != r.First+skip || sub.Count != count || sub.End() != r.First+skip+count {
			t.Fatalf("packets %d..%d of %+v are %+v", skip, skip+count, r, sub)
		}
		for i := sub.First; i < sub.End(); i++ {
			if sub.DepartureOf(i) != r.DepartureOf(i) {
				t.Fatalf("packet %d leaves at %v in the part, %v in the whole", i,
					sub.DepartureOf(i), r.DepartureOf(i))
			}
		}
		if sub.Imm(s) != s.Pack(r.Message, sub.First, r.User) {
			t.Fatalf("immediate %#x", sub.Imm(s))
		}
		p := int64(r.Payload)
		if r.Data == nil && sub.Data != nil ||
			r.Data != nil && !bytes.Equal(sub.Data, r.Data[skip*p:(skip+count)*p]) {
			t.Fatalf("data %x of %x", sub.Data, r.Data)
		}
		// Nothing else changes.
		sub.First, sub.Count, sub.Depart = r.First, r.Count, r.Depart
		if sub.Generation != r.Generation || sub.Message != r.Message || sub.Serial != r.Serial ||
			sub.User != r.User || sub.Repeat != r.Repeat || sub.Payload != r.Payload ||
			sub.Spacing != r.Spacing {
			t.Fatalf("%+v became %+v", r, sub)
		}
	})
}

func TestSubOfSubIsSub(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRun(t, DefaultSplit)
		a := rapid.Int64Range(0, r.Count-1).Draw(t, "a")
		b := rapid.Int64Range(0, r.Count-1-a).Draw(t, "b")
		rest := r.Sub(a, r.Count-a)
		twice, once := rest.Sub(b, 1), r.Sub(a+b, 1)
		if twice.Imm(DefaultSplit) != once.Imm(DefaultSplit) || twice.First != once.First ||
			twice.Depart != once.Depart || !bytes.Equal(twice.Data, once.Data) {
			t.Fatalf("%+v and %+v", twice, once)
		}
	})
}
