package units

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// wide draws numbers of every magnitude from 0 to max.
func wide(t *rapid.T, max int64) int64 {
	bits := rapid.IntRange(0, 62).Draw(t, "bits")
	v := rapid.Int64Range(0, 1<<bits).Draw(t, "value")
	round := rapid.SampledFrom([]int64{1, 1000, 1024, 1e9, 1e12, 1 << 30}).Draw(t, "round")
	if v >= round {
		v -= v % round
	}
	return min(v, max)
}

func TestQuantitiesPrintWhatTheyParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := wide(t, math.MaxInt64)
		if got, err := ParseDuration(Duration(v).String()); err != nil || got != Duration(v) {
			t.Errorf("duration %v parsed as %v, %v", Duration(v), got, err)
		}
		if got, err := ParseBytes(Bytes(v).String()); err != nil || got != Bytes(v) {
			t.Errorf("size %v parsed as %v, %v", Bytes(v), got, err)
		}
		if got, err := ParseRate(Rate(v).String()); err != nil || got != Rate(v) {
			t.Errorf("rate %v parsed as %v, %v", Rate(v), got, err)
		}
		if got, err := ParseDistance(Distance(v).String()); err != nil || got != Distance(v) {
			t.Errorf("distance %v parsed as %v, %v", Distance(v), got, err)
		}
	})
}

func TestSpansPrintWhatTheyParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Span{Fixed: Duration(wide(t, math.MaxInt64))}
		if rapid.Bool().Draw(t, "multiple") {
			s = RTTs(rapid.Int64Range(1, 1e9).Draw(t, "millionths"))
		}
		if got, err := ParseSpan(s.String()); err != nil || got != s {
			t.Errorf("span %v parsed as %v, %v", s, got, err)
		}
	})
}

func TestWhatAUserMayWrite(t *testing.T) {
	duration := func(s string) (int64, error) { v, err := ParseDuration(s); return int64(v), err }
	size := func(s string) (int64, error) { v, err := ParseBytes(s); return int64(v), err }
	rate := func(s string) (int64, error) { v, err := ParseRate(s); return int64(v), err }
	distance := func(s string) (int64, error) { v, err := ParseDistance(s); return int64(v), err }
	for _, c := range []struct {
		parse func(string) (int64, error)
		text  string
		want  int64
	}{
		{duration, "25ms", 25e9}, {duration, "12.5us", 12_500_000}, {duration, "81920ps", 81920},
		{duration, " 1 s ", 1e12}, {duration, "1.5min", 90e12}, {duration, "1e-3s", 1e9},
		{duration, "0s", 0}, {duration, "2µs", 2e6}, {duration, "2μs", 2e6},
		{duration, "9223372.036854775807s", math.MaxInt64},
		{size, "4KiB", 4096}, {size, "128MiB", 1 << 27}, {size, "1.5KiB", 1536},
		{size, "1500B", 1500}, {size, "1kB", 1000}, {size, "8GiB", 8 << 30}, {size, "2TiB", 2 << 40},
		{rate, "400Gbps", 400e9}, {rate, "1.6Tbps", 1.6e12}, {rate, "100Gbit/s", 100e9},
		{rate, "8bps", 8}, {distance, "3750km", 3_750_000}, {distance, "0.5km", 500},
		{distance, "12m", 12},
	} {
		if got, err := c.parse(c.text); err != nil || got != c.want {
			t.Errorf("%q is %d, %v; want %d", c.text, got, err, c.want)
		}
	}
}

func TestWhatIsNoQuantity(t *testing.T) {
	for _, text := range []string{
		"", "25", "ms", "-1ms", "1.2.3ms", "1_000ms", "0x10ms", "infms", "nanms", "1/2ms", "25 m s",
		"0.5ps", "1e30s", "9223372.036854775808s", "1e400ms", "1e-400ms", "25MS",
		strings.Repeat("1", 50) + "ps",
	} {
		v, err := ParseDuration(text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || v != 0 {
			t.Errorf("%q: %v, %v; want a SyntaxError", text, v, err)
		} else if syntax.Input != text {
			t.Errorf("%q: error shows %q", text, syntax.Input)
		}
	}
	for _, text := range []string{"4K", "4kib", "0.3B", "1.0001KiB", "8EiB", "9e18KiB"} {
		if v, err := ParseBytes(text); err == nil {
			t.Errorf("size %q accepted as %v", text, v)
		}
	}
}

func TestSyntaxErrorsSayWhatIsAllowed(t *testing.T) {
	message := func(_ any, err error) string {
		if err == nil {
			return "no error"
		}
		return err.Error()
	}
	duration, derr := ParseDuration("25")
	size, serr := ParseBytes("4K")
	rate, rerr := ParseRate("400G")
	distance, kerr := ParseDistance("1mile")
	span, perr := ParseSpan("3 trips")
	multiple, merr := ParseSpan("0.0000001RTT")
	p, prerr := ParseProbability("2")
	for got, want := range map[string]string{
		message(duration, derr): `"25" is not a duration such as 25ms, 12.5us or 81920ps`,
		message(size, serr):     `"4K" is not a size such as 4KiB, 128MiB or 1500B`,
		message(rate, rerr):     `"400G" is not a rate such as 400Gbps or 1.6Tbps`,
		message(distance, kerr): `"1mile" is not a distance such as 3750km, to the metre`,
		message(span, perr): `"3 trips" is not a duration such as 75ms, ` +
			`or a multiple of the round-trip time such as 3RTT`,
		message(multiple, merr): `"0.0000001RTT" is not a duration such as 75ms, ` +
			`or a multiple of the round-trip time such as 3RTT, to a millionth`,
		message(p, prerr): `"2" is not a probability between 0 and 1 such as 1e-5 or 0.1%`,
	} {
		if got != want {
			t.Errorf("error %s\n want %s", got, want)
		}
	}
}

func TestProbabilities(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "1": 1, "1e-5": 1e-5, "0.01": 0.01, "1%": 0.01, "0.1 %": 0.001, "100%": 1,
	} {
		if got, err := ParseProbability(text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "%", "-0.1", "1.1", "101%", "nan", "inf", "p", "1e-5x"} {
		if got, err := ParseProbability(text); err == nil {
			t.Errorf("%q accepted as %v", text, got)
		}
	}
}
