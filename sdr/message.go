package sdr

import "sdrsim/sim/units"

// region is where a message lies: length bytes of a memory region, from offset.
type region struct {
	mr             *MR
	offset, length units.Bytes
}

// inside tells whether the memory region holds all of it.
func (r region) inside() bool {
	return r.offset >= 0 && r.length >= 0 && r.offset <= r.mr.length &&
		r.length <= r.mr.length-r.offset
}

// message is what both ends of a message have in common.
type message struct {
	region
	qp    *QP
	epoch uint64
	index int64 // from 0, in order of posting
	// packets and chunks are how many the message has; the last of each may be short.
	packets, chunks int64
	// lastPayload is the payload of the last packet.
	lastPayload    units.Bytes
	id, generation uint32
	tag            int64
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
	return first, min((chunk+chunks)*m.qp.perChunk, m.packets) - first
}

// hasChunks tells whether chunks [first, first+count) exist, at least one of them.
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
