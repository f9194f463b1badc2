package keys

import (
	"strconv"
	"strings"

	"sdrsim/internal/spec"
)

// hostRange is hosts of a side, from first to last; a last of -1 is that of the side.
type hostRange struct {
	East        bool
	first, Last int
}

// ParseHosts reads some hosts of a side.
func ParseHosts(text string) (r hostRange, ok bool) {
	side, index, some := strings.Cut(text, "[")
	r.East, r.Last = side == "east", -1
	if side != "west" && side != "east" {
		return r, false
	}
	if !some {
		return r, true
	}
	index, ok = strings.CutSuffix(index, "]")
	first, last, isRange := strings.Cut(index, "-")
	if !isRange {
		last = first
	}
	var ok1, ok2 bool
	r.first, ok1 = parseIndex(first)
	r.Last, ok2 = parseIndex(last)
	return r, ok && ok1 && ok2 && r.first <= r.Last
}

// parseIndex reads the number of a host.
func parseIndex(text string) (int, bool) {
	if len(text) == 0 || len(text) > 4 || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	i, err := strconv.Atoi(text)
	return i, err == nil
}

// Of are the hosts of a range where a side has n.
func (r hostRange) Of(n int) []spec.Host {
	last := r.Last
	if last < 0 {
		last = n - 1
	}
	var list []spec.Host
	for i := r.first; i <= last; i++ {
		list = append(list, spec.Host{East: r.East, Index: i})
	}
	return list
}
