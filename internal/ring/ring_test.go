package ring

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A slice does the same, slowly.
func TestRingBehavesAsASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Ring[int]
		var want []int
		for i := range rapid.IntRange(0, 200).Draw(t, "steps") {
			switch op := rapid.IntRange(0, 3).Draw(t, "op"); {
			case op < 2:
				r.Append(i)
				want = append(want, i)
			case len(want) == 0:
			case op == 2:
				r.Pop()
				want = want[1:]
			default:
				r.PopTail()
				want = want[:len(want)-1]
			}
			var got []int
			for n := r.First(); n < r.Next(); n++ {
				got = append(got, *r.At(n))
			}
			if !slices.Equal(got, want) || r.Len() != len(want) {
				t.Fatalf("ring holds %v, want %v", got, want)
			}
			if len(want) > 0 && (*r.Head() != want[0] || *r.Tail() != want[len(want)-1]) {
				t.Fatalf("ends are %d and %d of %v", *r.Head(), *r.Tail(), want)
			}
		}
	})
}

func TestRingAllocatesNothingOnceGrown(t *testing.T) {
	var r Ring[int]
	allocs := testing.AllocsPerRun(10, func() {
		r.Reset()
		for i := range 100 {
			r.Append(i)
		}
		for r.Len() > 0 {
			r.Pop()
		}
	})
	if allocs != 0 {
		t.Fatalf("%v allocations", allocs)
	}
}
