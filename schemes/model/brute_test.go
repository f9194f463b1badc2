package model

import (
	"math/big"

	"sdrsim/units"
)

// The judges of the closed form know nothing of its structure: they evaluate the definition, chunk
// by chunk and instant by instant, with 300 bits of mantissa.

const precision = 300

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// bigPower is x^n.
func bigPower(x *big.Float, n int64) *big.Float {
	result := bigFloat(1)
	for range n {
		result.Mul(result, x)
	}
	return result
}

// bigArrived is a table of P(Y <= a), a = 0, 1, ...: (1 - P^a)^packets.
func bigArrived(s SR, most int64) []*big.Float {
	table := make([]*big.Float, most+1)
	power := bigFloat(1)
	for a := range table {
		one := bigFloat(1)
		table[a] = bigPower(one.Sub(one, power), max(1, s.Packets))
		power = new(big.Float).SetPrec(precision).Mul(power, bigFloat(s.P))
	}
	return table
}

// bruteExcess integrates 1 - prod_i [1 - P(X_i >= q)] over q > M*T_inj in steps of a picosecond,
// on which it is constant, up to the given number of attempts, in picoseconds.
func bruteExcess(s SR, attempts int64) float64 {
	arrived := bigArrived(s, attempts+s.Chunks*int64(s.ChunkTime)/int64(s.RTO+s.ChunkTime)+2)
	total := bigFloat(0)
	period, round := int64(s.ChunkTime), int64(s.RTO+s.ChunkTime)
	for q := s.Chunks*period + 1; q <= s.Chunks*period+attempts*round; q++ {
		product := bigFloat(1)
		for i := int64(1); i <= s.Chunks; i++ {
			product.Mul(product, arrived[(q-i*period+round-1)/round])
		}
		total.Add(total, product.Sub(bigFloat(1), product))
	}
	result, _ := total.Float64()
	return result
}

// bruteCDF is prod_i P(X_i <= t - RTT).
func bruteCDF(s SR, t units.Duration) float64 {
	period, round := int64(s.ChunkTime), int64(s.RTO+s.ChunkTime)
	q := int64(t - s.RTT)
	if q < s.Chunks*period {
		return 0
	}
	arrived := bigArrived(s, q/round+2)
	product := bigFloat(1)
	for i := int64(1); i <= s.Chunks; i++ {
		product.Mul(product, arrived[(q-i*period)/round+1])
	}
	result, _ := product.Float64()
	return result
}

// bruteTail is P(X > m) for X ~ Binomial(n, p), from exact coefficients.
func bruteTail(n, m int64, p float64) float64 {
	total := bigFloat(0)
	miss := new(big.Float).Sub(bigFloat(1), bigFloat(p))
	for i := m + 1; i <= n; i++ {
		term := bigFloat(1).SetInt(new(big.Int).Binomial(n, i))
		term.Mul(term, bigPower(bigFloat(p), i))
		total.Add(total, term.Mul(term, bigPower(miss, n-i)))
	}
	result, _ := total.Float64()
	return result
}
