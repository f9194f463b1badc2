package experiment

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"sdrsim/internal/spec"
	"sdrsim/scenarios"
)

// How to run more of the swarm, with seeds that nobody has tried, the same ones again, or one run:
//
//	SDRSIM_LONG=1 go test ./internal/experiment -run Swarm -v
//	SDRSIM_LONG=1 SDRSIM_SWARM=123456 go test ./internal/experiment -run Swarm
//	SDRSIM_SEED=417 go test ./internal/experiment -run Swarm -v
const (
	longVariable = "SDRSIM_LONG"
	seedVariable = "SDRSIM_SEED"
	// firstVariable is the first seed of a long swarm; the others follow it.
	firstVariable = "SDRSIM_SWARM"
)

// Phase one, losses: whatever is lost, no wrong byte is delivered, no message is delivered twice or
// acknowledged before it is delivered, and every run ends. Phase two, healed: once losses stop,
// everything is delivered. A run without a second phase may give up, and says why.
func TestSwarmDeliversRightOrGivesUp(t *testing.T) {
	if text := os.Getenv(seedVariable); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		swarm(t, seed)
		return
	}
	first, n, err := swarmSeeds(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seeds %d to %d; again with %s=%d", first, first+n-1, firstVariable, first)
	healed, gaveUp := 0, 0
	for seed := first; seed < first+n; seed++ {
		run, s := swarm(t, seed)
		if t.Failed() {
			return
		}
		if run.heals && s.Lost > 0 {
			healed++
		}
		if s.Failed > 0 {
			gaveUp++
		}
	}
	// A swarm that meets no losses, or never gives up, would prove nothing.
	if healed < int(n)/4 || gaveUp < int(n)/50 {
		t.Errorf("of %d runs %d healed and %d gave up", n, healed, gaveUp)
	}
}

// swarmSeeds is the first seed of a swarm, and how many follow each other from it: always the same
// few, or in the long mode many that are drawn anew each time, unless the first is given.
func swarmSeeds(getenv func(string) string) (first, n uint64, err error) {
	if getenv(longVariable) == "" {
		return 0, 400, nil
	}
	if text := getenv(firstVariable); text != "" {
		first, err = strconv.ParseUint(text, 10, 63)
		return first, 50_000, err
	}
	return rand.Uint64N(1 << 48), 50_000, nil
}

func TestLongSwarmDrawsFreshSeedsAndCanBePlayedAgain(t *testing.T) {
	seeds := func(environment map[string]string) uint64 {
		first, _, err := swarmSeeds(func(name string) string { return environment[name] })
		if err != nil {
			t.Fatal(err)
		}
		return first
	}
	long := map[string]string{longVariable: "1"}
	if a, b := seeds(long), seeds(long); a == b {
		t.Errorf("two long swarms start with the same seed %d", a)
	}
	if got := seeds(nil); got != 0 {
		t.Errorf("the short swarm starts with seed %d, want 0 always", got)
	}
	if got := seeds(map[string]string{longVariable: "1", firstVariable: "123456"}); got != 123456 {
		t.Errorf("a long swarm from 123456 starts with seed %d", got)
	}
}

// swarm replays the run of a seed and returns its last sample.
func swarm(t *testing.T, seed uint64) (swarmRun, Sample) {
	run := drawRun(seed)
	s, err := scenarios.Load("swarm.yaml", []byte(run.text), nil)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, run.text)
	}
	var first, again Sample
	p := s.Points()[0]
	err = capture(func() error {
		r, err := NewRunner(&p, &p.Schemes[0])
		if err != nil {
			return err
		}
		setLosses(r, run.data, run.control)
		r.patience = 1 << 20
		if err := r.Sample(0, &first); err != nil {
			return err
		}
		if err := r.Sample(1, &again); err != nil {
			return err
		}
		return r.Sample(0, &again)
	})
	if err == nil {
		err = judge(run, &p, first)
	}
	if err == nil && fmt.Sprintf("%+v", first) != fmt.Sprintf("%+v", again) {
		err = fmt.Errorf("the sample is another when it is replayed:\n%+v\n%+v", first, again)
	}
	if err != nil {
		t.Errorf("%s=%d: %v\nlosses of data %+v, of control %+v\n%s", seedVariable, seed, err,
			run.data, run.control, run.text)
	}
	return run, first
}

// capture turns a panic into an error.
func capture(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// bytesOf is how many bytes the messages of a sample have together.
func bytesOf(p *spec.Point, sample int) (sum int64) {
	t := traffic{message: p.Message}
	t.begin(p.Seed, sample)
	for i := range p.Message.Count {
		sum += int64(t.sizeOf(i))
	}
	return sum
}

// judge says what is wrong with the sample of a run.
func judge(run swarmRun, p *spec.Point, s Sample) error {
	m := p.Message
	switch {
	case run.heals && s.Failed > 0:
		return fmt.Errorf("%d of %d messages failed though the losses stopped: %s", s.Failed, m.Count,
			s.Failure)
	case len(s.Completion)+s.Failed != m.Count || len(s.Delivery) != len(s.Completion):
		return fmt.Errorf("%d messages, %d completed, %d delivered, %d failed", m.Count,
			len(s.Completion), len(s.Delivery), s.Failed)
	case s.Failed > 0 && !strings.Contains(s.Failure, "retry limit"):
		return fmt.Errorf("gave up for want of patience, and says %q", s.Failure)
	case s.Failed == 0 && s.PayloadBytes != bytesOf(p, 0):
		return fmt.Errorf("%d bytes delivered of %d", s.PayloadBytes, bytesOf(p, 0))
	case s.Lost > s.Packets || s.Failed == 0 && s.Spurious > s.Retransmits:
		return fmt.Errorf("counters contradict each other: %+v", s.Counters)
	}
	for i := range s.Completion {
		if s.Delivery[i] > s.Completion[i] || s.Completion[i] > s.Elapsed {
			return fmt.Errorf("message %d: delivered %v, completed %v of %v", i, s.Delivery[i],
				s.Completion[i], s.Elapsed)
		}
	}
	return nil
}
