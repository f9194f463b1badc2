package link

import (
	"testing"

	"sdrsim/wire"
)

// fates offers packets first..first+count-1 of a message and writes the lost ones as x.
func fates(m LossModel, serial, first, count int64) string {
	return fatesOf(m, wire.Run{Serial: serial, First: first, Count: count})
}

func fatesOf(m LossModel, r wire.Run) string {
	out := make([]byte, 0, r.Count)
	for _, lost := range offer(m, r, r.Count) {
		if lost {
			out = append(out, 'x')
		} else {
			out = append(out, '.')
		}
	}
	return string(out)
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func script(t *testing.T, drops ...Drop) *Script {
	t.Helper()
	m, err := NewScript(drops)
	if err != nil {
		t.Fatal(err)
	}
	m.Reset(nil)
	return m
}

func TestScriptDropsTheNthTransmission(t *testing.T) {
	m := script(t, Drop{Message: 1, First: 2, Last: 3, Transmission: 2})
	want(t, "other message", fates(m, 0, 0, 6), "......")
	want(t, "first time", fates(m, 1, 0, 6), "......")
	want(t, "packet 3, second time", fates(m, 1, 3, 3), "x..")
	want(t, "packet 2 second, 3 third", fates(m, 1, 1, 4), ".x..")
	want(t, "later", fates(m, 1, 0, 6), "......")
	m.Reset(nil)
	want(t, "after reset, first time", fates(m, 1, 0, 6), "......")
	want(t, "after reset, second time", fates(m, 1, 0, 6), "..xx..")
}

func TestScriptWithoutTransmissionDropsEveryTime(t *testing.T) {
	m := script(t, Drop{First: 1, Last: 2}, Drop{First: 4, Last: 1 << 62, Transmission: 1})
	want(t, "first", fates(m, 0, 0, 7), ".xx.xxx")
	want(t, "second", fates(m, 0, 0, 8), ".xx....x")
}

func TestChunkIsLostAsAWhole(t *testing.T) {
	m := NewPerChunk(script(t, Drop{First: 1, Last: 1, Transmission: 1}), 4)
	want(t, "in one run", fates(m, 0, 0, 10), "....xxxx..")
	m.Reset(nil)
	want(t, "first part", fates(m, 0, 0, 6), "....xx")
	want(t, "rest", fates(m, 0, 6, 4), "xx..")
	want(t, "sent again", fates(m, 0, 4, 4), "....")
}

func TestFateOfAChunkOutlivesAnInterruptingRepeat(t *testing.T) {
	m := NewPerChunk(script(t,
		Drop{First: 1, Last: 1, Transmission: 1}, Drop{First: 0, Last: 0, Transmission: 2}), 4)
	want(t, "chunk 0 and half of chunk 1", fates(m, 0, 0, 6), "....xx")
	want(t, "repeat of chunk 0 cuts in, first half",
		fatesOf(m, wire.Run{First: 0, Count: 2, Repeat: true}), "xx")
	want(t, "a packet of chunk 1", fates(m, 0, 6, 1), "x")
	want(t, "second half of the repeat",
		fatesOf(m, wire.Run{First: 2, Count: 2, Repeat: true}), "xx")
	want(t, "last packet of chunk 1 and chunk 2", fates(m, 0, 7, 3), "x..")
}

func TestRepeatFromTheStartIsANewTransmission(t *testing.T) {
	m := NewPerChunk(script(t, Drop{First: 0, Last: 0, Transmission: 1}), 4)
	repeat := wire.Run{First: 0, Count: 2, Repeat: true}
	want(t, "first two packets", fatesOf(m, repeat), "xx")
	want(t, "from the start again", fatesOf(m, repeat), "..")
}

func TestShortLastChunkDoesNotLeakIntoTheNextMessage(t *testing.T) {
	m := NewPerChunk(script(t, Drop{Message: 0, First: 1, Last: 1}), 4)
	want(t, "message 0 of six packets", fates(m, 0, 0, 6), "....xx")
	want(t, "message 1 from offset 6", fates(m, 1, 6, 2), "..")
	want(t, "message 1 from the start", fates(m, 1, 0, 6), "......")
}

func TestAdvanceBeyondPeekIsABug(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	m := &IID{P: 0.5, next: gap{pass: 2, drop: 1}}
	m.Advance(&wire.Run{Count: 9}, 4)
}
