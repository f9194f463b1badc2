package workload

import (
	"fmt"

	"sdrsim/units"
)

// Data are the buffers of ranks, whose bytes are added up modulo 256.
type Data struct {
	buffers [][]byte
	first   func(rank int, buffer []byte)
}

// NewData makes a buffer of some size for each of some ranks, which first fills before the machine
// begins.
func NewData(ranks int, size units.Bytes, first func(rank int, buffer []byte)) *Data {
	d := &Data{buffers: make([][]byte, ranks), first: first}
	for i := range d.buffers {
		d.buffers[i] = make([]byte, size)
	}
	return d
}

// Buffer is that of a rank.
func (d *Data) Buffer(rank int) []byte { return d.buffers[rank] }

func (d *Data) begin() {
	for i, b := range d.buffers {
		d.first(i, b)
	}
}

// part is some bytes of a rank.
func (d *Data) part(rank int, offset, size units.Bytes) []byte {
	b := d.buffers[rank]
	if offset < 0 || offset+size > units.Bytes(len(b)) {
		panic(fmt.Sprintf("BUG: workload: bytes %d to %d of rank %d, which has %d", offset,
			offset+size, rank, len(b)))
	}
	return b[offset : offset+size]
}

// read appends bytes of a rank to a buffer.
func (d *Data) read(into []byte, rank int, offset, size units.Bytes) []byte {
	return append(into, d.part(rank, offset, size)...)
}

// place puts bytes where they belong.
func (d *Data) place(rank int, offset units.Bytes, data []byte) {
	copy(d.part(rank, offset, units.Bytes(len(data))), data)
}

// add adds bytes to those that are there.
func (d *Data) add(rank int, offset units.Bytes, data []byte) {
	for i, b := range d.part(rank, offset, units.Bytes(len(data))) {
		d.buffers[rank][int(offset)+i] = b + data[i]
	}
}
