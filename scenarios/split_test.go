package scenarios

import (
	"regexp"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
	"sdrsim/wire"
)

func TestSplitFitsTheMessage(t *testing.T) {
	for _, c := range []struct {
		size, inFlight, schemes, want string
		depth                         int
	}{
		{"1MiB", "1", "[sr-rto]", "10+18+4", 2},
		{"1GiB", "1", "[sr-rto]", "10+18+4", 2},
		{"1025MiB", "1", "[sr-rto]", "9+19+4", 2},
		{"8GiB", "16", "[sr-rto]", "7+21+4", 32},
		{"8GiB", "128", "[sr-rto]", "7+21+4", 128},
		{"8GiB", "128", "[ec-mds]", "9+21+2", 256},
		{"2TiB", "1", "[ec-mds]", "1+29+2", 1},
		{"4TiB", "1", "[sr-rto]", "1+30+1", 2},
		{"8TiB", "1", "[sr-rto]", "1+31+0", 2},
		{"1MiB", "1024", "[ec-mds]", "12+16+4", 2048},
		// Parity is a message of its own, and may be the larger.
		{"1GiB", "1", "[{name: ec-mds, k: 1, m: 4}]", "8+20+4", 2},
	} {
		s := load(t, schemesOf(c.schemes), "message.size="+c.size, "message.count=2000",
			"message.in_flight="+c.inFlight, "link.bandwidth=100Tbps")
		if got := s.At(0).SDR; got.Split.String() != c.want || got.RecvDepth != c.depth {
			t.Errorf("%s, %s in flight, %s: %v, %d receives; want %s, %d", c.size, c.inFlight,
				c.schemes, got.Split, got.RecvDepth, c.want, c.depth)
		}
	}
}

func TestSplitThatIsGivenIsKept(t *testing.T) {
	p := load(t, base, "sdr.imm=8+22+2").At(0)
	if want := (wire.Split{ID: 8, Offset: 22, User: 2}); p.SDR.Split != want {
		t.Errorf("got %v; want %v", p.SDR.Split, want)
	}
}

func TestReceivesPostedAheadTakeIDs(t *testing.T) {
	p := load(t, base, "sdr.recv_depth=5000", "message.size=256MiB").At(0)
	if p.SDR.RecvDepth != 5000 || p.SDR.Split.Messages() < 5000 {
		t.Errorf("got %+v", p.SDR)
	}
}

func TestMemoryEstimateFollowsItsFormula(t *testing.T) {
	p := load(t, base, "message.size=128MiB", "message.count=16", "message.in_flight=16",
		"message.chunk=4KiB", "link.loss.model=iid", "link.loss.p=0.1").At(0)
	const chunks, parity = 32768, 8192 // of each of 16 messages, and every chunk may be repeated
	const open = 16 * (perEnds + (chunks+parity)*(bytesPerChunk+bytesPerRecord))
	// Of each of 16 messages: two handles, and bitmaps.
	const fixed = fixedMemory + perHop + 16*(2*perHandles+(chunks+parity)/4)
	if got, want := MemoryEstimate(p), units.Bytes(fixed+open); got != want {
		t.Errorf("virtual: %d; want %d", got, want)
	}
	p.Payload = spec.PayloadReal
	buffers := 16 * 2 * (128*units.MiB + 32*units.MiB)
	if got, want := MemoryEstimate(p), fixed+open+buffers; got != want {
		t.Errorf("real: %d; want %d", got, want)
	}
}

func TestMemoryOfStreamsFollowsWhatIsInFlight(t *testing.T) {
	long := load(t, base, "message.count=100", "message.in_flight=4").At(0)
	endless := load(t, base, "message.count=1e8", "message.in_flight=4").At(0)
	if a, b := MemoryEstimate(long), MemoryEstimate(endless); a != b {
		t.Errorf("a hundred messages take %v, endless ones %v", a, b)
	}
	more := load(t, base, "message.count=1e8", "message.in_flight=8").At(0)
	const fixed = fixedMemory + perHop
	a, b := MemoryEstimate(long)-fixed, MemoryEstimate(more)-fixed
	if b < 2*a-2 || b > 2*a+2 { // fractions of bytes
		t.Errorf("four in flight take %v, eight %v", a, b)
	}
}

// The size that a fault names is the largest that fits: it loads, and one byte more does not.
func TestFaultNamesTheLargestMessageThatFits(t *testing.T) {
	named := regexp.MustCompile(`, ([0-9.]+[A-Za-z]+) at link.mtu`)
	for _, c := range []struct {
		schemes string
		more    []string
		mtuToo  bool // a larger one makes room
	}{
		{"[sr-rto]", nil, true},
		{"[ec-mds]", nil, true},
		{"[{name: ec-mds, k: 1, m: 4}, sr-rto]", nil, true},
		{"[{name: ec-mds, k: 3, m: 7}]", []string{"message.chunk=64KiB"}, true},
		{"[ec-mds]", []string{"link.mtu=64KiB", "message.chunk=64KiB"}, false},
		{"[sr-rto]", []string{"message.count=2000", "message.in_flight=100"}, true},
	} {
		more := append([]string{"link.bandwidth=100Tbps"}, c.more...)
		fault := func(size string) string {
			var set []Override
			for _, one := range append(more, "message.size="+size) {
				o, err := ParseOverride(one)
				if err != nil {
					t.Fatal(err)
				}
				set = append(set, o)
			}
			_, err := Load("f.yaml", []byte(schemesOf(c.schemes)), set)
			if err == nil {
				return ""
			}
			return err.Error()
		}
		text := fault("1024TiB")
		found := named.FindStringSubmatch(text)
		if found == nil || strings.Contains(text, "a larger link.mtu makes room") != c.mtuToo {
			t.Errorf("%s: %s", c.schemes, text)
			continue
		}
		size, err := units.ParseBytes(found[1])
		if err != nil {
			t.Fatal(err)
		}
		if why := fault(size.String()); strings.Contains(why, "fits no split") {
			t.Errorf("%s: %v does not fit: %s", c.schemes, size, why)
		}
		if why := fault((size + 1).String()); !strings.Contains(why, "fits no split") {
			t.Errorf("%s: a byte more than %v fits: %s", c.schemes, size, why)
		}
	}
}

// What the entry of a scheme says follows from all its parameters, at whatever point they stand.
func TestParityIsHeldAgainstTheImmediateAtEveryPoint(t *testing.T) {
	const text = `
name: s
link: {bandwidth: 400Gbps, rtt: 25ms, loss: {model: iid, p: 1e-5}}
message: {size: 1MiB}
schemes: [sr-rto, ec-mds]
sweep: {schemes.ec-mds.m: [2, 8, 300], sdr.imm: [10+18+4, 20+10+2]}
`
	_, err := Load("s.yaml", []byte(text), nil)
	if err == nil || !strings.Contains(err.Error(), "4800 packets") {
		t.Errorf("parity of 4800 packets at 1024 packets a message: %v", err)
	}
}
