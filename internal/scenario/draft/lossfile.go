package draft

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// Headers of a file of losses, which say what its lines are.
const (
	packetHeader = "packet"
	rangeHeader  = "first,last"
	timeHeader   = "start_s,end_s"
)

// parseLosses reads a file of losses: a header, then a line for each loss, in rising order.
func parseLosses(text string) (any, error) {
	t, header := &spec.LossTrace{}, ""
	err := eachLine(text, func(words []string) error {
		line := strings.Join(words, ",")
		switch {
		case header == "":
			header = line
			if line != packetHeader && line != rangeHeader && line != timeHeader {
				return fmt.Errorf("%q: must be a header: %s, or %s, or %s", line, packetHeader,
					rangeHeader, timeHeader)
			}
			return nil
		case len(words) != len(strings.Split(header, ",")):
			return fmt.Errorf("%q: must be as many values as the header has: %s", line, header)
		case header == timeHeader:
			return addTime(t, words)
		}
		return addPackets(t, words)
	})
	if err == nil && header == "" {
		err = errors.New("is empty: must begin with a header: " + packetHeader + ", or " +
			rangeHeader + ", or " + timeHeader)
	}
	return t, err
}

// addPackets adds the packets of a line, joined with those of the line before where they follow.
func addPackets(t *spec.LossTrace, words []string) error {
	var ends [2]int64
	for i := range ends {
		word := words[min(i, len(words)-1)]
		v, err := keys.ParseDecimal(word)
		if err != nil || v != math.Trunc(v) || v < 0 || v > 1<<50 {
			return fmt.Errorf("%q: must be an integer from 0, of a packet", word)
		}
		ends[i] = int64(v)
	}
	p := spec.LostPackets{First: ends[0], Last: ends[1]}
	if p.Last < p.First {
		return fmt.Errorf("last %d must not be below first %d", p.Last, p.First)
	}
	if n := len(t.Packets); n > 0 {
		last := &t.Packets[n-1]
		if p.First <= last.Last {
			return fmt.Errorf("packet %d must come after packet %d of the line before", p.First,
				last.Last)
		}
		if p.First == last.Last+1 {
			last.Last = p.Last
			return nil
		}
	}
	t.Packets = append(t.Packets, p)
	return nil
}

// addTime adds the time of a line, joined with that of the line before where it follows at once.
func addTime(t *spec.LossTrace, words []string) error {
	var ends [2]units.Time
	for i, word := range words {
		v, err := units.ParseDuration(word + "s")
		if err != nil || v.Seconds() > keys.MaxSendSeconds {
			return fmt.Errorf("%q: must be a time in seconds from 0 to 1e6, to the picosecond", word)
		}
		ends[i] = units.Time(v)
	}
	s := spec.LostTime{From: ends[0], To: ends[1]}
	if s.To <= s.From {
		return fmt.Errorf("end_s %s must be after start_s %s", words[1], words[0])
	}
	if n := len(t.Times); n > 0 {
		last := &t.Times[n-1]
		if s.From < last.To {
			return fmt.Errorf("start_s %s must not be before the end of the line before", words[0])
		}
		if s.From == last.To {
			last.To = s.To
			return nil
		}
	}
	t.Times = append(t.Times, s)
	return nil
}
