package metric

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// fill sets every field of a struct to a number of its own.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Int64:
			f.SetInt(int64(i + 1))
		case reflect.Float64:
			f.SetFloat(float64(i + 1))
		}
	}
}

// TestEveryCounterIsInTheTable finds a counter that was added and would be neither kept nor added.
func TestEveryCounterIsInTheTable(t *testing.T) {
	var c Counters
	fill(reflect.ValueOf(&c).Elem())
	if sum := Sum([]Counters{c}); sum != c {
		t.Errorf("the sum of %+v is %+v", c, sum)
	}
	seen := map[int64]string{}
	for _, counter := range Counted() {
		n := *counter.Count(&c)
		if other := seen[n]; other != "" {
			t.Errorf("%s and %s are the same counter", other, counter.Name)
		}
		seen[n] = counter.Name
	}
	if n := reflect.TypeOf(c).NumField(); len(seen) != n {
		t.Errorf("the table has %d counters, there are %d", len(seen), n)
	}
}

// TestEveryValueIsAColumn finds a number of a row that no column has, and one that two have.
func TestEveryValueIsAColumn(t *testing.T) {
	var v Values
	fill(reflect.ValueOf(&v).Elem())
	seen := map[float64]string{}
	for _, f := range Fields() {
		if f.Type == Text {
			continue
		}
		x := f.Value(&v)
		if other := seen[x]; other != "" {
			t.Errorf("%s and %s are the same number", other, f.Name)
		}
		seen[x] = f.Name
	}
	words := 1
	if n := reflect.TypeOf(v).NumField(); len(seen)+words != n {
		t.Errorf("%d columns of numbers, %d values", len(seen), n-words)
	}
}

func TestUnknownValuesAreOfNoColumn(t *testing.T) {
	v := Unknown()
	for _, f := range Fields() {
		if f.Known(&v) != (f.Type == Integer) {
			t.Errorf("%s: %v is known", f.Name, f.Value(&v))
		}
	}
}

func TestColumnsSayWhatTheyAre(t *testing.T) {
	counts, numbers := SampleFields()
	for _, list := range [][]*Field{Fields(), slices.Concat(counts, numbers)} {
		seen := map[string]bool{}
		for _, f := range list {
			if f.Name == "" || f.Doc == "" || f.Type == "" || seen[f.Name] {
				t.Errorf("column %+v", f)
			}
			seen[f.Name] = true
		}
	}
	for _, f := range Fields() {
		if f.Title == "" || Lookup(f.Name) != f {
			t.Errorf("%s: title %q, found as %v", f.Name, f.Title, Lookup(f.Name))
		}
		if f.Of != "" && Lookup(f.Of) == nil {
			t.Errorf("%s is an end of %q, which is no column", f.Name, f.Of)
		}
	}
	if Lookup("completion") != nil || Find("completion_mean_s") != nil {
		t.Error("a metric is no column, and a column no metric")
	}
}

func TestIntervalsSurroundTheirColumn(t *testing.T) {
	v := Unknown()
	v.FallbackFraction, v.FallbackLo, v.FallbackHi = 0.2, 0.1, 0.3
	if x, lo, hi := Lookup("fallback_fraction").Interval(&v); x != 0.2 || lo != 0.1 || hi != 0.3 {
		t.Errorf("%v in %v..%v", x, lo, hi)
	}
	v.CompletionMax = 7
	x, lo, hi := Lookup("completion_max_s").Interval(&v)
	if x != 7 || !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Errorf("the largest of all, which has no interval: %v in %v..%v", x, lo, hi)
	}
}

// TestWhatFiguresAndChecksHoldIsInTheTable has a metric of each kind.
func TestWhatFiguresAndChecksHoldIsInTheTable(t *testing.T) {
	for name, want := range map[string][]string{
		"completion": {Mean, P50, P99, P999, Max}, "latency": {Mean, P50, P99, P999},
		"speedup": {Mean, P50, P99, P999, Max}, "slowdown": {Mean, P999}, "goodput": {Mean},
		"overhead": {Mean}, "lost": {Mean},
	} {
		if got := Find(name).Shows(); !slices.Equal(got, want) || !slices.Contains(Drawn(), name) {
			t.Errorf("figures show %v of %s, want %v", got, name, want)
		}
	}
	if slices.Contains(Drawn(), "wall") || slices.Contains(Drawn(), "discarded") {
		t.Errorf("figures of scenarios show %v", Drawn())
	}
	for name, column := range map[string]string{
		"completion_p999": "completion_p999_s", "slowdown": "slowdown_mean", "goodput": "goodput_bps",
		"acks": "acks_mean", "failed_fraction": "",
	} {
		c, ok := FindCheck(name)
		if !ok || c.Doc == "" || (c.Better != Lower && c.Better != Higher) ||
			(c.Field == nil) != (column == "") || c.Field != nil && c.Field.Name != column {
			t.Errorf("check %s: %+v, want column %q", name, c, column)
		}
	}
	if _, ok := FindCheck("lost"); ok {
		t.Error("a check holds what is lost, which is no merit")
	}
}

// TestAddingCountersAllocatesNothing holds what is done for each sample; the sum itself may.
func TestAddingCountersAllocatesNothing(t *testing.T) {
	samples := make([]Counters, 1000)
	if n := testing.AllocsPerRun(100, func() { Sum(samples) }); n > 1 {
		t.Errorf("%v allocations for %d samples", n, len(samples))
	}
}
