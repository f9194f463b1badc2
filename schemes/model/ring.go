package model

import (
	"errors"
	"fmt"
)

// ErrDatacenters is a ring without at least two members.
var ErrDatacenters = errors.New("a ring all-reduce needs at least two datacenters")

// Rounds is how many rounds a ring all-reduce over n datacenters takes: 2n - 2, each moving the
// n-th part of the buffer.
func Rounds(n int64) int64 { return 2*n - 2 }

// AllReduce bounds the mean completion time of a ring all-reduce over n datacenters, given the mean
// of one round, a message of the n-th part of the buffer. arXiv:2505.05366 appendix:
//
//	T(i,r) = max(T(i-1,r-1), T(i,r-1)) + t(i,r)    E[max_i T(i,2n-2)] >= (2n-2) E[t]
//
// because a maximum is not below either of its arguments. It is exact where rounds do not vary.
func AllReduce(n int64, round Value) Value {
	switch {
	case n < 2:
		return notApplicable(ErrDatacenters)
	case round.Validity == NotApplicable:
		return round
	}
	return Value{
		Seconds:  float64(Rounds(n)) * round.Seconds,
		Validity: LowerBound,
		Why: fmt.Sprintf("%d rounds of the mean; waiting for the slower neighbour comes on top",
			Rounds(n)),
	}
}
