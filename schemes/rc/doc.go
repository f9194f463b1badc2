// Package rc is the reliability of RDMA's Reliable Connection, as far as it is Go-Back-N: the
// receiver takes packets in order only and refuses the others, and a sender that learns of a loss
// goes back to the first packet that is missing and sends everything from there again.
//
//   - Acknowledgements are cumulative, in packets.
//   - The first packet that is out of order is answered with a NAK, which names the packet that
//     is missing; no second one follows for the same gap. InfiniBand Architecture Specification,
//     volume 1, section 9.7.5.
//   - One retransmission timer runs from the departure of the oldest packet that is not
//     acknowledged, and anew from each acknowledgement that brings progress. A NAK that is lost,
//     and a packet that is lost twice, are found by it alone.
//
// A loss costs what was sent in the round trip until the sender goes back: with W packets in flight
// a share of
//
//	(1-p) / (1 + (W-1) p)
//
// of the packets is of use.
//
// Limitations: messages are independent, sequence numbers do not run across them; there is no
// selective retransmission, and no timer in powers of two.
package rc
