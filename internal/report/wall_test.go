package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/metric"
	"sdrsim/internal/result"
)

// Simulated results must not tell how fast a machine is: the columns of measurements are in a file
// only where something was measured.
func TestColumnsOfMeasurementsAreThereOnlyWhereMeasured(t *testing.T) {
	rows := sampleTable().Rows
	var simulated, measured bytes.Buffer
	if err := result.WriteCSV(&simulated, rows); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(simulated.String(), "wall") {
		t.Errorf("simulated results tell of a machine:\n%s", simulated.String())
	}
	rows[1].SampleWall, rows[1].WallRatio = 2.5e-6, 3
	if err := result.WriteCSV(&measured, rows); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(measured.String(), "\n")
	if !strings.HasSuffix(header, ",sample_wall_s,wall_ratio,warnings") {
		t.Errorf("header of measurements is %s", header)
	}
	table, err := result.ReadCSV(&measured)
	if err != nil {
		t.Fatal(err)
	}
	got := table.Rows[1]
	if got.SampleWall != 2.5e-6 || got.WallRatio != 3 || !math.IsNaN(got.SampleWallLo) {
		t.Errorf("reads back as %v, %v, %v", got.SampleWall, got.WallRatio, got.SampleWallLo)
	}
	if !math.IsNaN(table.Rows[0].SampleWall) {
		t.Errorf("a row that was not measured reads back as %v", table.Rows[0].SampleWall)
	}
}

// TestWallTimeIsDrawnWithItsInterval reads both quantities from a row.
func TestWallTimeIsDrawnWithItsInterval(t *testing.T) {
	r := result.NewRow(nil, "a")
	r.SampleWall, r.SampleWallLo, r.SampleWallHi = 2, 1, 3
	r.WallRatio, r.WallRatioLo, r.WallRatioHi = 20, 10, 30
	for quantity, scale := range map[string]float64{"wall": 1, "wall_ratio": 10} {
		f := figure.Figure{Kind: figure.Line, Y: quantity, Stat: metric.Mean}
		m, err := measureOf(f)
		if err != nil {
			t.Fatal(err)
		}
		e, carried := m.get(nil, &r)
		if !carried || e.Value != 2*scale || e.Lo != scale || e.Hi != 3*scale {
			t.Errorf("%s is %+v", quantity, e)
		}
	}
}

// TestFiguresOfMeasurementsCountRounds looks at the line below a figure.
func TestFiguresOfMeasurementsCountRounds(t *testing.T) {
	for word, wall := range map[string]float64{"round": 1, "sample": math.NaN()} {
		one, six := result.NewRow(nil, "a"), result.NewRow(nil, "a")
		one.Samples, six.Samples = 1, 6
		one.SampleWall, six.SampleWall = wall, wall
		for want, rows := range map[string][]*result.Row{
			"1 " + word + " per point.":       {&one},
			"6 " + word + "s per point.":      {&six, &six},
			"1 to 6 " + word + "s per point.": {&six, &one},
		} {
			var n notes
			if n.samples(rows, ""); n.foot[0] != want {
				t.Errorf("says %q, want %q", n.foot[0], want)
			}
		}
	}
}
