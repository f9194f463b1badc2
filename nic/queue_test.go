package nic

import (
	"fmt"
	"slices"
	"testing"

	"sdrsim/wire"
)

// What waits is replaced by what makes it needless, in its place; what is missing is not forgotten
// before the message is complete.
func TestWaitingControlMessagesAreReplacedByNewerState(t *testing.T) {
	ack := func(message uint32, cumulative int64, more ...wire.Range) []byte {
		return wire.AppendAck(nil, &wire.Ack{Message: message, Cumulative: cumulative,
			Selective: more}, 100)
	}
	nack := func(message uint32, chunk int64) []byte {
		msg, _ := wire.AppendNack(nil, &wire.Nack{Message: message,
			Missing: []wire.Range{{First: chunk, Count: 1}}}, 100)
		return msg
	}
	final := func(message uint32) []byte {
		return wire.AppendAck(nil, &wire.Ack{Message: message, Cumulative: 9, Final: true}, 100)
	}
	beyond := wire.Range{First: 7, Count: 1}
	for name, c := range map[string]struct{ say, want [][]byte }{
		"a later cumulative one": {[][]byte{ack(1, 2), ack(1, 3)}, [][]byte{ack(1, 3)}},
		"by one with ranges":     {[][]byte{ack(1, 2), ack(1, 3, beyond)}, [][]byte{ack(1, 3, beyond)}},
		"but not ranges":         {[][]byte{ack(1, 2, beyond), ack(1, 3)}, nil},
		"nor another message's":  {[][]byte{ack(1, 2), ack(2, 3)}, nil},
		"nor by a report":        {[][]byte{ack(1, 2), nack(1, 3)}, nil},
		"nor a report":           {[][]byte{nack(1, 2), ack(1, 2), nack(1, 4)}, nil},
		"in its place": {[][]byte{ack(1, 2), nack(1, 2), ack(2, 2), ack(1, 3)},
			[][]byte{ack(1, 3), nack(1, 2), ack(2, 2)}},
		"all by the final one": {[][]byte{nack(2, 1), nack(1, 2), ack(2, 2), ack(1, 3, beyond),
			final(1), nack(3, 0)}, [][]byte{nack(2, 1), final(1), ack(2, 2), nack(3, 0)}},
		"what is no message": {[][]byte{{1}, {1}, {2, 3}}, nil},
	} {
		var q queue
		for round := range 3 { // memory is used again, also around the end of the ring
			for range round {
				q.add([]byte{9}, 1)
				q.pop()
			}
			for _, msg := range c.say {
				q.add(msg, 10)
			}
			want := c.want
			if want == nil {
				want = c.say
			}
			if q.len() != len(want) {
				t.Errorf("%s: %d wait, want %d", name, q.len(), len(want))
			}
			for _, w := range want {
				if got, ok := q.pop(); !ok || !slices.Equal(got, w) {
					t.Errorf("%s: %x, want %x", name, got, w)
				}
			}
		}
	}
}

// The time that a message is told is that of all that goes before it and its own.
func TestQueueTellsWhenAMessageWillHaveLeft(t *testing.T) {
	var q queue
	final := func(message uint32) []byte {
		return wire.AppendAck(nil, &wire.Ack{Message: message, Cumulative: 9, Final: true}, 100)
	}
	got := fmt.Sprint(q.add(final(1), 5), q.add(final(2), 7), q.add(final(3), 1), q.add(final(2), 2))
	if want := "5ps 12ps 13ps 7ps"; got != want {
		t.Errorf("left after %s, want %s", got, want)
	}
}
