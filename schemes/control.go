package schemes

import (
	"fmt"

	"sdrsim/wire"
)

// Reports decodes the control messages of a sender. What it has decoded is valid until the next
// message. The zero value is ready.
type Reports struct {
	Ack  wire.Ack
	Nack wire.Nack
}

// Decode decodes a control message for the sender of the message with a serial, into Ack or Nack by
// the kind. Malformed ones and those for another message are errors.
func (r *Reports) Decode(serial uint32, msg []byte) (wire.Kind, error) {
	kind, message, err := wire.Header(msg)
	switch {
	case err != nil:
		return kind, err
	case message != serial:
		return kind, fmt.Errorf("sender of message %d takes no control message for message %d", serial,
			message)
	case kind == wire.KindAck:
		return kind, wire.DecodeAckBits(msg, &r.Ack)
	}
	return kind, wire.DecodeNack(msg, &r.Nack)
}
