package scenarios

import (
	"testing"
)

// The default chunk is the largest multiple of the MTU up to 64 KiB, whether the MTU is given or
// swept. A chunk that is given has to be a multiple.
func TestDefaultChunkFollowsTheMTU(t *testing.T) {
	for mtu, want := range map[string]int64{
		"4KiB": 65536, "1500B": 64500, "9000B": 63000, "64B": 65536, "65536B": 65536, "40000B": 40000,
	} {
		if p := load(t, base, "link.mtu="+mtu).At(0); int64(p.Message.Chunk) != want {
			t.Errorf("mtu %s: chunk of %v, want %dB", mtu, p.Message.Chunk, want)
		}
	}
	s := load(t, base, "sweep.link.mtu=[1500B, 9000B]")
	if a, b := s.At(0).Message.Chunk, s.At(1).Message.Chunk; a != 64500 || b != 63000 {
		t.Errorf("swept: chunks of %v and %v", a, b)
	}
	_, err := Load("t.yaml", []byte(base), []Override{{Path: "link.mtu", Value: "1500B"},
		{Path: "message.chunk", Value: "64KiB"}})
	if err == nil {
		t.Error("a chunk of 64KiB that was asked for is accepted with an MTU of 1500 B")
	}
}
