// Package sr is Selective Repeat in software, on the receive bitmap of an SDR queue pair.
// arXiv:2505.05366 §4.1.1.
//
//	Sender                                        Receiver
//	chunks ------------------------------------->  bitmap
//	Window: one timeout per chunk          Ack     Acker: polls the bitmap
//	  expired: send again          <-------------  cumulative + selective
//	  reported as a hole: again    <-------------  holes: reports what was overtaken
//	                                       Nack
//
// Two schemes share the code. Without NACKs a lost chunk costs RTO + T_inj: its timeout runs from
// the departure of its last packet. With NACKs the receiver reports a hole when a later chunk is
// complete, again if the hole persists, and by a timer where no later chunk can reveal it; the
// timeout is then the last resort.
//
// Window and Acker are used by erasure coding too, whose fallback is Selective Repeat.
//
// Limitations: the timeout is a constant of the connection, not estimated; there is no congestion
// window; NACKs take the network to keep order, so reordering is reported as loss.
package sr
