package ec

import (
	"fmt"

	"sdrsim/units"
)

// encodedBy is how many submessages the encoder has finished by now, one after the other.
func (s *Sender) encodedBy(now units.Time) int64 {
	if s.cfg.EncodeRate == 0 {
		return s.layout.subs
	}
	each := s.layout.encodeTime(s.cfg)
	return min(s.layout.subs, int64(now.Sub(s.start)/each))
}

// nextEncoded is when parity that waits for the encoder is ready; Never where none does.
func (s *Sender) nextEncoded() units.Time {
	if s.cfg.EncodeRate == 0 || s.nextParity == s.layout.parity() {
		return units.Never
	}
	return s.start.Add(units.Duration(s.nextParity/s.layout.m+1) * s.layout.encodeTime(s.cfg))
}

// encode fills the parity of a message with real payload, before the first of it is sent.
func (s *Sender) encode() {
	if s.encoded || s.memory.Virtual() {
		return
	}
	s.encoded = true
	for sub := range s.layout.subs {
		first, count := s.layout.data(sub)
		c := s.coders.of(count)
		s.shards = s.shards[:0]
		for i := range count {
			s.shards = append(s.shards, s.data.Bytes(first+i, 1))
		}
		for i := range s.layout.m {
			s.shards = append(s.shards, s.parity.Bytes(sub*s.layout.m+i, 1))
		}
		if err := c.Encode(s.shards[:count], s.shards[count:]); err != nil {
			panic(fmt.Sprintf("BUG: ec: encode: %v", err))
		}
	}
}
