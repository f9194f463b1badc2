package nic

import (
	"testing"

	"sdrsim/link"
	"sdrsim/units"
)

// workersStand is a stand whose completions cost time.
func workersStand(t *testing.T, w Workers, perChunk int64, drops ...link.Drop) *stand {
	return newStand(t, standConfig{nic: Config{Workers: w}, perChunk: perChunk,
		loss: lossy(t, drops...)})
}

// A worker serves one completion after the other. Packets arrive every microsecond from 11 us on.
func TestWorkerServesOneCompletionAtATime(t *testing.T) {
	s := workersStand(t, Workers{Count: 1, Channels: 1, PerPacket: 3 * units.Microsecond}, 1)
	_, h := s.newReceiver(0, 4)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 4, false) })
	s.wantLog("0:0+1@14us", "0:1+1@17us", "0:2+1@20us", "0:3+1@23us")
}

// One that is faster than the link waits for each.
func TestFastWorkerWaitsForPackets(t *testing.T) {
	s := workersStand(t, Workers{Count: 1, Channels: 1, PerPacket: packetTime / 2}, 1)
	_, h := s.newReceiver(0, 3)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 2, false) })
	s.at(us(9), func(now units.Time) { s.inject(now, h, 2, 1, false) })
	s.wantLog("0:0+1@11.5us", "0:1+1@12.5us", "0:2+1@20.5us")
}

// Packets go round-robin over channels, and channels over workers: three workers of 3 us keep up
// with a packet every microsecond, two do not.
func TestWorkersShareTheChannels(t *testing.T) {
	three := Workers{Count: 3, Channels: 3, PerPacket: 3 * units.Microsecond}
	s := workersStand(t, three, 1)
	_, h := s.newReceiver(0, 6)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 6, false) })
	s.wantLog("0:0+1@14us", "0:1+1@15us", "0:2+1@16us", "0:3+1@17us", "0:4+1@18us", "0:5+1@19us")

	t.Log("# two workers for three channels: the first serves channels 0 and 2")
	two := Workers{Count: 2, Channels: 3, PerPacket: 3 * units.Microsecond}
	s = workersStand(t, two, 1)
	_, h = s.newReceiver(0, 6)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 6, false) })
	s.wantLog("0:0+1@14us", "0:1+1@15us", "0:2+1@17us", "0:4+1@18us", "0:3+1@20us", "0:5+1@23us")
}

// The packet that completes a chunk costs the write of its bit on top.
func TestLastPacketOfAChunkCostsTheBit(t *testing.T) {
	w := Workers{Count: 1, Channels: 1, PerPacket: packetTime, PerChunk: 5 * units.Microsecond}
	s := workersStand(t, w, 2, link.Drop{First: 0, Last: 0, Transmission: 1})
	_, h := s.newReceiver(0, 6)
	t.Log("# packet 0 is lost, and comes again last; chunk 0 is complete only then")
	s.at(0, func(now units.Time) {
		s.inject(now, h, 0, 6, false)
		s.inject(us(6), h, 0, 1, true)
	})
	t.Log("# packet 1 arrives at 12 us; 3 completes chunk 1, 5 chunk 2, 0 chunk 0")
	s.wantLog("0:1+1@13us", "0:2+1@14us", "0:3+1@20us", "0:4+1@21us", "0:5+1@27us", "0:0+1@33us")
}

// A chunk that is complete is not written again.
func TestDuplicateCostsNoBit(t *testing.T) {
	w := Workers{Count: 1, Channels: 1, PerPacket: packetTime, PerChunk: 5 * units.Microsecond}
	s := workersStand(t, w, 1)
	_, h := s.newReceiver(0, 2)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 1, false) })
	s.at(us(20), func(now units.Time) { s.inject(now, h, 0, 1, true) })
	s.wantLog("0:0+1@17us", "0:0+1@32us")
}

// Two workers that end at one instant are served in their order; an arrival at that instant has
// come before.
func TestWorkersThatEndTogetherAreServedInOrder(t *testing.T) {
	w := Workers{Count: 2, Channels: 2, PerPacket: 2 * units.Microsecond}
	s := workersStand(t, w, 1, link.Drop{First: 2, Last: 2}, link.Drop{First: 3, Last: 3})
	_, h := s.newReceiver(0, 8)
	t.Log("# packets 0 and 1 arrive at 11 and 12 us; 4 and 5 at 15 and 16 us")
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 6, false) })
	t.Log("# 7 goes to the second worker at 17 us, 6 to the first at 18 us")
	s.at(us(6), func(now units.Time) {
		s.inject(now, h, 7, 1, false)
		s.inject(now, h, 6, 1, false)
	})
	s.wantLog("0:0+1@13us", "0:1+1@14us", "0:4+1@17us", "0:5+1@18us", "0:6+1@20us", "0:7+1@20us")
}

// Late packets are handled, too: a completion appears although the payload is discarded.
func TestLatePacketTakesAWorker(t *testing.T) {
	w := Workers{Count: 1, Channels: 1, PerPacket: 3 * units.Microsecond, PerChunk: units.Microsecond}
	s := workersStand(t, w, 1)
	r, h := s.newReceiver(0, 3)
	s.at(0, func(now units.Time) {
		must(t, r.handle.Complete())
		s.inject(now, h, 0, 2, false)
	})
	s.wantLog("0:0+1@14us", "0:1+1@17us")
	if c := s.qp.Counters(); c.Discarded != 2 {
		t.Errorf("counted %+v, want two packets discarded", c)
	}
}

func TestResetSendsTheWorkersHome(t *testing.T) {
	s := workersStand(t, Workers{Count: 1, Channels: 1, PerPacket: 9 * units.Microsecond}, 1)
	_, h := s.newReceiver(0, 5)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 5, false) })
	s.engine.RunUntil(us(15))
	s.engine.Reset()
	s.in.Reset()
	s.nic.Reset()
	s.qp.Reset()
	s.peer.Reset()
	s.log = nil
	_, h = s.newReceiver(0, 1)
	s.at(0, func(now units.Time) { s.inject(now, h, 0, 1, false) })
	s.wantLog("0:0+1@20us")
}

func TestWorkersThatCostNeedANumber(t *testing.T) {
	for _, w := range []Workers{
		{PerPacket: 1}, {PerChunk: 1, Count: 1}, {PerPacket: 1, Channels: 2},
		{PerPacket: 1, Count: -1, Channels: 1},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is accepted", w)
				}
			}()
			newStand(t, standConfig{nic: Config{Workers: w}})
		}()
	}
}
