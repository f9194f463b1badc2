package experiment

import (
	"slices"

	"sdrsim/internal/spec"
	"sdrsim/link"
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// twin computes the completion time of one message from the equations of arXiv:2505.05366 §4.2 and
// the very losses that the simulated link draws, sample by sample. It knows nothing of events,
// bitmaps or acknowledgements, so it agrees with the simulator to the picosecond only where both
// are right. It needs every round of repeats to end before the next begins, and no lost
// acknowledgement.
type twin struct {
	losses  link.LossModel
	stream  sim.Stream
	seed    uint64
	name    string   // of the random stream
	run     wire.Run // stands for the packets that are sent next
	chunks  int64    // M
	packets int64    // of a chunk
	packet  units.Duration
	rtt     units.Duration
	rto     units.Duration
	rate    units.Rate     // of the way back
	ack     units.Duration // transmission of the final acknowledgement
}

// newTwin is the twin of a runner whose point has one message, of whole chunks.
func newTwin(r *Runner, p *spec.Point, rto units.Duration) *twin {
	pair := r.hops[0].pair
	t := &twin{
		seed: p.Seed, name: pair.losses[0].name,
		chunks: p.Message.Chunks(), packets: int64(p.Message.Chunk / p.Link.MTU),
		packet: pair.path.PacketTime, rtt: pair.path.RTT, rto: rto,
		rate: p.Link.ReverseBandwidth,
	}
	if p.Message.Size%p.Message.Chunk != 0 {
		panic("the equations are for whole chunks")
	}
	t.ack = r.ideal - t.rtt - units.Duration(t.chunks)*t.chunk()
	losses, err := unitLoss(p.Link.Loss)
	if err != nil {
		panic(err)
	}
	t.losses = inUnits(losses, p.Link.Loss, t.packets)
	return t
}

// chunk is T_inj.
func (t *twin) chunk() units.Duration { return units.Duration(t.packets) * t.packet }

// begin puts the losses of a sample to their start.
func (t *twin) begin(sample int) {
	t.stream.Seed(t.seed, t.name, uint64(sample))
	t.losses.Reset(&t.stream)
}

// send sends chunks of an SDR message and calls lost for each packet that is dropped.
func (t *twin) send(r wire.Run, lost func(packet int64)) {
	t.run = r
	for t.run.Count > 0 {
		pass, drop := t.losses.Peek(&t.run)
		step := min(pass+drop, t.run.Count)
		for i := min(pass, step); i < step; i++ {
			lost(t.run.First + i)
		}
		t.losses.Advance(&t.run, step)
		t.run.First += step
		t.run.Count -= step
	}
}

// missing is the packets that a chunk still lacks, in order.
type missing struct {
	chunk   int64
	packets []int64
}

// miss notes a lost packet, as long as packets come in order.
func miss(list []missing, chunk, packet int64) []missing {
	if n := len(list); n == 0 || list[n-1].chunk != chunk {
		list = append(list, missing{chunk: chunk})
	}
	m := &list[len(list)-1]
	m.packets = append(m.packets, packet)
	return list
}

// sr is a completion time of Selective Repeat: max_i X_i + RTT.
func (t *twin) sr() units.Duration {
	var left []missing
	end := units.Duration(t.chunks) * t.chunk()
	t.send(wire.Run{Count: t.chunks * t.packets}, func(packet int64) {
		left = miss(left, packet/t.packets, packet)
	})
	return t.repeat(left, end) + t.rtt + t.ack
}

// repeat sends what is missing again, RTO after it left, and returns when the last packet that was
// needed had left. end is when the others had.
func (t *twin) repeat(left []missing, end units.Duration) units.Duration {
	for round := units.Duration(1); len(left) > 0; round++ {
		var next []missing
		for _, m := range left {
			first := m.chunk * t.packets
			start := units.Duration(first)*t.packet + round*(t.rto+t.chunk())
			dropped := t.sendAgain(first)
			for _, packet := range m.packets {
				if dropped[packet-first] {
					next = miss(next, m.chunk, packet)
				} else {
					end = max(end, start+units.Duration(packet-first+1)*t.packet)
				}
			}
		}
		left = next
	}
	return end
}

// sendAgain sends a chunk and tells which of its packets are dropped.
func (t *twin) sendAgain(first int64) []bool {
	dropped := make([]bool, t.packets)
	t.send(wire.Run{First: first, Count: t.packets, Repeat: true}, func(packet int64) {
		dropped[packet-first] = true
	})
	return dropped
}

// split is the code of a twin: k data and m parity chunks, XOR or MDS.
type split struct {
	k, m int64
	xor  bool
	beta units.Duration
}

// recoverable is the rule of the code: at most m losses, or at most one in each group.
func (c split) recoverable(data, parity []bool) bool {
	if c.xor {
		for group := range parity {
			lost := 0
			for i := group; i < len(data); i += len(parity) {
				lost += one(!data[i])
			}
			if lost > 1 || lost == 1 && !parity[group] {
				return false
			}
		}
		return true
	}
	arrived := 0
	for _, there := range append(append([]bool{}, data...), parity...) {
		arrived += one(there)
	}
	return arrived >= len(data)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ec is a completion time of erasure coding with chunks of one packet, parity sent last, and
// fallback of whole submessages; failed is the number of those. It is not ok where no packet
// arrives at all.
func (t *twin) ec(c split) (completion units.Duration, failed int64, ok bool) {
	subs := (t.chunks + c.k - 1) / c.k
	data, parity := t.arrivals(0, t.chunks), t.arrivals(1, subs*c.m)
	end := units.Duration(0) // when the last chunk that was needed had left
	var bad []wire.Range
	repeats := int64(0)
	for s := range subs {
		d := data[s*c.k : min((s+1)*c.k, t.chunks)]
		p := parity[s*c.m : (s+1)*c.m]
		if c.recoverable(d, p) {
			end = max(end, t.needed(c, s, d, p))
			continue
		}
		repeats += int64(len(d))
		bad = join(bad, s)
	}
	if repeats == 0 {
		return end + t.rtt + t.ack, 0, true
	}
	for _, r := range bad {
		failed += r.Count
	}
	// The first packet that arrives arms the fallback timeout; its expiry is reported at once.
	first := slices.Index(append(data, parity...), true)
	end = units.Duration(first+1+len(data)+len(parity))*t.packet + c.beta + t.rtt + t.report(bad)
	var left []missing
	t.send(wire.Run{Count: repeats, Repeat: true}, func(i int64) { left = miss(left, i, i) })
	end += t.repeat(left, units.Duration(repeats)*t.packet)
	return end + t.rtt + t.ack, failed, first >= 0
}

// report is the transmission time of the report of submessages, on a link as fast as that of the
// final acknowledgement.
func (t *twin) report(bad []wire.Range) units.Duration {
	msg, _ := wire.AppendNack(nil, &wire.Nack{Submessages: true, Missing: bad}, 4096)
	return t.rate.TransmitTime(units.Bytes(len(msg)))
}

// agrees tells whether a completion time is the one expected. The final acknowledgement may have
// waited for that of a poll, which was on the wire: its header and a bit a chunk.
func (t *twin) agrees(got, want units.Duration) bool {
	return got >= want && got <= want+t.rate.TransmitTime(units.Bytes(24+t.chunks/8))
}

// arrivals sends a whole SDR message and tells which of its chunks arrive.
func (t *twin) arrivals(serial, chunks int64) []bool {
	there := make([]bool, chunks)
	for i := range there {
		there[i] = true
	}
	t.send(wire.Run{Serial: serial, Count: chunks}, func(i int64) { there[i] = false })
	return there
}

// needed is when the chunk had left that made submessage s recoverable.
func (t *twin) needed(c split, s int64, data, parity []bool) units.Duration {
	without := make([]bool, len(parity)) // the parity that has arrived so far
	if c.recoverable(data, without) {
		// Nothing but data was needed, so all of it.
		return units.Duration(s*c.k+int64(len(data))) * t.packet
	}
	for i, there := range parity {
		without[i] = there
		if c.recoverable(data, without) {
			return units.Duration(t.chunks+s*c.m+int64(i)+1) * t.packet
		}
	}
	panic("a recoverable submessage is not")
}

// join adds a submessage to ascending ranges.
func join(list []wire.Range, s int64) []wire.Range {
	if n := len(list); n > 0 && list[n-1].End() == s {
		list[n-1].Count++
		return list
	}
	return append(list, wire.Range{First: s, Count: 1})
}
