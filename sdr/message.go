package sdr

import (
	"fmt"

	"sdrsim/units"
)

// region is where a message lies: length bytes of a memory region, from offset.
type region struct {
	mr             *MR
	offset, length units.Bytes
}

// inside reports whether the memory region holds all of it.
func (r region) inside() bool {
	return r.offset >= 0 && r.length >= 0 && r.offset <= r.mr.length &&
		r.length <= r.mr.length-r.offset
}

// message is what both ends of a message have in common. What an arrival reads comes first, in one
// line of the cache: where many messages are in flight, none of them is in it.
type message struct {
	qp             *QP
	epoch          uint64
	id, generation uint32
	packets        int64       // the last may be short
	lastPayload    units.Bytes // of the last packet
	tag            int64
	region
	chunks int64 // the last may be short
	index  int64 // from 0, in order of posting
	short  padded
}

// padded is chunks at the end of a message of which only the first bytes travel.
type padded struct {
	from   int64 // the first such chunk
	length units.Bytes
}

// post fills in the i-th message of a queue pair.
func (m *message) post(q *QP, i int64, at region) {
	before := (at.length - 1) / q.cfg.MTU // packets before the last
	*m = message{
		region: at, qp: q, epoch: q.epoch, index: i,
		packets: int64(before) + 1, chunks: int64(before)/q.perChunk + 1,
		lastPayload: at.length - before*q.cfg.MTU,
		id:          uint32(q.slot(i)), generation: q.generation(i),
	}
}

// shorten notes that of each chunk from first on only length bytes travel. ErrOutOfRange where
// there is no such chunk or it is not as long.
func (m *message) shorten(first int64, length units.Bytes) error {
	if !m.hasChunks(first, m.chunks-first) || length < 1 || length > m.qp.cfg.Chunk ||
		m.offset+m.length < m.offset+units.Bytes(m.chunks-1)*m.qp.cfg.Chunk+length {
		return fmt.Errorf("%w: %d bytes of each chunk from %d of %d", ErrOutOfRange, length, first,
			m.chunks)
	}
	m.short = padded{from: first, length: length}
	return nil
}

// left is how many packets of its chunk a packet of a shortened chunk has from itself on.
func (m *message) left(packet int64) int64 {
	return m.shortCount() - packet%m.qp.perChunk
}

// isShort reports whether a chunk is shortened.
func (m *message) isShort(chunk int64) bool { return m.short.length > 0 && chunk >= m.short.from }

// isShortPacket reports whether a packet is of a shortened chunk.
func (m *message) isShortPacket(packet int64) bool {
	return m.short.length > 0 && packet >= m.short.from*m.qp.perChunk
}

// shortCount is how many packets a shortened chunk has, of which the last carries shortPayload.
func (m *message) shortCount() int64 { return int64((m.short.length-1)/m.qp.cfg.MTU) + 1 }

func (m *message) shortPayload() units.Bytes { return (m.short.length-1)%m.qp.cfg.MTU + 1 }

// Index is the place of the message in the order of posting since the reset, from 0: send i lands
// in receive i.
func (m *message) Index() int64 { return m.index }

// Message is the message id: Index modulo the number of ids.
func (m *message) Message() uint32 { return m.id }

// Generation is how often the ids had wrapped, modulo the number of generations.
func (m *message) Generation() uint32 { return m.generation }

// Length is the size of the message.
func (m *message) Length() units.Bytes { return m.length }

// Chunks is the number of chunks; the last may have fewer packets.
func (m *message) Chunks() int64 { return m.chunks }

// PacketCount is the number of packets; the last may be short.
func (m *message) PacketCount() int64 { return m.packets }

// PacketsPerChunk is the number of packets of every chunk but perhaps the last.
func (m *message) PacketsPerChunk() int64 { return m.qp.perChunk }

// ChunkOf is the chunk that a packet belongs to.
func (m *message) ChunkOf(packet int64) int64 {
	if m.qp.perChunk == 1 {
		return packet // most often, and a division costs
	}
	return packet / m.qp.perChunk
}

// ChunkPacketRange is the first packet of a chunk and how many it has.
func (m *message) ChunkPacketRange(chunk int64) (first, count int64) {
	return m.chunkPackets(chunk, 1)
}

// chunkPackets is the first packet of consecutive chunks and how many packets they have.
func (m *message) chunkPackets(chunk, chunks int64) (first, count int64) {
	first = chunk * m.qp.perChunk
	if chunks == 1 && m.isShort(chunk) {
		return first, m.shortCount()
	}
	return first, min((chunk+chunks)*m.qp.perChunk, m.packets) - first
}

// hasChunks reports whether chunks [first, first+count) exist, at least one of them.
func (m *message) hasChunks(first, count int64) bool {
	return first >= 0 && count >= 1 && first < m.chunks && count <= m.chunks-first
}

// Tag is a number that the host attached to the handle; 0 after posting.
func (m *message) Tag() int64 { return m.tag }

// SetTag attaches a number of the host's own to the handle, so that it finds its state again.
func (m *message) SetTag(tag int64) { m.tag = tag }

// Bytes is the memory of chunks [firstChunk, firstChunk+chunks), nil where it is virtual or there
// are no such chunks.
func (m *message) Bytes(firstChunk, chunks int64) []byte {
	if m.mr.buf == nil || !m.hasChunks(firstChunk, chunks) {
		return nil
	}
	from := units.Bytes(firstChunk) * m.qp.cfg.Chunk
	to := min(units.Bytes(firstChunk+chunks)*m.qp.cfg.Chunk, m.length)
	return m.mr.buf[m.offset+from : m.offset+to : m.offset+to]
}
