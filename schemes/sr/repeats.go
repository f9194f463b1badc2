package sr

import "sdrsim/units"

// repeats holds the state of chunks that were sent again. Pages are allocated where there are such
// chunks and kept; every entry says which message it is of, so a reset touches none.
type repeats struct {
	pages   []*page
	message uint32 // counts the resets; 0 is none
}

const (
	pageBits   = 8
	pageChunks = 1 << pageBits
)

type page [pageChunks]repeat

type repeat struct {
	// depart is when the last transmission left; Never while it has not.
	depart  units.Time
	attempt int32  // transmissions requested, the first one included
	message uint32 // the entry holds where this is the message at hand
}

func (r *repeats) reset(chunks int64) {
	if r.message++; r.message == 0 {
		*r = repeats{message: 1} // what is left of four billion messages ago would hold again
	}
	if n := int(units.CeilDiv(chunks, pageChunks)); n > len(r.pages) {
		r.pages = append(r.pages, make([]*page, n-len(r.pages))...)
	}
}

// find is the state of a chunk, nil where it was not repeated.
func (r *repeats) find(chunk int64) *repeat {
	p := r.pages[chunk>>pageBits]
	if p == nil {
		return nil
	}
	if e := &p[chunk&(pageChunks-1)]; e.message == r.message {
		return e
	}
	return nil
}

// add begins the state of a chunk that was sent once.
func (r *repeats) add(chunk int64) *repeat {
	p := r.pages[chunk>>pageBits]
	if p == nil {
		p = new(page)
		r.pages[chunk>>pageBits] = p
	}
	e := &p[chunk&(pageChunks-1)]
	*e = repeat{attempt: 1, message: r.message}
	return e
}

// next is the first chunk of [chunk, end) that was repeated; end where there is none.
func (r *repeats) next(chunk, end int64) int64 {
	for chunk < end && r.find(chunk) == nil {
		chunk++
	}
	return chunk
}

// settled tells whether the last transmission left long enough ago for the peer to have missed it.
func (e *repeat) settled(now units.Time, rtt units.Duration) bool {
	return e.depart != units.Never && now >= e.depart.Add(rtt)
}
