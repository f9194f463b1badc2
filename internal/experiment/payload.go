package experiment

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"sdrsim/internal/spec"
	"sdrsim/sdr"
	"sdrsim/sim"
	"sdrsim/units"
)

// payload is the memory of the messages on both sides: bytes that are sent, lost, decoded and
// compared, or only their sizes.
type payload struct {
	send, recv *sdr.MR
	size       units.Bytes // of the largest message
	out, in    []byte      // nil with virtual payload
	stream     sim.Stream
	seed       uint64
	sample     int
}

func (p *payload) register(t *pair, point *spec.Point, sends, recvs int) (err error) {
	p.size = point.Message.Size
	outSize, inSize := p.size*units.Bytes(sends), p.size*units.Bytes(recvs)
	if point.Payload == spec.PayloadReal {
		p.out, p.in = make([]byte, outSize), make([]byte, inSize)
	}
	if p.send, err = t.devA.RegisterMR(outSize, p.out); err != nil {
		return err
	}
	p.recv, err = t.devB.RegisterMR(inSize, p.in)
	return err
}

func (p *payload) begin(seed uint64, sample int) { p.seed, p.sample = seed, sample }

// slot is the memory of one message.
func slot(buf []byte, size units.Bytes, i int) []byte {
	from := size * units.Bytes(i)
	return buf[from : from+size : from+size]
}

// fill writes the bytes of a message, which depend on its number. A key is drawn, and its mixed
// multiples written, for there are gigabytes to fill: drawing each word takes longer than coding,
// copying and comparing it.
func (p *payload) fill(sender, message int, size units.Bytes) {
	if p.out == nil {
		return
	}
	p.stream.Seed(p.seed, "payload", uint64(p.sample)<<32|uint64(message))
	buf := slot(p.out, p.size, sender)[:size]
	key := p.stream.Uint64()
	for ; len(buf) >= 8; buf = buf[8:] {
		key += wordStep
		binary.LittleEndian.PutUint64(buf, mixed(key))
	}
	for i := range buf {
		key += wordStep
		buf[i] = byte(mixed(key))
	}
}

// put writes the bytes of a message that has some; what it has beyond them is zero.
func (p *payload) put(sender int, data []byte, size units.Bytes) {
	if p.out == nil {
		return
	}
	buf := slot(p.out, p.size, sender)[:size]
	clear(buf[copy(buf, data):])
}

// received are the bytes of a message that was delivered; nil with virtual payload.
func (p *payload) received(receiver int, size units.Bytes) []byte {
	if p.in == nil {
		return nil
	}
	return slot(p.in, p.size, receiver)[:size]
}

// wordStep is odd, so that keys do not repeat within a message.
const wordStep = 0x9e3779b97f4a7c15

// mixed makes all bits of a word depend on those of a key, as far as a comparison needs them to.
func mixed(key uint64) uint64 {
	key = (key ^ key>>32) * 0xd6e8feb86659fd93
	return key ^ key>>32
}

// clear makes sure that what is compared later was written since.
func (p *payload) clear(receiver int) {
	if p.in != nil {
		clear(slot(p.in, p.size, receiver))
	}
}

// verify compares what was delivered with what was sent.
func (p *payload) verify(sender, receiver, message int, size units.Bytes) error {
	if p.in == nil {
		return nil
	}
	want, got := slot(p.out, p.size, sender)[:size], slot(p.in, p.size, receiver)[:size]
	if bytes.Equal(want, got) {
		return nil
	}
	at := 0
	for want[at] == got[at] {
		at++
	}
	return fmt.Errorf("BUG: message %d was delivered with wrong bytes from offset %d on", message, at)
}
