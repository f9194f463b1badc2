package report

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"sdrsim/internal/portable"
)

// maxTicks is how many labels an axis has at most.
const maxTicks = 8

// mark is a tick in the units of the data; minor ticks have no label.
type mark struct {
	value float64
	label string
}

// linearMarks are labelled ticks at multiples of 1, 2, 2.5 or 5 times a power of ten within lo..hi,
// and no more than limit.
func linearMarks(lo, hi float64, limit int) (values []float64) {
	span := hi - lo
	if !(span > 0) || math.IsInf(span, 0) {
		return []float64{lo}
	}
	power := math.Pow10(int(math.Floor(portable.Log10(span / float64(limit)))))
	for {
		for _, m := range []float64{1, 2, 2.5, 5} {
			step := m * power
			first := math.Ceil(lo/step - 1e-9)
			last := math.Floor(hi/step + 1e-9)
			if last-first+1 > float64(limit) {
				continue
			}
			for k := first; k <= last; k++ {
				values = append(values, roundTo(k*step, step))
			}
			return values
		}
		power *= 10
	}
}

// roundTo removes what the multiplication left behind the digits of step.
func roundTo(v, step float64) float64 {
	digits := max(0, 2-int(math.Floor(portable.Log10(step))))
	if digits > 300 {
		return v
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', digits, 64), 64)
	if r == 0 {
		return 0
	}
	return r
}

// logMarks are the ticks of a logarithmic axis from lo to hi, both positive: at every decade or
// every n-th, with unlabelled ticks between; where fewer than three decades fit at 1, 2, 5 of each;
// else at more of its digits; else as on a linear axis.
func logMarks(lo, hi float64, limit int) (labelled, minor []float64) {
	first := int(math.Floor(portable.Log10(lo) + 1e-9))
	last := int(math.Ceil(portable.Log10(hi) - 1e-9))
	for _, digits := range [][]float64{{1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 7}} {
		stride := 1
		if len(digits) == 1 {
			stride = (last-first)/limit + 1
		}
		labelled = decadeMarks(lo, hi, digits, stride)
		if len(labelled) >= 3 && len(labelled) <= limit {
			return labelled, decadeMarks(lo, hi, minorDigits(stride, last-first), 1)
		}
	}
	return linearMarks(lo, hi, limit), nil
}

func minorDigits(stride, decades int) []float64 {
	if stride > 1 || decades > 12 {
		return []float64{1}
	}
	return []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
}

// decadeMarks are the given digits of every stride-th decade, within lo..hi.
func decadeMarks(lo, hi float64, digits []float64, stride int) (values []float64) {
	first := int(math.Floor(portable.Log10(lo))) - 1
	last := int(math.Ceil(portable.Log10(hi))) + 1
	for decade := first; decade <= last; decade++ {
		if decade%stride != 0 {
			continue
		}
		for _, d := range digits {
			text := strconv.FormatFloat(d, 'f', -1, 64) + "e" + strconv.Itoa(decade)
			v, err := strconv.ParseFloat(text, 64) // exact, where d*10^decade is not
			if err == nil && v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				values = append(values, v)
			}
		}
	}
	return values
}

// binaryMarks are powers of two (of 2^stride) within lo..hi.
func binaryMarks(lo, hi float64, limit int) (values []float64) {
	first := int(math.Ceil(portable.Log2(lo) - 1e-9))
	last := int(math.Floor(portable.Log2(hi) + 1e-9))
	for _, stride := range []int{1, 2, 5, 10, 20, 40, 80, 160, 320} {
		values = values[:0]
		for k := first; k <= last; k++ {
			if k%stride == 0 {
				values = append(values, math.Ldexp(1, k))
			}
		}
		if len(values) <= limit {
			break
		}
	}
	return values
}

// labelMarks writes the labels of an axis in multiples of a step of a unit: as powers of ten where
// the numbers are all powers and too long for plain writing, else as plain numbers.
func labelMarks(labelled, minor []float64, s step) []mark {
	marks := make([]mark, 0, len(labelled)+len(minor))
	taken := map[float64]bool{}
	long := false
	for _, v := range labelled {
		a := math.Abs(v / s.factor)
		long = long || (v != 0 && (a < 0.999e-3 || a >= 1.001e5))
	}
	for _, v := range labelled {
		taken[v] = true
		marks = append(marks, mark{v, tickLabel(v/s.factor, long)})
	}
	for _, v := range minor {
		if !taken[v] {
			marks = append(marks, mark{value: v})
		}
	}
	return marks
}

// tickLabel writes a number that has few digits.
func tickLabel(v float64, long bool) string {
	if v == 0 {
		return "0"
	}
	if !long {
		text := strconv.FormatFloat(v, 'g', 6, 64)
		rounded, _ := strconv.ParseFloat(text, 64)
		return minus(strconv.FormatFloat(rounded, 'f', -1, 64))
	}
	text := strconv.FormatFloat(v, 'e', 5, 64)
	for i := range text {
		if text[i] == 'e' {
			exponent, _ := strconv.Atoi(text[i+1:])
			return powers(trimZeros(text[:i]) + "e" + strconv.Itoa(exponent))
		}
	}
	return text
}

// ticksAt places marks on an axis whose values run from 0 to 1.
func ticksAt(marks []mark, at func(float64) float64) []plot.Tick {
	ticks := make([]plot.Tick, 0, len(marks))
	for _, m := range marks {
		ticks = append(ticks, plot.Tick{Value: at(m.value), Label: m.label})
	}
	return ticks
}
