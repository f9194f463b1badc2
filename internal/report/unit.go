package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"sdrsim/internal/result"
	"sdrsim/units"
)

// step is a multiple of a unit with its symbol.
type step struct {
	symbol string
	factor float64
}

// unit is how a quantity is written: its multiples, largest first. Binary tells that people count
// it in powers of two.
type unit struct {
	steps  []step
	binary bool
}

var (
	seconds = unit{steps: []step{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}}}
	bitRate = unit{steps: []step{
		{"Tbit/s", 1e12}, {"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1},
	}}
	bytesUnit = unit{binary: true, steps: []step{
		{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1},
	}}
	packetRate = unit{steps: []step{
		{"M packets/s", 1e6}, {"k packets/s", 1e3}, {"packets/s", 1},
	}}
	operationRate = unit{steps: []step{
		{"M operations/s", 1e6}, {"k operations/s", 1e3}, {"operations/s", 1},
	}}
	metres = unit{steps: []step{{"km", 1e3}, {"m", 1}}}
	plain  = unit{steps: []step{{"", 1}}}
)

// pick returns the largest multiple of the unit that is not above v, or the smallest.
func (u unit) pick(v float64) step {
	for _, s := range u.steps {
		if math.Abs(v) >= s.factor*(1-1e-9) {
			return s
		}
	}
	if v == 0 {
		return u.steps[0]
	}
	return u.steps[len(u.steps)-1]
}

// text writes v with its unit and the given number of significant digits, for people.
func (u unit) text(v float64, digits int) string {
	if math.IsNaN(v) {
		return "?"
	}
	s := u.pick(v)
	number := decimal(v/s.factor, digits)
	if s.symbol == "" {
		return number
	}
	return number + " " + s.symbol
}

// decimal writes v with so many significant digits; as 2.5e-5 outside of 0.001 to a million.
func decimal(v float64, digits int) string {
	if a := math.Abs(v); v != 0 && (a < 1e-3 || a >= 1e6) {
		text := strconv.FormatFloat(v, 'e', digits-1, 64)
		mantissa, exponent, _ := strings.Cut(text, "e")
		n, _ := strconv.Atoi(exponent)
		return trimZeros(mantissa) + "e" + strconv.Itoa(n)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// threeDigits writes v with three digits, zeros included, or two where it is small.
func threeDigits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e6 || (a < 0.0005 && a > 0):
		return decimal(v, 2)
	case a < 0.0995 && a > 0:
		return strconv.FormatFloat(v, 'f', 3, 64)
	case a >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// powers turns the 2.5e-5 of decimal into what the text handler of figures draws as a power of ten.
func powers(s string) string {
	mantissa, exponent, found := strings.Cut(s, "e")
	if _, err := strconv.ParseFloat(mantissa, 64); !found || err != nil {
		return s
	}
	exponent, tail, _ := strings.Cut(exponent, " ")
	if _, err := strconv.Atoi(exponent); err != nil {
		return s
	}
	out := mantissa + "×10^{" + minus(exponent) + "}"
	switch {
	case exponent == "0":
		out = mantissa
	case mantissa == "1":
		out = "10^{" + minus(exponent) + "}"
	}
	if tail != "" {
		out += " " + tail
	}
	return out
}

// minus replaces the hyphen of a negative number by the sign.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// pathNames are the words of axes; other paths are named as they are.
var pathNames = map[string]string{
	"link.bandwidth":           "Bandwidth",
	"link.reverse_bandwidth":   "Bandwidth of the way back",
	"link.distance":            "Distance",
	"link.rtt":                 "Round-trip time",
	"link.delay":               "One-way delay",
	"link.mtu":                 "MTU",
	"link.medium":              "Medium",
	"link.encapsulation":       "Encapsulation",
	"link.loss.p":              "Drop probability",
	"link.loss.mean":           "Mean drop probability",
	"link.loss.burst":          "Mean burst length",
	"link.outages.0.for":       "Length of the outage",
	"link.loss.gap":            "Mean gap between bursts",
	"link.ack_loss.p":          "Drop probability of control packets",
	"message.size":             "Message size",
	"message.size.mean":        "Mean message size",
	"message.size.median":      "Median message size",
	"message.size.max":         "Largest message",
	"message.arrival.load":     "Load",
	"message.arrival.interval": "Mean time between messages",
	"message.chunk":            "Chunk size",
	"message.count":            "Messages",
	"message.in_flight":        "Messages in flight",
	"nic.workers":              "Workers",
	"nic.qps":                  "Connections",
	"network.hosts":            "Hosts of each side",
	"network.access.bandwidth": "Access bandwidth",
	"network.access.delay":     "Access delay",
	"network.queue.buffer":     "Buffer of the border",
	"network.queue.ecn.kmin":   "Queue from which packets are marked",
	"network.queue.ecn.kmax":   "Queue from which all packets are marked",
	"network.queue.ecn.pmax":   "Probability of a mark at the upper threshold",
	"network.queue.priority":   "Priority of control packets",
	"collective.datacenters":   "Datacenters",
	"cores":                    "Cores",
	"chunk":                    "Chunk size",
	"split":                    "Split (k,m)",
	"jobs":                     "Jobs",
	result.SchemeColumn:        "Scheme",
}

// isKey reports whether a path is shown as it is spelt: it has no name in words and is no word.
func isKey(path string) bool { return pathName(path) == path && strings.ContainsAny(path, "._") }

// pathName names a swept path for the results at hand: what a collective sends is its buffer.
func (f *drawing) pathName(path string) string {
	if f.collective && path == "message.size" {
		return "Buffer size"
	}
	return pathName(path)
}

func pathName(path string) string {
	if name, ok := pathNames[path]; ok {
		return name
	}
	return entryName(path)
}

// entryNames are the words of the keys of entries of a list, and of the entries themselves.
var entryNames = map[string]struct {
	entry string
	keys  map[string]string
}{
	"flows": {"flow", map[string]string{
		"pattern": "Pattern", "from": "Senders", "to": "Receivers", "size": "Message size",
		"start": "Start"}},
	"traffic": {"traffic", map[string]string{
		"model": "Model", "load": "Load", "packet": "Packet size", "on": "Mean burst", "at": "Place"}},
	"link.paths": {"path", map[string]string{
		"delay": "One-way delay", "weight": "Share", "loss.p": "Drop probability",
		"loss.mean": "Mean drop probability", "loss.burst": "Mean burst length"}},
	"link.outages": {"outage", map[string]string{
		"at": "Start", "for": "Length", "every": "Period"}},
	"link.changes": {"change", map[string]string{
		"at": "Start", "delay": "One-way delay", "bandwidth": "Bandwidth",
		"loss.p": "Drop probability"}},
}

// entryName names the key of an entry of a list: "Load of traffic 1" for traffic.0.load. Other
// paths are named as they are.
func entryName(path string) string {
	for list, names := range entryNames {
		rest, found := strings.CutPrefix(path, list+".")
		number, key, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(number)
		if name := names.keys[key]; found && err == nil && name != "" {
			return name + " of " + names.entry + " " + strconv.Itoa(n+1)
		}
	}
	return path
}

// unitOf tells the unit of a swept path from its last word.
func unitOf(path string) unit {
	last := path[strings.LastIndexByte(path, '.')+1:]
	switch path {
	case "message.size.mean", "message.size.median", "message.size.min", "message.size.max":
		return bytesUnit
	}
	switch last {
	case "size", "chunk", "mtu", "buffer", "kmin", "kmax", "packet":
		return bytesUnit
	case "bandwidth", "reverse_bandwidth", "rate":
		return bitRate
	case "distance":
		return metres
	case "at", "for", "every", "start", "on", "rtt", "delay", "rto", "fto", "timeout", "interval",
		"per_packet", "per_chunk", "repost":
		return seconds
	}
	return plain
}

// axisText writes a swept value for people, with its unit.
func axisText(a result.AxisValue) string {
	if math.IsNaN(a.Number) {
		return a.Text
	}
	return unitOf(a.Path).text(a.Number, 6)
}

// Matches reports whether a text of the user names the swept value: the same text, or the same
// number, plain or with a unit.
func Matches(a result.AxisValue, text string) bool {
	text = strings.TrimSpace(text)
	if text == a.Text || text == axisText(a) {
		return true
	}
	v, ok := parseQuantity(unitOf(a.Path), text)
	return ok && math.Abs(v-a.Number) <= 1e-9*math.Abs(a.Number)
}

// parseQuantity reads a number in SI, or one with a unit as scenarios have it.
func parseQuantity(u unit, text string) (float64, bool) {
	if v, err := result.ParseNumber(text); err == nil {
		return v, true
	}
	switch u.steps[0].symbol {
	case "TiB":
		v, err := units.ParseBytes(text)
		return float64(v), err == nil
	case "Tbit/s":
		v, err := units.ParseRate(text)
		return float64(v), err == nil
	case "km":
		v, err := units.ParseDistance(text)
		return float64(v), err == nil
	case "s":
		v, err := units.ParseDuration(text)
		return v.Seconds(), err == nil
	}
	v, err := units.ParseProbability(text)
	return v, err == nil
}

// axisValues lists the different values on a path among rows: ascending where all are numbers,
// else in the order of the rows.
func axisValues(rows []*result.Row, path string) []result.AxisValue {
	var values []result.AxisValue
	seen := map[string]bool{}
	numbers := true
	for _, r := range rows {
		a, ok := r.Axis(path)
		if !ok || seen[a.Text] {
			continue
		}
		seen[a.Text] = true
		values = append(values, a)
		numbers = numbers && !math.IsNaN(a.Number)
	}
	if numbers {
		slices.SortStableFunc(values, func(a, b result.AxisValue) int {
			switch {
			case a.Number < b.Number:
				return -1
			case a.Number > b.Number:
				return 1
			}
			return 0
		})
	}
	return values
}
