package sr

import (
	"sdrsim/sdr"
	"sdrsim/sim/units"
)

// repeats holds the state of chunks that were sent again. Pages are allocated where there are such
// chunks and kept; whether an entry is valid stands in the bitmap, so a reset touches none.
type repeats struct {
	repeated sdr.Bitmap
	pages    [][]repeat
}

const pageChunks = 256

type repeat struct {
	attempt int32 // transmissions requested, the first one included
	// depart is when the last transmission left; Never while it has not.
	depart units.Time
}

func (r *repeats) reset(chunks int64) {
	r.repeated.Reset(chunks)
	for n := (chunks + pageChunks - 1) / pageChunks; int64(len(r.pages)) < n; {
		r.pages = append(r.pages, make([][]repeat, n-int64(len(r.pages)))...)
	}
}

func (r *repeats) entry(chunk int64) *repeat {
	return &r.pages[chunk/pageChunks][chunk%pageChunks]
}

// find is the state of a chunk, nil where it was not repeated.
func (r *repeats) find(chunk int64) *repeat {
	if !r.repeated.Test(chunk) {
		return nil
	}
	return r.entry(chunk)
}

// attempt is the number of the transmission that was requested last; 1 for a chunk that was not
// repeated.
func (r *repeats) attempt(chunk int64) int32 {
	if !r.repeated.Test(chunk) {
		return 1
	}
	return r.entry(chunk).attempt
}

// request counts a repeat, and returns how many there are now.
func (r *repeats) request(chunk int64) int {
	if r.repeated.Set(chunk) {
		if r.pages[chunk/pageChunks] == nil {
			r.pages[chunk/pageChunks] = make([]repeat, pageChunks)
		}
		*r.entry(chunk) = repeat{attempt: 1}
	}
	e := r.entry(chunk)
	e.attempt++
	e.depart = units.Never
	return int(e.attempt) - 1
}

// departed notes when the last transmission of a repeated chunk left.
func (r *repeats) departed(chunk int64, at units.Time) {
	if r.repeated.Test(chunk) {
		r.entry(chunk).depart = at
	}
}

// settled tells whether the last transmission of a chunk left long enough ago for the peer to have
// missed it.
func (r *repeats) settled(chunk int64, now units.Time, rtt units.Duration) bool {
	if !r.repeated.Test(chunk) {
		return true
	}
	e := r.entry(chunk)
	return e.depart != units.Never && now >= e.depart.Add(rtt)
}
