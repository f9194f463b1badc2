package sdr

import (
	"fmt"

	"sdrsim/units"
	"sdrsim/wire"
)

// QPConfig configures a queue pair. It is checked once, by CreateQP.
type QPConfig struct {
	// MTU is the payload of a full packet, Chunk the unit of the bitmap: a multiple of the MTU.
	MTU, Chunk units.Bytes
	// Split divides the immediate.
	Split wire.Split
	// Channels is how many internal queue pairs a generation has; packets go round-robin over them.
	Channels int
	// Generations is how many times the message ids may wrap before a late packet can be mistaken
	// for a new one.
	Generations int
	// MaxRecvs is how many receives may be posted and not completed; 0: as many as message ids.
	MaxRecvs int
}

// check returns the first mistake.
func (c *QPConfig) check() error {
	switch {
	case c.MTU <= 0:
		return fmt.Errorf("%w: found %d", ErrMTU, c.MTU)
	case c.Chunk <= 0 || c.Chunk%c.MTU != 0:
		return fmt.Errorf("%w: found a chunk of %v with an MTU of %v", ErrChunk, c.Chunk, c.MTU)
	case !c.Split.Valid():
		return fmt.Errorf("%w: found %v, want widths that add up to 32", ErrSplit, c.Split)
	case c.Channels < 1:
		return fmt.Errorf("%w: found %d", ErrChannels, c.Channels)
	case c.Generations < 1:
		return fmt.Errorf("%w: found %d", ErrGenerations, c.Generations)
	case c.MaxRecvs < 0 || int64(c.MaxRecvs) > c.Split.Messages():
		return fmt.Errorf("%w: found %d with %d ids", ErrMaxRecvs, c.MaxRecvs, c.Split.Messages())
	}
	return nil
}

// Info is what two queue pairs tell each other, out of band, before they connect.
type Info struct {
	MTU, Chunk            units.Bytes
	Split                 wire.Split
	Channels, Generations int
}

// Counters counts the packets that were delivered to a queue pair. Every packet is counted once.
type Counters struct {
	Fresh      int64 // written, and not there before
	Duplicates int64 // written again
	Discarded  int64 // late: the receive was completed, its key is the null key
	Stale      int64 // of another generation than the receive that now holds the id
	Unmatched  int64 // of an id without a receive, or past the end of the receive
}

// QP is a queue pair: one end of a connection, which can send and receive.
type QP struct {
	ctx    *Context // nil once destroyed
	cfg    QPConfig
	peered bool

	ids        int64       // message ids, a power of two
	perChunk   int64       // packets in a chunk
	maxMessage units.Bytes // largest message that the offset bits can count
	maxRecvs   int64
	fragments  uint32 // a bit per fragment of the user immediate

	// epoch counts the resets; handles of an older epoch are invalid.
	epoch uint64
	// posted and sent count the receives and the sends since the reset. Send i has slot i mod ids, and
	// so has receive i, but that receives keep their handles for two uses of an id, where generations
	// tell these apart. A slot of recvs (sends) is meaningful only below posted (sent).,
	// and nil where the handle was retired (released), whose memory is then among the spare ones.
	posted, sent int64
	// cts is how many receives the peer has announced.
	cts int64
	// open is how many receives are posted and not completed.
	open  int64
	recvs []*RecvHandle
	sends []*SendHandle

	spareRecvs []*RecvHandle
	spareSends []*SendHandle

	counters Counters
}

// CreateQP creates a queue pair. A mistake in the configuration is one of the sentinel errors;
// where the device has no room for it, ErrResources.
func (c *Context) CreateQP(cfg QPConfig) (*QP, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	internal := cfg.Channels * cfg.Generations
	if exceeds(c.qps+1, c.cfg.MaxQPs) || exceeds(c.internal+internal, c.cfg.MaxInternalQPs) {
		return nil, fmt.Errorf("%w: %d queue pairs, %d internal ones", ErrResources,
			c.cfg.MaxQPs, c.cfg.MaxInternalQPs)
	}
	c.qps++
	c.internal += internal
	q := &QP{
		ctx: c, cfg: cfg, ids: cfg.Split.Messages(), perChunk: int64(cfg.Chunk / cfg.MTU),
		maxMessage: units.Bytes(cfg.Split.Packets()) * cfg.MTU,
		maxRecvs:   int64(cfg.MaxRecvs),
		fragments:  1<<cfg.Split.Fragments() - 1,
	}
	if q.maxRecvs == 0 {
		q.maxRecvs = q.ids
	}
	return q, nil
}

// Destroy gives the resources of the queue pair back to the device. Nothing can be posted
// afterwards: ErrDestroyed, as is a second call. Handles become invalid.
func (q *QP) Destroy() error {
	if q.ctx == nil {
		return ErrDestroyed
	}
	q.ctx.qps--
	q.ctx.internal -= q.cfg.Channels * q.cfg.Generations
	q.ctx = nil
	q.Reset()
	return nil
}

// Info returns what the peer must be told.
func (q *QP) Info() Info {
	return Info{MTU: q.cfg.MTU, Chunk: q.cfg.Chunk, Split: q.cfg.Split,
		Channels: q.cfg.Channels, Generations: q.cfg.Generations}
}

// Config returns the configuration.
func (q *QP) Config() QPConfig { return q.cfg }

// Connect pairs the queue pair with its peer. The two must agree on all of Info, else
// ErrPeerMismatch; a second call is ErrConnected.
func (q *QP) Connect(peer Info) error {
	switch {
	case q.ctx == nil:
		return ErrDestroyed
	case q.peered:
		return ErrConnected
	case peer != q.Info():
		return fmt.Errorf("%w: here %+v, there %+v", ErrPeerMismatch, q.Info(), peer)
	}
	q.peered = true
	return nil
}

// Reset returns a connected queue pair to its initial state: no message posted or sent, no credit,
// counters zero. Handles become invalid, their memory is used again, and nothing is allocated.
func (q *QP) Reset() {
	q.epoch++
	q.recvs, q.spareRecvs = drain(q.recvs, q.spareRecvs)
	q.sends, q.spareSends = drain(q.sends, q.spareSends)
	q.posted, q.sent, q.cts, q.open = 0, 0, 0, 0
	q.counters = Counters{}
}

// drain moves the handles of all slots to the spare ones.
func drain[H any](slots, spare []*H) (none, all []*H) {
	for _, h := range slots {
		if h != nil {
			spare = append(spare, h)
		}
	}
	return slots[:0], spare
}

// Counters returns what was counted since the reset.
func (q *QP) Counters() Counters { return q.counters }

// Epoch counts the resets.
func (q *QP) Epoch() uint64 { return q.epoch }

// Posted is how many receives were posted: the clear-to-send credit to announce to the peer.
func (q *QP) Posted() int64 { return q.posted }

// HandleCTS takes the credit that the peer announced: it has posted so many receives in all.
// Announcements may be lost, repeated or overtake each other; the greatest counts.
func (q *QP) HandleCTS(posted int64) { q.cts = max(q.cts, posted) }

// Channel is the channel that carries a packet of a message: round-robin. arXiv:2505.05366 §3.
func (q *QP) Channel(packet int64) int { return int(packet % int64(q.cfg.Channels)) }

// generation is that of the i-th message.
func (q *QP) generation(i int64) uint32 {
	return uint32(uint64(i>>q.cfg.Split.ID) % uint64(q.cfg.Generations))
}

// slot is where the handle of the i-th send is kept: its message id.
func (q *QP) slot(i int64) int64 { return i & (q.ids - 1) }

// recvSlot is where the handle of the i-th receive is kept.
func (q *QP) recvSlot(i int64) int64 {
	if q.cfg.Generations == 1 {
		return q.slot(i)
	}
	return i & (2*q.ids - 1)
}

// CanPost tells whether the message id of the next receive is free, and no more receives are open
// than may be.
func (q *QP) CanPost() bool {
	if q.open >= q.maxRecvs || q.posted < q.ids {
		return q.open < q.maxRecvs
	}
	before := q.recvs[q.recvSlot(q.posted-q.ids)]
	return before == nil || before.completed
}

// checkMessage returns the mistake in posting a message that lies there.
func (q *QP) checkMessage(at region) error {
	switch {
	case q.ctx == nil:
		return ErrDestroyed
	case !q.peered:
		return ErrNotConnected
	case at.mr == nil || at.mr.ctx == nil:
		return ErrUnregistered
	case at.mr.ctx != q.ctx:
		return ErrForeignMR
	case at.length == 0:
		return ErrEmptyMessage
	case !at.inside():
		return fmt.Errorf("%w: bytes %d (+%d) of a memory region of %d", ErrOutOfRange,
			at.offset, at.length, at.mr.length)
	case at.length > q.maxMessage:
		return fmt.Errorf("%w: found %v, %v allows %v in packets of %v", ErrMessageTooLarge,
			at.length, q.cfg.Split, q.maxMessage, q.cfg.MTU)
	}
	return nil
}
