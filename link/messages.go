package link

import (
	"encoding/binary"

	"sdrsim/internal/ring"
)

// messages holds the bytes of control messages side by side, in slabs that are used again when all
// that is in them was taken.
type messages struct{ slabs ring.Ring[slab] }

// slab holds messages, each behind its length; those before start were taken.
type slab struct {
	bytes []byte
	start int
}

const (
	// firstSlab is the least size of the first slab, slabBytes that of others: most messages need
	// few acknowledgements.
	firstSlab, slabBytes = 1 << 9, 1 << 14
	// lengthBytes is what the length of a message takes.
	lengthBytes = 4
)

// push copies a message.
func (m *messages) push(msg []byte) {
	s, size := m.slabs.Tail(), len(msg)+lengthBytes
	if s == nil || cap(s.bytes)-len(s.bytes) < size {
		least := slabBytes
		if s == nil {
			least = firstSlab
		}
		if s == nil || len(s.bytes) > 0 {
			s = m.slabs.Push()
		}
		if cap(s.bytes) < size {
			s.bytes = make([]byte, 0, max(least, size))
		}
		s.bytes, s.start = s.bytes[:0], 0
	}
	s.bytes = binary.LittleEndian.AppendUint32(s.bytes, uint32(len(msg)))
	s.bytes = append(s.bytes, msg...)
}

// head is the oldest message; it stays valid until it is popped.
func (m *messages) head() []byte {
	s := m.slabs.Head()
	msg := s.bytes[s.start+lengthBytes:]
	return msg[:binary.LittleEndian.Uint32(s.bytes[s.start:])]
}

// pop removes the oldest message.
func (m *messages) pop() {
	s := m.slabs.Head()
	s.start += lengthBytes + int(binary.LittleEndian.Uint32(s.bytes[s.start:]))
	switch {
	case s.start < len(s.bytes):
	case m.slabs.Len() > 1:
		m.slabs.Pop()
	default:
		s.bytes, s.start = s.bytes[:0], 0
	}
}
