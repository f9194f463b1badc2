package units

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// suffix is a unit: its text and how many base units it holds.
type suffix struct {
	text   string
	factor int64
}

// SyntaxError tells that a quantity could not be read, and what would have been.
type SyntaxError struct {
	Input string // what was found
	Want  string // what is allowed, as an English phrase
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%q is not %s", e.Input, e.Want) }

// parseQuantity reads a number and one of the suffixes as a whole number of base units. Decimal
// fractions and exponents are read exactly; a value that is negative, too large or not a whole
// number of base units is an error.
func parseQuantity(s string, suffixes []suffix, want string) (int64, error) {
	fail := &SyntaxError{Input: s, Want: want}
	text := strings.TrimSpace(s)
	unit := suffix{}
	for _, u := range suffixes {
		if strings.HasSuffix(text, u.text) && len(u.text) > len(unit.text) {
			unit = u
		}
	}
	number := strings.TrimSpace(strings.TrimSuffix(text, unit.text))
	if unit.text == "" || !plainNumber(number) {
		return 0, fail
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, fail
	}
	value.Mul(value, new(big.Rat).SetInt64(unit.factor))
	if !value.IsInt() || !value.Num().IsInt64() {
		return 0, fail
	}
	return value.Num().Int64(), nil
}

// plainNumber accepts what a person writes as a decimal number that is not negative, and keeps
// huge exponents away from big.Rat.
func plainNumber(s string) bool {
	if s == "" || len(s) > 40 || strings.Trim(s, "0123456789.eE+-") != "" || s[0] == '-' {
		return false
	}
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && f >= 0 && f < 1e30 && (f == 0 || f > 1e-30)
}

// printLargest writes v in the first unit in which it is at least one, exactly.
func printLargest(v int64, units []suffix, base, zero string) string {
	if v == 0 {
		return zero
	}
	for _, u := range units {
		if v >= u.factor || v <= -u.factor {
			digits := len(strconv.FormatInt(u.factor, 10)) - 1
			return trimZeros(big.NewRat(v, u.factor).FloatString(digits)) + u.text
		}
	}
	return strconv.FormatInt(v, 10) + base
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// ParseProbability reads a probability such as "1e-5", "0.01" or "1%".
func ParseProbability(s string) (float64, error) {
	fail := &SyntaxError{Input: s, Want: "a probability between 0 and 1 such as 1e-5 or 0.1%"}
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	p, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(p) {
		return 0, fail
	}
	if percent {
		p /= 100
	}
	if p < 0 || p > 1 {
		return 0, fail
	}
	return p, nil
}
