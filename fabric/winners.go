package fabric

import (
	"math/bits"

	"sdrsim/units"
)

// winners finds what comes first of several, the lower one where two come together: a tree of which
// each node is the winner of the two below it, and knows when that comes.
type winners struct {
	// nodes has the root at 1 and the leaves, which are what there is to choose from, from leaves on.
	nodes  []winner
	leaves int
}

type winner struct {
	at    units.Time
	which int
}

func (w *winners) reset(n int) {
	w.leaves = 1 << bits.Len(uint(max(1, n)-1))
	if len(w.nodes) != 2*w.leaves {
		w.nodes = make([]winner, 2*w.leaves)
	}
	for i := range w.leaves {
		w.nodes[w.leaves+i] = winner{units.Never, i}
	}
	for i := w.leaves - 1; i > 0; i-- {
		w.nodes[i] = w.nodes[2*i]
	}
}

// first is what comes first, and when.
func (w *winners) first() (int, units.Time) { return w.nodes[1].which, w.nodes[1].at }

// set says when one of them comes.
func (w *winners) set(which int, at units.Time) {
	nodes, won := w.nodes, winner{at, which}
	node := which + w.leaves
	nodes[node] = won
	for ; node > 1; node /= 2 {
		if other := nodes[node^1]; other.at < won.at ||
			other.at == won.at && other.which < won.which {
			won = other
		}
		nodes[node/2] = won
	}
}

// before is the last instant at which one of them goes before all others.
func (w *winners) before(which int) units.Time {
	at := units.Never
	for node := which + w.leaves; node > 1; node /= 2 {
		other := w.nodes[node^1]
		if other.which < which && other.at != units.Never {
			other.at--
		}
		at = min(at, other.at)
	}
	return at
}
