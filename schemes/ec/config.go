package ec

import (
	"fmt"

	"sdrsim/link/wire"
	"sdrsim/schemes"
	"sdrsim/schemes/ec/code"
	"sdrsim/schemes/sr"
	"sdrsim/sim/units"
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
}

func layoutOf(cfg *Config, chunks int64) layout {
	k := int64(cfg.DataChunks)
	return layout{k: k, m: int64(cfg.ParityChunks), chunks: chunks, subs: (chunks + k - 1) / k}
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

// fto is the fallback timeout. arXiv:2505.05366 §4.1.2, §4.2
func (l layout) fto(cfg *Config, path schemes.Path, perChunk int64) units.Duration {
	chunkTime := units.Duration(perChunk) * path.PacketTime
	return units.Duration(l.chunks+l.parity())*chunkTime + cfg.Beta.Of(path.RTT)
}

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
