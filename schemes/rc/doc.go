// Package rc is RDMA's Reliable Connection, as NICs run it: the baseline that schemes in software
// have to beat. Its endpoints live as long as the connection; packet sequence numbers run across
// messages.
//
// Two ways of recovery:
//
//   - Go-Back-N. The receiver takes packets in order only. The first that is out of order is
//     answered with a NAK that names the PSN expected; no second one follows for the same gap
//     (InfiniBand Architecture Specification, volume 1, section 9.7.5). The sender goes back to
//     that PSN and retransmits everything from there. A NAK that is lost, and a packet that is lost
//     twice, are found by the timer alone. With W packets in flight a share of (1-p)/(1+(W-1)p) of
//     the packets is of use.
//   - Selective, as in IRN (arXiv:1806.08159): the receiver places packets out of order and reports
//     what it has, a cumulative PSN and a bitmap beyond it. The sender retransmits each hole below
//     the highest PSN reported, once; a hole that is lost again waits for the timer. What is in
//     flight is capped.
//
// One timer runs a connection. It starts when a packet leaves and none runs, and is restarted by
// acknowledgements: by those that bring progress, or by any (Config.AnyRestarts), which decides
// whether a timer below the round trip costs once or for ever. Its length is 4.096 us * 2^n, as
// verbs have it, or a time; a second timer of the hardware may be shorter and doubles (Adaptive).
//
// Limitations: a receive is always posted when a message arrives (no RNR NAK); no Reads and
// Atomics; the retransmission timer of selective recovery knows no estimate of the round trip.
package rc
