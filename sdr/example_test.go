package sdr_test

import (
	"fmt"
	"log"

	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// endpoint opens a device, registers memory and creates a queue pair: 16 bytes a packet, two
// packets a chunk.
func endpoint(memory []byte) (*sdr.QP, *sdr.MR) {
	context, err := sdr.NewContext(sdr.DeviceConfig{})
	if err != nil {
		log.Fatal(err)
	}
	qp, err := context.CreateQP(sdr.QPConfig{
		MTU: 16, Chunk: 32, Split: wire.DefaultSplit, Channels: 1, Generations: 4,
	})
	if err != nil {
		log.Fatal(err)
	}
	mr, err := context.RegisterMR(units.Bytes(len(memory)), memory)
	if err != nil {
		log.Fatal(err)
	}
	return qp, mr
}

// send plays the NIC and the link: it carries the work out, but drops one packet.
func send(work sdr.Work, to *sdr.QP, drop int64) {
	for i := work.First; i < work.First+work.Count; i++ {
		if i != drop {
			run := work.Handle.Run(i, 1)
			run.Repeat = work.Repeat
			to.Deliver(&run)
		}
	}
}

// Two queue pairs in one process. A packet is lost on the way, the bitmap of the receive shows the
// hole, and the chunk is sent again.
func Example() {
	text := []byte("Writes are unreliable, but the bitmap tells which chunks have arrived.")
	inbox := make([]byte, len(text))
	sender, from := endpoint(text)
	receiver, to := endpoint(inbox)
	if sender.Connect(receiver.Info()) != nil || receiver.Connect(sender.Info()) != nil {
		log.Fatal("the queue pairs do not fit together")
	}

	// The receive comes first; its announcement is what allows the send.
	recv, err := receiver.PostRecv(to, 0, to.Len())
	if err != nil {
		log.Fatal(err)
	}
	sender.HandleCTS(receiver.Posted())
	stream, err := sender.StartStream(from, 0, from.Len(), 0)
	if err != nil {
		log.Fatal(err)
	}

	work, err := stream.Continue(0, stream.Chunks())
	if err != nil {
		log.Fatal(err)
	}
	send(work, receiver, 3)
	hole := recv.Bitmap().FirstClear()
	fmt.Printf("%d of %d chunks, chunk %d is missing\n", recv.Bitmap().Count(), recv.Chunks(), hole)

	work, err = stream.Continue(hole, 1)
	if err != nil {
		log.Fatal(err)
	}
	send(work, receiver, -1)
	fmt.Printf("repeat: %v, whole: %v\n", work.Repeat, recv.Bitmap().Full())
	fmt.Printf("%s\n", inbox)

	// The receiver needs no more, the sender hears of it, and the message id is free.
	if err := recv.Complete(); err != nil {
		log.Fatal(err)
	}
	stream.Release()
	fmt.Printf("%+v\n", receiver.Counters())
	// Output:
	// 2 of 3 chunks, chunk 1 is missing
	// repeat: true, whole: true
	// Writes are unreliable, but the bitmap tells which chunks have arrived.
	// {Fresh:5 Duplicates:1 Discarded:0 Stale:0 Unmatched:0}
}
