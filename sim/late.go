package sim

// lateHeap is a heap of entries, for those that a long run cannot take in. Four children to a node
// keep it shallow, and they lie in two cache lines, side by side.
type lateHeap []entry

const arity = 4

func (h *lateHeap) push(x entry) {
	heap := append(*h, x)
	*h = heap
	i := len(heap) - 1
	for i > 0 {
		parent := (i - 1) / arity
		if !x.before(heap[parent]) {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = x
}

// pop takes out the entry that is before all others.
func (h *lateHeap) pop() entry {
	heap := *h
	first, x := heap[0], heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	*h = heap
	if len(heap) == 0 {
		return first
	}
	i := 0
	for {
		child := i*arity + 1
		if child >= len(heap) {
			break
		}
		least := child
		for c := child + 1; c < min(child+arity, len(heap)); c++ {
			least += (c - least) * int(heap[c].borrow(heap[least]))
		}
		if !heap[least].before(x) {
			break
		}
		heap[i] = heap[least]
		i = least
	}
	heap[i] = x
	return first
}
