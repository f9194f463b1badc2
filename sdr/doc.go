// Package sdr is the SDK of software-defined reliability: it turns unreliable RDMA writes into
// messages whose receiver can see which chunks have arrived, so that a reliability scheme can be
// written in software on top. arXiv:2505.05366 §2-3.
//
//	sender                                   receiver
//	                                         PostRecv i ------> slot i mod 1024, generation
//	HandleCTS  <------ Posted, out of band ------'
//	StartStream i
//	Continue(chunks) -> Work
//	      |   host: NIC, socket
//	      '--> Run -------- wire --------->  Deliver
//	           one write per packet             |
//	           immediate = id|offset|user       v
//	                                         packet bitmap  1110111111111111   backend
//	                                         chunk bitmap    0   1   1   1     frontend
//	                                                         |
//	Continue(chunk 0), a repeat <---- scheme: acks, nacks ---'
//	Release    <------------------- final ack ------------ Complete: null key
//
// # What it does
//
// Sends land in receives by order: send i in receive i. Both have message id i mod 1024 (with the
// default split of the immediate) and generation (i / 1024) mod Generations. The id travels in the
// immediate; the generation does not, it is implied by the internal queue pair that carries the
// packet. A packet that arrives after Complete meets the null key and is discarded, one that
// arrives after its id was posted again is told by its generation and discarded too.
//
//	of the paper               here
//	context create             NewContext
//	mr register                Context.RegisterMR
//	qp create, info, connect   Context.CreateQP, QP.Info, QP.Connect
//	recv post                  QP.PostRecv
//	recv bitmap get            RecvHandle.Bitmap
//	chunk to packets           RecvHandle.ExpandChunk, RecvHandle.PacketBitmap
//	recv imm get               RecvHandle.UserImm
//	recv complete              RecvHandle.Complete
//	send post                  QP.PostSend
//	send stream start          QP.StartStream
//	send stream continue, end  SendHandle.Continue, SendHandle.End
//	send poll                  the host knows when packets have left; SendHandle.Released
//	clear-to-send              QP.Posted, QP.HandleCTS
//
// Results are success, ErrRetry (or ErrNoCTS) when the call can succeed later, or a mistake: one
// sentinel error each.
//
// # What it costs
//
// Nothing in steady state is allocated: handles and bitmaps belong to the slots of the queue pair
// and are used again. The bitmap of a message without loss is only a number, see Bitmap.
//
// # Limitations
//
// The package does no I/O and holds no clock: sending returns Work for the host to carry out, and
// Deliver is how the host hands in what arrived. The time that completions, PCIe writes and posting
// take on hardware is the host's to model. A queue pair is not safe for concurrent use. A handle is
// invalid once its slot is posted again; it then speaks of the new message. Messages of no bytes do
// not exist, as no packet could announce one. After ids have wrapped as often as there are
// generations, a late packet passes for a new one, here as on hardware.
package sdr
