package report

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"sdrsim/internal/portable"
	"sdrsim/internal/result"
)

// ramp colours the values of a heat map.
type ramp struct {
	scale scale
	// colours are spread evenly over the positions 0 to 1 of the scale, or for a diverging ramp
	// over -1 to 1, where 0 is the value 1.
	colours   []color.NRGBA
	diverging bool
	limit     float64 // of |log2 value|, for a diverging ramp
	oneSided  bool    // no value is below 1
}

// viridis runs from dark to light in every kind of colour vision and in grey.
var viridis = []color.NRGBA{
	{0x44, 0x01, 0x54, 0xff}, {0x41, 0x44, 0x87, 0xff}, {0x2a, 0x78, 0x8e, 0xff},
	{0x22, 0xa8, 0x84, 0xff}, {0x7a, 0xd1, 0x51, 0xff}, {0xfd, 0xe7, 0x25, 0xff},
}

// brownBlue is pale where nothing differs; below one brown, above one blue.
var brownBlue = []color.NRGBA{
	{0x7f, 0x3b, 0x08, 0xff}, {0xc7, 0x71, 0x1c, 0xff}, {0xf7, 0xc2, 0x85, 0xff},
	{0xf5, 0xf5, 0xf5, 0xff},
	{0xa9, 0xc8, 0xe6, 0xff}, {0x4a, 0x88, 0xc4, 0xff}, {0x08, 0x3c, 0x7c, 0xff},
}

// maxRatio is the largest |log2| of a ratio that has a colour of its own.
const maxRatio = 30

// newRamp makes the colours for values of a measure.
func newRamp(m measure, values []float64, want string) ramp {
	if !m.ratio {
		return ramp{colours: viridis, scale: newScale(axisSpec{
			name: m.name, unit: m.unit, values: values, want: want, exact: true,
		})}
	}
	r := ramp{colours: brownBlue, diverging: true, oneSided: true}
	largest := 0.0
	for _, v := range values {
		if v > 0 && result.Usable(v) {
			largest = math.Max(largest, math.Abs(portable.Log2(v)))
			r.oneSided = r.oneSided && v >= 0.995
		}
	}
	r.limit = math.Ceil(math.Min(largest, maxRatio)*4) / 4
	if r.limit == 0 {
		r.limit = 0.25
	}
	r.scale = scale{title: m.name, kind: logScale,
		lo: portable.Exp2(-r.limit), hi: portable.Exp2(r.limit), step: step{factor: 1}}
	if r.oneSided {
		r.scale.lo = 1
	}
	stride := int(r.limit)/6 + 1
	if r.oneSided {
		stride = int(r.limit)/10 + 1
	}
	for _, mk := range ratioMarks(r.limit, stride) {
		if at := r.scale.place(mk.value); at > -1e-9 && at < 1+1e-9 {
			r.scale.ticks = append(r.scale.ticks, plot.Tick{Value: at, Label: mk.label})
		}
	}
	return r
}

// ratioMarks labels every stride-th power of two, or where the range is less than that, round
// ratios.
func ratioMarks(limit float64, stride int) []mark {
	var marks []mark
	if limit < 1 {
		for _, v := range []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 1.8, 2} {
			marks = append(marks, mark{v, tickLabel(v, false)})
		}
		return marks
	}
	for k := -int(limit); k <= int(limit); k++ {
		if k%stride != 0 {
			continue
		}
		label := strconv.Itoa(1 << max(k, 0))
		if k < 0 {
			label = "1/" + strconv.Itoa(1<<-k)
		}
		marks = append(marks, mark{portable.Exp2(float64(k)), label})
	}
	return marks
}

// colour of a value; false where it has none.
func (r *ramp) colour(v float64) (color.NRGBA, bool) {
	at, ok := r.scale.at(v)
	if !ok || (r.diverging && v <= 0) {
		return noData, false
	}
	return r.colourAt(at), true
}

// colourAt is the colour at a position of the scale.
func (r *ramp) colourAt(at float64) color.NRGBA {
	if r.diverging && r.oneSided {
		at = 0.5 + float64(at/2)
	}
	return blend(r.colours, at)
}

// blend interpolates between colours that are spread evenly over 0..1.
func blend(colours []color.NRGBA, at float64) color.NRGBA {
	at = float64(math.Max(0, math.Min(1, at)) * float64(len(colours)-1))
	i := min(int(at), len(colours)-2)
	share := at - float64(i)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + float64(share*(float64(b)-float64(a)))))
	}
	a, b := colours[i], colours[i+1]
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xff}
}

// inkOn is black or white, whichever is read better on a colour.
func inkOn(c color.NRGBA) color.NRGBA {
	luma := float64(0.299*float64(c.R)) + float64(0.587*float64(c.G)) + float64(0.114*float64(c.B))
	if luma > 140 {
		return ink
	}
	return paper
}
