package workload

import (
	"cmp"
	"slices"

	"sdrsim/units"
)

// Connection is what messages from one rank to another have in common, of one channel.
type Connection struct {
	From, To, Channel int
	// Largest is the size of its largest message.
	Largest units.Bytes
}

// walker is a source that says what it sends without writing it out.
type walker interface {
	sends(visit func(from int, op Op))
}

// Connections are those that a source uses between ranks that keep says so of, in the order of
// their senders, receivers and channels.
func Connections(source Source, keep func(from, to int) bool) []Connection {
	largest := map[connKey]units.Bytes{}
	visit := func(from int, op Op) {
		if keep(from, int(op.Peer)) {
			key := connKey{int32(from), op.Peer, op.Channel}
			largest[key] = max(largest[key], op.Bytes)
		}
	}
	if w, ok := source.(walker); ok {
		w.sends(visit)
	} else {
		walk(source, visit)
	}
	list := make([]Connection, 0, len(largest))
	for k, size := range largest {
		list = append(list, Connection{int(k.from), int(k.to), int(k.channel), size})
	}
	slices.SortFunc(list, func(a, b Connection) int {
		return cmp.Or(a.From-b.From, a.To-b.To, a.Channel-b.Channel)
	})
	return list
}

// walk visits the sends of a source.
func walk(source Source, visit func(from int, op Op)) {
	var b Block
	for rank := range source.Ranks() {
		for thread := range source.Threads() {
			next := int64(0)
			for k := 0; ; k++ {
				if b.Begin(next); !source.Block(Place{rank, thread}, k, &b) {
					break
				}
				next += int64(len(b.Ops))
				for _, op := range b.Ops {
					if op.Kind == Send {
						visit(rank, op)
					}
				}
			}
		}
	}
}

// sends implements walker: of slices the first is as large as any.
func (s *steps) sends(visit func(from int, op Op)) {
	for rank := range s.ranks {
		for thread := range s.threads() {
			at := Place{rank, thread}
			w := writer{steps: s, at: at}
			for k := 0; s.step(at, k, s.now.clear()); k++ {
				for i := range s.now.list {
					p := &s.now.list[i]
					if p.bytes == 0 {
						continue
					}
					first := p.piece(0, s.slice(p.bytes))
					for _, to := range p.to.all() {
						visit(rank, w.message(Send, to, first))
					}
				}
			}
		}
	}
}
