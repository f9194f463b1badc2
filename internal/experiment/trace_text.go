package experiment

import (
	"fmt"
	"strings"

	"sdrsim/wire"
)

// packets names packets of a run, from the one of number skip.
func packets(run *wire.Run, skip, count int64) string {
	first := run.First + skip
	text := fmt.Sprintf("send %d, packet %d", run.Serial, first)
	if count > 1 {
		text = fmt.Sprintf("send %d, packets %d to %d", run.Serial, first, first+count-1)
	}
	return text
}

// ControlText says what is in a control message.
func ControlText(msg []byte) string {
	kind, message, err := wire.Header(msg)
	if err != nil {
		return "malformed: " + err.Error()
	}
	switch kind {
	case wire.KindAck:
		var a wire.Ack
		if wire.DecodeAck(msg, &a) == nil {
			return ackText(&a)
		}
	case wire.KindNack:
		var n wire.Nack
		if wire.DecodeNack(msg, &n) == nil {
			of := "chunks"
			if n.Submessages {
				of = "submessages"
			}
			return fmt.Sprintf("NACK of message %d: %s %s are missing", message, of,
				rangesText(n.Missing))
		}
	}
	return fmt.Sprintf("%v of message %d", kind, message)
}

func ackText(a *wire.Ack) string {
	if a.Final {
		return fmt.Sprintf("ACK of message %d: all is there", a.Message)
	}
	text := fmt.Sprintf("ACK of message %d: chunks below %d", a.Message, a.Cumulative)
	if len(a.Selective) > 0 {
		text += ", and " + rangesText(a.Selective)
	}
	return text
}

// rangesText lists ranges, and of many the first few.
func rangesText(list []wire.Range) string {
	const shown = 8
	var parts []string
	for i, r := range list {
		switch {
		case i == shown:
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-shown))
			return strings.Join(parts, ", ")
		case r.Count == 1:
			parts = append(parts, fmt.Sprint(r.First))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", r.First, r.End()-1))
		}
	}
	return strings.Join(parts, ", ")
}
