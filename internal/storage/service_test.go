package storage

import (
	"math"
	"testing"

	"sdrsim/units"
)

var tables = []struct {
	name    string
	rows    []measured
	service func(size units.Bytes) Service
}{
	{"remote read", remoteReads, func(n units.Bytes) Service { return Remote(Read, n) }},
	{"remote write", remoteWrites, func(n units.Bytes) Service { return Remote(Write, n) }},
	{"local read", localReads, func(n units.Bytes) Service { return Local(Read, n) }},
	{"local write", localWrites, func(n units.Bytes) Service { return Local(Write, n) }},
}

func TestServiceHasTheQuantilesThatWereMeasured(t *testing.T) {
	for _, table := range tables {
		for _, row := range table.rows {
			s := table.service(row.size)
			for i, p := range levels {
				want := (row.submit + row.quantiles[i]) * 1e-6
				if got := s.Of(p).Seconds(); math.Abs(got-want) > 1e-9 {
					t.Errorf("%s %v: %.4f quantile %v us, want %v", table.name, row.size, p, got*1e6, want*1e6)
				}
			}
		}
	}
}

// Between quantiles times are equally likely, which the tails make a little too slow.
func TestServiceHasTheMeanThatWasMeasured(t *testing.T) {
	const n = 400000
	for _, table := range tables {
		for _, row := range table.rows {
			s, sum := table.service(row.size), 0.0
			for i := range n {
				sum += s.Of((float64(i) + 0.5) / n).Seconds()
			}
			ratio := (1e6*sum/n - row.submit) / row.mean
			if ratio < 0.9999 || ratio > 1.0424 {
				t.Errorf("%s %v: mean %.4f of that measured, want 1 to 1.042", table.name, row.size, ratio)
			}
		}
	}
}

func TestServiceGrowsWithSizeAndProbability(t *testing.T) {
	for _, table := range tables {
		last := make([]units.Duration, 101)
		for size := 4 * kib; size <= units.MiB; size += 4 * kib {
			s := table.service(size)
			for i := range last {
				at := s.Of(float64(i) / 101)
				if i > 0 && at < s.Of(float64(i-1)/101) || at < last[i] {
					t.Fatalf("%s of %v: %v at %d, less than before", table.name, size, at, i)
				}
				last[i] = at
			}
		}
	}
}

// 4 KiB at a time take 97 us by the NFS client on the DPU, 43.2 by the DPU alone.
func TestLatenciesOfOneOperationAtATime(t *testing.T) {
	for _, c := range []struct {
		rows []measured
		want [4]float64
	}{
		{remoteReads, [4]float64{97.1, 115.9, 184.4, 273.8}},
		{remoteWrites, [4]float64{102.0, 145.2, 234.8, 356.0}},
		{localReads, [4]float64{43.2, 55.5, 105.9, 161.4}},
		{localWrites, [4]float64{48.7, 61.7, 91.0, 143.7}},
	} {
		for i, row := range c.rows {
			if got := row.submit + row.mean; math.Abs(got-c.want[i]) > 0.35 {
				t.Errorf("%v: %.1f us, want %.1f", row.size, got, c.want[i])
			}
		}
	}
}

func TestAQueueHoldsPagesNotOperations(t *testing.T) {
	sizes := []units.Bytes{4 * kib, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 128 * kib}
	for operation, want := range map[string][]int{
		Read: {16, 12, 9, 5, 3, 1}, Write: {12, 10, 8, 5, 3, 1},
	} {
		for i, size := range sizes {
			if got := InFlight(operation, size, QueuePages); got != want[i] {
				t.Errorf("%s of %v: %d in flight, want %d", operation, size, got, want[i])
			}
		}
	}
	if got := InFlight(Read, units.MiB, QueuePages); got != 1 || Requests(units.MiB) != 8 {
		t.Errorf("1 MiB: %d in flight of %d requests, want 1 of 8", got, Requests(units.MiB))
	}
}
