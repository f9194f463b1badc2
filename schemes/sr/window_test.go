package sr

import (
	"math"
	"testing"

	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// newWindow is a window on a message of so many chunks of one packet.
func newWindow(t *testing.T, chunks int64) *Window {
	t.Helper()
	w := &newHost(t, testConfig(), chunks, 1).sender.window
	return w
}

// wantDeadline fails the test unless the next timeout is at a time.
func wantDeadline(t *testing.T, w *Window, want units.Time) {
	t.Helper()
	at, ok := w.Deadline()
	if !ok {
		at = units.Never
	}
	wantTime(t, "the next timeout", at, want)
}

// What was acknowledged is not asked for, and so does not use up its repeats.
func TestReportOfAnAcknowledgedChunkIsOld(t *testing.T) {
	w := newWindow(t, 3)
	w.retries = 1
	t.Log("# chunk 1 is sent, repeated after its timeout, and acknowledged")
	w.Sent(sdr.Work{Count: 3}, us(1), packetTime)
	w.Ack(0, 1)
	w.Expire(us(2).Add(rto))
	w.NextRepeat()
	w.Sent(sdr.Work{First: 1, Count: 1, Repeat: true}, us(400), packetTime)
	w.Ack(1, 1)
	t.Log("# a report from before comes in late")
	w.Reported(us(900), wire.Range{First: 1, Count: 1}, roundTrip)
	if w.Failed() || w.Waiting() {
		t.Error("the chunk counts as missing")
	}
}

// The acknowledgement of a first transmission can come in while the repeat is on the wire.
func TestRepeatThatIsAcknowledgedOnTheWireCanBeCut(t *testing.T) {
	w := newWindow(t, 4)
	w.Sent(sdr.Work{Count: 4}, us(1), packetTime)
	t.Log("# all four expire and are being repeated when the acknowledgement of the first comes in")
	w.Expire(us(4).Add(rto))
	if first, count, _ := w.NextRepeat(); first != 0 || count != 4 {
		t.Fatalf("repeats %d (+%d)", first, count)
	}
	w.Sent(sdr.Work{Count: 4, Repeat: true}, us(400), packetTime)
	w.AckBelow(4)
	wantDeadline(t, w, units.Never)
	t.Log("# something more urgent cuts the repeats")
	w.Unsend(3)
	if !w.Done() || w.Waiting() {
		t.Error("an acknowledged message still waits for something")
	}
}

func TestRepeatThatWasCutIsNotReportedMissing(t *testing.T) {
	w := newWindow(t, 2)
	w.Sent(sdr.Work{Count: 2}, us(1), packetTime)
	w.Expire(us(2).Add(rto))
	w.NextRepeat()
	w.Sent(sdr.Work{Count: 2, Repeat: true}, us(400), packetTime)
	t.Log("# the repeat of chunk 1 is cut and does not get its turn for long")
	w.Unsend(1)
	wantDeadline(t, w, us(400).Add(rto))
	w.Reported(us(600), wire.Range{First: 1, Count: 1}, roundTrip)
	if w.Waiting() {
		t.Error("a chunk is asked for while its repeat is still to be sent")
	}
	t.Log("# chunk 0 has left; the same report is true of it")
	w.Reported(us(600), wire.Range{First: 0, Count: 1}, roundTrip)
	if !w.Waiting() {
		t.Error("the loss of a repeat is not believed")
	}
}

// A change of pace, such as a bandwidth that varies, does not shift the timeouts of what follows.
func TestTimeoutsFollowTheDeparturesAtEveryPace(t *testing.T) {
	w := newWindow(t, 6)
	t.Log("# three chunks every 2 us, then three every 1 us")
	w.Sent(sdr.Work{Count: 3}, us(2), 2*packetTime)
	w.Sent(sdr.Work{First: 3, Count: 3}, us(8), packetTime)
	for chunk, left := range []int64{2, 4, 6, 8, 9, 10} {
		wantDeadline(t, w, us(left).Add(rto))
		w.Ack(int64(chunk), 1)
	}
	wantDeadline(t, w, units.Never)
}

// Chunks that leave one after the other share a record, however the host cuts them up: the cost of
// a message follows its losses.
func TestLosslessMessageNeedsOneRecord(t *testing.T) {
	w := newWindow(t, 10_000)
	for chunk := range int64(5000) {
		w.Sent(sdr.Work{First: chunk, Count: 1}, us(chunk+1), packetTime)
	}
	w.Sent(sdr.Work{First: 5000, Count: 5000}, us(5001), packetTime)
	if n := w.flight.Len(); n != 1 {
		t.Errorf("%d records of chunks in flight", n)
	}
	for chunk := range int64(1000) {
		w.Ack(10*chunk, 9)
	}
	t.Log("# every tenth chunk is missing, and only these are looked at")
	if n := w.Expire(us(10_000).Add(rto)); n != 1000 {
		t.Errorf("%d chunks expired of 1000", n)
	}
	states := 0
	for chunk := w.repeats.next(0, 10_000); chunk < 10_000; chunk = w.repeats.next(chunk+1, 10_000) {
		states++
	}
	if states != 1000 {
		t.Errorf("%d chunks have a state of their own", states)
	}
}

// A window that is opened again has forgotten everything.
func TestWindowIsAsNewWhenOpenedAgain(t *testing.T) {
	h := newHost(t, testConfig(), 8, 1)
	w := &h.sender.window
	w.Open(h.sender.handle, rto, 1)
	w.Sent(sdr.Work{Count: 8}, us(1), packetTime)
	w.Ack(0, 4)
	w.Expire(us(500))
	w.NextRepeat()
	w.Sent(sdr.Work{First: 4, Count: 4, Repeat: true}, us(600), packetTime)
	w.Expire(us(1000))
	if !w.Failed() {
		t.Fatal("two repeats of one are allowed")
	}
	w.Open(h.sender.handle, rto, 1)
	if w.Failed() || w.Waiting() || w.Acked() != 0 || w.repeats.find(4) != nil {
		t.Error("the last message is still there")
	}
	wantDeadline(t, w, units.Never)
	w.Reported(us(2000), wire.Range{First: 4, Count: 1}, roundTrip)
	if w.Waiting() {
		t.Error("a chunk that was never sent is reported missing and believed")
	}
}

// Erasure coding opens a window in which everything counts as acknowledged but what falls back.
func TestUnackedChunksAreTheOnlyOnesInTheFallback(t *testing.T) {
	w := newWindow(t, 10)
	w.AckBelow(10)
	if !w.Done() {
		t.Fatal("all are acknowledged and the window is not done")
	}
	w.Unack(3, 2)
	w.Request(3)
	w.Request(4)
	if first, count, ok := w.NextRepeat(); w.Done() || !ok || first != 3 || count != 2 {
		t.Errorf("chunks %d (+%d) fall back, want 3 (+2)", first, count)
	}
	w.Sent(sdr.Work{First: 3, Count: 2, Repeat: true}, us(10), packetTime)
	wantDeadline(t, w, us(10).Add(rto))
	t.Log("# a cumulative acknowledgement covers them again")
	w.AckBelow(4)
	wantDeadline(t, w, us(11).Add(rto))
	w.AckBelow(5)
	if !w.Done() {
		t.Error("not done")
	}
}

// Entries say which message they are of; the number of messages may wrap.
func TestStateOfAMessageLongAgoIsForgotten(t *testing.T) {
	var r repeats
	r.reset(1000)
	r.add(700).attempt = 5
	r.message = math.MaxUint32
	r.reset(1000)
	if r.find(700) != nil || r.next(0, 1000) != 1000 {
		t.Error("the state of the first message holds in the one after the last")
	}
	r.add(700)
	if got := r.next(0, 1000); got != 700 {
		t.Errorf("chunk %d is the first that was repeated, want 700", got)
	}
}
