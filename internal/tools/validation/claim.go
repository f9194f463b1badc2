package validation

import (
	"fmt"
	"math"

	"sdrsim/internal/portable"
	"sdrsim/internal/stats"
)

// claim is a statement with a judge of what was found.
type claim struct {
	where string // section or figure of the paper; "ours" where it shows something without saying it
	says  string
	judge func(*book) finding
}

// finding is what the model and the simulation say to a claim.
type finding struct {
	model, simulated string
	verdict          verdict
	note             string // a phrase behind the verdict; empty where there is nothing to add
}

// verdict of a claim.
type verdict string

const (
	holds   verdict = "holds"
	departs verdict = "departs" // on purpose: the note says why, and the section on departures more
	differs verdict = "differs" // neither the claim nor a known departure explains what was found
	// slip is where the paper's number is not what its equations give.
	slip verdict = "slip"
	// measured is a property of the machine.
	measured verdict = "measured"
	notRun   verdict = "not run"
)

// judged is the finding of a claim, or that its results are not there.
func (c *claim) judged(b *book) finding {
	b.missing = false
	f := c.judge(b)
	if b.missing {
		return finding{model: f.model, simulated: "no results", verdict: notRun}
	}
	return f
}

// holdsIf is holds where ok is true, and differs otherwise.
func holdsIf(ok bool) verdict {
	if ok {
		return holds
	}
	return differs
}

// departsIf is departs where what was found is what the departure leads to, and differs otherwise.
func departsIf(ok bool) verdict {
	if ok {
		return departs
	}
	return differs
}

// Texts of numbers, for tables.

// show prints a number with three digits.
func show(x float64) string {
	switch {
	case math.IsNaN(x):
		return "?"
	case x == 0 || math.Abs(x) >= 1e-2 && math.Abs(x) < 1e4:
		return fmt.Sprintf("%.*f", max(0, 2-exponent(x)), x)
	}
	return fmt.Sprintf("%.3g", x)
}

// exponent is that of the leading decimal digit.
func exponent(x float64) int {
	if x == 0 {
		return 0
	}
	return int(math.Floor(portable.Log10(math.Abs(x)) + 1e-9))
}

// showInterval prints an estimate in multiples of a unit, with its 95 % interval where it is known.
func showInterval(e stats.Estimate, unit float64) string {
	text := show(e.Value / unit)
	if !math.IsNaN(e.Lo) && !math.IsNaN(e.Hi) {
		text += fmt.Sprintf(" [%s, %s]", show(e.Lo/unit), show(e.Hi/unit))
	}
	return text
}

// sizeText prints a size in bytes as people count it.
func sizeText(bytes float64) string {
	for _, u := range []struct {
		name string
		size float64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if bytes >= u.size {
			return fmt.Sprintf("%g %s", bytes/u.size, u.name)
		}
	}
	return fmt.Sprintf("%g B", bytes)
}

// crossing is where a curve y over ascending x first rises through level, interpolated on a
// logarithmic x; NaN where it does not.
func crossing(xs, ys []float64, level float64) float64 {
	for i := 1; i < len(xs); i++ {
		if ys[i-1] < level && ys[i] >= level {
			t := (level - ys[i-1]) / (ys[i] - ys[i-1])
			return portable.Exp(portable.Log(xs[i-1]) + float64(t*portable.Log(xs[i]/xs[i-1])))
		}
	}
	return math.NaN()
}
