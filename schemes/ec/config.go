package ec

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/ec/code"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Fallback says what is sent again of a submessage that could not be recovered.
type Fallback string

// What a fallback repeats.
const (
	// FallbackSubmessage repeats all its data chunks, and the receiver waits for all of them.
	FallbackSubmessage Fallback = "submessage"
	// FallbackMissing repeats the data chunks that are missing; the receiver is content as soon
	// as what it has suffices.
	FallbackMissing Fallback = "missing"
)

// Order says how data and parity share the wire.
type Order string

// Orders on the wire.
const (
	OrderParityLast  Order = "parity-last" // all data, then all parity
	OrderInterleaved Order = "interleaved" // the parity of a submessage behind its data
)

// Config are the parameters of erasure coding.
type Config struct {
	// NewCoder builds a code for k data and m parity chunks.
	NewCoder func(k, m int) (code.Coder, error)
	// DataChunks and ParityChunks of a submessage: k and m.
	DataChunks, ParityChunks int
	// Beta is how many round trips the fallback timeout waits beyond the injection.
	Beta     units.Span
	Fallback Fallback
	Order    Order
	// EncodeRate and DecodeRate are how much data all cores together code; 0: no cost.
	EncodeRate, DecodeRate units.Rate
	// SR are the parameters of the fallback's Selective Repeat.
	SR sr.Config
}

// layout is how a message of chunks is divided into submessages.
type layout struct {
	k, m   int64
	chunks int64 // data chunks: M
	subs   int64 // submessages: L
	// chunk is the size of a chunk, size that of the message, and perChunk the packets of a chunk.
	chunk, size units.Bytes
	perChunk    int64
	// packets is how many packets data and parity have.
	packets int64
	// short is the first parity chunk that covers no data chunk but the last, which is a short one:
	// from there on parity is shortLength long. It is the number of parity chunks where there is none.
	short       int64
	shortLength units.Bytes
}

// message is what a layout is made of: one end of the data.
type message interface {
	Chunks() int64
	PacketCount() int64
	PacketsPerChunk() int64
	Length() units.Bytes
}

func layoutOf(cfg *Config, c *coders, h message, qp sdr.QPConfig) layout {
	k := int64(cfg.DataChunks)
	l := layout{k: k, m: int64(cfg.ParityChunks), chunks: h.Chunks(), chunk: qp.Chunk,
		size: h.Length(), perChunk: h.PacketsPerChunk()}
	l.subs = cfg.submessages(l.chunks)
	l.short = l.parity()
	l.shorten(c)
	shortPackets := int64(units.CeilDiv(l.shortLength, qp.MTU))
	l.packets = h.PacketCount() + l.short*l.perChunk + (l.parity()-l.short)*shortPackets
	return l
}

// shorten finds the parity that is as short as the last data chunk, all that it covers.
func (l *layout) shorten(c *coders) {
	l.shortLength = l.size - units.Bytes(l.chunks-1)*l.chunk
	_, data := l.data(l.subs - 1)
	if data+l.m > code.SmallField {
		l.shortLength = units.CeilDiv(l.shortLength, code.LargeMultiple) * code.LargeMultiple
	}
	if l.shortLength >= l.chunk {
		return
	}
	coder := c.of(data)
	for i := l.m; i > 0 && coder.Covers(int(i-1)) >= int(data-1); i-- {
		l.short = (l.subs-1)*l.m + i - 1
	}
}

// parity is the number of parity chunks of the message. The tail submessage keeps its m.
func (l layout) parity() int64 { return l.subs * l.m }

// data is the range of data chunks of a submessage; the tail may have fewer than k.
func (l layout) data(sub int64) (first, count int64) {
	return sub * l.k, min((sub+1)*l.k, l.chunks) - sub*l.k
}

// dataOf is the range of data chunks of consecutive submessages.
func (l layout) dataOf(subs wire.Range) (first, count int64) {
	first = subs.First * l.k
	return first, min(subs.End()*l.k, l.chunks) - first
}

// fto is the fallback timeout: the injection of data and parity, or what the encoder makes of it,
// and beta round trips. arXiv:2505.05366 §4.1.2, §4.2
func (l *layout) fto(cfg *Config, path schemes.Path) units.Duration {
	sent := max(units.Duration(l.packets)*path.PacketTime, l.encoded(cfg, path))
	return sent + cfg.Beta.Of(path.RTT)
}

// encoded is when the last parity has left where the encoder is what it waits for: either all
// along, so that it is the parity of the last submessage, or at first only, and then the link.
func (l *layout) encoded(cfg *Config, path schemes.Path) units.Duration {
	if cfg.EncodeRate == 0 {
		return 0
	}
	each := l.encodeTime(cfg)
	packet := path.PacketTime
	parity := units.Duration(l.m*l.perChunk) * packet
	first := each + units.Duration(l.subs)*parity
	if cfg.Order == OrderInterleaved {
		data := units.Duration(min(l.k, l.chunks)*l.perChunk) * packet
		first = each - data + units.Duration(l.packets)*packet
	}
	return max(first, units.Duration(l.subs)*each+parity)
}

// encodeTime is what the encoder takes for a submessage.
func (l *layout) encodeTime(cfg *Config) units.Duration {
	return max(1, cfg.EncodeRate.TransmitTime(l.subSize()))
}

// subSize is the data of a submessage.
func (l *layout) subSize() units.Bytes { return min(units.Bytes(l.k)*l.chunk, l.size) }

// coders are the codes of a message: that of whole submessages and that of the tail.
type coders struct {
	whole, tail             code.Coder
	wholeChunks, tailChunks int64
}

// of returns the code of a submessage with the given number of data chunks.
func (c *coders) of(chunks int64) code.Coder {
	if chunks == c.wholeChunks {
		return c.whole
	}
	if c.tailChunks != chunks {
		tail, err := c.whole.Tail(int(chunks))
		if err != nil {
			panic(fmt.Sprintf("BUG: ec: %v", err))
		}
		c.tail, c.tailChunks = tail, chunks
	}
	return c.tail
}

func newCoders(cfg *Config) (coders, error) {
	c, err := cfg.NewCoder(cfg.DataChunks, cfg.ParityChunks)
	return coders{whole: c, wholeChunks: int64(cfg.DataChunks)}, err
}

// must is for what a queue pair cannot refuse.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("BUG: ec: %v", err))
	}
}
