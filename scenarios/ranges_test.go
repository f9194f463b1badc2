package scenarios

import (
	"strings"
	"testing"
)

func TestRangesPrintAsShortNumbers(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"link.loss.p: {from: 1e-8, to: 1e-1, points: 15, scale: log}",
			"1e-8 3.16227766017e-8 1e-7 3.16227766017e-7 1e-6 3.16227766017e-6 1e-5 " +
				"3.16227766017e-5 0.0001 0.000316227766017 0.001 0.00316227766017 0.01 " +
				"0.0316227766017 0.1"},
		{"link.loss.p: {from: 0.1, to: 0.4, points: 4}", "0.1 0.2 0.3 0.4"},
		{"link.loss.p: {from: 0, to: 0.3, step: 0.1}", "0 0.1 0.2 0.3"},
		{"link.loss.p: {from: 1e-3, to: 1%, factor: 2}", "0.001 0.002 0.004 0.008"},
		{"message.size: {from: 128KiB, to: 2MiB, factor: 2}",
			"131072 262144 524288 1048576 2097152"},
		{"message.size: {from: 128KiB, to: 2MiB, points: 5, scale: log}",
			"131072 262144 524288 1048576 2097152"},
		{"message.size: {from: 1KiB, to: 1MiB, points: 3, scale: log}", "1024 32768 1048576"},
		{"message.size: {from: 1KiB, to: 10KiB, points: 3, scale: log}", "1024 3238 10240"},
		{"message.size: {from: 1MiB, to: 4MiB, step: 1MiB}", "1048576 2097152 3145728 4194304"},
		{"message.size: {from: 1MiB, to: 2.5MiB, step: 1MiB}", "1048576 2097152"},
		{"message.count: {from: 1, to: 4, points: 4}", "1 2 3 4"},
		{"link.rtt: {from: 1ms, to: 100ms, points: 3, scale: log}", "0.001 0.01 0.1"},
		{"link.rtt: {from: 25ms, to: 100ms, step: 25ms}", "0.025 0.05 0.075 0.1"},
		{"link.bandwidth: {from: 100Gbps, to: 1.6Tbps, factor: 2}",
			"100000000000 200000000000 400000000000 800000000000 1600000000000"},
		{"scheme.rto: {from: 1RTT, to: 3RTT, step: 0.5RTT}", "1RTT 1.5RTT 2RTT 2.5RTT 3RTT"},
		{"scheme.rto: {from: 25ms, to: 75ms, points: 3}", "0.025 0.05 0.075"},
		{"schemes.ec-mds.m: {from: 1, to: 8, factor: 2}", "1 2 4 8"},
	} {
		s := load(t, with("sweep: {"+c.line+"}"))
		if got := texts(s.Axes[0]); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func TestRangeOfRoundTripTimesIsOfEvenPicoseconds(t *testing.T) {
	s := load(t, with("sweep: {link.rtt: {from: 1ms, to: 3ms, points: 8, scale: log}}"))
	for i, p := range s.Points() {
		if s.Axes[0].Values[i].Number != p.Link.RTT().Seconds() {
			t.Errorf("%s says the axis; the link has %v", s.Axes[0].Values[i].Text, p.Link.RTT())
		}
	}
}

func TestAxisIsLogarithmicWhereItsValuesAreSpreadByFactors(t *testing.T) {
	for line, want := range map[string]bool{
		"message.size: [1KiB, 1MiB, 1GiB]":                           true,
		"message.size: [1KiB, 2KiB, 3KiB]":                           false,
		"link.loss.p: [0, 1e-6, 1e-4, 1e-2]":                         true,
		"link.loss.p: {from: 0.1, to: 0.2, points: 3, scale: log}":   true,
		"link.loss.p: {from: 1e-6, to: 0.2, points: 3}":              true,
		"message.size: {from: 1MiB, to: 4MiB, factor: 2}":            true,
		"link.distance: {from: 100km, to: 1000km, points: 3}":        false,
		"payload: [real, virtual]":                                   false,
		"schemes.ec-mds.k: {from: 4, to: 16, points: 4}":             false,
		"nic.workers: {from: 1, to: 16, points: 5, scale: log}":      true,
		"nic.per_packet: {from: 100ns, to: 1us, step: 100ns}":        false,
		"nic.repost: {from: 1us, to: 100us, points: 3, scale: log}":  true,
		"sdr.channels: {from: 1, to: 3, points: 3, scale: linear}":   false,
		"sdr.generations: {from: 1, to: 100, points: 3, scale: log}": true,
	} {
		text := with("sweep: {" + line + "}")
		if strings.Contains(line, "distance") {
			text = strings.Replace(text, "  rtt: 25ms\n", "", 1)
		}
		if got := load(t, text).Axes[0].Log; got != want {
			t.Errorf("%s: log is %v; want %v", line, got, want)
		}
	}
}
