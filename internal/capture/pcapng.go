package capture

import (
	"encoding/binary"
	"io"

	"sdrsim/units"
)

// Blocks and options of pcapng (draft-ietf-opsawg-pcapng).
const (
	blockSection   = 0x0a0d0d0a
	blockInterface = 1
	blockPacket    = 6

	byteOrderMagic   = 0x1a2b3c4d
	linkTypeEthernet = 1

	optionEnd        = 0
	optionComment    = 1
	optionName       = 2 // of an interface
	optionFlags      = 2 // of a packet
	optionUserAppl   = 4
	optionResolution = 9

	// nanoseconds is the resolution of times. With picoseconds Wireshark overflows after 18 ms.
	nanoseconds = 9

	inbound, outbound = 1, 2
)

// writer writes blocks; the first error stays.
type writer struct {
	w    io.Writer
	body []byte
	err  error
}

func (p *writer) put(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

func (p *writer) uint16(v uint16) { p.body = binary.LittleEndian.AppendUint16(p.body, v) }
func (p *writer) uint32(v uint32) { p.body = binary.LittleEndian.AppendUint32(p.body, v) }

// padded appends bytes and fills up to a multiple of four.
func (p *writer) padded(b []byte) {
	p.body = append(p.body, b...)
	p.body = append(p.body, make([]byte, pad(len(b)))...)
}

func (p *writer) option(code uint16, value []byte) {
	p.uint16(code)
	p.uint16(uint16(len(value)))
	p.padded(value)
}

// end writes the body as a block.
func (p *writer) end(kind uint32) {
	const frame = 12
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:], kind)
	binary.LittleEndian.PutUint32(head[4:], uint32(frame+len(p.body)))
	p.put(head[:])
	p.put(p.body)
	p.put(head[4:])
	p.body = p.body[:0]
}

// section begins a file.
func (p *writer) section(program, comment string) {
	p.uint32(byteOrderMagic)
	p.uint32(1) // version 1.0
	p.uint32(^uint32(0))
	p.uint32(^uint32(0)) // length: not given
	p.option(optionComment, []byte(comment))
	p.option(optionUserAppl, []byte(program))
	p.option(optionEnd, nil)
	p.end(blockSection)
}

// device describes the next interface.
func (p *writer) device(name string) {
	p.uint32(linkTypeEthernet)
	p.uint32(0) // frames are whole
	p.option(optionName, []byte(name))
	p.option(optionResolution, []byte{nanoseconds})
	p.option(optionEnd, nil)
	p.end(blockInterface)
}

// packet is a frame on an interface.
type packet struct {
	device  uint32
	at      units.Time
	out     bool
	comment string
}

func (p *writer) packet(k packet, frame []byte) {
	at := uint64(k.at) / uint64(units.Nanosecond)
	p.uint32(k.device)
	p.uint32(uint32(at >> 32))
	p.uint32(uint32(at))
	p.uint32(uint32(len(frame)))
	p.uint32(uint32(len(frame)))
	p.padded(frame)
	if k.comment != "" {
		p.option(optionComment, []byte(k.comment))
	}
	direction := uint32(inbound)
	if k.out {
		direction = outbound
	}
	p.option(optionFlags, binary.LittleEndian.AppendUint32(nil, direction))
	p.option(optionEnd, nil)
	p.end(blockPacket)
}
