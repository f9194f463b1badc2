package scenarios

import "sdrsim/sim/units"

// Memory that a message under way takes beside its payload.
const (
	// bitsPerPacket are those of the packet bitmap, rounded up for its summaries.
	bitsPerPacket = 2
	// bytesPerChunk are the chunk bitmaps of both sides and the record of when a chunk was sent.
	bytesPerChunk = 32
	// fixedMemory is the engine, the link and the tables of ids.
	fixedMemory = 4 * units.MiB
)

// MemoryEstimate is about the most that one job needs for the point, so that a run too large can be
// refused before it starts. A job runs one scheme at a time; the estimate is that of the greediest.
//
//	fixed + open * ( (packets + parity packets) * 2 bit + (chunks + parity chunks) * 32 B )
//	      + open * 2 * (message + parity)                                       payload: real
//
// where open is the greater of in_flight and recv_depth, for a receive that is posted ahead has its
// bitmaps and its buffer, and the factor 2 of the payload is both sides' buffers. Multiply it by
// the number of jobs. Estimates beyond 2^62 B are cut to that.
func MemoryEstimate(p Point) units.Bytes {
	perChunk := ceilDiv(int64(p.Message.Chunk), int64(p.Link.MTU))
	parity := int64(0)
	for _, s := range p.Schemes {
		if k, coded := s.Params["k"]; coded {
			sub := ceilDiv(p.Message.Chunks(), int64(k.Number))
			parity = max(parity, sub*int64(s.Params["m"].Number))
		}
	}
	chunks := float64(p.Message.Chunks() + parity)
	perMessage := chunks*float64(perChunk)*bitsPerPacket/8 + chunks*bytesPerChunk
	if p.Payload == PayloadReal {
		perMessage += 2 * (float64(p.Message.Size) + float64(parity)*float64(p.Message.Chunk))
	}
	open := float64(max(p.Message.InFlight, p.SDR.RecvDepth))
	total := float64(fixedMemory) + open*perMessage
	return units.Bytes(min(total, 1<<62))
}
