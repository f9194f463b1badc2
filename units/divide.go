package units

// CeilDiv is a/b rounded up, for a >= 0 and b > 0: how many parts of b make up a.
func CeilDiv[T ~int | ~int64](a, b T) T { return (a + b - 1) / b }
