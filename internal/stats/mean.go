package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// tail is the probability left out on each side of an interval.
const tail = 0.025

// Estimate is a value with its two-sided 95 % interval, in the unit of the samples.
type Estimate struct {
	// Value, Lo and Hi are NaN where they are unknown. Lo ≤ Value ≤ Hi otherwise.
	Value, Lo, Hi float64
	// Warning tells why Value, Lo or Hi is unknown or not to be relied on; empty where all is well.
	Warning string
}

func unknown(warning string) Estimate {
	nan := math.NaN()
	return Estimate{Value: nan, Lo: nan, Hi: nan, Warning: warning}
}

// Finite returns the numbers of xs that are neither NaN nor infinite, in their order, and how many
// were left out. It returns xs itself where nothing was.
func Finite(xs []float64) (finite []float64, rejected int) {
	for _, x := range xs {
		if notFinite(x) {
			rejected++
		}
	}
	if rejected == 0 {
		return xs, 0
	}
	finite = make([]float64, 0, len(xs)-rejected)
	for _, x := range xs {
		if !notFinite(x) {
			finite = append(finite, x)
		}
	}
	return finite, rejected
}

func finiteOrNaN(x float64) float64 {
	if notFinite(x) {
		return math.NaN()
	}
	return x
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// Assumed is what is known of the samples of a mean beside the samples.
type Assumed struct {
	// Penalty is what one more rare event adds to a sample, in the unit of the samples; 0: unknown.
	Penalty float64
	// Floor is the smallest value possible, such as the time without a loss; NaN: unknown.
	Floor float64
	// Certain tells that chance has no part: equal samples are the mean.
	Certain bool
	// Unseen names what samples may meet and none did, such as "loss"; empty: nothing of the kind.
	Unseen string
}

// Mean is MeanWith of samples of which nothing else is known.
func Mean(xs []float64) Estimate { return MeanWith(xs, Assumed{Floor: math.NaN()}) }

// MinCarriers is how many samples must carry a mean for it to be printed without a warning.
const MinCarriers = 20

// MeanWith returns the mean of xs with its gamma interval. What lies above the smallest sample is
// taken as a sum of rare events, of which one more, as costly as the largest seen or as the penalty
// that is known, might have been met: so the interval holds where none, few or many were. Where the
// samples are skewed to the left, or all equal, the lower end also allows for one more that is as
// fast as can be. Upper ends of equal samples are NaN where no penalty is known.
//
// The warning starts with "mean:". It is set where fewer than MinCarriers samples carry the mean:
//
//	n/g², g their skewness
//
// which is k where k of many cost the same and the others nothing. One sample has a mean and no
// interval, none has neither. Samples that are not finite are left out, with a warning.
func MeanWith(xs []float64, known Assumed) Estimate {
	finite, rejected := Finite(xs)
	m, dev := moments(finite)
	est := Estimate{Value: m, Lo: math.NaN(), Hi: math.NaN()}
	switch n := len(finite); {
	case n == 0:
		est.Warning = "mean: no samples"
	case n == 1:
		est.Warning = "mean: one sample, no interval"
	case dev == 0 && known.Certain:
		est.Lo, est.Hi = m, m
	default:
		est = gammaMean(finite, known)
		est.Warning = known.doubt(finite)
	}
	if rejected > 0 {
		est.Warning = fmt.Sprintf("mean: %d of %d samples are not finite and left out",
			rejected, len(xs))
	}
	return est
}

// gammaMean is the interval of MeanWith, of at least two finite samples.
func gammaMean(xs []float64, known Assumed) Estimate {
	least, most := slices.Min(xs), slices.Max(xs)
	n := float64(len(xs))
	mean, dev := moments(xs)
	wide := wideDev(dev, len(xs))
	above := weighing{
		sum: excess(xs, least), dev: wide, unseen: max(most-least, known.Penalty),
	}
	lo, hi := above.ends()
	lo, hi = least+lo/n, least+hi/n
	if skewness(xs) <= 0 {
		floor := least
		if known.Floor < floor {
			floor = known.Floor
		}
		below := weighing{sum: shortfall(xs, most), dev: wide, unseen: most - floor}
		if _, fast := below.ends(); fast > 0 {
			lo = max(floor, min(lo, most-fast/n))
		}
	}
	return Estimate{
		Value: mean, Lo: finiteOrNaN(min(lo, mean)), Hi: finiteOrNaN(max(hi, mean)),
	}
}

// wideDev is the standard deviation of a sum of n samples of deviation dev, widened by as much as
// Student's interval is wider than a normal one.
func wideDev(dev float64, n int) float64 {
	return float64(dev*math.Sqrt(float64(n))) * float64(student(n-1)/z)
}

// excess is the sum of what samples are above b, shortfall of what they are below it.
func excess(xs []float64, b float64) float64 {
	above := make([]float64, len(xs))
	for i, x := range xs {
		above[i] = x - b
	}
	return Sum(above)
}

func shortfall(xs []float64, b float64) float64 { return -excess(xs, b) }

// skewness is that of finite samples, (Σd³/n)/(Σd²/n)^1.5; 0 where they are equal.
func skewness(xs []float64) float64 {
	second, third := deviations(xs)
	if !(second > 0) {
		return 0
	}
	n := float64(len(xs))
	return float64(third/n) / float64(math.Sqrt(second/n)*float64(second/n))
}

// deviations are Σd² and Σd³ of finite samples, with d their deviation from the mean over the
// largest of them, so that powers stay in range.
func deviations(xs []float64) (second, third float64) {
	mean, _ := moments(xs)
	scale := 0.0
	for _, x := range xs {
		scale = max(scale, math.Abs(x-mean))
	}
	if scale == 0 || notFinite(scale) {
		return 0, 0
	}
	squares, cubes := make([]float64, len(xs)), make([]float64, len(xs))
	for i, x := range xs {
		d := (x - mean) / scale
		squares[i] = float64(d * d)
		cubes[i] = float64(squares[i] * d)
	}
	return Sum(squares), Sum(cubes)
}

// carriersOf is about how many samples carry the mean of xs: n/g², with g the skewness. It is k
// where k of many cost the same and the others nothing, 0 where all are equal, and may exceed n.
func carriersOf(xs []float64) float64 {
	second, _ := deviations(xs)
	g := skewness(xs)
	if second == 0 {
		return 0
	}
	return float64(len(xs)) / float64(g*g)
}

// doubt is the warning of a mean of at least two samples.
func (known Assumed) doubt(xs []float64) string {
	n := len(xs)
	carriers := carriersOf(xs)
	switch {
	case known.Unseen == "":
		return carried(carriers, n)
	case known.Penalty > 0:
		return fmt.Sprintf("mean: no %s seen in %d samples; %.2g %% may have one, at %s each",
			known.Unseen, n, 100*Share(0, n).Hi, milliseconds(known.Penalty))
	case carriers == 0:
		return fmt.Sprintf("mean: no %s seen in %d samples, its cost is not known: no upper end",
			known.Unseen, n)
	}
	return fmt.Sprintf("mean: no %s seen in %d samples, its cost is not known", known.Unseen, n)
}

// carried is the warning of a mean that too few of n samples carry.
func carried(carriers float64, n int) string {
	if !(carriers < MinCarriers) {
		return ""
	}
	return fmt.Sprintf("mean: %d of %d samples carry it, fewer than %d",
		min(n, int(carriers)), n, MinCarriers)
}

// milliseconds writes seconds.
func milliseconds(s float64) string { return fmt.Sprintf("%.4g ms", 1e3*s) }

// moments returns mean and standard deviation (n-1 in the denominator) of finite numbers; NaN
// where there are too few.
func moments(xs []float64) (mean, dev float64) {
	if len(xs) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(xs))
	sum, shift := scaledSum(xs)
	mean = math.Ldexp(sum/n, shift)
	if len(xs) == 1 {
		return mean, math.NaN()
	}
	if slices.Min(xs) == slices.Max(xs) {
		return xs[0], 0 // a mean that is rounded would make them differ
	}
	scale := 0.0 // keeps the squares in range
	for _, x := range xs {
		scale = max(scale, math.Abs(x-mean))
	}
	if scale == 0 {
		return mean, 0
	}
	if notFinite(scale) { // deviations beyond the largest float64
		return finiteOrNaN(mean), math.NaN()
	}
	squares := make([]float64, len(xs))
	for i, x := range xs {
		d := (x - mean) / scale
		squares[i] = float64(d * d)
	}
	return mean, float64(scale * math.Sqrt(Sum(squares)/(n-1)))
}

// student returns the two-sided 95 % quantile of Student's t with the given degrees of freedom. It
// keeps nine digits, so that the last bits of a processor's logarithm do not reach a result.
func student(freedom int) float64 {
	if freedom > 1e5 {
		// The library's inverse loses digits here; this series is within 1e-10.
		return math.Round(float64((z+(float64(z*z*z)+z)/float64(4*freedom))*1e9)) / 1e9
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile(1 - tail)
	return math.Round(float64(t*1e9)) / 1e9
}

// z is the two-sided 95 % quantile of the normal distribution.
const z = 1.959963984540054
