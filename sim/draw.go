package sim

import (
	"math"

	"sdrsim/internal/portable"
)

// The draws below hide the methods of the embedded generator, whose arithmetic is not the same on
// every processor: see package portable. Exponential ones follow the ziggurat of Marsaglia and
// Tsang (2000) as math/rand/v2 does, and are its numbers.

// strips divide the area below a density into parts of equal size. The tables are in 32 bits, as
// those of math/rand/v2.
type strips struct {
	inside [256]uint32  // draws below it are below the density for certain
	width  [256]float32 // of a strip, for each unit of a draw
	height [256]float32 // of the density at the strip's end
}

// exponentialEnd is where the last strip of the exponential density begins.
const exponentialEnd = 7.69711747013104972

var exponential = exponentialStrips()

func exponentialStrips() (s strips) {
	const area, unit = 3.949659822581572e-3, 1 << 32
	end := 7.697117470131487
	last := end
	base := area / portable.Exp(-end)
	s.inside[0] = uint32(float64(end/base) * unit)
	s.width[0], s.width[255] = float32(base/unit), float32(end/unit)
	s.height[0], s.height[255] = 1, float32(portable.Exp(-end))
	for i := 254; i >= 1; i-- {
		end = -portable.Log(area/end + portable.Exp(-end))
		s.inside[i+1] = uint32(float64(end/last) * unit)
		last = end
		s.height[i], s.width[i] = float32(portable.Exp(-end)), float32(end/unit)
	}
	return s
}

// ExpFloat64 draws from the exponential distribution of mean one.
func (s *Stream) ExpFloat64() float64 {
	for {
		u := s.Uint64()
		draw, strip := uint32(u), uint8(u>>32)
		x := float64(float64(draw) * float64(exponential.width[strip]))
		if draw < exponential.inside[strip] {
			return x
		}
		if strip == 0 {
			return exponentialEnd - portable.Log(s.Float64())
		}
		low := exponential.height[strip]
		rise := float32(float32(s.Float64()) * (exponential.height[strip-1] - low))
		if low+rise < float32(portable.Exp(-x)) {
			return x
		}
	}
}

// NormFloat64 draws from the normal distribution of mean zero and deviation one, by the polar
// method of Marsaglia.
func (s *Stream) NormFloat64() float64 {
	for {
		x, y := s.symmetric(), s.symmetric()
		square := float64(x*x) + float64(y*y)
		if 0 < square && square < 1 {
			return float64(x * math.Sqrt(-2*portable.Log(square)/square))
		}
	}
}

// symmetric draws evenly from [-1, 1).
func (s *Stream) symmetric() float64 { return float64(2*s.Float64()) - 1 }
