package draft

import (
	"errors"
	"fmt"

	"sdrsim/internal/scenario/keys"
	"sdrsim/units"
)

// ArrivalTimes are those of a trace.
type ArrivalTimes []units.Time

// parseArrivals reads a file with a time a line, in seconds or as a duration such as 12.5us.
func parseArrivals(text string) (any, error) {
	var times ArrivalTimes
	err := eachLine(text, func(words []string) error {
		if len(words) != 1 {
			return errors.New("must be one time")
		}
		t, err := parseInstant(words[0])
		switch {
		case err != nil || t < 0 || t.Sub(0).Seconds() > keys.MaxSendSeconds:
			return fmt.Errorf("%q: must be a time in seconds up to 1e6, or one such as 12.5us",
				words[0])
		case len(times) > 0 && t < times[len(times)-1]:
			return errors.New("is before the time of the line before")
		}
		times = append(times, t)
		return nil
	})
	if err == nil && len(times) == 0 {
		err = errors.New("holds no times")
	}
	return times, err
}

// parseInstant reads a plain number of seconds, or a duration with its unit.
func parseInstant(word string) (units.Time, error) {
	if _, err := keys.ParseDecimal(word); err == nil {
		word += "s"
	}
	d, err := units.ParseDuration(word)
	return units.Time(0).Add(d), err
}
