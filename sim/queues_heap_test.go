package sim

import "container/heap"

// boxes is what container/heap asks for.
type boxes []*entry

func (q boxes) Len() int           { return len(q) }
func (q boxes) Less(i, j int) bool { return q[i].before(*q[j]) }
func (q boxes) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *boxes) Push(x any)        { *q = append(*q, x.(*entry)) }
func (q *boxes) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// containerHeap is container/heap as it is commonly used.
type containerHeap struct{ boxes }

func (q *containerHeap) push(x entry) { heap.Push(&q.boxes, &x) }
func (q *containerHeap) pop() entry   { return *heap.Pop(&q.boxes).(*entry) }

// binaryHeap is a heap of values with two children to a node.
type binaryHeap []entry

func (q *binaryHeap) push(x entry) {
	heap := append(*q, x)
	i := len(heap) - 1
	for i > 0 && x.before(heap[(i-1)/2]) {
		heap[i] = heap[(i-1)/2]
		i = (i - 1) / 2
	}
	heap[i], *q = x, heap
}

func (q *binaryHeap) pop() entry {
	heap := *q
	first, x := heap[0], heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	i := 0
	for c := 1; c < len(heap); c = 2*i + 1 {
		if c+1 < len(heap) && heap[c+1].before(heap[c]) {
			c++
		}
		if !heap[c].before(x) {
			break
		}
		heap[i] = heap[c]
		i = c
	}
	if len(heap) > 0 {
		heap[i] = x
	}
	*q = heap
	return first
}

// fourHeap is the heap with four children to a node that the engine has for a crowded instant.
type fourHeap struct{ lateHeap }

func (q *fourHeap) push(x entry) { q.lateHeap.push(x) }
func (q *fourHeap) pop() entry   { return q.lateHeap.pop() }
