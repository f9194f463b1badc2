package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// conflicts are values of which some go together and some do not.
var conflicts = []struct{ path, values string }{
	{"link.bandwidth", "1kbps 100Gbps 400Gbps"},
	{"link.rtt", "1us 25ms 1800s"},
	{"link.mtu", "1KiB 4KiB 9000B"},
	{"link.loss.model", "none iid gilbert-elliott"},
	{"link.loss.p", "0 1e-5 0.5"},
	{"link.loss.per", "packet chunk"},
	{"link.ack_loss.model", "none iid"},
	{"message.size", "4KiB 1MiB 1GiB 8TiB"},
	{"message.chunk", "4KiB 6KiB 64KiB"},
	{"message.count", "1 4 1000000"},
	{"message.in_flight", "1 3 2000"},
	{"sdr.imm", "10+18+4 4+26+2 20+10+2"},
	{"sdr.channels", "1 4"},
	{"nic.per_packet", "0s 1us 1s"},
	{"nic.repost", "0s 10ms"},
	{"scheme.rto", "1us 3RTT 1200s 20000RTT"},
	{"scheme.retries", "1 7 1000000"},
	{"schemes.sr-rto.retries", "2 100000"},
	{"schemes.ec-mds.k", "4 32 300"},
	{"schemes.ec-mds.m", "2 8 300"},
	{"schemes.ec-xor.m", "1 8 40"},
	{"schemes.ec-xor.beta", "0.5 1000"},
	{"collective.datacenters", "2 3 5"}, // of a ring only
}

// drawSweep writes a scenario with some of the conflicts in its sweep: as axes, of which some move
// together, and with combinations left out.
func drawSweep(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("name: drawn\nlink:\n  bandwidth: 400Gbps\n  rtt: 25ms\n" +
		"  loss: {model: iid, p: 1e-5}\n" +
		"schemes:\n  - {name: sr-rto}\n  - {name: ec-mds}\n  - {name: ec-xor}\n")
	order := rapid.Permutation(conflicts[:len(conflicts)-1]).Draw(t, "order")
	if rapid.Bool().Draw(t, "ring") {
		order = rapid.Permutation(conflicts).Draw(t, "order of a ring")
		b.WriteString("message: {size: 1MiB}\n" +
			"collective:\n  kind: all-reduce\n  datacenters: 3\n" +
			"  hops: [{hop: 1, distance: 10km}, {hop: 2, loss: none}]\n")
	} else {
		b.WriteString("message: {size: 1MiB, count: 4}\n")
	}
	b.WriteString("sweep:\n")
	var lists []string
	for _, c := range order[:rapid.IntRange(1, 4).Draw(t, "axes")] {
		all := strings.Fields(c.values)
		list := rapid.Permutation(all).Draw(t, c.path)[:rapid.IntRange(1, len(all)).Draw(t, "n")]
		lists = append(lists, fmt.Sprintf("%s: [%s]", c.path, strings.Join(list, ", ")))
	}
	if len(lists) > 2 && rapid.Bool().Draw(t, "together") {
		count := func(l string) int { return strings.Count(l, ",") }
		if count(lists[0]) == count(lists[1]) {
			fmt.Fprintf(&b, "  zip: [{%s, %s}]\n", lists[0], lists[1])
			lists = lists[2:]
		}
	}
	for _, l := range lists {
		b.WriteString("  " + l + "\n")
	}
	if len(lists) == 0 {
		return b.String()
	}
	path, values, _ := strings.Cut(lists[0], ": ")
	if strings.Contains(values, ",") && rapid.Bool().Draw(t, "exclude") {
		first, _, _ := strings.Cut(strings.Trim(values, "[]"), ",")
		fmt.Fprintf(&b, "  exclude: [{%s: %s}]\n", path, first)
	}
	return b.String()
}

// A scenario that loads breaks no rule at any of its points, each checked by itself.
func TestRulesHoldAtEveryPointOfWhatLoads(t *testing.T) {
	loaded, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawSweep(t)
		s, err := Load("drawn.yaml", []byte(text), nil)
		if err != nil {
			refused++
			return
		}
		loaded++
		f := newFaults("drawn.yaml", nil)
		d := s.draft.clone()
		for i := range s.Len() {
			s.put(d, s.valuesOf(i))
			d.check(f)
		}
		if err := f.result(); err != nil {
			t.Fatalf("loads, and breaks rules:\n%s\n%v", text, err)
		}
	})
	t.Logf("%d scenarios loaded, %d refused", loaded, refused)
}

func TestRuleIsAskedOnceForPointsThatAgreeOnWhatItAsks(t *testing.T) {
	s, err := Load("drawn.yaml", []byte("name: drawn\nlink: {bandwidth: 1Gbps, rtt: 1ms}\n"+
		"message: {size: 1MiB}\nschemes: [{name: sr-rto}]\nsweep:\n"+
		"  message.size: [1MiB, 2MiB, 4MiB, 8MiB]\n  link.rtt: [1ms, 2ms, 3ms]\n"+
		"  nic.workers: [1, 2, 3, 4, 5]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var visits []string
	rule := func(d *draft, _ *faults) { // looks at the size, and for one of them at the round trip
		size := d.get("message.size").text
		if size == "4194304" {
			size += " " + d.get("link.rtt").raw
		}
		visits = append(visits, size)
	}
	d := s.draft.clone()
	d.watch()
	if !s.holds(rule, d, newFaults("drawn.yaml", nil)) {
		t.Fatal("a rule that says nothing does not hold")
	}
	slices.Sort(visits)
	visits = slices.Compact(visits)
	want := []string{"1048576", "2097152", "4194304 1ms", "4194304 2ms", "4194304 3ms", "8388608"}
	if !slices.Equal(visits, want) {
		t.Fatalf("visited %q, want %q", visits, want)
	}
}

// What the entry of a scheme says follows from all its parameters: each of them counts as asked for
// by every rule that asks the entry.
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
