package ec

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// Receiver is the receiving side of erasure coding for one message.
type Receiver struct {
	cfg          *Config
	coders       coders
	t            schemes.Transfer
	data, parity *sdr.RecvHandle
	memory       *sdr.MR           // of the parity
	passed       [2]schemes.Passed // of data and parity
	opening      bool              // the data receive is posted, that of the parity is not
	progress     progress

	begun bool
	fto   units.Time // when the fallback timeout expires; valid from the first packet on
	// decoded is when the decoder is done with the submessages it was given.
	decoded  units.Time
	decoding bool // everything is recoverable, the decoder works

	fallback bool
	// have has a bit for every data chunk that the sender need not repeat: in the fallback all of a
	// submessage that is recoverable.
	have sdr.Bitmap
	// nackAt is when silence after a report has lasted too long: patience after the report, and
	// newsPatience after a chunk that was asked for.
	nackAt                 units.Time
	patience, newsPatience units.Duration
	acker                  sr.Acker
	nack                   wire.Nack
	buf                    []byte

	done        bool
	deliveredAt units.Time
	counters    schemes.ReceiverCounters
	shards      [][]byte
}

// NewReceiver builds a receiver that takes on one message after the other. It keeps cfg.
func NewReceiver(cfg *Config) (*Receiver, error) {
	c, err := newCoders(cfg)
	return &Receiver{cfg: cfg, coders: c}, err
}

// Open posts the receives of a new message, data and parity.
func (r *Receiver) Open(t schemes.Transfer) error {
	if !r.opening {
		h, err := t.QP.PostRecv(t.MR, t.Offset, t.Size)
		if err != nil {
			return err
		}
		h.SetTag(t.Tag)
		r.passed[0].Posted(t.QP, h)
		r.data, r.opening = h, true
	}
	l := layoutOf(r.cfg, &r.coders, r.data, t.QP.Config())
	memory, err := parityMemory(r.memory, l, &t)
	if err != nil {
		return err
	}
	r.memory = memory
	h, err := t.QP.PostRecv(memory, 0, memory.Len())
	if err != nil {
		return err
	}
	h.SetTag(t.Tag)
	r.passed[1].Posted(t.QP, h)
	if l.short < l.parity() {
		must(h.Shorten(l.short, l.shortLength))
	}
	r.t, r.parity, r.opening = t, h, false
	r.progress.open(l, &r.coders, r.data, r.parity)
	r.reset()
	return nil
}

func (r *Receiver) reset() {
	r.begun, r.decoding, r.fallback, r.done = false, false, false, false
	r.decoded, r.nackAt = 0, units.Never
	r.counters = schemes.ReceiverCounters{}
	perChunk, path := r.data.PacketsPerChunk(), r.t.Path
	r.patience = path.RTT + r.cfg.SR.Ack.IntervalOn(path, perChunk)
	r.newsPatience = r.patience + r.cfg.SR.RTO.Of(path.RTT)
	r.have.Reset(r.progress.chunks)
	r.acker.Open(&r.cfg.SR.Ack, &r.t, &r.have, perChunk)
}

// Quiet ends where everything is recoverable, in the fallback at chunks that put off the next
// report, and also where there is parity for a decoder that takes time: a chunk may give it a
// submessage.
func (r *Receiver) Quiet(a sdr.Arrival) (packets int64, silent bool) {
	if r.begun && !r.fallback && r.progress.dull(&a) {
		return a.Count, true
	}
	switch {
	case a.Recv != r.data && a.Recv != r.parity:
		return a.Count, true
	case r.done:
		return r.acker.QuietLate(a.Count)
	case !r.begun || r.fallback && !r.acker.Armed():
		a.Count = 1 // sets a timeout
	case r.fallback && r.progress.strict:
		a.Count = r.news(&a)
	case r.fallback, r.cfg.DecodeRate != 0 && (a.Recv == r.parity || r.parity.Bitmap().Count() > 0):
		a.Count = firstChunk(&a)
	}
	if n, ok := r.progress.completes(&a); ok {
		return n, false
	}
	return a.Count, true
}

// firstChunk is the number of packets up to the end of the first chunk that an arrival touches.
func firstChunk(a *sdr.Arrival) int64 {
	if n, ok := ends(a, a.Recv.ChunkOf(a.First)); ok && n > 0 {
		return n
	}
	first, count := a.Recv.ChunkPacketRange(a.Recv.ChunkOf(a.First))
	return min(a.Count, first+count-a.First)
}

// news is the number of packets up to the end of the last chunk that was to be repeated and that an
// arrival completes: it puts off the next report. All packets where there is none.
func (r *Receiver) news(a *sdr.Arrival) int64 {
	if a.Recv != r.data {
		return a.Count
	}
	first, end := a.Recv.ChunkOf(a.First), a.Recv.ChunkOf(a.First+a.Count-1)+1
	if a.Recv.PacketsPerChunk() == 1 && !r.have.Test(end-1) {
		return a.Count // most often; what was asked for has been forgotten
	}
	for {
		chunk, ok := r.have.LastClear(first, end-first)
		if !ok {
			return a.Count
		}
		if n, whole := ends(a, chunk); whole && n > 0 {
			return n
		}
		end = chunk
	}
}

// HandleArrival arms the fallback timeout, recovers, and acknowledges.
func (r *Receiver) HandleArrival(now units.Time, a sdr.Arrival) {
	if a.Recv != r.data && a.Recv != r.parity {
		return
	}
	if r.done {
		r.acker.Late(now)
		return
	}
	if !r.begun {
		r.begun = true
		r.fto = now.Add(r.progress.fto(r.cfg, r.t.Path))
	}
	switch {
	case r.decoding:
		return
	case r.fallback && r.progress.strict && r.progress.perChunk == 1 && a.Recv == r.data:
		r.handleNeeded(now, &a)
	case r.fallback:
		r.handleRepeat(now, &a)
	case r.progress.wants(&a):
		return
	default:
		if damaged := r.progress.note(&a); damaged > 0 {
			r.decode(now, damaged)
		}
	}
	if r.progress.resolved.Full() {
		r.recovered(now)
	}
}

// handleRepeat acknowledges chunks of the fallback: those that arrive, and those that parity makes
// needless. Only news puts off the next report: a sender that has not heard of the fallback repeats
// a chunk now and then to provoke it.
func (r *Receiver) handleRepeat(now units.Time, a *sdr.Arrival) {
	p := &r.progress
	first, last, fresh := p.chunks, int64(-1), int64(0)
	if a.Recv == r.data {
		first, last = a.Recv.ChunkOf(a.First), a.Recv.ChunkOf(a.First+a.Count-1)
		fresh = r.repeated(a, first, last)
	}
	if damaged := p.note(a); damaged > 0 {
		r.decode(now, damaged)
	}
	if !p.strict {
		from, to := p.span(a)
		for sub := from; sub <= to; sub++ {
			start, count := p.layout.data(sub)
			if !p.resolved.Test(sub) {
				continue
			}
			if n := r.have.SetRange(start, count); n > 0 {
				first, last, fresh = min(first, start), max(last, start+count-1), fresh+n
			}
		}
	}
	if first <= last {
		r.acker.Note(now, first, last)
	}
	if fresh > 0 {
		r.nackAt = max(r.nackAt, now.Add(r.newsPatience))
	}
}

// handleNeeded is handleRepeat for data of which all is needed, where a chunk is a packet: chunks
// that arrive are there, and parity makes none of them needless.
func (r *Receiver) handleNeeded(now units.Time, a *sdr.Arrival) {
	news := r.newsAt(now, a)
	if r.have.SetRange(a.First, a.Count) > 0 {
		r.nackAt = max(r.nackAt, news.Add(r.newsPatience))
	}
	if !r.progress.wants(a) {
		r.progress.note(a)
	}
	r.acker.Note(now, a.First, a.First+a.Count-1)
}

// repeated notes those of the chunks first to last that are there, now that an arrival of data
// has touched them, and returns how many had been asked for.
func (r *Receiver) repeated(a *sdr.Arrival, first, last int64) (fresh int64) {
	for whole := runs(r.data.Bitmap(), first, last+1); whole.next(); {
		fresh += r.have.SetRange(whole.First, whole.Count)
	}
	return fresh
}

// decode gives submessages to the decoder, which works on one after the other.
func (r *Receiver) decode(now units.Time, submessages int) {
	if r.cfg.DecodeRate == 0 {
		return
	}
	size := units.Bytes(submessages) * r.progress.subSize()
	r.decoded = max(r.decoded, now).Add(r.cfg.DecodeRate.TransmitTime(size))
}

// recovered completes the message, once the decoder is done.
func (r *Receiver) recovered(now units.Time) {
	r.decoding = true
	if r.decoded <= now {
		r.complete(now)
	}
}

// complete rebuilds what is missing and hands the buffer to the user: whatever arrives from now
// on is discarded. One positive acknowledgement tells that all submessages are recovered.
func (r *Receiver) complete(now units.Time) {
	r.rebuild()
	if err := r.data.Complete(); err != nil {
		panic(fmt.Sprintf("BUG: ec: %v", err))
	}
	if err := r.parity.Complete(); err != nil {
		panic(fmt.Sprintf("BUG: ec: %v", err))
	}
	r.done, r.decoding, r.deliveredAt = true, false, now
	r.acker.Final(now)
}

// rebuild decodes every submessage that misses data. It takes a parity chunk for each chunk that is
// missing.
func (r *Receiver) rebuild() {
	bitmap, l := r.data.Bitmap(), &r.progress.layout
	r.counters.UsefulParity = l.chunks - bitmap.Count()
	if r.memory.Virtual() {
		return
	}
	for chunk := bitmap.FirstClear(); chunk < l.chunks; {
		sub := chunk / l.k
		first, count := l.data(sub)
		err := r.coders.of(count).Reconstruct(r.buffers(sub), r.progress.pattern(sub))
		if err != nil {
			panic(fmt.Sprintf("BUG: ec: a recoverable submessage: %v", err))
		}
		if first+count == l.chunks {
			return
		}
		chunk = bitmap.NextClear(first + count)
	}
}

// buffers are the chunks of a submessage in memory, data first.
func (r *Receiver) buffers(sub int64) [][]byte {
	l := &r.progress.layout
	first, count := l.data(sub)
	r.shards = r.shards[:0]
	for i := range count {
		r.shards = append(r.shards, r.data.Bytes(first+i, 1))
	}
	for i := range l.m {
		r.shards = append(r.shards, r.parity.Bytes(sub*l.m+i, 1))
	}
	return r.shards
}

// HandleControl fails: a receiver takes no control messages.
func (r *Receiver) HandleControl(units.Time, []byte) error {
	return fmt.Errorf("ec: receiver of message %d takes no control messages", r.t.Serial)
}

// Done tells that the message was delivered.
func (r *Receiver) Done() bool { return r.done }

// DeliveredAt is when the message was recovered and decoded.
func (r *Receiver) DeliveredAt() (units.Time, bool) { return r.deliveredAt, r.done }

// Counters returns what the receiver has counted.
func (r *Receiver) Counters() schemes.ReceiverCounters {
	c := r.counters
	c.Acks = r.acker.Sent()
	return c
}

// State describes the receiver in a line.
func (r *Receiver) State() string {
	r.progress.settle()
	return fmt.Sprintf("ec receiver: message %d, %d of %d submessages recoverable, fallback %v, "+
		"delivered %v", r.t.Serial, r.progress.resolved.Count(), r.progress.subs, r.fallback, r.done)
}
