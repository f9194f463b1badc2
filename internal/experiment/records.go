package experiment

import "sdrsim/units"

// records are what a stream notes of its messages, in the order in which they end. A sample has
// them stream by stream: which of several streams ends first at one instant depends on the order
// of events, which depends on how packets are grouped.
type records struct{ completion, delivery, wait, ideals []units.Duration }

// beginRecords empties the records. The first stream has those of the sample.
func (w *stream) beginRecords() {
	r, s := &w.records, w.sample
	if w.number == 0 {
		*r = records{s.Completion, s.Delivery, s.Wait, s.Ideals}
	}
	*r = records{r.completion[:0], r.delivery[:0], r.wait[:0], r.ideals[:0]}
}

// endRecords puts the records into the sample.
func (w *stream) endRecords() {
	r, s := &w.records, w.sample
	if w.number == 0 {
		s.Completion, s.Delivery, s.Wait, s.Ideals = r.completion, r.delivery, r.wait, r.ideals
		return
	}
	s.Completion, s.Delivery = append(s.Completion, r.completion...), append(s.Delivery, r.delivery...)
	s.Wait, s.Ideals = append(s.Wait, r.wait...), append(s.Ideals, r.ideals...)
}
