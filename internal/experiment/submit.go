package experiment

import (
	"math"

	"sdrsim/internal/ring"
	"sdrsim/internal/spec"
	"sdrsim/sim"
	"sdrsim/units"
)

// submission is how an application starts messages and learns that they are complete, where that
// costs something. A message passes, in order:
//
//	decision -> submitter -> copy -> start -> translations -> NIC ... acknowledged -> done -> known
//	            one each     (bounce)         (misses)
//	            interval
//
// The submitter, the copies and the translations take one message after the other; all else is a
// delay. The application decides on a message when it has posted it, and when it knows of enough
// of those before.
type submission struct {
	stream *stream
	cost   spec.Submission
	// posted messages were decided on, open ones have reached the NIC, known ones are complete and the
	// application knows.
	posted, open, known int
	// free is when the submitter takes another message, and likewise the copies of both sides and the
	// translations.
	free, copied, copiedBack, translated units.Time
	ready                                ring.Ring[units.Time] // of those posted and not open
	timer                                sim.Timer             // at the first of them
	news                                 sim.Lane              // of completions, to the application
	landing                              sim.Lane              // of what is copied at the receiver
	missShare                            float64
	draws                                sim.Stream
}

// submits reports whether starting messages costs something.
func (s *submission) submits() bool { return s.stream != nil }

func (s *submission) init(w *stream) {
	if !w.cfg.Submits() {
		return
	}
	s.stream, s.cost = w, w.cfg.Submission
	s.missShare = s.cost.MTT.MissShare()
	s.timer.Init(w.pair.engine, fire(w.postSends))
	s.news.Init(w.pair.engine, (*informer)(w))
	s.landing.Init(w.pair.engine, (*lander)(w))
}

// begin starts a sample. Connections draw from streams of their own.
func (s *submission) begin(seed uint64, sample, connection int) {
	s.posted, s.open, s.known = 0, 0, 0
	s.free, s.copied, s.copiedBack, s.translated = 0, 0, 0, 0
	s.ready.Reset()
	if s.missShare > 0 {
		s.draws.Seed(seed, "translations", uint64(sample)<<32|uint64(connection))
	}
}

// sendable is how many messages may have been sent by now.
func (w *stream) sendable(now units.Time) int {
	n, s := min(w.message.Count, w.released), &w.submit
	if !s.submits() {
		return n
	}
	limit := w.message.InFlight
	if most := s.cost.Outstanding; most > 0 {
		limit = min(limit, most)
	}
	for s.posted < n && s.posted-s.known < limit {
		s.post(now)
	}
	for at := s.ready.Head(); at != nil && *at <= now; at = s.ready.Head() {
		s.ready.Pop()
		s.open++
	}
	if at := s.ready.Head(); at != nil {
		s.timer.Reset(*at)
	}
	return s.open
}

// post decides on the next message.
func (s *submission) post(now units.Time) {
	size := s.stream.traffic.sizeOf(s.posted)
	at := max(now, s.free)
	if s.cost.When == spec.RegisterEach || s.cost.When == spec.RegisterOnce && s.posted == 0 {
		region := size
		if s.cost.When == spec.RegisterOnce { // what all messages in flight use
			region = s.stream.message.Size * units.Bytes(s.stream.message.InFlight)
		}
		at = at.Add(s.cost.RegisterTime(region))
	}
	s.free = at.Add(s.cost.Interval)
	if s.cost.Bounce {
		at = max(at, s.copied).Add(spec.CopyTime(size, s.cost.PCIe.Written))
		s.copied = at
	}
	at = at.Add(s.cost.Start)
	if s.missShare > 0 {
		at = max(at, s.translated).Add(units.Duration(s.misses(size)) * s.cost.MTT.Miss)
		s.translated = at
	}
	s.ready.Append(at)
	s.posted++
}

// misses draws how many translations of a message have to be fetched: the number expected, rounded
// up or down so that its mean is right.
func (s *submission) misses(size units.Bytes) int64 {
	expected := float64(float64(s.cost.MTT.Pages(size)) * s.missShare)
	return int64(math.Floor(expected + s.draws.Float64()))
}

// acknowledged has the application know of a completion, in time.
func (w *stream) acknowledged(now units.Time, message int) {
	switch {
	case w.submit.submits():
		w.submit.news.Push(now.Add(w.submit.cost.Done), uint64(message))
	case w.onCompletion != nil:
		w.onCompletion(now, message)
	}
}

// land hands a message that was delivered at some time to the application of the receiver, when it
// is where that wants it: at the time that it returns.
func (w *stream) land(now, at units.Time, message int) units.Time {
	s := &w.submit
	if s.cost.Bounce {
		s.copiedBack = max(at, s.copiedBack).Add(spec.CopyTime(w.traffic.sizeOf(message),
			s.cost.PCIe.Read))
		s.landing.Push(max(now, s.copiedBack), uint64(message))
		w.run.open++ // until it has landed
		return s.copiedBack
	}
	if w.onDelivery != nil {
		w.onDelivery(now, message)
	}
	return at
}

// informer is the end of the lane of news.
type informer stream

// Receive lets the application know that a message is complete.
func (i *informer) Receive(now units.Time, message uint64) {
	w := (*stream)(i)
	w.submit.known++
	w.run.open--
	if w.onCompletion != nil {
		w.onCompletion(now, int(message))
	}
	if w.failure == "" {
		w.postSends(now)
	}
}

// lander is the end of the lane of messages that are copied at the receiver.
type lander stream

// Receive hands a message to the application of the receiver.
func (l *lander) Receive(now units.Time, message uint64) {
	w := (*stream)(l)
	w.run.open--
	if w.onDelivery != nil {
		w.onDelivery(now, int(message))
	}
}
