package draft

import (
	"reflect"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

func TestFilesOfLossesAreRead(t *testing.T) {
	for text, want := range map[string]spec.LossTrace{
		"packet\n3\n4\n7\n": {Packets: []spec.LostPackets{{First: 3,
			Last: 4}, {First: 7, Last: 7}}},
		"# a trace\nfirst,last\r\n\n0, 2 # 3\n5 9\n": {Packets: []spec.LostPackets{{First: 0,
			Last: 2}, {First: 5, Last: 9}}},
		"start_s,end_s\n0,1e-12\n0.5,1\n1,1.25\n": {Times: []spec.LostTime{{From: 0, To: 1},
			{From: units.Time(units.Second / 2), To: units.Time(5 * units.Second / 4)}}},
		"packet\n":          {},
		"\ufeffpacket\r\n3": {Packets: []spec.LostPackets{{First: 3, Last: 3}}},
	} {
		if got, err := parseLosses(text); err != nil || !reflect.DeepEqual(got, &want) {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestFaultsOfFilesOfLosses(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "is empty: must begin with a header",
		"# nothing\n":                   "is empty: must begin with a header",
		"3\n":                           `line 1: "3": must be a header: packet, or first,last, or`,
		"packet\n3\n3\n":                "line 3: packet 3 must come after packet 3",
		"packet\n-3\n":                  `line 2: "-3": must be an integer from 0`,
		"packet\n1.5\n":                 `line 2: "1.5": must be an integer`,
		"packet\n1,2\n":                 `line 2: "1,2": must be as many values as the header has`,
		"first,last\n5,4\n":             "line 2: last 4 must not be below first 5",
		"first,last\n1,4\n2,9\n":        "line 3: packet 2 must come after packet 4",
		"start_s,end_s\n1,1\n":          "line 2: end_s 1 must be after start_s 1",
		"start_s,end_s\n0,2ms\n":        `line 2: "2ms": must be a time in seconds`,
		"start_s,end_s\n0,2e6\n":        `line 2: "2e6": must be a time in seconds`,
		"start_s,end_s\n0,2e-13\n":      `line 2: "2e-13": must be a time in seconds`,
		"start_s,end_s\n1,2\n\n1.5,3\n": "line 4: start_s 1.5 must not be before the end",
	} {
		if _, err := parseLosses(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}
