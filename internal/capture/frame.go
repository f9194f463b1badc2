package capture

import (
	"encoding/binary"
	"hash/crc32"

	"sdrsim/wire"
)

// What the headers of a frame say where nothing of the simulation decides it.
const (
	opWriteOnlyImm = 0x2b // UC RDMA Write Only with Immediate
	opSendOnly     = 0x64 // UD Send Only
	dataQP         = 0x100
	controlQP      = 0x80
	remoteKey      = 0x5d125d12
	queueKey       = 0x11111111
	rocePort       = 4791
	sourcePort     = 0xc000 // and above: the entropy of a flow

	ethernetBytes = 14
	ipv4Bytes     = 20
	udpBytes      = 8
	bthBytes      = 12
	icrcBytes     = 4
	psnMask       = 1<<24 - 1
)

// route is where a frame goes: over which hop, and in which direction.
type route struct {
	hop     int
	forward bool
}

// frames builds frames, one at a time.
type frames struct {
	split wire.Split
	mtu   int64
	buf   []byte
	zeros []byte // virtual payload
}

// data is the frame of packet i of a run; it is valid until the next one is built.
func (f *frames) data(to route, run *wire.Run, i int64, psn uint32) []byte {
	imm := f.split.Pack(run.Message, i, run.User)
	size := int64(run.Payload)
	payload := run.Data
	if payload != nil {
		payload = payload[(i-run.First)*size:][:size]
	} else {
		if int64(len(f.zeros)) < size {
			f.zeros = make([]byte, size)
		}
		payload = f.zeros[:size]
	}
	f.begin(to)
	f.bth(opWriteOnlyImm, dataQP+run.Generation, psn, int(size))
	// RETH: the receive of the message begins at its id times the largest message.
	f.uint64(uint64((int64(run.Message)*f.split.Packets() + i) * f.mtu))
	f.uint32(remoteKey)
	f.uint32(uint32(size))
	f.uint32(imm)
	return f.end(payload)
}

// control is the frame of a control message.
func (f *frames) control(to route, msg []byte, psn uint32) []byte {
	f.begin(to)
	f.bth(opSendOnly, controlQP, psn, len(msg))
	f.uint32(queueKey) // DETH
	f.uint32(controlQP)
	return f.end(msg)
}

func (f *frames) uint16(v uint16) { f.buf = binary.BigEndian.AppendUint16(f.buf, v) }
func (f *frames) uint32(v uint32) { f.buf = binary.BigEndian.AppendUint32(f.buf, v) }
func (f *frames) uint64(v uint64) { f.buf = binary.BigEndian.AppendUint64(f.buf, v) }

// begin writes Ethernet, IPv4 and UDP; end fills in the lengths.
func (f *frames) begin(to route) {
	from, dest := byte(1), byte(2)
	if !to.forward {
		from, dest = dest, from
	}
	hi, lo := byte(to.hop>>8), byte(to.hop)
	f.buf = append(f.buf[:0], 2, 0, 0, hi, lo, dest, 2, 0, 0, hi, lo, from) // local MAC addresses
	f.uint16(0x0800)
	f.buf = append(f.buf, 0x45, 0x02, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0) // ECN-capable, DF, UDP
	f.buf = append(f.buf, 10, hi, lo, from, 10, hi, lo, dest)
	f.uint16(sourcePort | uint16(to.hop)&0x3fff)
	f.uint16(rocePort)
	f.uint32(0) // length and checksum; RoCEv2 has no UDP checksum
}

// bth writes the base transport header of a packet with so many bytes of payload.
func (f *frames) bth(opcode byte, qp, psn uint32, size int) {
	const migrated = 0x40
	f.buf = append(f.buf, opcode, migrated|byte(pad(size))<<4, 0xff, 0xff) // default partition
	f.uint32(qp & psnMask)
	f.uint32(psn & psnMask)
}

// pad is the number of bytes that make a payload a multiple of four.
func pad(size int) int { return -size & 3 }

// end writes payload, padding and ICRC, and the lengths and checksum before them.
func (f *frames) end(payload []byte) []byte {
	f.buf = append(f.buf, payload...)
	f.buf = append(f.buf, make([]byte, pad(len(payload)))...)
	ip := f.buf[ethernetBytes:]
	total := len(ip) + icrcBytes
	binary.BigEndian.PutUint16(ip[2:], uint16(total))
	binary.BigEndian.PutUint16(ip[ipv4Bytes+4:], uint16(total-ipv4Bytes))
	binary.BigEndian.PutUint16(ip[10:], ipv4Checksum(ip[:ipv4Bytes]))
	f.buf = binary.LittleEndian.AppendUint32(f.buf, icrc(ip))
	return f.buf
}

// ipv4Checksum is the ones' complement sum of a header whose checksum is zero. RFC 1071.
func ipv4Checksum(header []byte) uint16 {
	sum := uint32(0)
	for i := 0; i < len(header); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(header[i:]))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// icrc is the invariant CRC of a packet from its IPv4 header on: CRC-32 over 64 ones, which stand
// for the local route header, and the packet, with ones for all that routers may change.
func icrc(ip []byte) uint32 {
	const lrh, headers = 8, ipv4Bytes + udpBytes + bthBytes
	var b [lrh + headers]byte
	for i := range lrh {
		b[i] = 0xff
	}
	h := b[lrh:]
	copy(h, ip)
	for _, i := range []int{
		1, 8, 10, 11, // type of service, time to live, header checksum
		ipv4Bytes + 6, ipv4Bytes + 7, // UDP checksum
		ipv4Bytes + udpBytes + 4, // BTH: congestion notification
	} {
		h[i] = 0xff
	}
	return crc32.Update(crc32.ChecksumIEEE(b[:]), crc32.IEEETable, ip[headers:])
}
