package ring

// Ring is a queue of values. The zero Ring is empty and ready.
type Ring[T any] struct {
	slots []T // length a power of two, or zero
	// first and next are running numbers: value n, first <= n < next, is slots[n mod len(slots)].
	first, next int64
}

// Len is the number of values.
func (r *Ring[T]) Len() int { return int(r.next - r.first) }

// Reset forgets all values and keeps the memory.
func (r *Ring[T]) Reset() { r.first, r.next = 0, 0 }

// First is the running number of the head.
func (r *Ring[T]) First() int64 { return r.first }

// Next is the running number of the value to be pushed next.
func (r *Ring[T]) Next() int64 { return r.next }

// At returns value n by its running number; First() <= n < Next().
func (r *Ring[T]) At(n int64) *T { return &r.slots[n&int64(len(r.slots)-1)] }

// Head returns the oldest value, nil where there is none. It stays valid until the next Push.
func (r *Ring[T]) Head() *T {
	if r.first == r.next {
		return nil
	}
	return r.At(r.first)
}

// Tail returns the youngest value, nil where there is none. It stays valid until the next Push.
func (r *Ring[T]) Tail() *T {
	if r.first == r.next {
		return nil
	}
	return r.At(r.next - 1)
}

// Push appends a slot and returns it. It holds what it held last, so that buffers can be reused.
func (r *Ring[T]) Push() *T {
	r.Reserve()
	return r.Put()
}

// Reserve makes room for a Put, which is what of Push is compiled into its callers.
func (r *Ring[T]) Reserve() {
	if r.next-r.first == int64(len(r.slots)) {
		r.grow()
	}
}

// Put is Push where there is room.
func (r *Ring[T]) Put() *T {
	r.next++
	return &r.slots[(r.next-1)&int64(len(r.slots)-1)]
}

// Append appends a value.
func (r *Ring[T]) Append(v T) { *r.Push() = v }

// Pop removes the head.
func (r *Ring[T]) Pop() {
	if r.first == r.next {
		panic("BUG: ring: Pop of an empty ring")
	}
	r.first++
}

// PopTail removes the tail.
func (r *Ring[T]) PopTail() {
	if r.first == r.next {
		panic("BUG: ring: PopTail of an empty ring")
	}
	r.next--
}

func (r *Ring[T]) grow() {
	bigger := make([]T, max(8, 2*len(r.slots)))
	for n := r.first; n < r.next; n++ {
		bigger[n&int64(len(bigger)-1)] = *r.At(n)
	}
	r.slots = bigger
}
