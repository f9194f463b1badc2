package draft

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
)

// parseSizes reads a file of lines "bytes probability": the share of messages that have at most so
// many bytes, which grows to 1, or to 100 in percent.
//
//	0      0
//	10000  15     15 % of all messages have from 1 to 10 000 bytes, equally likely
//	20000  100
//
// Probabilities may have the sign, all or none: 15%. A first line with a probability above 0, and
// one with the bytes of the line before, say that so many messages have just that size.
func parseSizes(text string) (any, error) {
	var table []spec.SizePoint
	signs, lines := 0, 0
	err := eachLine(text, func(words []string) error {
		if len(words) != 2 {
			return errors.New("must be bytes and a probability")
		}
		bytes, err := strconv.ParseInt(words[0], 10, 64)
		number, sign := strings.CutSuffix(words[1], "%")
		p, err2 := keys.ParseDecimal(number)
		if lines++; sign {
			signs++
		}
		last := spec.SizePoint{}
		if n := len(table); n > 0 {
			last = table[n-1]
		}
		switch {
		case err != nil || bytes < 0 || bytes > 1<<50:
			return fmt.Errorf("%q: must be an integer of bytes up to 2^50", words[0])
		case err2 != nil || p < 0 || p > 100:
			return fmt.Errorf("%q: must be a probability", words[1])
		case bytes < last.Bytes || p < last.P:
			return errors.New("bytes and probabilities must not become less from line to line")
		case signs > 0 && signs < lines:
			return fmt.Errorf("%q: %s", words[1], mixedPercent)
		case p > 0 && bytes == 0:
			return errors.New("a message has at least one byte")
		}
		table = append(table, spec.SizePoint{Bytes: bytes, P: p})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(table) == 0 {
		return nil, errors.New("holds no lines of bytes and probability")
	}
	if table, err = normalize(table, signs > 0); err != nil {
		return nil, err
	}
	return spec.TabledSizes(table), nil
}

// mixedPercent is the fault of a file that means two things by its numbers.
const mixedPercent = "must be fractions of 1 or percent in every line; in percent, write % in all"

// normalize makes the probabilities end at 1, and drops what is beyond.
func normalize(table []spec.SizePoint, percent bool) ([]spec.SizePoint, error) {
	total := table[len(table)-1].P
	before := 0.0 // the greatest below the last
	for _, p := range table {
		if p.P < total {
			before = p.P
		}
	}
	switch {
	case percent && total != 100:
		return nil, fmt.Errorf("the last probability is %v%%; must be 100%%", total)
	case total != 1 && total != 100:
		return nil, fmt.Errorf("the last probability is %v; must be 1, or 100 in percent", total)
	case !percent && total == 100 && before > 0 && before <= 1:
		return nil, fmt.Errorf("the probabilities grow to %v, and then to 100: %s", before, mixedPercent)
	}
	for i := range table {
		table[i].P /= total
	}
	end := slices.IndexFunc(table, func(p spec.SizePoint) bool { return p.P == 1 })
	return table[:end+1], nil
}
