package link

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestLaneKeepsOrderAndBuffers(t *testing.T) {
	var q lane
	for i := range int64(20) {
		f := q.push()
		if q.Next()-1 != i || f.IsControl() {
			t.Fatalf("flight %d begins as %+v", i, f)
		}
		f.Run.Count = 9
		q.truncate(i, 0)
		if f = q.pushControl([]byte{byte(i)}); q.Next()-1 != i || f.Run.Count != 0 {
			t.Fatalf("message %d begins as %+v", i, f)
		}
	}
	for i := range int64(20) {
		if f := q.Head(); q.First() != i || f.Control[0] != byte(i) {
			t.Fatalf("flight %d is at the head, want %d", q.First(), i)
		}
		q.pop()
	}
	if q.Head() != nil {
		t.Error("something is left")
	}
	if n := testing.AllocsPerRun(100, func() {
		q.pushControl([]byte{1, 2, 3})
		q.pop()
	}); n != 0 {
		t.Errorf("%v allocations a flight", n)
	}
}

// Bytes of a message are not kept alive by a slot that waits to be used again.
func TestLaneLetsGoOfTheBytes(t *testing.T) {
	var q lane
	f := q.push()
	f.Run.Data = make([]byte, 1)
	q.pop()
	if f.Run.Data != nil {
		t.Error("a flight that was taken still holds its bytes")
	}
}

func TestLaneTruncatesTheLast(t *testing.T) {
	var q lane
	for range 3 {
		q.push().Run.Count = 9
	}
	q.truncate(2, 4)
	if q.Len() != 3 || q.At(2).Run.Count != 4 || q.At(1).Run.Count != 9 {
		t.Errorf("truncated to %d and %d packets", q.At(1).Run.Count, q.At(2).Run.Count)
	}
	t.Log("# to nothing: it is gone, and the number is given to the next")
	q.truncate(2, 0)
	if q.push(); q.Len() != 3 || q.Next() != 3 {
		t.Error("a flight without packets is still there")
	}
	for name, f := range map[string]func(){
		"one before the last": func() { q.truncate(1, 3) },
		"one that is gone":    func() { new(lane).truncate(0, 3) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is truncated", name)
				}
			}()
			f()
		}()
	}
}

// Messages of any size, pushed and popped in any rhythm, come out as they went in.
func TestMessagesComeOutAsTheyWentIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m messages
		var want [][]byte // what was pushed
		var got [][]byte  // where it lies
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(want) > 0 && rapid.Bool().Draw(t, "pop") {
				if !bytes.Equal(want[0], got[0]) {
					t.Fatalf("%x came out as %x", want[0], got[0])
				}
				m.pop()
				want, got = want[1:], got[1:]
				continue
			}
			msg := bytes.Repeat([]byte{byte(i)}, rapid.SampledFrom([]int{1, 9, 4096, 20000}).Draw(t, "size"))
			want, got = append(want, msg), append(got, m.push(msg))
		}
		for i := range want {
			if !bytes.Equal(want[i], got[i]) {
				t.Fatalf("%d bytes of %d are now %d of %d", len(want[i]), want[i][0], len(got[i]), got[i][0])
			}
		}
	})
}
