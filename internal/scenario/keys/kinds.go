package keys

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/schemes"
	"sdrsim/units"
	"sdrsim/wire"
)

// KindShare is a number that may be given in percent: 0.02, 2%.
const KindShare schemes.Kind = "share"

// KindFile is the name of a file that a scenario refers to, relative to the folder of the scenario.
const KindFile schemes.Kind = "file"

// KindHosts is some hosts of a side: west, west[3], west[0-7].
const KindHosts schemes.Kind = "hosts"

// Kinds of keys beyond those that parameters of schemes have.
const (
	KindDuration    schemes.Kind = "duration"        // 25ms
	KindDistance    schemes.Kind = "distance"        // 3750km
	KindStay        schemes.Kind = "packets or time" // 10, or 200us
	KindProbability schemes.Kind = "probability"     // 1e-5, 0.1%
	KindSplit       schemes.Kind = "split"           // 10+18+4
	KindRuns        schemes.Kind = "runs"            // unlimited, or a number of packets
	KindSeed        schemes.Kind = "seed"            // a whole number of 64 bits
	KindName        schemes.Kind = "name"            // a word that can be the name of a file
	KindText        schemes.Kind = "text"            // anything
	KindList        schemes.Kind = "list"            // a list of mappings or words
	KindMapping     schemes.Kind = "mapping"         // a mapping of paths
)

// Value is a scalar that has been read.
type Value struct {
	// Text is how tables show the value: plain SI units, or a word.
	Text string
	// Number is the value in SI base units; NaN for words.
	Number float64
	// Whole is the value in the integers of its kind: bytes, bit/s, picoseconds, metres, a count.
	Whole int64
	Span  units.Span
}

// Word returns a value that is not a number.
func Word(text string) Value { return Value{Text: text, Number: math.NaN()} }

// Whole returns a value that is an integer in SI base units.
func Whole(v int64) Value {
	return Value{Text: strconv.FormatInt(v, 10), Number: float64(v), Whole: v}
}

// Plain returns a value that is a plain number.
func Plain(v float64) Value { return Value{Text: FormatNumber(v), Number: v} }

// SpanOfTime returns a value in picoseconds, shown in seconds.
func SpanOfTime(v units.Duration) Value {
	return Value{
		Text: FormatNumber(v.Seconds()), Number: v.Seconds(), Whole: int64(v),
		Span: units.Span{Fixed: v},
	}
}

// SpanValue returns a span; one in round-trip times counts them in its number.
func SpanValue(s units.Span) Value {
	if s.Multiple == 0 {
		return SpanOfTime(s.Fixed)
	}
	times := float64(s.Multiple) / units.RTTUnit // in float: bounds are checked on the number
	return Value{Text: s.String(), Number: times, Whole: s.Multiple, Span: s}
}

// FormatNumber prints the shortest text that reads back as v, with an exponent as people write it:
// 1e-5, not 1e-05.
func FormatNumber(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if mantissa, exponent, found := strings.Cut(text, "e"); found {
		sign, digits := "", exponent[1:]
		if exponent[0] == '-' {
			sign = "-"
		}
		return mantissa + "e" + sign + strings.TrimLeft(digits, "0")
	}
	return text
}

// Parse reads a scalar as the key wants it; ok is false where the text is not what Allowed says.
func (k *Key) Parse(text string) (v Value, ok bool) {
	text = strings.TrimSpace(text)
	switch k.Kind {
	case schemes.KindChoice:
		return Word(text), slices.Contains(k.Choices, text)
	case KindName:
		return Word(text), validName(text)
	case KindHosts:
		_, ok := ParseHosts(text)
		return Word(text), ok
	case KindText:
		return Word(text), true
	case KindFile:
		return Word(text), validFile(text)
	case KindSeed:
		seed, err := strconv.ParseUint(text, 10, 64)
		return Value{Text: text, Number: math.NaN(), Whole: int64(seed)}, err == nil
	case KindSplit:
		split, err := wire.ParseSplit(text)
		return Word(split.String()), err == nil
	case KindRuns:
		if text == RunsUnlimited {
			return Word(text), true
		}
	}
	v, err := k.parseQuantity(text)
	return v, err == nil && k.InRange(v)
}

// parseQuantity reads the kinds that are numbers.
func (k *Key) parseQuantity(text string) (Value, error) {
	switch k.Kind {
	case schemes.KindBytes:
		v, err := units.ParseBytes(text)
		return Whole(int64(v)), err
	case schemes.KindRate:
		v, err := units.ParseRate(text)
		return Whole(int64(v)), err
	case KindDistance:
		v, err := units.ParseDistance(text)
		return Whole(int64(v)), err
	case KindDuration:
		v, err := units.ParseDuration(text)
		return SpanOfTime(v), err
	case KindStay:
		if v, err := units.ParseDuration(text); err == nil && v != 0 {
			return SpanOfTime(v), nil
		}
		v, err := ParseDecimal(text)
		return Plain(v), err
	case schemes.KindSpan:
		v, err := units.ParseSpan(text)
		return SpanValue(v), err
	case schemes.KindCount, KindRuns:
		v, err := ParseDecimal(text)
		if err == nil && (v != math.Trunc(v) || math.Abs(v) > 1<<53) {
			err = strconv.ErrRange
		}
		return Whole(int64(v)), err
	case schemes.KindNumber, KindProbability, KindShare:
		v, err := k.parseReal(text)
		return Plain(v), err
	}
	panic("BUG: keys: no parser for kind " + string(k.Kind))
}

// parseReal reads a plain number, or a probability or a share, which may be in percent.
func (k *Key) parseReal(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	percent = percent && (k.Kind == KindProbability || k.Kind == KindShare)
	if !percent {
		number = text
	}
	v, err := ParseDecimal(strings.TrimSpace(number))
	if percent {
		v /= 100
	}
	if mantissa, _, _ := strings.Cut(strings.ToLower(number), "e"); k.Kind == KindProbability &&
		err == nil && v == 0 && strings.ContainsAny(mantissa, "123456789") {
		err = errVanishes
	}
	return v, err
}

// errVanishes is a probability that is not written as zero and has no other number.
var errVanishes = errors.New("is so small that it becomes 0")

// refusal says why the key does not take a text.
func (k *Key) refusal(text string) string {
	if k.Kind == KindProbability {
		if _, err := k.parseReal(strings.TrimSpace(text)); errors.Is(err, errVanishes) {
			return err.Error() + "; must be " + k.Allowed()
		}
	}
	return "must be " + k.Allowed()
}

// ParseDecimal reads a number as people write it: no hexadecimal, no infinity, no underscore.
func ParseDecimal(text string) (float64, error) {
	if text == "" || strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, strconv.ErrSyntax
	}
	v, err := strconv.ParseFloat(text, 64)
	return v + 0, err // no negative zero
}

// InRange reports whether a number is one that the key allows.
func (k *Key) InRange(v Value) bool {
	x := v.Number
	switch k.Kind {
	case KindDuration:
		return v.Whole%k.Multiple() == 0 && x >= k.Min && x <= k.Max
	case KindStay:
		if v.Timed() {
			return x >= minStaySeconds && x <= MaxSpanSeconds
		}
	case schemes.KindSpan:
		if v.Span.Multiple != 0 {
			return x <= maxSpanRTTs
		}
		return x <= MaxSpanSeconds
	}
	return x >= k.Min && (k.Max == 0 || x <= k.Max)
}

// Timed tells that a value of KindStay is a time and no number of packets.
func (v *Value) Timed() bool { return v.Span.Fixed != 0 }

// Multiple is what whole values of the key are multiples of.
func (k *Key) Multiple() int64 { return max(k.Quantum, 1) }

// validName accepts what can be the name of a file on any system.
func validName(text string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	return text != "" && len(text) <= 64 && text[0] != '.' && text[0] != '-' &&
		text[len(text)-1] != '.' && !reserved(text) &&
		strings.Trim(strings.ToLower(text), allowed) == ""
}

// validFile accepts names of files without characters that do not show.
func validFile(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// reservedNames are devices on Windows, with any ending.
const reservedNames = "CON PRN AUX NUL COM0-9 LPT0-9"

// reserved reports whether a name is one of those.
func reserved(text string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(text), ".")
	if port := len(name) - 1; port == 3 && name[port] >= '0' && name[port] <= '9' {
		name = name[:port] + "0-9"
	}
	return slices.Contains(strings.Fields(reservedNames), name)
}

// Allowed says what values the key takes, as a phrase that follows "must be".
func (k *Key) Allowed() string {
	switch k.Kind {
	case schemes.KindChoice:
		if len(k.Choices) == 1 {
			return k.Choices[0]
		}
		return "one of " + strings.Join(k.Choices, ", ")
	case KindProbability:
		return "a probability between 0 and 1 such as 1e-5 or 0.1%"
	case schemes.KindCount:
		return "an integer" + k.bounds(printInteger)
	case schemes.KindNumber:
		return "a number" + k.bounds(FormatNumber)
	case KindShare:
		return "a number" + k.bounds(FormatNumber) + " such as 0.02 or 2%"
	case schemes.KindBytes:
		return "a size" + k.bounds(printBytes) + " such as 4KiB or 1500B"
	case schemes.KindRate:
		return "a rate" + k.bounds(printRate) + " such as 400Gbps or 1.6Tbps"
	case KindStay:
		return "a number of packets" + k.bounds(FormatNumber) + ", or a duration from 1ns to 1h " +
			"such as 200us"
	case KindDistance:
		return "a distance from 1m to 1e8 km such as 3750km, to the metre"
	case KindDuration:
		even := ""
		if k.Quantum == 2 {
			even = ", an even number of picoseconds"
		}
		return "a duration" + k.bounds(printSeconds) + " such as 25ms or 12.5us" + even
	}
	return allowedWords[k.Kind]
}

// allowedWords are the phrases of kinds that have no bounds.
var allowedWords = map[schemes.Kind]string{
	schemes.KindSpan: "a duration such as 75ms up to 1h, or a multiple of the round-trip time " +
		"such as 3RTT up to 1e6RTT, to a millionth",
	KindSplit: "three widths id+offset+user that add up to 32, user a divisor of 32, " +
		"such as 10+18+4",
	KindRuns: "unlimited, or a number of packets from 1",
	KindSeed: "an integer from 0 to 18446744073709551615",
	KindName: "up to 64 letters, digits, '-', '_' and '.', with a letter, a digit or '_' first, " +
		"no '.' last, and no name that Windows reserves (" + reservedNames + ")",
	KindText:  "text",
	KindHosts: "hosts of a side such as west, west[0] or west[0-3]",
	KindFile:  "the name of a file, relative to the folder of the scenario",
}

// printInteger prints a bound of an integer: in full below 1e8, and 1e9 as it is, which reads
// better than its zeros.
func printInteger(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e8 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return FormatNumber(v)
}

// bounds prints the range of the key.
func (k *Key) bounds(show func(float64) string) string {
	switch {
	case k.Min <= Unbounded:
		return ""
	case k.Max == 0:
		return " from " + show(k.Min)
	}
	return fmt.Sprintf(" from %s to %s", show(k.Min), show(k.Max))
}

func printRate(v float64) string { return units.Rate(v).String() }

func printBytes(v float64) string { return units.Bytes(v).String() }

func printSeconds(v float64) string { return units.Duration(v * float64(units.Second)).String() }
