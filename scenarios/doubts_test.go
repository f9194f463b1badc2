package scenarios

import (
	"strings"
	"testing"
)

// A window that is not the one asked for is told: fewer ids than receives to be posted ahead, or
// fewer receives than messages in flight. Where ids are not used twice, they are enough.
func TestPointsDoubtAWindowThatTheyDoNotHave(t *testing.T) {
	for _, c := range []struct {
		set  string
		want string // in the only doubt; empty: none
	}{
		{"message.count=2000 message.in_flight=1024", ""},
		{"message.count=2000 message.in_flight=1024 sdr.imm=11+17+4", "for 1024 receives"},
		{"message.count=2000 message.in_flight=1024 sdr.imm=12+16+4", ""},
		{"message.count=60 message.in_flight=60 sdr.imm=7+21+4", ""},
		{"message.count=64 message.in_flight=60 sdr.imm=7+21+4", ""},
		{"message.count=65 message.in_flight=60 sdr.imm=7+21+4", "for 64 receives"},
		{"message.count=100 message.in_flight=60 sdr.recv_depth=50", "lets 50 messages"},
		{"message.count=100 message.in_flight=60 sdr.recv_depth=60", ""},
		// No split has both the offsets and twice as many ids.
		{"message.count=500 message.in_flight=200 message.size=8GiB link.bandwidth=100Tbps " +
			"link.rtt=1ms", "9+21+2"},
	} {
		p := load(t, base, strings.Fields(c.set)...).At(0)
		switch list := p.Doubts(); {
		case c.want == "" && len(list) > 0:
			t.Errorf("%s: %q", c.set, list)
		case c.want != "" && (len(list) != 1 || !strings.Contains(list[0], c.want)):
			t.Errorf("%s: %q, want one that says %q", c.set, list, c.want)
		}
	}
}
