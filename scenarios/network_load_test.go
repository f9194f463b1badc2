package scenarios

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// networkOf is the base scenario with a network and more lines.
func networkOf(hosts int, lines ...string) string {
	return with(append([]string{fmt.Sprintf("network: {kind: dumbbell, hosts: %d}", hosts)},
		lines...)...)
}

func TestANetworkHasItsDefaults(t *testing.T) {
	p := load(t, with("network: {kind: dumbbell}")).At(0)
	want := spec.Network{Kind: spec.NetworkDumbbell, Hosts: 2,
		Access: spec.Access{Bandwidth: p.Link.Bandwidth, Delay: units.Microsecond},
		Queue:  spec.Queue{Buffer: 64 * units.MiB}}
	if !reflect.DeepEqual(p.Network, want) {
		t.Errorf("got %+v; want %+v", p.Network, want)
	}
	if got := names(p.Flows); got != "west[0]-east[0] west[1]-east[1]" {
		t.Errorf("flows %s", got)
	}
	if p := load(t, base).At(0); p.Network.Kind != "" || p.Flows != nil || p.Traffic != nil {
		t.Errorf("a point without a network has %+v %+v %+v", p.Network, p.Flows, p.Traffic)
	}
}

func names(flows []spec.Flow) string {
	var list []string
	for _, f := range flows {
		if f.Name != f.From.String()+"-"+f.To.String() {
			list = append(list, "misnamed")
		}
		list = append(list, f.Name)
	}
	return strings.Join(list, " ")
}

func TestFlowsOfEveryPattern(t *testing.T) {
	for entry, want := range map[string]string{
		"{pattern: pairs}":               "west[0]-east[0] west[1]-east[1] west[2]-east[2]",
		"{pattern: incast}":              "west[0]-east[0] west[1]-east[0] west[2]-east[0]",
		"{pattern: permutation}":         "west[0]-east[1] west[1]-east[2] west[2]-east[0]",
		"{from: west, to: east[2]}":      "west[0]-east[2] west[1]-east[2] west[2]-east[2]",
		"{from: west[1-2], to: east[0]}": "west[1]-east[0] west[2]-east[0]",
		"{from: west[2], to: east[1]}, {from: west[0], to: east[1]}": "west[2]-east[1] west[0]-east[1]",
	} {
		p := load(t, networkOf(3, "flows: ["+entry+"]")).At(0)
		if got := names(p.Flows); got != want {
			t.Errorf("%s: %s; want %s", entry, got, want)
		}
	}
	p := load(t, networkOf(1, "flows: [{pattern: all-to-all}]")).At(0)
	if got := names(p.Flows); got != "west[0]-east[0]" {
		t.Errorf("all to all of one: %s", got)
	}
}

func TestAFlowHasItsOwnSizeSchemeAndStart(t *testing.T) {
	p := load(t, networkOf(4, "flows:", "  - {from: west[0-1], to: east[3]}",
		"  - {from: west[2], to: east[0], size: 1GiB, scheme: sr-nack, start: 1ms}",
		"  - {from: west[3], to: east[0], scheme: {name: ec-mds, k: 8, m: 2}}")).At(0)
	for i, want := range []spec.Flow{
		{Size: units.MiB}, {Size: units.MiB},
		{Size: units.GiB, Start: units.Millisecond}, {Size: units.MiB},
	} {
		f := p.Flows[i]
		if f.Size != want.Size || f.Start != want.Start || (f.Scheme != nil) != (i >= 2) {
			t.Errorf("flow %d is %+v", i, f)
		}
	}
	if s := p.Flows[2].Scheme; s.Name != "sr-nack" || s.Label != "sr-nack" {
		t.Errorf("scheme %+v", s)
	}
	if s := p.Flows[3].Scheme; s.Name != "ec-mds" || s.Params["k"].Number != 8 {
		t.Errorf("scheme %+v", s)
	}
	if p.Message.Size != units.MiB || p.SDR.Split.Packets() < 1<<18 {
		t.Errorf("messages of %v, split %v", p.Message.Size, p.SDR.Split)
	}
}

func TestTrafficIsRead(t *testing.T) {
	p := load(t, networkOf(2, "traffic:", "  - {at: border, model: poisson, load: 0.3}",
		"  - {at: border.east, model: on-off, load: 20%, packet: 9kB, on: 2ms}",
		"  - {at: border.west, model: constant, load: 0.1}")).At(0)
	want := []spec.Traffic{
		{Model: spec.TrafficPoisson, Load: 0.3, Packet: 1500},
		{East: true, Model: spec.TrafficOnOff, Load: 0.2, Packet: 9000, On: 2 * units.Millisecond},
		{Model: spec.TrafficConstant, Load: 0.1, Packet: 1500},
	}
	if !reflect.DeepEqual(p.Traffic, want) {
		t.Errorf("got %+v; want %+v", p.Traffic, want)
	}
}

func TestEveryValueOfANetworkCanBeSwept(t *testing.T) {
	text := with("network:", "  kind: dumbbell",
		"  queue: {ecn: {kmin: 400kB, kmax: 1600kB, pmax: 0.2}}",
		"flows: [{from: west[0], to: east[0]}]", "traffic: [{model: on-off, load: 0.3}]")
	for path, test := range map[string]struct {
		value string
		got   func(p *spec.Point) any
		want  any
	}{
		"network.hosts": {"9", func(p *spec.Point) any {
			return p.Network.Hosts
		}, 9},
		"network.access.bandwidth": {"1Gbps", func(p *spec.Point) any {
			return p.Network.Access.Bandwidth
		}, units.Gbps},
		"network.access.delay": {"3us", func(p *spec.Point) any {
			return p.Network.Access.Delay
		}, 3 * units.Microsecond},
		"network.queue.buffer": {"2MiB", func(p *spec.Point) any {
			return p.Network.Queue.Buffer
		}, 2 * units.MiB},
		"network.queue.ecn.kmin": {"7B", func(p *spec.Point) any {
			return p.Network.Queue.ECN.KMin
		}, units.Bytes(7)},
		"network.queue.ecn.kmax": {"2MB", func(p *spec.Point) any {
			return p.Network.Queue.ECN.KMax
		}, units.Bytes(2e6)},
		"network.queue.ecn.pmax": {"0.75", func(p *spec.Point) any {
			return p.Network.Queue.ECN.PMax
		}, 0.75},
		"flows.0.size": {"3MiB", func(p *spec.Point) any {
			return p.Flows[0].Size
		}, 3 * units.MiB},
		"flows.0.start": {"1ms", func(p *spec.Point) any {
			return p.Flows[0].Start
		}, units.Millisecond},
		"flows.0.from": {"west[1]", func(p *spec.Point) any {
			return p.Flows[0].From
		}, spec.Host{Index: 1}},
		"flows.0.to": {"east[1]", func(p *spec.Point) any {
			return p.Flows[0].To
		}, spec.Host{East: true, Index: 1}},
		"traffic.0.load": {"0.5", func(p *spec.Point) any {
			return p.Traffic[0].Load
		}, 0.5},
		"traffic.0.at": {"border.east", func(p *spec.Point) any {
			return p.Traffic[0].East
		}, true},
		"traffic.0.model": {"poisson", func(p *spec.Point) any {
			return p.Traffic[0].Model
		}, spec.TrafficPoisson},
		"traffic.0.packet": {"64B", func(p *spec.Point) any {
			return p.Traffic[0].Packet
		}, units.Bytes(64)},
		"traffic.0.on": {"2ms", func(p *spec.Point) any {
			return p.Traffic[0].On
		}, 2 * units.Millisecond},
	} {
		for _, value := range []string{test.value, "[" + test.value + "]"} {
			s := load(t, text, path+"="+value)
			p := s.At(s.Len() - 1)
			if got := test.got(&p); got != test.want {
				t.Errorf("%s=%s: %v; want %v", path, value, got, test.want)
			}
		}
	}
}

func TestPatternsAndRangesOfLoadsAreSwept(t *testing.T) {
	s := load(t, networkOf(2, "flows: [{pattern: pairs}]",
		"sweep: {flows.0.pattern: [pairs, incast], network.hosts: [1, 4]}"))
	if got := s.At(3).Flows; len(got) != 4 || got[3].To.Index != 0 {
		t.Errorf("swept flows: %s", names(got))
	}
	text := networkOf(2, "traffic: [{model: poisson, load: 0.3}]")
	shares := load(t, text, "traffic.0.load={from: 0.1, to: 0.9, step: 0.2}")
	if shares.Len() != 5 || shares.At(1).Traffic[0].Load != 0.3 {
		t.Errorf("a range of loads has %d, the second %v", shares.Len(), shares.At(1).Traffic)
	}
}

// Each flow takes what a single connection of its size does, over a link whose losses may repeat
// any chunk.
func TestMemoryOfANetworkIsThatOfItsFlows(t *testing.T) {
	one, four := load(t, networkOf(1)).At(0), load(t, networkOf(4)).At(0)
	own := load(t, networkOf(4, "flows: [{from: west[0], to: east[0], size: 1GiB}]")).At(0)
	a, b := MemoryEstimate(one)-fixedMemory, MemoryEstimate(four)-fixedMemory
	if a <= 0 || b != 4*a {
		t.Errorf("a flow takes %v, four %v", a, b)
	}
	if c := MemoryEstimate(own) - fixedMemory; c <= b {
		t.Errorf("a flow of 1 GiB takes %v, four of 1 MiB %v", c, b)
	}
}
