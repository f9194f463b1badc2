package spec

import (
	"sdrsim/units"
)

// Bytes of the parts of a packet on the wire.
const (
	ethernetHeader = 14
	ethernetFCS    = 4
	preambleAndGap = 20 // 8 of preamble, 12 of gap between frames
	ipv4Header     = 20
	ipv6Header     = 40
	udpHeader      = 8
	grh            = 40 // global route header of InfiniBand
	lrh            = 8  // local route header of InfiniBand
	bth            = 12 // base transport header
	reth           = 16 // RDMA extended transport header
	immDt          = 4  // immediate data
	icrc           = 4  // invariant CRC
	vcrc           = 2  // variant CRC of InfiniBand

	ethernetFrame = ethernetHeader + ethernetFCS + preambleAndGap
	// writeWithImm is what a one-packet RDMA Write with immediate, the packet of SDR
	// (arXiv:2505.05366 §3.2), carries on any network.
	writeWithImm = bth + reth + immDt + icrc
)

// Encapsulations by name.
const (
	EncapNone       = "none"
	EncapRoCEv2IPv4 = "rocev2-ipv4"
	EncapRoCEv2IPv6 = "rocev2-ipv6"
	EncapRoCEv1     = "rocev1"
	EncapInfiniBand = "infiniband"
)

// Encapsulations are all of them.
var Encapsulations = []string{
	EncapNone, EncapRoCEv2IPv4, EncapRoCEv2IPv6, EncapRoCEv1, EncapInfiniBand,
}

// Overhead is what an encapsulation adds to the payload of a packet on the wire.
func Overhead(encapsulation string) units.Bytes {
	switch encapsulation {
	case EncapNone:
		return 0
	case EncapRoCEv2IPv4:
		return ethernetFrame + ipv4Header + udpHeader + writeWithImm
	case EncapRoCEv2IPv6:
		return ethernetFrame + ipv6Header + udpHeader + writeWithImm
	case EncapRoCEv1:
		return ethernetFrame + grh + writeWithImm
	case EncapInfiniBand:
		return lrh + writeWithImm + vcrc
	}
	panic("BUG: scenarios: unknown encapsulation " + encapsulation)
}
