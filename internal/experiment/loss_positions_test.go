package experiment

import (
	"fmt"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// A small message in round numbers: 24 packets of a microsecond each, a round trip of 200 us, and
// control messages of a nanosecond a byte. Erasure coding has three submessages of eight chunks,
// with two parity chunks each. Real payload, so that a wrong byte is an error of the sample.
const positions = `
name: positions
payload: real
samples: 1
link: {bandwidth: 8Gbps, rtt: 200us, mtu: 1000B, encapsulation: none,
  loss: {model: script, drops: []}, ack_loss: {model: script, drops: []}}
message: {size: %dB, chunk: %dB}
schemes:
  - {name: sr-rto, rto: 3RTT}
  - {name: sr-nack, rto: 3RTT}
  - {name: ec-mds, k: 8, m: 2}
  - {name: ec-xor, k: 8, m: 2}
`

// The times of the small message.
const (
	posPacket   = units.Microsecond
	posRTT      = 200 * units.Microsecond
	posRTO      = 3 * posRTT
	posSlack    = posRTT / 16
	posPoll     = posRTT / 16
	posFinal    = 7 * units.Nanosecond // an acknowledgement of everything
	posReport   = 8 * units.Nanosecond // a report of one hole
	posPackets  = 24
	posLossless = posPackets*posPacket + posRTT + posFinal
)

// Numbers of SDR messages: erasure coding sends its data as one and its parity as another.
const (
	posData   = 0
	posParity = 1
)

// losing is what a run loses.
type losing struct {
	data    []spec.Drop
	control []spec.Drop
}

func (l losing) String() string { return fmt.Sprintf("losing %+v and %+v", l.data, l.control) }

// once loses the first transmission of a packet, twice that of its repeat, too.
func once(message, packet int64) []spec.Drop {
	return []spec.Drop{{Message: message, First: packet, Last: packet, Transmission: 1}}
}

func twice(message, packet int64) []spec.Drop {
	again := once(message, packet)
	again[0].Transmission = 2
	return append(once(message, packet), again...)
}

// allParity loses all parity.
func allParity() spec.Drop {
	return spec.Drop{Message: posParity, First: 0, Last: 5, Transmission: 1}
}

// controls loses control messages by their number.
func controls(first, last int64) []spec.Drop {
	return []spec.Drop{{First: first, Last: last}}
}

// tinyMessage is the point with the small message, in chunks of so many packets.
func tinyMessage(t testing.TB, size, perChunk int64) spec.Point {
	return points(t, fmt.Sprintf(positions, size, perChunk*1000))[0]
}

// deliver runs a scheme with losses, and fails the test unless the message was delivered, once and
// with the right bytes.
func deliver(t *testing.T, p spec.Point, label string, l losing) Sample {
	t.Helper()
	p.Link.Loss.Drops, p.Link.AckLoss.Drops = l.data, l.control
	var s Sample
	if err := newTestRunner(t, &p, label).Sample(0, &s); err != nil {
		t.Fatalf("%s, %v: %v", label, l, err)
	}
	if len(s.Completion) != 1 || len(s.Delivery) != 1 || s.Failed != 0 {
		t.Fatalf("%s, %v: %d completed, %d delivered, %d failed", label, l, len(s.Completion),
			len(s.Delivery), s.Failed)
	}
	if s.Delivery[0] > s.Completion[0] {
		t.Fatalf("%s, %v: delivered after %v, acknowledged after %v", label, l, s.Delivery[0],
			s.Completion[0])
	}
	return s
}

// wantCompletion delivers, and compares the completion time to the picosecond.
func wantCompletion(t *testing.T, p spec.Point, label string, l losing, want units.Duration) {
	t.Helper()
	if s := deliver(t, p, label, l); s.Completion[0] != want {
		t.Errorf("%s, %v: completed after %v, want %v; %+v", label, l, s.Completion[0], want,
			s.Counters)
	}
}

// afterHole is how long a message takes that lacks packet i of single-packet chunks, where the
// receiver reports it: at once when the next has come, by its timer where that is the last.
func afterHole(i int64) units.Duration {
	reported := units.Duration(i+2)*posPacket + posRTT/2
	if i == posPackets-1 {
		reported = posPackets*posPacket + posRTT/2 + posSlack
	}
	return reported + posReport + posRTT/2 + posPacket + posRTT + posFinal
}

// afterParity is how long a message takes that lacks data packet i: until the parity that recovers
// it, which follows all data. MDS takes the first of the submessage, XOR that of the group.
func afterParity(i int64, xor bool) units.Duration {
	parity := i / 8 * 2
	if xor {
		parity += i % 8 % 2
	}
	return units.Duration(posPackets+parity+1)*posPacket + posRTT + posFinal
}

// The loss of one packet, the first and the last among them, costs what each scheme promises.
func TestLossOfEverySinglePacket(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	for i := range int64(posPackets) {
		l := losing{data: once(posData, i)}
		departed := units.Duration(i+1) * posPacket
		wantCompletion(t, p, "sr-rto", l, departed+posRTO+posPacket+posRTT+posFinal)
		wantCompletion(t, p, "sr-nack", l, afterHole(i))
		wantCompletion(t, p, "ec-mds", l, afterParity(i, false))
		wantCompletion(t, p, "ec-xor", l, afterParity(i, true))
	}
}

// Nothing needs parity where all data arrives.
func TestLossOfEverySingleParityPacket(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	for i := range int64(6) {
		for _, label := range []string{"ec-mds", "ec-xor"} {
			wantCompletion(t, p, label, losing{data: once(posParity, i)}, posLossless)
		}
	}
}

// The RTO + T_inj rule for chunks of three packets, and a short last packet: the timeout runs from
// the last packet of the chunk, and the repeat is complete with the packet that was lost.
func TestLossOfEveryPacketOfLargerChunks(t *testing.T) {
	const short = posPacket / 4
	p := tinyMessage(t, 22_250, 3)
	for i := range int64(23) {
		l := losing{data: once(posData, i)}
		last := min(i/3*3+2, 22)
		repeated := units.Duration(i-i/3*3+1) * posPacket
		departed := units.Duration(last+1) * posPacket
		if last == 22 {
			departed += short - posPacket
		}
		if i == 22 {
			repeated += short - posPacket
		}
		wantCompletion(t, p, "sr-rto", l, departed+posRTO+repeated+posRTT+posFinal)
		for _, label := range []string{"sr-nack", "ec-mds", "ec-xor"} {
			deliver(t, p, label, l)
		}
	}
}

// A repeat that is lost costs RTO + T_inj again. With erasure coding nothing is repeated before
// the fallback, so there all parity is lost as well.
func TestLossOfEveryPacketAndItsRepeat(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	for i := range int64(posPackets) {
		l := losing{data: twice(posData, i)}
		departed := units.Duration(i+1) * posPacket
		wantCompletion(t, p, "sr-rto", l, departed+2*(posRTO+posPacket)+posRTT+posFinal)
		if s := deliver(t, p, "sr-nack", l); s.Nacks < 2 || s.Retransmits != 2 {
			t.Errorf("sr-nack, %v: %+v", l, s.Counters)
		}
		l.data = append(l.data, allParity())
		for _, label := range []string{"ec-mds", "ec-xor"} {
			if s := deliver(t, p, label, l); s.Fallbacks != 1 || s.Retransmits < 9 {
				t.Errorf("%s, %v: %+v", label, l, s.Counters)
			}
		}
	}
}

// Two losses anywhere: timeouts run in parallel, so the later one decides.
func TestLossOfEveryPairOfPackets(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	for j := range int64(posPackets) {
		for i := range j {
			l := losing{data: append(once(posData, i), once(posData, j)...)}
			departed := units.Duration(j+1) * posPacket
			wantCompletion(t, p, "sr-rto", l, departed+posRTO+posPacket+posRTT+posFinal)
			for _, label := range []string{"sr-nack", "ec-mds", "ec-xor"} {
				deliver(t, p, label, l)
			}
		}
	}
}

// Acknowledgements of the lossless message: one of the poll at 113.5 us, which says that 13 packets
// have arrived, and the final one at 124 us, which is said again at the polls at 126 and 138.5 us.
func TestLossOfEveryAcknowledgement(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	poll := func(n units.Duration) units.Duration {
		return posPacket + posRTT/2 + n*posPoll + posRTT/2 + posFinal
	}
	// Where all three are lost, the first chunk beyond the 13 is repeated and answered at once.
	answered := 14*posPacket + posRTO + posPacket + posRTT + posFinal
	for _, c := range []struct {
		first, last int64
		want        units.Duration
	}{
		{0, 0, posLossless}, {1, 1, poll(2)}, {2, 2, posLossless}, {3, 3, posLossless},
		{0, 1, poll(2)}, {1, 2, poll(3)}, {1, 3, answered},
	} {
		l := losing{control: controls(c.first, c.last)}
		wantCompletion(t, p, "sr-rto", l, c.want)
		wantCompletion(t, p, "sr-nack", l, c.want)
	}
	t.Log("# with the first lost as well, the first chunk is the oldest")
	wantCompletion(t, p, "sr-rto", losing{control: controls(0, 3)},
		posPacket+posRTO+posPacket+posRTT+posFinal)
}

// Whichever and however many control messages are lost, alone or with data.
func TestLossOfControlMessagesNeverLosesAMessage(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	for _, label := range []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"} {
		for first := range int64(8) {
			for last := first; last < first+6; last++ {
				l := losing{control: controls(first, last)}
				deliver(t, p, label, l)
				l.data = once(posData, 23)
				deliver(t, p, label, l)
				l.data = append(once(posData, 3), allParity())
				deliver(t, p, label, l)
			}
		}
	}
}

// The only report is lost: it is repeated when the hole has persisted for the time of the report, a
// round trip, a packet, a chunk and the slack.
func TestLossOfTheOnlyReport(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	// The report takes 8 ns, and the repeat a packet, after the one that may be under way.
	const patience = posRTT + 8*units.Nanosecond + 2*posPacket + posSlack
	for i := range int64(12) {
		t.Logf("# packet %d is missing; its report is the first control message", i)
		l := losing{data: once(posData, i), control: controls(0, 0)}
		wantCompletion(t, p, "sr-nack", l, afterHole(i)+patience)
	}
	for _, label := range []string{"ec-mds", "ec-xor"} {
		for i := range int64(posPackets) {
			data := append(once(posData, i), allParity())
			heard := deliver(t, p, label, losing{data: data})
			lost := deliver(t, p, label, losing{data: data, control: controls(0, 0)})
			if heard.Nacks != 1 || lost.Nacks != 2 || lost.Completion[0] <= heard.Completion[0] {
				t.Errorf("%s: %d reports without and %d with the loss of the first; %v and %v", label,
					heard.Nacks, lost.Nacks, heard.Completion[0], lost.Completion[0])
			}
		}
	}
}

// Losing every transmission of a packet for long, or all of the first transmissions.
func TestLossOfManyTransmissions(t *testing.T) {
	p := tinyMessage(t, 24_000, 1)
	everything := spec.Drop{First: 0, Last: 23, Transmission: 1}
	for _, label := range []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"} {
		l := losing{data: []spec.Drop{everything, allParity()}}
		deliver(t, p, label, l)
		for n := range int64(9) {
			again := everything
			again.Transmission = n + 2
			l.data = append(l.data, again)
		}
		deliver(t, p, label, l)
	}
	t.Log("# ten times the timeout, in parallel; repeats go back to back, 24 packets in a row")
	l := losing{data: nil}
	for n := range int64(10) {
		again := everything
		again.Transmission = n + 1
		l.data = append(l.data, again)
	}
	wantCompletion(t, p, "sr-rto", l, 24*posPacket+10*(posRTO+posPacket)+posRTT+posFinal)
}
