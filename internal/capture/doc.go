// Package capture writes one sample as a pcapng file of RoCEv2 packets, for Wireshark and whatever
// else reads captures.
//
//	data, parity   UC RDMA Write Only with Immediate, to queue pair 0x100 + generation
//	control        UD Send Only, to queue pair 0x80; what the payload says is in package wire, and
//	               Dissector shows it in Wireshark
//
// There are two interfaces for each hop: what leaves a side or arrives there has its name. A packet
// that is lost is on the first one only, with a comment. Times are those of the last bit, in
// nanoseconds. Headers are those of RoCEv2 over IPv4 whatever the encapsulation of the scenario,
// with an ICRC (InfiniBand Architecture Specification 1.4, annex A17). Packet sequence numbers
// count the packets of a queue pair as they leave. Virtual payload is zeros.
//
// Limitations: the clear-to-send of the simulator travels out of band and is in no capture; frames
// are whole, so a capture of long messages is long: write it compressed, or limit it.
package capture
