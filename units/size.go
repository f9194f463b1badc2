package units

import (
	"strconv"
)

// Bytes is an amount of data.
type Bytes int64

// Binary sizes.
const (
	Byte Bytes = 1
	KiB        = 1024 * Byte
	MiB        = 1024 * KiB
	GiB        = 1024 * MiB
	TiB        = 1024 * GiB
)

var byteSuffixes = []suffix{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// String prints the largest binary unit that divides the size, else bytes.
func (b Bytes) String() string {
	units := []suffix{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}
	for _, u := range units {
		if b != 0 && int64(b)%u.factor == 0 {
			return strconv.FormatInt(int64(b)/u.factor, 10) + u.text
		}
	}
	return strconv.FormatInt(int64(b), 10) + "B"
}

// ParseBytes reads a size such as "128MiB", "64KiB" or "1500B".
func ParseBytes(s string) (Bytes, error) {
	v, err := parseQuantity(s, byteSuffixes, "a size such as 4KiB, 128MiB or 1500B")
	return Bytes(v), err
}

// Rate is a data rate, in bits per second.
type Rate int64

// Data rates.
const (
	BitPerSecond Rate = 1
	Kbps              = 1000 * BitPerSecond
	Mbps              = 1000 * Kbps
	Gbps              = 1000 * Mbps
	Tbps              = 1000 * Gbps
)

var rateSuffixes = []suffix{
	{"Tbps", 1e12}, {"Gbps", 1e9}, {"Mbps", 1e6}, {"kbps", 1e3}, {"Kbps", 1e3}, {"bps", 1},
	{"Tbit/s", 1e12}, {"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1},
}

// String prints the largest unit in which the value is at least one, without loss.
func (r Rate) String() string {
	units := []suffix{{"Tbps", 1e12}, {"Gbps", 1e9}, {"Mbps", 1e6}, {"kbps", 1e3}}
	return printLargest(int64(r), units, "bps", "0bps")
}

// ParseRate reads a rate such as "400Gbps" or "1.6Tbps" (bits per second, SI prefixes).
func ParseRate(s string) (Rate, error) {
	v, err := parseQuantity(s, rateSuffixes, "a rate such as 400Gbps or 1.6Tbps")
	return Rate(v), err
}

// TransmitTime is how long b bytes occupy a link of this rate: 8b/r, rounded to the nearest
// picosecond. It is the only place where a transmission time is rounded. The rate must be positive.
func (r Rate) TransmitTime(b Bytes) Duration {
	if r <= 0 || b < 0 {
		panic("BUG: units: TransmitTime needs a positive rate and a size that is not negative")
	}
	return Duration(mulDiv(uint64(b), 8e12, uint64(r)))
}

// Distance is a length in metres.
type Distance int64

// Distances.
const (
	Metre     Distance = 1
	Kilometre          = 1000 * Metre
)

var distanceSuffixes = []suffix{{"km", 1000}, {"m", 1}}

// String prints kilometres where they are whole, else metres.
func (d Distance) String() string {
	if d%Kilometre == 0 {
		return strconv.FormatInt(int64(d/Kilometre), 10) + "km"
	}
	return strconv.FormatInt(int64(d), 10) + "m"
}

// ParseDistance reads a distance such as "3750km", to the metre.
func ParseDistance(s string) (Distance, error) {
	v, err := parseQuantity(s, distanceSuffixes, "a distance such as 3750km, to the metre")
	return Distance(v), err
}

// Medium is what a signal travels through.
type Medium string

// Media, by the speed of light in them.
const (
	// Fiber is silica glass with a group index of 1.468: about 4.9 us a kilometre.
	Fiber Medium = "fiber"
	// Vacuum is free space: about 3.34 us a kilometre.
	Vacuum Medium = "vacuum"
)

// speedOfLight is exact by definition of the metre, in m/s.
const speedOfLight = 299_792_458

// Delay is the one-way propagation delay over d in the medium, rounded to the nearest picosecond.
func (m Medium) Delay(d Distance) Duration {
	delay := Duration(mulDiv(uint64(d), uint64(Second), speedOfLight))
	if m == Fiber {
		return delay.Scale(1468, 1000)
	}
	return delay
}
