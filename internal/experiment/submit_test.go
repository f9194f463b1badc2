package experiment

import (
	"fmt"
	"math"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// submitted is the sample of one point with a submission, over a link of some delay.
func submitted(t *testing.T, delay, message, submission string) *Sample {
	t.Helper()
	p := points(t, fmt.Sprintf(`
name: t
link: {bandwidth: 400Gbps, delay: %s, ack_loss: none}
message: {%s}
submission: {%s}
schemes: [sr-nack]
samples: 1
`, delay, message, submission))
	var s Sample
	if err := newTestRunner(t, &p[0], "sr-nack").Sample(0, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// latency is from the decision to send until the application knows.
func (s *Sample) latency(i int) units.Duration { return s.Completion[i] + s.Wait[i] }

func TestStartingAMessageCostsWhatWasMeasured(t *testing.T) {
	const ns = units.Nanosecond
	for _, c := range []struct {
		submission string
		want       units.Duration
	}{
		{"by: cpu", 5440 * ns}, {"by: ibgda", 12600 * ns}, {"by: token", 5400 * ns},
		{"by: ibgda, completion: flag", 8890 * ns}, {"by: cpu, start: 0s, done: 7us", 7000 * ns},
		{"by: cpu, registration: once", 21440*ns + 64*60},
		{"by: cpu, registration: each, register: 90ns", 5530*ns + 64*60},
		{"by: cpu, memory: bounce, pcie: gen5-x16",
			10040*ns + (416 * units.Gbps).TransmitTime(64)},
	} {
		s := submitted(t, "1us", "size: 64B", c.submission)
		if got := s.latency(0) - s.Completion[0]; got != c.want {
			t.Errorf("%s: %v beside the network, want %v", c.submission, got, c.want)
		}
		if s.Elapsed != s.latency(0) {
			t.Errorf("%s: elapsed %v, latency %v", c.submission, s.Elapsed, s.latency(0))
		}
	}
}

// Every cost is below a thousandth of 25 ms.
func TestAtDistanceTheWayOfSubmissionDoesNotMatter(t *testing.T) {
	plain := submitted(t, "12.5ms", "size: 64B, deadline: 1s", "by: none")
	for _, by := range []string{"cpu", "ibgda", "token"} {
		s := submitted(t, "12.5ms", "size: 64B", "by: "+by)
		if more := s.latency(0) - plain.Completion[0]; more > 25*units.Microsecond {
			t.Errorf("%s: %v beside 25 ms", by, more)
		}
	}
}

// rateOf is how many messages of a sample are completed in a second.
func rateOf(s *Sample) float64 { return float64(len(s.Completion)) / s.Elapsed.Seconds() }

func TestOperationsASecondAreBoundedByTheWayOrByDepth(t *testing.T) {
	const many = "size: 64B, chunk: 4KiB, count: 8000, in_flight: "
	for _, c := range []struct {
		delay, message, submission string
		want, within               float64
	}{
		{"1us", many + "200", "by: cpu", 2.5e6, 0.01},
		{"1us", many + "2000", "by: ibgda", 12.7e6, 0.03},
		{"1us", many + "1", "by: cpu", 1 / 7.4455e-6, 1e-4},
		{"1us", many + "1", "by: token", 1 / 7.4055e-6, 1e-4},
		{"1us", many + "2000", "by: cpu, rate: 1e5", 1e5, 0.01},
		// rate <= outstanding / RTT
		{"12.5ms", "size: 64B, chunk: 4KiB, count: 10240, in_flight: 8000", "by: ibgda", 40960, 0.01},
		{"12.5ms", "size: 64B, chunk: 4KiB, count: 98304, in_flight: 49152", "by: token", 1.31e6, 0.01},
	} {
		s := submitted(t, c.delay, c.message, c.submission)
		if got := rateOf(s); math.Abs(got/c.want-1) > c.within {
			t.Errorf("%s, %s over %s: %.4g operations/s, want %.4g", c.submission, c.message, c.delay,
				got, c.want)
		}
	}
}

func TestMessagesAreNoFasterThanTheBus(t *testing.T) {
	const stream = "size: 16MiB, count: 60, in_flight: 30"
	for _, c := range []struct {
		submission string
		want       float64
	}{{"by: token", 390.3e9}, {"by: token, pcie: gen4-x16", 208e9},
		{"by: token, pcie: gen3-x16", 104e9},
		{"by: cpu, pcie: gen5-x16", 390.3e9},
		// A copy of 16 MiB takes 327 us, its message 344 us on the link: the copies go beside it.
		{"by: cpu, pcie: gen5-x16, memory: bounce", 390.3e9 * 60 / 61}} {
		s := submitted(t, "1us", stream, c.submission)
		if got := 8 * float64(s.PayloadBytes) / s.Elapsed.Seconds(); math.Abs(got/c.want-1) > 0.01 {
			t.Errorf("%s: %.4g bit/s, want %.4g", c.submission, got, c.want)
		}
	}
}

func TestWhatIsBouncedIsDeliveredWhenItIsCopied(t *testing.T) {
	direct := submitted(t, "1us", "size: 16MiB", "by: cpu, pcie: gen5-x16")
	bounced := submitted(t, "1us", "size: 16MiB", "by: cpu, pcie: gen5-x16, memory: bounce")
	more := bounced.Delivery[0] - direct.Delivery[0]
	if want := spec.CopyTime(16*units.MiB, 422*units.Gbps); more != want {
		t.Errorf("delivered %v later, want the copy of %v", more, want)
	}
	if bounced.Completion[0] != direct.Completion[0] {
		t.Error("the copy of the receiver changes the completion of the sender")
	}
}

// Four pages in five are not in a cache of a fifth of the region.
func TestTranslationsThatTheNICDoesNotHaveAreFetched(t *testing.T) {
	const messages = 20000
	s := submitted(t, "1us", fmt.Sprintf("size: 8B, count: %d, in_flight: 1", messages),
		"by: cpu, start: 0s, done: 0s, mtt: {region: 320MiB, size: 128KiB, miss: 3us}")
	sum, hits := units.Duration(0), 0
	for i := range s.Completion {
		last := units.Duration(0)
		if i > 0 {
			last = s.latency(i - 1)
		}
		stall := s.latency(i) - last - s.Completion[i]
		if stall != 0 && stall != 3*units.Microsecond {
			t.Fatalf("message %d waits for %v, want 0 or a fetch of 3 us", i, stall)
		}
		if stall == 0 {
			hits++
		}
		sum += stall
	}
	if share := float64(hits) / messages; math.Abs(share-0.2) > 0.015 {
		t.Errorf("%.3f of the messages find their translation, want 0.2", share)
	}
	t.Log("# a message of many pages waits for its share of them, give or take one")
	large := submitted(t, "1us", "size: 8MiB", "by: cpu, start: 0s, done: 0s, "+
		"mtt: {region: 320MiB, size: 128KiB, miss: 3us}")
	if got := large.Wait[0]; got < 1638*3*units.Microsecond || got > 1639*3*units.Microsecond {
		t.Errorf("2048 pages wait for %v, want 4.9 ms", got)
	}
	t.Log("# 1 GiB takes 2 MiB of translations at 4 KiB, and 4 KiB at 2 MiB")
	for _, c := range []struct {
		page units.Bytes
		want float64
	}{{4 * units.KiB, 0.5}, {2 * units.MiB, 0}} {
		m := spec.MTT{Region: units.GiB, Page: c.page, Size: units.MiB}
		if got := m.MissShare(); got != c.want {
			t.Errorf("pages of %v: %v are missed, want %v", c.page, got, c.want)
		}
	}
}

// A round of a collective begins when its part was copied and the one before is known.
func TestCollectivesPayForSubmissionInEveryRound(t *testing.T) {
	elapsed := func(submission string) units.Duration {
		p := points(t, `
name: t
link: {bandwidth: 400Gbps, delay: 1us, ack_loss: none}
message: {size: 4KiB}
collective: {kind: all-reduce, datacenters: 4}
submission: {`+submission+`}
schemes: [sr-nack]
samples: 1
`)
		var s Sample
		if err := newTestRunner(t, &p[0], "sr-nack").Sample(0, &s); err != nil {
			t.Fatal(err)
		}
		if s.Completion[0] != s.Elapsed {
			t.Errorf("%s: completion %v, elapsed %v", submission, s.Completion[0], s.Elapsed)
		}
		return s.Elapsed
	}
	plain := elapsed("by: none")
	if got, want := elapsed("by: cpu")-plain, 6*5440*units.Nanosecond; got != want {
		t.Errorf("six rounds take %v more, want %v", got, want)
	}
	bounced := elapsed("by: cpu, memory: bounce, pcie: gen5-x16") - plain
	if least := 6 * (5440 + 4600) * units.Nanosecond; bounced <= least {
		t.Errorf("six rounds take %v more through host memory, want more than %v", bounced, least)
	}
}

func TestASampleWithSubmissionAllocatesNothing(t *testing.T) {
	p := points(t, `
name: t
link: {bandwidth: 400Gbps, delay: 1us, loss: {model: iid, p: 1e-3}}
message: {size: 64KiB, count: 300, in_flight: 20}
submission: {by: cpu, memory: bounce, pcie: gen5-x16, mtt: {region: 1GiB, size: 1MiB}}
schemes: [sr-nack]
samples: 1
`)
	r := newTestRunner(t, &p[0], "sr-nack")
	var s Sample
	run := func() {
		if err := r.Sample(1, &s); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		run()
	}
	if n := testing.AllocsPerRun(16, run); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
}
