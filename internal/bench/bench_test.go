package bench

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/schemes/ec"
	"sdrsim/units"
)

// TestCodecBenchRestoresWhatWasLost spoils the chunks that a pass is to rebuild.
func TestCodecBenchRestoresWhatWasLost(t *testing.T) {
	for _, c := range ec.Codes {
		p := codecPoint{size: units.MiB, cores: 2, chunk: 4 * units.KiB, k: 16, m: 4}
		b, err := newCodecBench(p, c)
		if err != nil {
			t.Fatal(err)
		}
		chunks := b.parts[1].submessages[0]
		want := bytes.Clone(chunks[3])
		clear(chunks[3])
		if _, err := b.measure(rebuildTask, time.Nanosecond); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(chunks[3], want) {
			t.Errorf("%s: a lost chunk was not rebuilt", c.Scheme)
		}
	}
}

// TestFiguresOfScalingAreOfPointsThatAreMeasured draws every figure from a table without numbers.
func TestFiguresOfScalingAreOfPointsThatAreMeasured(t *testing.T) {
	for _, largest := range []units.Bytes{units.MiB, 128 * units.MiB, 8 * units.GiB} {
		table := result.Table{Paths: scalingPaths}
		for _, c := range scalingCells(largest) {
			if c.size > largest {
				t.Errorf("%v is measured, over %v", c.size, largest)
			}
			for _, name := range scalingSchemes() {
				table.Rows = append(table.Rows, result.NewRow(c.axes(), name),
					result.NewRow(c.axes(), bareLabel(name)))
			}
		}
		figures := scalingFigures(largest)
		if len(figures) < 3 {
			t.Errorf("%d figures to %v", len(figures), largest)
		}
		for _, f := range figures {
			if largest == units.MiB {
				continue // a line needs two sizes
			}
			if err := report.CheckFigure(f, table); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestVariantsAreMeasuredInTurn counts who is called when.
func TestVariantsAreMeasuredInTurn(t *testing.T) {
	var calls []string
	var variants []*variant
	for _, name := range []string{"a", "b"} {
		variants = append(variants, &variant{name: name, run: func(int) error {
			calls = append(calls, name)
			return nil
		}})
	}
	seconds, err := interleaved(t.Context(), variants, Effort{Budget: time.Nanosecond, Rounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(seconds) != 2 || len(seconds[0]) != 3 || len(seconds[1]) != 3 {
		t.Fatalf("measured %v", seconds)
	}
	order := strings.Join(slices.Compact(calls), "")
	if order != "abababab" { // once to calibrate, three rounds
		t.Errorf("called in the order %s", order)
	}
	broken := errors.New("broken")
	variants[1].run = func(int) error { return broken }
	once := Effort{Budget: time.Nanosecond, Rounds: 1}
	if _, err := interleaved(t.Context(), variants, once); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	variants[1].run = variants[0].run
	if _, err := interleaved(ended, variants, once); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
