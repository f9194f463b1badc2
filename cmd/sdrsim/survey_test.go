package main

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/sweep/ledger"
	"sdrsim/internal/sweep/shard"
)

// TestMissingShardsCompleteThoseThatAreThere takes any shards of n away but one.
func TestMissingShardsCompleteThoseThatAreThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, 40).Draw(t, "of")
		there := rapid.SliceOfNDistinct(rapid.IntRange(1, of), 1, of, rapid.ID).Draw(t, "there")
		var found []stateOf
		for _, i := range there {
			found = append(found, stateOf{part: shard.Part{Index: i, Of: of},
				Status: ledger.Status{Scenario: "x", State: ledger.Complete}})
		}
		all := slices.Clone(there)
		for _, s := range missingShards("parts", found) {
			if s.State != ledger.Missing || s.Scenario != "x" || s.Shard != s.part.String() {
				t.Fatalf("missing: %+v", s)
			}
			all = append(all, s.part.Index)
		}
		slices.Sort(all)
		for i := range all {
			if all[i] != i+1 || len(all) != of {
				t.Fatalf("%v are there of %d, and with the missing ones %v", there, of, all)
			}
		}
	})
}

func TestRunsWithoutShardsMissNone(t *testing.T) {
	if m := missingShards("parts", []stateOf{{}}); len(m) != 0 {
		t.Errorf("missing: %+v", m)
	}
}
