package ec

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
)

// Sender is the sending side of erasure coding for one message.
type Sender struct {
	cfg    *Config
	coders coders
	layout layout
	t      schemes.Transfer
	data   *sdr.SendHandle
	parity *sdr.SendHandle
	memory *sdr.MR // of the parity
	// opening holds the data handle while no parity handle could be had.
	opening bool

	// nextData and nextParity are the first chunks that were not handed out.
	nextData, nextParity int64
	encoded              bool       // parity bytes are there (real payload)
	start                units.Time // when encoding began
	clock                units.Time // latest timeout handled

	// window holds the repeats of the fallback; every chunk that does not fall back counts as
	// acknowledged in it.
	window   sr.Window
	fallback bool
	known    sdr.Bitmap // chunks that have fallen back
	fallen   sdr.Bitmap // submessages that have
	// last says what was sent last.
	last lastSent

	probeAt   units.Time // when silence has lasted too long; Never before the first packet left
	chunkTime units.Duration
	probe     bool // a chunk is to be repeated to provoke an answer
	probes    int
	// probing is how many packets of that chunk were handed out and have not left.
	probing int64

	done     bool
	err      error
	counters schemes.SenderCounters
	reports  schemes.Reports
	shards   [][]byte
}

// NewSender builds a sender that takes on one message after the other. It keeps cfg.
func NewSender(cfg *Config) (*Sender, error) {
	c, err := newCoders(cfg)
	return &Sender{cfg: cfg, coders: c}, err
}

// Open takes on a new message as two stream sends, data and parity.
func (s *Sender) Open(t schemes.Transfer) error {
	if !s.opening {
		h, err := t.QP.StartStream(t.MR, t.Offset, t.Size, 0)
		if err != nil {
			return err
		}
		s.data, s.opening = h, true
	}
	s.layout = layoutOf(s.cfg, &s.coders, s.data, t.QP.Config())
	if err := s.register(&t); err != nil {
		return err
	}
	h, err := t.QP.StartStream(s.memory, 0, s.memory.Len(), 0)
	if err != nil {
		return err
	}
	s.t, s.parity, s.opening = t, h, false
	if l := &s.layout; l.short < l.parity() {
		must(h.Shorten(l.short, l.shortLength))
	}
	s.reset()
	return nil
}

func (s *Sender) reset() {
	s.nextData, s.nextParity, s.encoded, s.clock = 0, 0, false, 0
	s.fallback, s.probe, s.probes, s.probeAt = false, false, 0, units.Never
	s.probing = 0
	s.fallen.Reset(s.layout.subs)
	s.done, s.err, s.counters = false, nil, schemes.SenderCounters{}
}

// register keeps memory for the parity: real where the data is.
func (s *Sender) register(t *schemes.Transfer) (err error) {
	s.memory, err = parityMemory(s.memory, s.layout, t)
	return err
}

// parityMemory returns memory for the parity of a message, the old one where it fits.
func parityMemory(old *sdr.MR, l layout, t *schemes.Transfer) (*sdr.MR, error) {
	size := units.Bytes(l.parity()) * t.QP.Config().Chunk
	if old != nil && old.Len() == size && old.Virtual() == t.MR.Virtual() {
		return old, nil
	}
	if old != nil {
		if err := old.Deregister(); err != nil {
			return nil, err
		}
	}
	var buf []byte
	if !t.MR.Virtual() {
		buf = make([]byte, size)
	}
	return t.Context.RegisterMR(size, buf)
}

// Start begins to encode.
func (s *Sender) Start(now units.Time) { s.start = now }

// NextSend hands out repeats first, then data and parity in the order of the configuration.
func (s *Sender) NextSend(now units.Time) (sdr.Work, bool) {
	switch {
	case s.done:
		return sdr.Work{}, false
	case s.probe:
		s.probe = false
		s.counters.Retransmits++
		w := s.send(s.data, 0, 1)
		s.probing = w.Count
		return w, true
	case s.fallback:
		first, count, ok := s.window.NextRepeat()
		if !ok {
			return sdr.Work{}, false
		}
		s.counters.Retransmits += count
		// Also a chunk that had no turn before the receiver lost patience is timed as a repeat.
		w := s.send(s.data, first, count)
		w.Repeat = true
		return w, true
	}
	return s.nextFirst(now)
}

// nextFirst hands out what was never sent.
func (s *Sender) nextFirst(now units.Time) (sdr.Work, bool) {
	dataEnd, parityEnd := s.due(now)
	if first := s.nextData; first < dataEnd {
		s.nextData = dataEnd
		return s.send(s.data, first, dataEnd-first), true
	}
	first := s.nextParity
	if first >= parityEnd {
		return sdr.Work{}, false
	}
	s.encode()
	if short := s.layout.short; first >= short {
		parityEnd = first + 1 // these go one by one
	} else {
		parityEnd = min(parityEnd, short)
	}
	s.nextParity = parityEnd
	return s.send(s.parity, first, parityEnd-first), true
}

// due is how far data and parity may be sent next; data goes first.
func (s *Sender) due(now units.Time) (dataEnd, parityEnd int64) {
	l := &s.layout
	dataEnd, parityEnd = l.chunks, l.parity()
	if sub := s.nextParity / l.m; s.cfg.Order == OrderInterleaved && sub < l.subs {
		first, count := l.data(sub)
		dataEnd, parityEnd = first+count, (sub+1)*l.m
	}
	return dataEnd, min(parityEnd, s.encodedBy(now)*l.m)
}

// Ready reports whether there is something to send.
func (s *Sender) Ready(now units.Time) bool {
	if s.done || s.probe || s.fallback {
		return s.Urgent()
	}
	dataEnd, parityEnd := s.due(now)
	return s.nextData < dataEnd || s.nextParity < parityEnd
}

func (s *Sender) send(h *sdr.SendHandle, first, count int64) sdr.Work {
	w, err := h.Continue(first, count)
	if err != nil {
		panic(fmt.Sprintf("BUG: ec: %v", err))
	}
	return w
}

// Urgent tells that a repeat waits.
func (s *Sender) Urgent() bool {
	return !s.done && (s.probe || s.fallback && s.window.Waiting())
}

// HandleSent starts the timers: that of silence with the first packet, those of repeats with each.
func (s *Sender) HandleSent(part sdr.Work, depart units.Time, spacing units.Duration) {
	if s.probeAt == units.Never {
		s.begin(depart, s.data.PacketsPerChunk())
	}
	switch {
	case part.Handle != s.data || !part.Repeat:
		s.last = sentFirst
	case s.probing > 0:
		s.last = sentProbe
		s.probing -= part.Count
	default:
		s.last = sentRepeat
		s.window.Sent(part, depart, spacing)
	}
}

// begin starts the timer of silence with the first packet.
func (s *Sender) begin(depart units.Time, perChunk int64) {
	s.chunkTime = units.Duration(perChunk) * s.t.Path.PacketTime
	fto := s.layout.fto(s.cfg, s.t.Path)
	s.probeAt = depart.Add(fto + 2*s.t.Path.RTT + s.answerTime())
}

// lastSent tells apart what a sender has sent: only the repeats of the fallback are timed one by
// one.
type lastSent uint8

const (
	sentFirst lastSent = iota
	sentProbe
	sentRepeat
)

// Unsend takes back packets that have not left.
func (s *Sender) Unsend(count int64) {
	switch s.last {
	case sentProbe:
		s.probing += count
	case sentRepeat:
		s.window.Unsend(count)
	}
}

// HandleTimeout repeats what is overdue.
func (s *Sender) HandleTimeout(now units.Time) {
	s.clock = now
	if s.done {
		return
	}
	if s.fallback {
		s.counters.Timeouts += s.window.Expire(now)
		if s.window.Failed() {
			s.giveUp()
			return
		}
	}
	if now >= s.probeAt && !s.probe {
		s.silent(now)
	}
}

// silent asks for a repeat that provokes an answer, unless there are chunks in the fallback that
// were not acknowledged: these have timeouts of their own. The sender wakes for silence even then,
// as the acknowledgement that ends the repeats wakes nobody.
func (s *Sender) silent(now units.Time) {
	s.heard(now)
	if s.fallback && !s.window.Done() {
		return
	}
	s.counters.Timeouts++
	if s.probes++; s.probes > s.cfg.SR.Retries {
		s.giveUp()
		return
	}
	s.probe = true
}

func (s *Sender) giveUp() {
	s.finish(fmt.Errorf("%w: repeats or probes went %d times unanswered",
		schemes.ErrRetryLimit, s.cfg.SR.Retries))
}

// finish ends the message: parity that was not sent is dropped, and the ids may be used again.
func (s *Sender) finish(err error) {
	s.done, s.err = true, err
	s.data.Release()
	s.parity.Release()
}

// NextTimeout is the earliest of: a repeat that expires, silence, and parity that becomes ready.
func (s *Sender) NextTimeout() (units.Time, bool) {
	if s.done {
		return 0, false
	}
	at := s.probeAt
	if s.probe {
		at = units.Never // it waits for the link
	}
	if s.fallback {
		if due, ok := s.window.Deadline(); ok {
			at = min(at, due)
		}
	} else if ready := s.nextEncoded(); ready > s.clock {
		at = min(at, ready)
	}
	return at, at != units.Never
}

// Done tells that the message was acknowledged or given up.
func (s *Sender) Done() bool { return s.done }

// Err says why the message was given up.
func (s *Sender) Err() error { return s.err }

// Counters returns what the sender has counted.
func (s *Sender) Counters() schemes.SenderCounters { return s.counters }

// State describes the sender in a line.
func (s *Sender) State() string {
	return fmt.Sprintf("ec sender: message %d, data from %d of %d, parity from %d of %d, "+
		"%d submessages fell back, %d probes, %v", s.t.Serial, s.nextData, s.layout.chunks,
		s.nextParity, s.layout.parity(), s.fallen.Count(), s.probes, s.err)
}
