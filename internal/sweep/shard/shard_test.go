package shard

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawKeys draws distinct keys.
func drawKeys(t *rapid.T) []string {
	keys := rapid.SliceOfNDistinct(rapid.String(), 0, 60, rapid.ID[string])
	return keys.Draw(t, "keys")
}

func TestShardsAreDisjointAndComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := drawKeys(t)
		n := rapid.IntRange(1, 100).Draw(t, "shards")
		var all []int
		least, most := len(keys), 0
		for i := 1; i <= n; i++ {
			p, err := New(i, n)
			if err != nil {
				t.Fatal(err)
			}
			mine := p.Select(keys)
			if !slices.IsSorted(mine) {
				t.Fatalf("shard %v is not in the order of the points: %v", p, mine)
			}
			least, most = min(least, len(mine)), max(most, len(mine))
			all = append(all, mine...)
		}
		slices.Sort(all)
		for i := range keys {
			if i >= len(all) || all[i] != i {
				t.Fatalf("%d shards of %d points hold %v", n, len(keys), all)
			}
		}
		if len(all) != len(keys) || most-least > 1 {
			t.Fatalf("shards of %d to %d points, %d in all of %d", least, most, len(all), len(keys))
		}
	})
}

// TestAssignmentDependsOnKeysOnly puts the points in another order.
func TestAssignmentDependsOnKeysOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := drawKeys(t)
		n := rapid.IntRange(1, 9).Draw(t, "shards")
		of := map[string]int{}
		for i, s := range Assign(keys, n) {
			of[keys[i]] = s
		}
		shuffled := rapid.Permutation(keys).Draw(t, "order")
		for i, s := range Assign(shuffled, n) {
			if of[shuffled[i]] != s {
				t.Fatalf("%q moved from shard %d to %d", shuffled[i], of[shuffled[i]], s)
			}
		}
	})
}

// TestNeighboursAreSpread shows why keys are hashed: dealing by position alone would put every
// third drop rate in one shard.
func TestNeighboursAreSpread(t *testing.T) {
	var keys []string
	for i := range 90 {
		keys = append(keys, "size="+strconv.Itoa(i/3)+",p="+strconv.Itoa(i%3))
	}
	counts := map[string]int{}
	for i, s := range Assign(keys, 3) {
		counts[strconv.Itoa(i%3)+" in "+strconv.Itoa(s)]++
	}
	for what, n := range counts {
		if n < 3 || n > 20 {
			t.Errorf("drop rate %s: %d of 30 points", what, n)
		}
	}
}

// The assignment is part of the format: shards of different machines and versions go together.
func TestAssignmentDoesNotChange(t *testing.T) {
	keys := []string{"", "link.loss.p=0.001", "link.loss.p=0.01", "link.loss.p=0.1", "a=1,b=2"}
	if got := Assign(keys, 3); !slices.Equal(got, []int{2, 1, 2, 3, 1}) {
		t.Errorf("assigned to %v", got)
	}
}

func TestPartsAreParsed(t *testing.T) {
	for text, want := range map[string]string{
		"1/1": "1/1", "2/5": "2/5", "5/5": "5/5",
		"": "must be i/n", "3": "must be i/n", "a/b": "must be i/n", "1/2/3": "must be i/n",
		"0/5": "must be 1 to 5", "6/5": "must be 1 to 5", "-1/5": "must be 1 to 5",
		"1/0": "must be 1 to 100000", "1/1000000": "must be 1 to 100000",
	} {
		p, err := Parse(text)
		got := p.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	if !(Part{}).Whole() || (Part{Index: 1, Of: 1}).Whole() {
		t.Error("only the zero part is the whole")
	}
}

func TestNamesOfDirectoriesAreParsed(t *testing.T) {
	for _, p := range []Part{{1, 1}, {2, 5}, {100_000, 100_000}} {
		if got, ok := ParseName(p.Name()); !ok || got != p {
			t.Errorf("%s is %s, %t", p.Name(), got, ok)
		}
	}
	for _, name := range []string{"", "1", "6-of-5", "0-of-5", "01-of-5", "1-of-5.old", "a-of-b"} {
		if p, ok := ParseName(name); ok {
			t.Errorf("%q is taken for %s", name, p)
		}
	}
}

func TestAutoReadsTheEnvironment(t *testing.T) {
	for _, test := range []struct {
		env   string
		count int
		want  string
	}{
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=6", 0, "3/6"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=6", 0, "1/6"},
		{"SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=3 " +
			"SLURM_ARRAY_TASK_STEP=2", 0, "3/3"},
		{"SLURM_ARRAY_TASK_ID=13 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=3 " +
			"SLURM_ARRAY_TASK_STEP=2", 0, "not among those from 10 in steps of 2"},
		// Of 40 shards those two run again that failed.
		{"SLURM_ARRAY_TASK_ID=17 SLURM_ARRAY_TASK_MIN=9 SLURM_ARRAY_TASK_COUNT=2", 40, "17/40"},
		{"SLURM_ARRAY_TASK_ID=41 SLURM_ARRAY_TASK_MIN=9 SLURM_ARRAY_TASK_COUNT=2", 40,
			"must be 1 to 40"},
		{"SLURM_ARRAY_TASK_ID=3", 0, "SLURM_ARRAY_TASK_MIN=\"\": must be a whole number"},
		{"SLURM_ARRAY_TASK_ID=x", 5, "SLURM_ARRAY_TASK_ID=\"x\""},
		{"JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=4", 0, "1/4"},
		{"JOB_COMPLETION_INDEX=3", 4, "4/4"},
		{"JOB_COMPLETION_INDEX=3", 0, "JOB_COMPLETIONS=\"\": must be a whole number"},
		{"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_COUNT=3", 0,
			"SLURM_ARRAY_TASK_ID=9: must be 2 to 4"},
		{"SLURM_ARRAY_TASK_ID=0", 4, "SLURM_ARRAY_TASK_ID=0: must be 1 to 4"},
		{"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=0", 0,
			"SLURM_ARRAY_TASK_COUNT=0: must be 1 to 100000"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=3 " +
			"SLURM_ARRAY_TASK_MAX=3", 0, "3/3"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=3 " +
			"SLURM_ARRAY_TASK_MAX=7", 0, "SLURM_ARRAY_TASK_MAX=7: SLURM_ARRAY_TASK_COUNT=3 tasks"},
		{"JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=4", 0, "JOB_COMPLETION_INDEX=4: must be 0 to 3"},
		{"JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=3", 4, "JOB_COMPLETIONS=3, but 4 shards"},
		{"JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=x", 4, "JOB_COMPLETIONS=\"x\": must be a whole"},
		{"SLURM_ARRAY_TASK_ID=1 JOB_COMPLETION_INDEX=1", 4,
			"both SLURM_ARRAY_TASK_ID (Slurm) and JOB_COMPLETION_INDEX (Kubernetes) are set"},
		{"SLURM_ARRAY_TASK_MAX=1 JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=4", 0,
			"both SLURM_ARRAY_TASK_MAX (Slurm) and JOB_COMPLETION_INDEX, JOB_COMPLETIONS (Kub"},
		{"", 0, "neither SLURM_ARRAY_TASK_ID (Slurm) nor JOB_COMPLETION_INDEX (Kubernetes) is set"},
	} {
		env := map[string]string{}
		for _, pair := range strings.Fields(test.env) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		p, err := Auto(func(name string) string { return env[name] }, test.count)
		got := p.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s with %d: %s, want %s", test.env, test.count, got, test.want)
		}
	}
}
