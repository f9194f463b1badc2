package sweep

import (
	"runtime"
	"testing"
)

// TestMemoryOfASweepDoesNotGrowWithItsPoints counts the bytes that are live when nearly all points
// are done. A point leaves a row behind; its samples, some hundred kilobytes, must be gone.
func TestMemoryOfASweepDoesNotGrowWithItsPoints(t *testing.T) {
	const samples, perPoint = 1000, 4 << 10
	if kept := MemoryEstimate(&grid(1, 1, samples)[0]); kept < 20*perPoint {
		t.Fatalf("samples of a point take %d bytes: too few to tell them from its row", kept)
	}
	live := func(n int) (bytes int64) {
		config := Config{Source: grid(n, 1, samples), Jobs: 1, NewRunner: newIdle}
		config.Progress = func(p Progress) {
			if p.Units != n-1 || bytes != 0 {
				return
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			bytes = int64(m.HeapAlloc)
		}
		if _, err := Run(t.Context(), config); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	live(2) // what the first sweep of a process leaves
	few, many := live(10), live(210)
	if few == 0 || many == 0 {
		t.Fatal("nothing was counted")
	}
	if grown := many - few; grown > 200*perPoint {
		t.Errorf("200 more points take %d bytes more, %d each; want at most %d each",
			grown, grown/200, perPoint)
	}
}
