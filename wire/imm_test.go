package wire

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawSplit draws any valid split.
func drawSplit(t *rapid.T) Split {
	user := rapid.SampledFrom([]uint8{0, 1, 2, 4, 8, 16}).Draw(t, "user")
	id := uint8(rapid.IntRange(1, int(31-user)).Draw(t, "id"))
	return Split{ID: id, Offset: 32 - id - user, User: user}
}

func TestImmediateUnpacksToWhatWasPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSplit(t)
		id := uint32(rapid.Int64Range(0, s.Messages()-1).Draw(t, "message"))
		offset := rapid.Int64Range(0, s.Packets()-1).Draw(t, "offset")
		user := rapid.Uint32().Draw(t, "immediate")
		gotID, gotOffset, fragment := s.Unpack(s.Pack(id, offset, user))
		if gotID != id || gotOffset != offset || fragment != s.Fragment(offset, user) {
			t.Fatalf("%v: message %d offset %d became %d, %d", s, id, offset, gotID, gotOffset)
		}
	})
}

// A 32-bit user immediate needs eight packets of four bits. arXiv:2505.05366 §3.2.
func TestFragmentsMakeUpTheUserImmediate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSplit(t)
		user := rapid.Uint32().Draw(t, "immediate")
		if s.User == 0 {
			if s.Fragments() != 0 || s.Fragment(7, user) != 0 {
				t.Fatalf("%v has fragments", s)
			}
			return
		}
		start := rapid.Int64Range(0, 1000).Draw(t, "start")
		var whole uint32
		for i := start; i < start+s.Fragments(); i++ {
			shift := uint(i%s.Fragments()) * uint(s.User)
			whole |= s.Fragment(i, user) << shift
		}
		if whole != user {
			t.Fatalf("%v: %#x reassembled as %#x", s, user, whole)
		}
	})
}

func TestDefaultSplitIsThePapers(t *testing.T) {
	s := DefaultSplit
	if s.Messages() != 1024 || s.Packets() != 1<<18 || s.Fragments() != 8 || !s.Valid() {
		t.Errorf("%v: %d messages, %d packets, %d fragments", s, s.Messages(), s.Packets(),
			s.Fragments())
	}
	if got := s.Pack(3, 5, 0xABCDEF12); got != 3<<22|5<<4|0xC {
		t.Errorf("packet 5 of message 3 packs to %#x", got)
	}
}

func TestSplitPrintsWhatItParses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSplit(t)
		if got, err := ParseSplit(s.String()); err != nil || got != s {
			t.Fatalf("%v parsed as %v, %v", s, got, err)
		}
	})
	if s, err := ParseSplit(" 8 + 22+2"); err != nil || s != (Split{8, 22, 2}) {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestImpossibleSplitsAreErrors(t *testing.T) {
	for _, text := range []string{
		"", "10", "10+18", "10+18+4+0", "10+18+5", "0+28+4", "28+0+4", "10+19+3", "a+18+4",
		"-6+34+4", "266+18+4", "10.0+18+4",
	} {
		s, err := ParseSplit(text)
		if err == nil {
			t.Errorf("%q accepted as %v", text, s)
		} else if !strings.Contains(err.Error(), "10+18+4") {
			t.Errorf("%q: error %q does not say what is allowed", text, err)
		}
	}
}
