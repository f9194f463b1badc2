package link

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/units"
	"sdrsim/wire"
)

// newLane is an empty lane.
func newLane() *lane {
	q := new(lane)
	q.reset()
	return q
}

// fly pushes a run of so many packets.
func (q *lane) fly(r wire.Run) { q.push(&r, r.Depart, r.Count) }

func TestLaneKeepsOrderAndBuffers(t *testing.T) {
	q := newLane()
	for i := range int64(20) {
		q.pushControl(0, []byte{byte(i)})
		if q.packed.Next()-1 != i {
			t.Fatalf("message %d is flight %d", i, q.packed.Next()-1)
		}
	}
	for i := range int64(20) {
		if f := q.first(); q.packed.First() != i || f.Control[0] != byte(i) || f.Run.Count != 0 {
			t.Fatalf("flight %d is at the head, want %d: %+v", q.packed.First(), i, f)
		}
		q.pop()
	}
	if q.first() != nil {
		t.Error("something is left")
	}
	if n := testing.AllocsPerRun(100, func() {
		q.pushControl(0, []byte{1, 2, 3})
		q.pop()
	}); n != 0 {
		t.Errorf("%v allocations a flight", n)
	}
}

// Bytes of a message are not kept alive by a slot that waits to be used again.
func TestLaneLetsGoOfTheBytes(t *testing.T) {
	q := newLane()
	q.fly(wire.Run{Count: 1, Payload: 1, Data: make([]byte, 1)})
	if f := q.first(); len(f.Run.Data) != 1 {
		t.Fatalf("flight %+v has no bytes", f)
	}
	q.pop()
	if len(q.head.Run.Data) > 0 && q.unpacked >= 0 || *q.data.At(0) != nil ||
		q.data.Len() > 0 || len(q.labels.Tail().Data) > 0 {
		t.Error("a flight that was taken still holds its bytes")
	}
}

// What is packed comes out as it went in, whatever follows what, is taken in parts or continued.
func TestFlightsComeOutAsTheyWentIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := newLane()
		var want []Flight
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch last := len(want) - 1; rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				msg := bytes.Repeat([]byte{byte(i)}, rapid.IntRange(1, 9).Draw(t, "size"))
				q.pushControl(units.Time(i), msg)
				want = append(want, Flight{Arrive: units.Time(i), Control: msg})
			case 1:
				r := drawLabel(t)
				r.First, r.Count = rapid.Int64Range(0, 99).Draw(t, "first"), 5
				r.Depart = units.Time(i)
				if r.Data != nil {
					r.Data = r.Data[:5*r.Payload]
				}
				q.fly(r)
				want = append(want, Flight{Arrive: units.Time(i), Run: r})
			case 2:
				if last < 0 || want[last].IsControl() || want[last].Run.Data != nil {
					continue
				}
				r := want[last].Run
				r.Skip(r.Count)
				r.Count = 3
				label, flights := q.packed.Tail().label, q.packed.Len()
				joined := label == q.label(&r) // unless another label came between
				if q.fly(r); joined != (q.packed.Len() == flights) {
					t.Fatalf("%+v continued by %+v: %v", want[last], r, !joined)
				}
				if joined {
					want[last].Run.Count += 3
				} else {
					want = append(want, Flight{Arrive: r.Depart, Run: r})
				}
			case 3:
				want = takeSome(t, q, want)
			}
		}
		for len(want) > 0 {
			want = takeSome(t, q, want)
		}
	})
}

// drawLabel is a run of one of several kinds.
func drawLabel(t *rapid.T) wire.Run {
	r := wire.Run{Payload: 10, Spacing: 7, Repeat: rapid.Bool().Draw(t, "repeat")}
	if rapid.Bool().Draw(t, "real") {
		r.Data = make([]byte, 50)
		for i := range r.Data {
			r.Data[i] = byte(i)
		}
	}
	switch rapid.IntRange(0, 6).Draw(t, "label") {
	case 0:
		r.Serial = 1
	case 1:
		r.Message = 1
	case 2:
		r.Generation = 1
	case 3:
		r.User = 1
	case 4:
		r.Spacing = 9
	case 5:
		r.Payload = 4
	}
	return r
}

// takeSome takes packets of the head, after it was compared.
func takeSome(t *rapid.T, q *lane, want []Flight) []Flight {
	f := q.first()
	if len(want) == 0 {
		if f != nil {
			t.Fatalf("%+v is left", f)
		}
		return want
	}
	w := &want[0]
	if f.IsControl() != w.IsControl() || f.Arrive != w.Arrive ||
		f.IsControl() && !bytes.Equal(f.Control, w.Control) ||
		!f.IsControl() && !reflect.DeepEqual(f.Run, w.Run) {
		t.Fatalf("%+v came out as %+v", w, f)
	}
	if f.IsControl() {
		q.pop()
		return want[1:]
	}
	n := rapid.Int64Range(1, f.Run.Count).Draw(t, "take")
	if q.take(n); n == w.Run.Count {
		return want[1:]
	}
	w.Arrive = w.ArrivalOf(n)
	w.Run.Skip(n)
	return want
}

// Messages of any size, pushed and popped in any rhythm, come out as they went in.
func TestMessagesComeOutAsTheyWentIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m messages
		var want [][]byte // what was pushed
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(want) > 0 && rapid.Bool().Draw(t, "pop") {
				if got := m.head(); !bytes.Equal(want[0], got) {
					t.Fatalf("%x came out as %x", want[0], got)
				}
				m.pop()
				want = want[1:]
				continue
			}
			msg := bytes.Repeat([]byte{byte(i)}, rapid.SampledFrom([]int{1, 9, 4096, 20000}).Draw(t, "size"))
			m.push(msg)
			want = append(want, msg)
		}
		for _, msg := range want {
			if got := m.head(); !bytes.Equal(msg, got) {
				t.Fatalf("%d bytes of %d are now %d of %d", len(msg), msg[0], len(got), got[0])
			}
			m.pop()
		}
	})
}
