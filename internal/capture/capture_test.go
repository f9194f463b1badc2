package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/experiment"
	"sdrsim/internal/spec"
	"sdrsim/scenarios"
	"sdrsim/units"
	"sdrsim/wire"
)

const lossy = `
name: capture
link:
  {bandwidth: 10Gbps, rtt: 1ms, mtu: 1KiB, loss: {model: iid, p: 0.03},
   ack_loss: {model: iid, p: 0.2}}
message: {size: 300KB, chunk: 4KiB, count: 3, in_flight: 2}
schemes: [{name: sr-nack}, {name: ec-mds, k: 8, m: 2}, {name: sr-rto}]
payload: real
`

// recorded runs a sample of a scheme.
func recorded(t *testing.T, text string, scheme int) (*experiment.Record, spec.Point) {
	t.Helper()
	s, err := scenarios.Load("capture.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.At(0)
	var r experiment.Record
	runner, err := experiment.NewTracedRunner(&p, &p.Schemes[scheme], &r)
	if err != nil {
		t.Fatal(err)
	}
	var sample experiment.Sample
	if err := runner.Sample(0, &sample); err != nil {
		t.Fatal(err)
	}
	if sample.Lost == 0 {
		t.Fatal("nothing was lost: the test shows nothing")
	}
	return &r, p
}

func options(p *spec.Point) Options {
	return Options{Split: p.SDR.Split, MTU: p.Link.MTU, Program: "sdrsim", Comment: "a test"}
}

// read is a packet of a capture, as this test's own reader finds it.
type read struct {
	device    uint32
	ns        uint64
	comment   string
	direction uint32
	frame     []byte
}

// readAll reads a capture block by block.
func readAll(t *testing.T, file []byte) (devices []string, packets []read) {
	t.Helper()
	le := binary.LittleEndian
	for len(file) > 0 {
		kind, size := le.Uint32(file), le.Uint32(file[4:])
		if size%4 != 0 || int(size) > len(file) || le.Uint32(file[size-4:]) != size {
			t.Fatalf("a block of %d bytes in %d", size, len(file))
		}
		body := file[8 : size-4]
		file = file[size:]
		switch kind {
		case 1:
			eachOption(t, body[8:], func(code uint16, value []byte) {
				if code == 2 {
					devices = append(devices, string(value))
				}
			})
		case 6:
			n := le.Uint32(body[12:])
			p := read{device: le.Uint32(body), frame: body[20 : 20+n],
				ns: uint64(le.Uint32(body[4:]))<<32 | uint64(le.Uint32(body[8:]))}
			eachOption(t, body[20+(n+3)/4*4:], func(code uint16, value []byte) {
				if code == 1 {
					p.comment = string(value)
				} else {
					p.direction = le.Uint32(value)
				}
			})
			packets = append(packets, p)
		}
	}
	return devices, packets
}

func eachOption(t *testing.T, b []byte, visit func(code uint16, value []byte)) {
	for {
		code, n := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:])
		if code == 0 {
			if len(b) != 4 {
				t.Fatalf("%d bytes behind the last option", len(b)-4)
			}
			return
		}
		visit(code, b[4:4+n])
		b = b[4+(n+3)/4*4:]
	}
}

// crcBitByBit is the CRC-32 of Ethernet, by its definition.
func crcBitByBit(b []byte) uint32 {
	crc := ^uint32(0)
	for _, c := range b {
		for bit := range 8 {
			carry := crc&1 ^ uint32(c>>bit)&1
			crc >>= 1
			if carry != 0 {
				crc ^= 0xedb88320
			}
		}
	}
	return ^crc
}

// validICRC recomputes the ICRC from the text of annex A17: ones for the local route header and for
// everything variant.
func validICRC(frame []byte) bool {
	ip := slices.Clone(frame[14:])
	got := binary.LittleEndian.Uint32(ip[len(ip)-4:])
	ip = ip[:len(ip)-4]
	for _, variant := range []int{1, 8, 10, 11, 26, 27, 32} {
		ip[variant] = 0xff
	}
	return crcBitByBit(append(bytes.Repeat([]byte{0xff}, 8), ip...)) == got
}

// What arrives is byte for byte what left one delay before, unless it was lost; nothing else is in
// a capture.
func TestCaptureHasWhatLeftAndWhatArrived(t *testing.T) {
	for scheme := range 3 {
		r, p := recorded(t, lossy, scheme)
		var file bytes.Buffer
		written, left, err := Write(&file, r, options(&p))
		if err != nil || left != 0 {
			t.Fatalf("%d left out, %v", left, err)
		}
		devices, packets := readAll(t, file.Bytes())
		if !slices.Equal(devices, []string{"A", "B"}) || int64(len(packets)) != written {
			t.Fatalf("devices %q, %d packets of %d", devices, len(packets), written)
		}
		delay := uint64(p.Link.Delay / units.Nanosecond)
		underway := map[string][]uint64{} // frames that have left, with the times of arrival
		var lost, retransmissions int
		for i, k := range packets {
			if i > 0 && k.ns < packets[i-1].ns {
				t.Fatalf("packet %d goes back in time", i)
			}
			if !validICRC(k.frame) {
				t.Fatalf("packet %d has another ICRC", i)
			}
			name := string(k.frame)
			switch {
			case k.direction == outbound && strings.Contains(k.comment, commentLost):
				lost++
			case k.direction == outbound:
				underway[name] = append(underway[name], k.ns+delay)
			default:
				due := underway[name]
				if len(due) == 0 || due[0] > k.ns+1 || due[0]+1 < k.ns {
					t.Fatalf("packet %d arrives at %d ns; due %v", i, k.ns, due)
				}
				underway[name] = due[1:]
			}
			if strings.HasPrefix(k.comment, commentAgain) {
				retransmissions++
			}
		}
		for _, due := range underway {
			if len(due) > 0 {
				t.Fatal("a packet that is not lost never arrives")
			}
		}
		if lost == 0 || retransmissions == 0 {
			t.Errorf("%d lost, %d retransmissions", lost, retransmissions)
		}
	}
}

// The payload, the immediate and the remote address of a packet are those of its place in the
// message.
func TestFrameSaysWhatTheRunIs(t *testing.T) {
	data := []byte("aaaabbbbcccc")
	run := &wire.Run{Count: 3, First: 5, Message: 9, Generation: 2, Payload: 4, Data: data,
		User: 0x87654321}
	f := frames{split: wire.DefaultSplit, mtu: 4096}
	frame := f.data(route{0, true}, run, 6, 1<<24+7)
	be := binary.BigEndian
	bth := frame[14+20+8:]
	if bth[0] != 0x2b || be.Uint32(bth[4:]) != 0x102 || be.Uint32(bth[8:]) != 7 {
		t.Errorf("BTH %x", bth[:12])
	}
	reth := bth[12:]
	if at := be.Uint64(reth); at != (9<<18+6)*4096 || be.Uint32(reth[12:]) != 4 {
		t.Errorf("RETH %x", reth[:16])
	}
	id, offset, user := wire.DefaultSplit.Unpack(be.Uint32(reth[16:]))
	if id != 9 || offset != 6 || user != wire.DefaultSplit.Fragment(6, run.User) {
		t.Errorf("immediate %d, %d, %d", id, offset, user)
	}
	if payload := reth[20:24]; string(payload) != "bbbb" {
		t.Errorf("payload %q", payload)
	}
	for i := range 8 * len(frame) {
		flipped := slices.Clone(frame)
		flipped[i/8] ^= 1 << (i % 8)
		if variant := i/8 < 14 || slices.Contains([]int{15, 22, 24, 25, 40, 41, 46}, i/8); !variant &&
			validICRC(flipped) {
			t.Fatalf("bit %d may be flipped", i)
		}
	}
}

func TestLimitLeavesTheRestOut(t *testing.T) {
	r, p := recorded(t, lossy, 0)
	o := options(&p)
	var whole, part bytes.Buffer
	all, _, err := Write(&whole, r, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Limit = 10
	written, left, err := Write(&part, r, o)
	if err != nil || written != 10 || written+left != all {
		t.Errorf("%d written, %d left out of %d, %v", written, left, all, err)
	}
	if !bytes.HasPrefix(whole.Bytes(), part.Bytes()) {
		t.Error("the first packets differ")
	}
}

// tool skips a test where a program is missing.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(name + " is not installed")
	}
	return path
}

// written is a capture in a file, and the dissector for it.
func written(t *testing.T, scheme int) (file, script string) {
	t.Helper()
	r, p := recorded(t, lossy, scheme)
	var b bytes.Buffer
	if _, _, err := Write(&b, r, options(&p)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, script = filepath.Join(dir, "s.pcapng"), filepath.Join(dir, "sdrsim.lua")
	for name, content := range map[string][]byte{
		file: b.Bytes(), script: []byte(Dissector(p.SDR.Split)),
	} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return file, script
}

// tshark reads a capture without a word of complaint, and shows our fields.
func TestWiresharkUnderstandsCaptures(t *testing.T) {
	path := tool(t, "tshark")
	for scheme, want := range []string{"NACK", "final", "ACK"} {
		file, script := written(t, scheme)
		run := func(args ...string) string {
			args = append([]string{"-X", "lua_script:" + script, "-r", file}, args...)
			cmd := exec.Command(path, args...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %v", cmd, err)
			}
			return string(out)
		}
		out := run("-Y", "_ws.malformed || _ws.lua.error || _ws.expert.severity >= 0x800000")
		if out != "" {
			t.Errorf("complaints:\n%s", out)
		}
		control := run("-Y", "sdrsim.kind", "-T", "fields", "-e", "sdrsim.kind", "-e",
			"_ws.col.Info")
		if !strings.Contains(control, want) {
			t.Errorf("scheme %d: no %q in\n%s", scheme, want, control)
		}
		other := run("-Y", "!sdrsim", "-T", "fields", "-e", "frame.number")
		if other != "" {
			t.Errorf("packets without our fields: %s", other)
		}
		last := run("-Y", "sdrsim.packet && frame.interface_id == 0", "-T", "fields", "-e",
			"sdrsim.message_id", "-e", "sdrsim.packet")
		if !strings.HasPrefix(last, "0\t0\n0\t1\n") {
			t.Errorf("data begins with %.40q", last)
		}
	}
}

// scapy, which knows RoCE, computes the same ICRC.
func TestScapyComputesTheSameICRC(t *testing.T) {
	const python = "/usr/bin/python3" // that of the package
	if err := exec.Command(python, "-c", "import scapy.contrib.roce").Run(); err != nil {
		t.Skip("scapy is not installed")
	}
	file, _ := written(t, 0)
	out, err := exec.Command(python, "-c", fmt.Sprintf(`
from scapy.all import PcapNgReader
from scapy.contrib.roce import BTH
n = 0
for p in PcapNgReader(%q):
    raw = bytes(p)
    p[BTH].icrc = None
    assert bytes(p)[-4:] == raw[-4:], n
    n += 1
print(n)`, file)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.TrimSpace(string(out)); n == "0" {
		t.Error("scapy read no packet")
	}
}
