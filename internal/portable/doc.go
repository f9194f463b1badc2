// Package portable holds the elementary functions that lie between a seed and a result file, the
// same to the last bit on every processor.
//
// Those of package math are not. On amd64 math.Exp is assembly that asks the processor whether it
// has a fused multiply-add, which rounds once where a product and a sum round twice; and written in
// Go, x*y + z is one fused operation where the compiler may use one: on arm64, or on amd64 with
// GOAMD64=v3. The specification of Go allows that, and ends it at a conversion: float64(x*y) + z
// rounds twice everywhere. Every product below that meets a sum stands in one.
//
//	math.Exp(0.3)     one of two neighbours, by processor
//	portable.Exp(0.3) always the same
//
// The methods and constants are those of FreeBSD's msun and of Go's package math, so that a value
// is that of package math where neither assembly nor fusing is at work. Errors stay below one unit
// in the last place, three for Pow with a broken exponent, and ten for LogFactorial.
//
// math.Sqrt, Floor, Frexp, Ldexp, Modf and the like are exact, or rounded as IEEE 754 says, and
// used as they are. TestProjectIsTidy refuses the others outside of this package.
package portable
