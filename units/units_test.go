package units

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// exact is a*b/den rounded to nearest, halves up, with big integers.
func exact(a, b, den int64) *big.Int {
	n := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	n.Add(n.Lsh(n, 1), big.NewInt(den)) // (2ab + den) / 2den
	return n.Div(n, new(big.Int).Lsh(big.NewInt(den), 1))
}

func TestScaleIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, num := wide(t, math.MaxInt64), wide(t, math.MaxInt64)
		den := wide(t, math.MaxInt64) + 1
		want := exact(d, num, den)
		if !want.IsInt64() {
			mustBug(t, "overflow", func() { Duration(d).Scale(num, den) })
			return
		}
		if got := Duration(d).Scale(num, den); int64(got) != want.Int64() {
			t.Errorf("%d*%d/%d is %d, want %v", d, num, den, got, want)
		}
	})
}

func TestTransmitTimeRoundsToTheNearestPicosecond(t *testing.T) {
	for _, c := range []struct {
		rate  Rate
		bytes Bytes
		want  Duration
	}{
		{400 * Gbps, 4 * KiB, 81920},
		{400 * Gbps, GiB, 21_474_836_480},
		{100 * Gbps, 1500, 120_000},
		{3 * Tbps, 1, 3},  // 2.67
		{7 * Tbps, 1, 1},  // 1.14
		{16 * Tbps, 1, 1}, // 0.5, halves go up
		{17 * Tbps, 1, 0}, // 0.47
		{BitPerSecond, 1, 8 * Second},
		{Gbps, 0, 0},
	} {
		if got := c.rate.TransmitTime(c.bytes); got != c.want {
			t.Errorf("%v at %v takes %d ps, want %d", c.bytes, c.rate, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bytes, rate := rapid.Int64Range(0, 1<<45).Draw(t, "bytes"), wide(t, 1<<50)+1e9
		want := exact(bytes, 8e12, rate)
		if got := Rate(rate).TransmitTime(Bytes(bytes)); int64(got) != want.Int64() {
			t.Errorf("%d bytes at %d bit/s take %d ps, want %v", bytes, rate, got, want)
		}
	})
}

func TestDelayOverTheLongHaul(t *testing.T) {
	// 3750 km of vacuum is half of a round trip of 25 ms; in glass it is 36.7 ms there and back.
	vacuum, fiber := Vacuum.Delay(3750*Kilometre), Fiber.Delay(3750*Kilometre)
	if vacuum != 12_508_653_570 {
		t.Errorf("3750 km of vacuum take %v, want 12.50865357ms", vacuum)
	}
	if fiber != 18_362_703_441 {
		t.Errorf("3750 km of fiber take %v, want 18.362703441ms", fiber)
	}
	if got := Vacuum.Delay(speedOfLight); got != Second {
		t.Errorf("a light second takes %v", got)
	}
	if Fiber.Delay(0) != 0 {
		t.Error("no distance takes time")
	}
}

func TestOverflowAndNonsenseAreBugs(t *testing.T) {
	for name, f := range map[string]func(){
		"scale beyond 64 bits":    func() { Duration(math.MaxInt64).Scale(4, 1) },
		"scale beyond 63 bits":    func() { Duration(math.MaxInt64).Scale(2, 1) },
		"scale just beyond":       func() { Duration(1<<62).Scale(2, 1) },
		"scale of a negative":     func() { Duration(-1).Scale(1, 1) },
		"scale by a negative":     func() { Duration(1).Scale(-1, 1) },
		"scale over zero":         func() { Duration(1).Scale(1, 0) },
		"transmission at no rate": func() { Rate(0).TransmitTime(1) },
		"negative size":           func() { Gbps.TransmitTime(-1) },
		"transmission overflow":   func() { BitPerSecond.TransmitTime(TiB) },
		"negative distance":       func() { Vacuum.Delay(-1) },
	} {
		mustBug(t, name, f)
	}
}

// mustBug fails the test unless f panics with a bug of this package.
func mustBug(t interface{ Errorf(string, ...any) }, name string, f func()) {
	defer func() {
		if bug, _ := recover().(string); !strings.HasPrefix(bug, "BUG: units: ") {
			t.Errorf("%s: panic %q, want a BUG", name, bug)
		}
	}()
	f()
}

func TestTheGreatestResultIsNotAnOverflow(t *testing.T) {
	if got := Duration(math.MaxInt64).Scale(1, 1); got != math.MaxInt64 {
		t.Errorf("the greatest duration times one is %d", got)
	}
	if got := Duration(math.MaxInt64).Scale(1<<40, 1<<40); got != math.MaxInt64 {
		t.Errorf("the greatest duration, multiplied and divided, is %d", got)
	}
}

func TestTimeArithmetic(t *testing.T) {
	at := Time(5).Add(3 * Nanosecond)
	if at != 3005 || at.Sub(5) != 3*Nanosecond || at.String() != "3.005ns" {
		t.Errorf("5ps and 3ns are %v", at)
	}
	if Never.String() != "never" || Never <= at {
		t.Errorf("Never is %v", Never)
	}
	if got := (25 * Millisecond).Seconds(); got != 0.025 {
		t.Errorf("25 ms are %v s", got)
	}
}

func TestSpanOfARoundTrip(t *testing.T) {
	const rtt = 25 * Millisecond
	for _, c := range []struct {
		text string
		want Duration
	}{
		{"3RTT", 75 * Millisecond}, {"0.5RTT", 12_500 * Microsecond},
		{"0.063RTT", 1575 * Microsecond}, {"75ms", 75 * Millisecond}, {"0RTT", 0}, {"0s", 0},
	} {
		s, err := ParseSpan(c.text)
		if err != nil || s.Of(rtt) != c.want {
			t.Errorf("%q of 25 ms is %v, %v; want %v", c.text, s.Of(rtt), err, c.want)
		}
		if s.IsZero() != (c.want == 0) {
			t.Errorf("%q: IsZero is %v", c.text, s.IsZero())
		}
	}
}

func TestSizesAndRatesPrintTheirLargestUnit(t *testing.T) {
	for got, want := range map[string]string{
		(128 * MiB).String():            "128MiB",
		Bytes(1536).String():            "1536B",
		Bytes(0).String():               "0B",
		(400 * Gbps).String():           "400Gbps",
		(1600 * Gbps).String():          "1.6Tbps",
		Rate(0).String():                "0bps",
		(3750 * Kilometre).String():     "3750km",
		Distance(1500).String():         "1500m",
		Duration(0).String():            "0s",
		(12_500 * Microsecond).String(): "12.5ms",
		Duration(81920).String():        "81.92ns",
		RTTs(3 * RTTUnit).String():      "3RTT",
		RTTs(1.5 * RTTUnit).String():    "1.5RTT",
	} {
		if got != want {
			t.Errorf("printed %s, want %s", got, want)
		}
	}
}
