// Package ec is erasure coding on the receive bitmap of SDR queue pairs, with Selective Repeat as
// its fallback. arXiv:2505.05366 §4.1.2.
//
//	message    | submessage 0 | submessage 1 | ... |  tail  |      k data chunks each
//	parity     |  m  |  m  | ...                       |  m  |      m parity chunks each
//
// Data and parity are two SDR messages. The receiver checks after each arrival which submessages
// can be recovered; when all can, it decodes and sends the one positive acknowledgement. Its first
// packet arms the fallback timeout
//
//	FTO = (M + parity chunks)*T_inj + beta*RTT
//
// after which the failed submessages are reported and repeated by Selective Repeat: whole, in
// which case what had arrived of them is forgotten, as in the paper's model, or only the chunks
// that are missing. A timer of the sender covers the case that it hears nothing at all.
//
// Limitations: chunks of parity are as large as chunks of data, also for a message of one short
// chunk; the code is fixed for a message and not adapted to the loss seen.
package ec
