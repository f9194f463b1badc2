package code

import "errors"

// Mistakes in the shape of a code or in the buffers handed to it.
var (
	// ErrDataChunks is a code with no data chunk.
	ErrDataChunks = errors.New("code: a submessage needs at least one data chunk")
	// ErrParityChunks is a code with no parity chunk.
	ErrParityChunks = errors.New("code: a submessage needs at least one parity chunk")
	// ErrTooManyChunks is an MDS code beyond GF(2^16): k data chunks and m parity chunks need
	// k + ceilPow2(m) <= 65536.
	ErrTooManyChunks = errors.New("code: data and parity chunks exceed the 65536 of GF(2^16)")
	// ErrEmptyGroup is an XOR code with more parity chunks than data chunks.
	ErrEmptyGroup = errors.New("code: XOR with more parity than data chunks has empty groups")
	// ErrTailChunks is a tail of no data chunk, or of more than the code has.
	ErrTailChunks = errors.New("code: a tail has between one and all of the code's data chunks")
	// ErrChunkCount is a call with another number of chunks than the code has.
	ErrChunkCount = errors.New("code: number of chunks differs from the code's")
	// ErrChunkLength is a call with empty parity chunks, with parity chunks of unequal length, or
	// with a data chunk that is longer than they are.
	ErrChunkLength = errors.New("code: parity chunks are of one length, data chunks not longer")
	// ErrChunkMultiple is an MDS code of more than 256 chunks whose parity chunks are not multiples
	// of 64 bytes. Data chunks may be shorter all the same.
	ErrChunkMultiple = errors.New("code: beyond 256 chunks MDS needs chunks of a multiple of 64 bytes")
	// ErrUnrecoverable tells that too much was lost. Nothing has been written.
	ErrUnrecoverable = errors.New("code: too many chunks are missing to rebuild the data")
)

// Coder is an erasure code of k data chunks and m parity chunks.
//
// Patterns are words of k+m bits, data first, bit i of word i/64 set when chunk i is present; bits
// beyond are ignored. Recoverable may be called from several goroutines at once; Encode,
// Reconstruct and Tail reuse buffers of the coder and may not. To rebuild data takes a parity chunk
// for each data chunk that is missing.
type Coder interface {
	// DataChunks is k.
	DataChunks() int
	// ParityChunks is m.
	ParityChunks() int
	// Recoverable reports whether the data can be rebuilt from what is present.
	Recoverable(present []uint64) bool
	// Covers is the first of the data chunks that a parity chunk is made of; k or more where it is
	// made of none.
	Covers(parity int) int
	// Encode fills the m parity chunks, all of one length, from the k data chunks. A data chunk
	// that is shorter counts as padded with zeros.
	Encode(data, parity [][]byte) error
	// Reconstruct rebuilds the missing data chunks in place. chunks holds k+m buffers, data first:
	// missing data chunks are buffers of the right length whose content does not matter, missing
	// parity chunks may be nil. What is present is not written. The error is ErrUnrecoverable
	// exactly where Recoverable is false.
	Reconstruct(chunks [][]byte, present []uint64) error
	// Tail is the shortened code of a submessage with fewer data chunks and the same parity: the
	// chunks it lacks are known to be zero. Its patterns and buffers have dataChunks+m entries.
	Tail(dataChunks int) (Coder, error)
}

// shape is how many data and parity chunks a code has.
type shape struct{ k, m int }

func (s shape) check() error {
	switch {
	case s.k < 1:
		return ErrDataChunks
	case s.m < 1:
		return ErrParityChunks
	}
	return nil
}

// DataChunks is k.
func (s shape) DataChunks() int { return s.k }

// ParityChunks is m.
func (s shape) ParityChunks() int { return s.m }

// checkLengths verifies the lengths of the chunks and returns that of the parity. Of the parity
// only the chunks present count, where a pattern of k+m bits is given.
func checkLengths(data, parity [][]byte, present []uint64) (size int, err error) {
	for i, p := range parity {
		if present != nil && !has(present, len(data)+i) {
			continue
		}
		if len(p) == 0 || size != 0 && len(p) != size {
			return 0, ErrChunkLength
		}
		size = len(p)
	}
	for _, d := range data {
		if len(d) > size {
			return 0, ErrChunkLength
		}
	}
	return size, nil
}
