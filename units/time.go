package units

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Time is an instant of virtual time, in picoseconds since the start of a run.
type Time int64

// Duration is a span of virtual time, in picoseconds.
type Duration int64

// Spans of virtual time.
const (
	Picosecond  Duration = 1
	Nanosecond           = 1000 * Picosecond
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
)

// Never is later than every instant a run can reach.
const Never Time = 1<<63 - 1

// Add returns the instant d after t.
func (t Time) Add(d Duration) Time { return t + Time(d) }

// Sub returns the span from u to t.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// String prints the instant as the span since the start of the run.
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return Duration(t).String()
}

// Seconds returns d in seconds. For results and figures only, never for event times.
func (d Duration) Seconds() float64 { return float64(d) / float64(Second) }

// Scale returns d*num/den, rounded to the nearest picosecond (halves up). It is exact for every
// product below 2^127; den must be positive and d and num not negative.
func (d Duration) Scale(num, den int64) Duration {
	if d < 0 || num < 0 || den <= 0 {
		panic("BUG: units: Scale of a negative quantity")
	}
	return Duration(mulDiv(uint64(d), uint64(num), uint64(den)))
}

var durationSuffixes = []suffix{
	{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"µs", 1e6}, {"μs", 1e6}, {"ms", 1e9},
	{"s", 1e12}, {"min", 60e12}, {"h", 3600e12},
}

// String prints the largest unit in which the value is at least one, without loss.
func (d Duration) String() string {
	units := []suffix{{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}}
	return printLargest(int64(d), units, "ps", "0s")
}

// ParseDuration reads a span such as "25ms", "12.5us" or "81920ps".
func ParseDuration(s string) (Duration, error) {
	v, err := parseQuantity(s, durationSuffixes, "a duration such as 25ms, 12.5us or 81920ps")
	return Duration(v), err
}

// Span is a span that is given either in time or as a multiple of the round-trip time.
type Span struct {
	// Fixed is the span in time, used where Multiple is zero.
	Fixed Duration
	// Multiple counts round-trip times in millionths: 3RTT is 3*RTTUnit.
	Multiple int64
}

// RTTUnit is one round-trip time in Span.Multiple.
const RTTUnit = 1_000_000

// RTTs returns the span of n millionths of a round-trip time.
func RTTs(millionths int64) Span { return Span{Multiple: millionths} }

// Of resolves the span on a link with the given round-trip time.
func (s Span) Of(rtt Duration) Duration {
	if s.Multiple != 0 {
		return rtt.Scale(s.Multiple, RTTUnit)
	}
	return s.Fixed
}

// IsZero reports whether no span was given.
func (s Span) IsZero() bool { return s == Span{} }

// String prints "3RTT" or the time.
func (s Span) String() string {
	if s.Multiple != 0 {
		return trimZeros(strconv.FormatFloat(float64(s.Multiple)/RTTUnit, 'f', 6, 64)) + "RTT"
	}
	return s.Fixed.String()
}

// ParseSpan reads a duration or a multiple of the round-trip time such as "3RTT" or "0.5RTT",
// to a millionth.
func ParseSpan(s string) (Span, error) {
	const want = "a duration such as 75ms, or a multiple of the round-trip time such as 3RTT"
	number, found := strings.CutSuffix(strings.TrimSpace(s), "RTT")
	if !found {
		v, err := parseQuantity(s, durationSuffixes, want)
		return Span{Fixed: Duration(v)}, err
	}
	v, err := parseQuantity(number+"RTT", []suffix{{"RTT", RTTUnit}}, want+", to a millionth")
	return Span{Multiple: v}, err
}

// mulDiv returns a*b/den rounded to nearest, halves up, and panics when the result is no int64.
func mulDiv(a, b, den uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	lo, carry := bits.Add64(lo, den/2, 0)
	hi += carry
	if hi < den {
		if quo, _ := bits.Div64(hi, lo, den); quo <= math.MaxInt64 {
			return quo
		}
	}
	panic("BUG: units: quantity overflows 63 bits")
}
