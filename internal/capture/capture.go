package capture

import (
	"bufio"
	"cmp"
	"container/heap"
	"fmt"
	"io"
	"slices"

	"sdrsim/internal/experiment"
	"sdrsim/units"
	"sdrsim/wire"
)

// Options are what a capture takes besides the record of a sample.
type Options struct {
	Split   wire.Split  // of the immediate
	MTU     units.Bytes // payload of a full packet
	Program string      // that wrote the file
	Comment string      // what is in it
	Limit   int         // write so many packets at most; 0: all
}

// Write writes what was recorded of a sample. It returns how many packets it wrote, and how many
// the limit left out.
func Write(w io.Writer, r *experiment.Record, o Options) (written, left int64, err error) {
	buffered := bufio.NewWriterSize(w, 1<<20)
	c := &capture{
		out:    writer{w: buffered},
		frames: frames{split: o.Split, mtu: int64(o.MTU)},
		sent:   experiment.NewTransmissions(r.Packets),
	}
	c.out.section(o.Program, o.Comment)
	for _, name := range devices(r) {
		c.out.device(name)
	}
	c.collect(r)
	for len(c.streams) > 0 && c.out.err == nil {
		if o.Limit > 0 && written == int64(o.Limit) {
			for i := range c.streams {
				left += c.streams[i].left
			}
			break
		}
		c.step()
		written++
	}
	if c.out.err == nil {
		c.out.err = buffered.Flush()
	}
	return written, left, c.out.err
}

// devices names both ends of each hop. Those of hop h have the numbers 2h and 2h+1.
func devices(r *experiment.Record) (names []string) {
	last := 0
	for i := range r.Packets {
		last = max(last, r.Packets[i].Hop)
	}
	for hop := range last + 1 {
		suffix := ""
		if last > 0 {
			suffix = fmt.Sprintf(" of hop %d", hop)
		}
		names = append(names, "A"+suffix, "B"+suffix)
	}
	return names
}

// capture is one that is being written.
type capture struct {
	out     writer
	frames  frames
	sent    *experiment.Transmissions
	psn     []uint32 // of the first packet of each of sent.Sent
	streams streams
}

// stream is packets at equal distances, of which the next is at a time.
type stream struct {
	at      units.Time
	spacing units.Duration
	order   int // among those of one time: that in which they came about
	left    int64

	device  uint32
	packets *experiment.Packets // or
	control *experiment.Control
	psn     uint32 // of the first packet of a departure, or of a control message
}

// streams is a heap by time.
type streams []stream

func (s streams) Len() int { return len(s) }
func (s streams) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(s[i].at, s[j].at), s[i].order-s[j].order) < 0
}
func (s streams) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *streams) Push(x any)   { *s = append(*s, x.(stream)) }
func (s *streams) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	*s = (*s)[:last]
	return x
}

// collect makes streams of what was recorded: departures before arrivals before control messages.
func (c *capture) collect(r *experiment.Record) {
	type queuePair struct {
		hop        int
		generation uint32
	}
	next := map[queuePair]uint32{}
	for _, p := range c.sent.Sent {
		qp := queuePair{p.Hop, p.Run.Generation}
		c.add(stream{at: p.Run.Depart, spacing: p.Run.Spacing, left: p.Run.Count, packets: p,
			psn: next[qp], device: uint32(2 * p.Hop)})
		c.psn = append(c.psn, next[qp])
		next[qp] += uint32(p.Run.Count)
	}
	for i := range r.Packets {
		if p := &r.Packets[i]; p.Arrived {
			c.add(stream{at: p.Run.Depart, spacing: p.Run.Spacing, left: p.Run.Count, packets: p,
				device: uint32(2*p.Hop) + 1})
		}
	}
	c.collectControl(r.Control)
	heap.Init(&c.streams)
}

func (c *capture) add(s stream) {
	s.order = len(c.streams)
	c.streams = append(c.streams, s)
}

// collectControl numbers control messages by hop and direction. They arrive in the order in which
// those that are not lost have left.
func (c *capture) collectControl(list []experiment.Control) {
	var sent, arrived []*experiment.Control
	for i := range list {
		if list[i].Arrived {
			arrived = append(arrived, &list[i])
		} else {
			sent = append(sent, &list[i])
		}
	}
	byTime := func(a, b *experiment.Control) int { return cmp.Compare(a.At, b.At) }
	slices.SortStableFunc(sent, byTime)
	slices.SortStableFunc(arrived, byTime)
	next, carried := map[route]uint32{}, map[route][]uint32{}
	device := func(k *experiment.Control) uint32 {
		far := k.Forward == k.Arrived
		if far {
			return uint32(2*k.Hop) + 1
		}
		return uint32(2 * k.Hop)
	}
	for _, k := range sent {
		to := route{k.Hop, k.Forward}
		c.add(stream{at: k.At, left: 1, control: k, psn: next[to], device: device(k)})
		if !k.Lost {
			carried[to] = append(carried[to], next[to])
		}
		next[to]++
	}
	for _, k := range arrived {
		to := route{k.Hop, k.Forward}
		c.add(stream{at: k.At, left: 1, control: k, psn: carried[to][0], device: device(k)})
		carried[to] = carried[to][1:]
	}
}

// step writes the next packet.
func (c *capture) step() {
	s := &c.streams[0]
	switch {
	case s.control != nil:
		c.writeControl(s)
	case s.packets.Arrived:
		c.writeArrived(s)
	default:
		c.writeSent(s)
	}
	s.left--
	s.at = s.at.Add(s.spacing)
	if s.left == 0 {
		heap.Pop(&c.streams)
		return
	}
	heap.Fix(&c.streams, 0)
}

// Comments of packets.
const (
	commentLost  = "lost on the link"
	commentAgain = "retransmission"
)

func (c *capture) writeSent(s *stream) {
	run := &s.packets.Run
	j := run.Count - s.left
	comment := ""
	if run.Repeat {
		comment = commentAgain
	}
	if j >= run.Count-s.packets.Lost {
		if comment != "" {
			comment += ", "
		}
		comment += commentLost
	}
	frame := c.frames.data(route{s.packets.Hop, true}, run, run.First+j, s.psn+uint32(j))
	c.out.packet(packet{s.device, s.at, true, comment}, frame)
}

func (c *capture) writeArrived(s *stream) {
	i := s.packets.Run.End() - s.left
	sent := c.sent.Of(s.packets, i)
	run := &c.sent.Sent[sent].Run
	frame := c.frames.data(route{s.packets.Hop, true}, run, i, c.psn[sent]+uint32(i-run.First))
	c.out.packet(packet{s.device, s.at, false, ""}, frame)
}

func (c *capture) writeControl(s *stream) {
	k := s.control
	comment := ""
	if k.Lost {
		comment = commentLost
	}
	frame := c.frames.control(route{k.Hop, k.Forward}, k.Bytes, s.psn)
	c.out.packet(packet{s.device, s.at, !k.Arrived, comment}, frame)
}
