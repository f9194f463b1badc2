package report

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

// sampleRounds are two rounds of one scheme, and two of another of which nothing was delivered.
func sampleRounds() []result.Round {
	axes := []result.AxisValue{number("link.loss.p", 1e-3)}
	none := math.NaN()
	return []result.Round{
		{Axes: axes, Scheme: "sr-rto", Number: 0, Samples: 100, Mean: 0.026, P50: 0.025,
			P99: 0.1, P999: 0.125},
		{Axes: axes, Scheme: "sr-rto", Number: 1, Samples: 100, Mean: 1.0 / 3, P50: 0.025,
			P99: 0.1, P999: 1e-7},
		{Axes: axes, Scheme: "ec, \"odd\"", Number: 0, Samples: 0, Mean: none, P50: none,
			P99: none, P999: none},
		{Axes: axes, Scheme: "ec, \"odd\"", Number: 1, Samples: 0, Mean: none, P50: none,
			P99: none, P999: none},
	}
}

func TestRoundsHaveTheColumnsOfTheContract(t *testing.T) {
	var out bytes.Buffer
	if err := result.WriteRounds(&out, sampleRounds()); err != nil {
		t.Fatal(err)
	}
	const want = "link.loss.p,scheme,round,samples,duration_mean_s,duration_p50_s,duration_p99_s," +
		"duration_p999_s\n" +
		"0.001,sr-rto,0,100,0.026,0.025,0.1,0.125\n" +
		"0.001,sr-rto,1,100,0.3333333333333333,0.025,0.1,1e-07\n" +
		"0.001,\"ec, \"\"odd\"\"\",0,0,,,,\n" +
		"0.001,\"ec, \"\"odd\"\"\",1,0,,,,\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// same compares rounds, where a number that is unknown equals another.
func same(a, b result.Round) bool {
	for i, x := range a.Times() {
		y := b.Times()[i]
		if *x != *y && !(math.IsNaN(*x) && math.IsNaN(*y)) {
			return false
		}
		*x, *y = 0, 0
	}
	return reflect.DeepEqual(a, b)
}

func TestRoundsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []result.Round
		for _, scheme := range []string{"a", "b,c"}[:rapid.IntRange(0, 2).Draw(t, "schemes")] {
			for n := range rapid.IntRange(1, 5).Draw(t, "rounds") {
				r := result.Round{Axes: []result.AxisValue{number("p", 0.5)}, Scheme: scheme,
					Number: int64(n), Samples: 3}
				for _, x := range r.Times() {
					*x = rapid.Float64Range(0, 1e6).Draw(t, "seconds")
				}
				all = append(all, r)
			}
		}
		var out bytes.Buffer
		if err := result.WriteRounds(&out, all); err != nil {
			t.Fatal(err)
		}
		got, err := result.ReadRounds(&out)
		if err != nil || len(got) != len(all) {
			t.Fatalf("read %d of %d rounds: %v", len(got), len(all), err)
		}
		for i := range all {
			if !same(got[i], all[i]) {
				t.Fatalf("round %d: got %+v, want %+v", i, got[i], all[i])
			}
		}
	})
}

func TestRoundErrorsNameThePlace(t *testing.T) {
	const head = "scheme,round,samples,duration_mean_s,duration_p50_s,duration_p99_s,duration_p999_s\n"
	for _, c := range []struct{ text, want string }{
		{"", "rounds.csv: the file is empty, its first line must name the columns"},
		{"scheme,round\n", "rounds.csv:1: column scheme: must be followed by " +
			`["round" "samples" "duration_mean_s" "duration_p50_s" "duration_p99_s" ` +
			`"duration_p999_s"] and nothing else`},
		{head + "x,zero,1,1,1,1,1\n", `rounds.csv:2: column round: "zero" is not a count`},
		{head + "x,0,-1,1,1,1,1\n", `rounds.csv:2: column samples: "-1" is not a count`},
		{head + "x,0,1,1,y,1,1\n",
			`rounds.csv:2: column duration_p50_s: "y" is not a number; empty if it is unknown`},
		{head + "x,0,1,1,,1,1\n", "rounds.csv:2: column duration_p50_s: must be a time, and empty " +
			"if there are no samples"},
		{head + "x,0,0,,,,1\n", "rounds.csv:2: column duration_p999_s: must be a time, and empty " +
			"if there are no samples"},
		{head + "x,1,1,1,1,1,1\n",
			"rounds.csv:2: column round: is 1, must be 0: rounds follow each other from 0"},
		{head + "x,0,1,1,1,1,1\nx,2,1,1,1,1,1\n",
			"rounds.csv:3: column round: is 2, must be 1: rounds follow each other from 0"},
		{head + "x,0,1,1,1,1,1\ny,1,1,1,1,1,1\n",
			"rounds.csv:3: column round: is 1, must be 0: rounds follow each other from 0"},
	} {
		_, err := result.ReadRounds(strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Rounds are a file of the result: written, read, and gone when a result without them replaces it.
func TestResultHoldsItsRounds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ring")
	res := bareResult()
	res.Table.Rounds = sampleRounds()
	out := mustWrite(t, dir, res)
	if strings.Join(out.Files, " ") != "points.csv schema.json rounds.csv manifest.json run.json" {
		t.Errorf("wrote %v", out.Files)
	}
	table, err := ReadTable(dir)
	if err != nil || len(table.Rounds) != 4 || !same(table.Rounds[1], sampleRounds()[1]) {
		t.Errorf("read %+v, %v", table.Rounds, err)
	}
	broken := filepath.Join(dir, result.RoundsFile)
	whole, err := os.ReadFile(broken)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, append(whole, '1'), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Redraw(dir, nil); err == nil || !strings.HasPrefix(err.Error(), broken) ||
		!errors.Is(err, files.ErrChanged) {
		t.Errorf("rounds that were changed: %v", err)
	}
	mustWrite(t, dir, bareResult())
	if _, err := os.Stat(filepath.Join(dir, result.RoundsFile)); !os.IsNotExist(err) {
		t.Errorf("the rounds of the former result are still there: %v", err)
	}
}
