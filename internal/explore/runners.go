package explore

import (
	"sync"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
)

// runners are those of one point, kept from round to round: to make one takes as long as many
// samples.
type runners struct {
	mu         sync.Mutex
	idle, used map[string][]sweep.Runner // by scheme
}

// get is a runner that nobody else has.
func (r *runners) get(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
	r.mu.Lock()
	if list := r.idle[s.Label]; len(list) > 0 {
		one := list[len(list)-1]
		r.idle[s.Label] = list[:len(list)-1]
		r.used[s.Label] = append(r.used[s.Label], one)
		r.mu.Unlock()
		return one, nil
	}
	r.mu.Unlock()
	one, err := experiment.NewRunner(p, s)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used == nil {
		r.used = map[string][]sweep.Runner{}
	}
	r.used[s.Label] = append(r.used[s.Label], one)
	return one, nil
}

// rest says that a round has ended, and that its runners are nobody's.
func (r *runners) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for label, list := range r.used {
		if r.idle == nil {
			r.idle = map[string][]sweep.Runner{}
		}
		r.idle[label] = append(r.idle[label], list...)
		delete(r.used, label)
	}
}
