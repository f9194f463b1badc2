package sim

import "testing"

// What is late fires when all else of its instant has fired, also what was scheduled meanwhile, and
// before the clock moves on.
func TestLateFiresAtTheEndOfTheInstant(t *testing.T) {
	for _, step := range []bool{false, true} {
		var log []fired
		e := New()
		e.At(5, &record{&log, 1, func() {
			e.Late(&record{&log, 4, func() {
				e.At(5, &record{&log, 5, nil})
				e.Late(&record{&log, 6, nil})
			}})
			e.At(5, &record{&log, 3, nil})
			if e.Advance(6) {
				t.Error("the clock moves on before what is late")
			}
		}})
		e.At(5, &record{&log, 2, nil})
		e.At(6, &record{&log, 7, nil})
		if step {
			for e.Step() {
			}
		} else {
			e.RunUntil(5)
			if len(log) != 6 || e.Pending() != 1 {
				t.Errorf("up to the instant %v, %d pending", log, e.Pending())
			}
			e.Run()
		}
		wantNames(t, log, 1, 2, 3, 4, 5, 6, 7)
	}
}

// Reset forgets what is late.
func TestResetForgetsWhatIsLate(t *testing.T) {
	var log []fired
	e := New()
	e.Late(&record{&log, 1, nil})
	e.Reset()
	e.Run()
	wantNames(t, log)
}
