package model

import (
	"math"

	"sdrsim/internal/portable"
	"sdrsim/units"
)

// spoken draws a completion time for a receiver that speaks as soon as it can.
func (s *Sampler) spoken(e EC) units.Duration {
	m := e.spoken()
	data := units.Duration(math.Round(m.dataEnd()))
	if m.P == 0 || m.Chunks == 0 {
		return data + m.answer()
	}
	waits, failed := s.drawLosses(&m)
	if failed == 0 {
		return data + units.Duration(waits)*m.ChunkTime + m.answer()
	}
	repeat := m.repeat(failed)
	if m.Chunks == 1 && m.Last > 0 {
		repeat.ChunkTime, repeat.Packets = m.Last, min(repeat.Packets, max(1, m.LastPackets))
	}
	return units.Duration(math.Round(m.reported())) + s.SR(repeat)
}

// drawLosses draws the losses of data and parity: how many chunks of parity are waited for behind
// the data, and how many data chunks belong to submessages that fail.
func (s *Sampler) drawLosses(m *spoken) (waits, failed int64) {
	s.begin(m.EC)
	size := m.K + m.M
	end := m.full*size + m.last + m.M
	tail := m.full*size + m.last - 1 // the last data chunk, which is drawn by itself
	rate, current := -portable.Log1p(-m.loss), int64(0)
	s.lost = s.lost[:0]
	settle := func() {
		data := m.K
		if current == m.full {
			data = m.last
			if s.random.Float64() < m.lastLoss {
				s.lost = append(s.lost, data-1)
			}
		}
		j, ok := s.parityNeeded(m, data, current)
		switch {
		case !ok:
			failed += data
		case j == 0:
		case m.Order != OrderInterleaved:
			waits = max(waits, current*m.M+j)
		case current == m.full:
			waits = j
		}
		s.lost = s.lost[:0]
	}
	for i := s.skip(rate, end); i < end; i += 1 + s.skip(rate, end-i) {
		if i/size != current && current != m.full {
			settle()
			current = min(i/size, m.full)
		}
		if i != tail {
			s.lost = append(s.lost, i-current*size)
		}
	}
	if current != m.full {
		settle()
		current = m.full
	}
	settle()
	return waits, failed
}

// parityNeeded is how many chunks of its parity a submessage needs for the losses drawn.
func (s *Sampler) parityNeeded(m *spoken, data, submessage int64) (needed int64, ok bool) {
	missing, lostParity := int64(0), map[int64]bool{}
	for _, position := range s.lost {
		if position < data {
			missing++
		} else {
			lostParity[position-data] = true
		}
		if m.Code == XOR {
			if s.again(group(position, data, m.M), submessage) {
				return 0, false
			}
			if position < data {
				needed = max(needed, position%m.M+1)
			}
		}
	}
	if m.Code == XOR {
		return needed, true
	}
	for j := int64(0); j < m.M && missing > 0; j++ {
		if !lostParity[j] {
			missing--
			needed = j + 1
		}
	}
	return needed, missing == 0
}
