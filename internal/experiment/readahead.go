package experiment

import (
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// fetchAhead asks for the units that the client reads ahead of the host: those that begin before
// what the host has read and as much again as it reads ahead.
func (f *files) fetchAhead(now units.Time) {
	end := units.Bytes(f.done)*f.spec.Size + f.spec.ReadAhead
	for f.wanted < len(f.fetched) && units.Bytes(f.wanted)*spec.ReadUnit < end {
		f.call(now, f.wanted)
		f.wanted++
	}
}

// seek has an operation be served by the DPU alone, when its data is there.
func (f *files) seek(now units.Time, operation int) {
	if !f.fetched[units.Bytes(operation)*f.spec.Size/spec.ReadUnit] {
		f.held = append(f.held, operation)
		return
	}
	p := &f.locally[f.idle[len(f.idle)-1]]
	f.idle = f.idle[:len(f.idle)-1]
	p.what = operation
	p.timer.Reset(now.Add(f.locals[operation]))
}

// release looks again for the data of what is held.
func (f *files) release(now units.Time) {
	waiting := f.held
	f.held = f.held[:0]
	for _, operation := range waiting {
		f.seek(now, operation) // what is held again stands before what is yet to be read
	}
}

// localDone ends an operation.
func (f *files) localDone(now units.Time, p *place) {
	f.idle = append(f.idle, p.number)
	f.partDone(now, p.what)
	f.fetchAhead(now)
}
