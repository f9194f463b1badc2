package workload

import (
	"bytes"
	"fmt"

	"sdrsim/units"
)

// Buffer is how many bytes a rank has.
func (c *Collective) Buffer() units.Bytes {
	if c.Kind == AllToAll {
		p := plan{size: c.Size, channels: c.Channels}
		return (&exchange{n: c.Ranks, plan: p}).buffer()
	}
	return c.Size
}

// Verify compares what ranks have in the end with what a collective is to leave there, computed
// from what they had.
func (c *Collective) Verify(d *Data) error {
	had := make([][]byte, c.Ranks)
	for i := range had {
		had[i] = make([]byte, c.Buffer())
		d.first(i, had[i])
	}
	sum := make([]byte, c.Size)
	for _, b := range had {
		for i := range sum {
			sum[i] += b[i]
		}
	}
	for rank := range c.Ranks {
		for channel := range c.Channels {
			if err := c.verify(Place{rank, channel}, d.buffers[rank], had, sum); err != nil {
				return err
			}
		}
	}
	return nil
}

// verify compares what a rank has of a channel.
func (c *Collective) verify(at Place, got []byte, had [][]byte, sum []byte) error {
	own := region{bytes: c.Size}.part(at.Thread, c.Channels)
	switch c.Kind {
	case AllReduce:
		return same(at.Rank, own.of(got), own.of(sum), own.offset)
	case Broadcast:
		return same(at.Rank, own.of(got), own.of(had[c.Root]), own.offset)
	case ReduceTo:
		if at.Rank == c.Root {
			return same(at.Rank, own.of(got), own.of(sum), own.offset)
		}
	case PointToPoint:
		if half := c.Ranks / 2; at.Rank >= half {
			return same(at.Rank, own.of(got), own.of(had[at.Rank-half]), own.offset)
		}
	case ReduceScatter, AllGather:
		return c.verifyParts(at, got, had, sum)
	case AllToAll:
		e := exchange{n: c.Ranks, plan: plan{size: c.Size, channels: c.Channels}}
		for from := range c.Ranks {
			if from == at.Rank {
				continue
			}
			there := e.second(at, from, own)
			err := same(at.Rank, there.of(got), own.part(at.Rank, c.Ranks).of(had[from]), there.offset)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyParts compares the parts of a ring that only goes round once.
func (c *Collective) verifyParts(at Place, got []byte, had [][]byte, sum []byte) error {
	s := c.Source().(*steps).schedule.(*cycle)
	for k := 0; ; k++ {
		round, ok := s.plan.loop(at.Thread, k)
		if !ok {
			return nil
		}
		for i := range c.Ranks {
			want := had[i]
			if c.Kind == ReduceScatter {
				want = sum
			}
			if c.Kind == ReduceScatter && i != at.Rank {
				continue
			}
			part := round.part(i, c.Ranks)
			if err := same(at.Rank, part.of(got), part.of(want), part.offset); err != nil {
				return err
			}
		}
	}
}

// of is the region of a buffer.
func (r region) of(buffer []byte) []byte { return buffer[r.offset : r.offset+r.bytes] }

// same compares a region of a rank, which begins at an offset, with what is wanted.
func same(rank int, a, b []byte, offset units.Bytes) error {
	if bytes.Equal(a, b) {
		return nil
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return fmt.Errorf("workload: BUG: rank %d has %d at byte %d, which should be %d", rank, a[i],
		int(offset)+i, b[i])
}
