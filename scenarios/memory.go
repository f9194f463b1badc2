package scenarios

import (
	"sdrsim/internal/spec"
	"sdrsim/schemes/catalog"
	"sdrsim/units"
)

// Memory that a point takes beside its payload, in bytes.
const (
	// bitsPerPacket are those of the packet bitmap, rounded up for its summaries.
	bitsPerPacket = 2
	// bytesPerChunk are the chunk bitmaps of both sides, and bytesPerRecord the record of a chunk
	// that was sent again, of which there are pages of recordsPerPage.
	bytesPerChunk  = 2
	bytesPerRecord = 15
	recordsPerPage = 256
	// perHandles are the handles of an SDR message on both sides.
	perHandles = 1 << 10
	// perEnds are the two endpoints of a message, and what its stream and NICs keep of it.
	perEnds = 4 << 10
	// perHop are the NICs and links of a connection.
	perHop = 96 << 10
	// perFlight is a packet under way on a path that does not keep distances, where runs cannot stay
	// runs: its place in a lane, and among those that are late.
	perFlight = 320
	// fixedMemory is the engine, and what the program and the runtime need.
	fixedMemory = 16 << 20
)

// MemoryEstimate is about the most that one job needs for the point, so that a run too large can be
// refused before it starts. A job runs one scheme at a time; the estimate is that of the greediest.
//
//	fixed + hops * ( connection + kept * (handles + (packets + parity packets) * 2 bit)
//	               + open * (chunks + parity chunks) * (2 B + 15 B * repeated) + open * endpoints
//	               + open * 2 * (message + parity)                              payload: real
//	               + under way * 320 B )                                  jitter, several paths
//
// where open is the greater of in_flight and recv_depth, for a receive that is posted ahead has
// its buffer, as far as there are so many messages; repeated is the share of chunks that are
// repeated or have one within 256 of them that is, at most one; and the factor 2 of the payload is
// both sides' buffers. Under way are the packets that leave in the longest delay and four spreads
// of jitter, as far as there are so many. Kept are messages in flight and posted ahead, and as
// many that are over, as far as there are messages and ids. A collective has a hop for each
// datacenter, with parts of the buffer for messages; a network has one for each flow, with messages
// and a scheme of its own; all else has one hop. Multiply it by the number of jobs. Estimates
// beyond 2^62 B are cut to that.
func MemoryEstimate(p spec.Point) units.Bytes {
	total := float64(fixedMemory)
	for _, f := range p.Flows {
		own := p
		own.Message.Size = f.Size
		if f.Scheme != nil {
			own.Schemes = []spec.Scheme{*f.Scheme}
		}
		total += memoryOfHop(&own, int64(p.Message.Count))
	}
	switch c := p.Collective; {
	case c.Kind != "":
		p.Message.Size = c.Part(p.Message.Size)
		total += float64(c.Datacenters) * memoryOfHop(&p, int64(c.Rounds()))
	case len(p.Flows) == 0:
		total += float64(max(1, p.NIC.QPs)) * memoryOfHop(&p, int64(p.Message.Count))
	}
	return units.Bytes(min(total, 1<<62))
}

// memoryOfHop is what a connection of so many messages takes.
func memoryOfHop(p *spec.Point, messages int64) float64 {
	parity, sends := parityOf(p)
	chunks := float64(p.Message.Chunks() + parity)
	perOpen := perEnds + float64(chunks*(bytesPerChunk+bytesPerRecord*repeatedShare(p)))
	if p.Payload == spec.PayloadReal {
		perOpen += 2 * (float64(p.Message.Size) + float64(parity)*float64(p.Message.Chunk))
	}
	packets := chunks * float64(units.CeilDiv(p.Message.Chunk, p.Link.MTU))
	ids := p.SDR.Split.Messages() * min(2, int64(p.SDR.Generations))
	kept := float64(min(messages, units.CeilDiv(ids, sends),
		2*int64(p.Message.InFlight+p.SDR.RecvDepth)))
	bitmaps := kept * (float64(sends)*perHandles + packets*bitsPerPacket/8)
	open := float64(min(max(int64(p.Message.InFlight), int64(p.SDR.RecvDepth)), messages))
	flights := perFlight * min(float64(open*packets), underWay(p))
	return perHop + bitmaps + open*perOpen + flights
}

// underWay is how many packets leave while one is on its way, on the longest hop where packets may
// arrive out of order.
func underWay(p *spec.Point) (packets float64) {
	for _, l := range append([]spec.Link{p.Link}, p.Collective.Hops...) {
		delay := l.Delay
		for _, path := range l.Paths {
			delay = max(delay, path.Delay)
		}
		if !l.Even() {
			each := float64(l.Bandwidth.TransmitTime(l.MTU + l.Overhead))
			packets = max(packets, float64(delay+4*l.Jitter.Spread)/each)
		}
	}
	return packets
}

// repeatedShare is the share of chunks whose page of records is used, at most, on the hop that
// loses most.
func repeatedShare(p *spec.Point) float64 {
	if !p.Link.Steady() || !p.Even() || p.Network.Kind != "" {
		return 1
	}
	share := repeatedOn(p, p.Link.Loss)
	for i := range p.Collective.Hops {
		share = max(share, repeatedOn(p, p.Collective.Hops[i].Loss))
	}
	return share
}

// repeatedOn is repeatedShare with a loss of its own.
func repeatedOn(p *spec.Point, loss spec.Loss) float64 {
	if loss.Model != spec.LossIID && loss.Model != spec.LossNone {
		return 1
	}
	perChunk := float64(1)
	if loss.Per == spec.PerPacket {
		perChunk = float64(units.CeilDiv(p.Message.Chunk, p.Link.MTU))
	}
	// Four times what is expected, for repeats of repeats and for chance.
	return min(1, 4*recordsPerPage*perChunk*loss.P)
}

// parityOf is the most that a scheme of the point adds to a message: its parity chunks, and how
// many SDR messages it posts.
func parityOf(p *spec.Point) (chunks, sends int64) {
	sends = 1
	for _, s := range p.Schemes {
		if entry, ok := catalog.Lookup(s.Name); ok {
			scheme := entry.Build(s.Params)
			chunks = max(chunks, scheme.ParityOf(p.Message.Chunks()))
			sends = max(sends, int64(entry.Sends))
		}
	}
	return chunks, sends
}
