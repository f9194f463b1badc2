package ec

import (
	"fmt"

	"sdrsim/schemes/sr"
	"sdrsim/units"
	"sdrsim/wire"
)

// DefersControl implements schemes.ControlDeferrer: timers run from departures.
func (s *Sender) DefersControl() {}

// HandleControl takes the positive acknowledgement, those of the fallback, and reports of failed
// submessages.
func (s *Sender) HandleControl(now units.Time, msg []byte) error {
	kind, err := s.reports.Decode(s.t.Serial, msg)
	switch {
	case err != nil:
		return fmt.Errorf("ec: %w", err)
	case s.done:
		return nil // late
	case kind == wire.KindAck:
		return s.handleAck(now)
	}
	return s.handleNack(now)
}

func (s *Sender) handleAck(now units.Time) error {
	ack := &s.reports.Ack
	if end := ack.End(); end > s.layout.chunks {
		return fmt.Errorf("ec: acknowledgement of %d chunks of %d", end, s.layout.chunks)
	}
	// That all chunks were acknowledged is not enough: the receiver may still decode.
	if ack.Final {
		s.finish(nil)
		return nil
	}
	if !s.fallback {
		return nil // the report that came before it was lost; the receiver will repeat it
	}
	if err := s.window.HandleAck(ack); err != nil {
		return err
	}
	s.heard(now)
	return nil
}

// heard puts off the repeat that provokes an answer. That takes a chunk time, a round trip and the
// time of the answer, so silence is no sign before, however short the timeout of the fallback is.
func (s *Sender) heard(now units.Time) {
	s.probeAt = now.Add(s.chunkTime + s.cfg.SR.RTO.Of(s.t.Path.RTT) + s.t.Path.RTT + s.answerTime())
}

// answerTime is how long an acknowledgement takes on the way back.
func (s *Sender) answerTime() units.Duration { return s.t.Path.ControlTime(wire.AckOverhead) }

// handleNack begins the fallback, or adds to it: reports come in as many messages as it takes, and
// again where the receiver saw no repeat.
func (s *Sender) handleNack(now units.Time) error {
	nack := &s.reports.Nack
	limit := s.layout.chunks
	if nack.Submessages {
		limit = s.layout.subs
	}
	if err := sr.CheckRanges(nack.Missing, limit); err != nil {
		return err
	}
	if !s.fallback {
		s.fallback = true
		s.nextData, s.nextParity = s.layout.chunks, s.layout.parity()
		// What falls back counts as sent before: its first repeat is one of those allowed.
		s.window.Open(s.data, s.cfg.SR.RTO.Of(s.t.Path.RTT), s.cfg.SR.Retries-1)
		s.window.AckBelow(s.layout.chunks)
		s.known.Reset(s.layout.chunks)
	}
	s.heard(now)
	for _, r := range nack.Missing {
		if nack.Submessages {
			r.First, r.Count = s.layout.dataOf(r)
		}
		s.fall(r)
	}
	return nil
}

// fall puts chunks into the fallback, each once.
func (s *Sender) fall(r wire.Range) {
	for first := s.known.NextClear(r.First); first < r.End(); first = s.known.NextClear(first) {
		end := min(s.known.NextSet(first), r.End())
		s.known.SetRange(first, end-first)
		s.window.Offer(first, end-first)
		from, to := first/s.layout.k, (end-1)/s.layout.k
		s.counters.Fallbacks += s.fallen.SetRange(from, to-from+1)
	}
}
