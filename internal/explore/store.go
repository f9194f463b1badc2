package explore

import (
	"sync"

	"sdrsim/internal/sweep"
)

// memory keeps the samples of one ask from round to round. It implements sweep.Store.
type memory struct {
	mu   sync.Mutex
	held map[string][]byte // by point and scheme
}

func (m *memory) Load(point, scheme string) (*sweep.Record, error) {
	m.mu.Lock()
	b := m.held[point+"\n"+scheme]
	m.mu.Unlock()
	if b == nil {
		return nil, nil
	}
	return sweep.DecodeRecord(b)
}

func (m *memory) Save(r *sweep.Record) error {
	b := r.Append(nil) // the record may change
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held == nil {
		m.held = map[string][]byte{}
	}
	m.held[r.Point+"\n"+r.Scheme] = b
	return nil
}
