package report

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sdrsim/internal/metric"
	"sdrsim/internal/result"
	"sdrsim/internal/stats"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", file, got, want)
	}
}

// sampleTable has what a file must survive: words, numbers, empty fields, signs of CSV.
func sampleTable() result.Table {
	axes := func(p float64, rto string) []result.AxisValue {
		return []result.AxisValue{number("link.loss.p", p), word("scheme.rto", rto)}
	}
	t := result.Table{Paths: []string{"link.loss.p", "scheme.rto"}}
	full := syntheticRow(axes(1e-5, "3RTT"), "ec-mds(32,8)", 0.0277, 1e-5, 32768)
	for _, c := range metric.Fields() { // the same on every processor
		if c.Number != nil {
			text := strconv.FormatFloat(*c.Number(&full.Values), 'g', 6, 64)
			*c.Number(&full.Values), _ = strconv.ParseFloat(text, 64)
		}
	}
	full.Warnings = []string{`a "quoted", doubtful thing`, "p99.9: 4 of 4000 samples beyond it"}
	empty := result.NewRow(axes(0, "1RTT"), "sr-rto")
	empty.Samples, empty.Failed = 10, 10
	odd := result.NewRow(axes(0.1, "3RTT"), "sr-rto")
	odd.CompletionMean, odd.CompletionMax = math.Inf(1), math.Copysign(0, -1)
	odd.Goodput, odd.CompletionP50 = 1e11, 1.0/3
	t.Rows = []result.Row{full, empty, odd}
	return t
}

func TestCSVHasTheColumnsOfTheContract(t *testing.T) {
	var b bytes.Buffer
	if err := result.WriteCSV(&b, sampleTable().Rows); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(b.String(), "\n")
	const want = "link.loss.p,scheme.rto,scheme,samples,failed,completion_mean_s," +
		"completion_mean_lo_s,completion_mean_hi_s,completion_p50_s,completion_p99_s," +
		"completion_p999_s,completion_max_s,delivery_mean_s,slowdown_mean,slowdown_p999," +
		"goodput_bps,throughput_bps,wire_bytes_mean,packets_mean,lost_mean,retransmits_mean," +
		"spurious_retransmits_mean,acks_mean,nacks_mean,timeouts_mean,fallbacks_mean," +
		"fallback_fraction,useful_parity_mean,events_mean,completion_p99_lo_s," +
		"completion_p99_hi_s,completion_p999_lo_s,completion_p999_hi_s,goodput_lo_bps," +
		"goodput_hi_bps,speedup_mean,speedup_lo,speedup_hi,model_completion_mean_s," +
		"fallback_lo,fallback_hi,give_up_mean_s,latency_mean_s,latency_mean_lo_s," +
		"latency_mean_hi_s,latency_p50_s,latency_p99_s,latency_p99_lo_s,latency_p99_hi_s," +
		"latency_p999_s,latency_p999_lo_s,latency_p999_hi_s,slowdown_mean_lo,slowdown_mean_hi," +
		"slowdown_p999_lo,slowdown_p999_hi,warnings"
	if header != want {
		t.Errorf("header is\n%s\nwant\n%s", header, want)
	}
	for _, bad := range []string{"NaN", "Inf", "inf", "nan", "-0,"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("%q in the file:\n%s", bad, b.String())
		}
	}
	golden(t, "points.csv", b.Bytes())
}

func TestCSVReadsBackAsItself(t *testing.T) {
	data, err := os.ReadFile("testdata/points.csv")
	if err != nil {
		t.Fatal(err)
	}
	table, err := result.ReadCSV(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Rows[0].Warnings; len(got) != 2 || got[0] != `a "quoted", doubtful thing` {
		t.Errorf("warnings are %q", got)
	}
	if !math.IsNaN(table.Rows[2].CompletionMean) || table.Rows[2].CompletionP50 != 1.0/3 {
		t.Errorf("row 3 is %+v", table.Rows[2])
	}
	var b bytes.Buffer
	if err := result.WriteCSV(&b, table.Rows); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), data) {
		t.Errorf("written again:\n%s", b.Bytes())
	}
}

// drawRow makes any row a table could hold.
func drawRow(t *rapid.T, paths []string, i int) result.Row {
	text := rapid.StringMatching(`[ -~é]{0,12}`)
	var axes []result.AxisValue
	for _, p := range paths {
		axes = append(axes, word(p, result.PlainText(text.Draw(t, "text"))))
	}
	r := result.NewRow(axes, "s"+result.PlainText(text.Draw(t, "scheme"))+string(rune('A'+i)))
	for _, c := range metric.Fields() {
		if c.Count != nil {
			*c.Count(&r.Values) = rapid.Int64Range(0, 1<<50).Draw(t, c.Name)
			continue
		}
		if c.Word != nil {
			*c.Word(&r.Values) = result.SamplingStrata
			continue
		}
		*c.Number(&r.Values) = rapid.Float64().Draw(t, c.Name)
	}
	return r
}

func TestCSVRoundTripsAnyTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []result.Row
		paths := []string{"a.b", "c"}[:rapid.IntRange(0, 2).Draw(t, "paths")]
		for i := range rapid.IntRange(0, 4).Draw(t, "rows") {
			rows = append(rows, drawRow(t, paths, i))
		}
		var b, again bytes.Buffer
		if err := result.WriteCSV(&b, rows); err != nil {
			t.Fatal(err)
		}
		first := b.String()
		table, err := result.ReadCSV(&b)
		if err != nil {
			t.Fatalf("%v in\n%s", err, first)
		}
		if err := result.WriteCSV(&again, table.Rows); err != nil {
			t.Fatal(err)
		}
		if len(rows) > 0 && again.String() != first {
			t.Fatalf("first\n%s\nthen\n%s", first, again.String())
		}
		for i := range table.Rows {
			for _, c := range metric.Fields() {
				want, _ := rows[i].Value(c.Name)
				got, _ := table.Rows[i].Value(c.Name)
				if got != want && !(math.IsNaN(got) && !result.Finite(want)) {
					t.Fatalf("row %d %s is %v, want %v", i, c.Name, got, want)
				}
			}
		}
	})
}

func TestCSVErrorsNameThePlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "points.csv: the file is empty, its first line must name the columns"},
		{"a,b\n", `points.csv:1: no column "scheme"; the swept paths come before it`},
		{"scheme\n", `points.csv:1: no column "samples"`},
		{"p,scheme,samples\n1,x\n", "points.csv:2: 2 fields, the header has 3"},
		{"p,scheme,samples\n1,,5\n", "points.csv:2: column scheme: is empty, must name a scheme"},
		{"p,scheme,samples\n1,x,many\n", `points.csv:2: column samples: "many" is not a count`},
		{"p,scheme,samples\n1,x,-1\n", `points.csv:2: column samples: "-1" is not a count`},
		{"p,p,scheme,samples\n", "points.csv:1: column p: the name occurs twice"},
		{"scheme,samples,goodput_bps\nx,1,\ny,1,inf\n", `points.csv:3: column goodput_bps: ` +
			`"inf" is not a number; empty if it is unknown`},
		{"p,scheme,samples\n1,x,1\n2,x,1\n1,x,1\n",
			`points.csv:4: column scheme: "x" at this point is already in line 2`},
		{"scheme,samples\n\"x,1\n", `points.csv:2:6: extraneous or missing " in quoted-field`},
	} {
		_, err := result.ReadCSV(strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	_, err := result.ReadCSV(strings.NewReader("scheme,samples,godput\nx,1,1\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "points.csv:1: column godput: is not a column") {
		t.Errorf("unknown column: %v", err)
	}
}

func TestCSVNamesTheFileItReads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(file, []byte("scheme,samples\nx,?\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = result.ReadCSV(f)
	if err == nil || !strings.HasPrefix(err.Error(), file+":2: column samples") {
		t.Errorf("error is %v", err)
	}
}

func TestCSVColumnsMayBeMissingOrMoved(t *testing.T) {
	table, err := result.ReadCSV(strings.NewReader("scheme,goodput_bps,samples\nx,5e9,7\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := table.Rows[0]
	if r.Goodput != 5e9 || r.Samples != 7 || !math.IsNaN(r.CompletionMean) {
		t.Errorf("row is %+v", r)
	}
}

func TestRowOfAnotherTableIsABug(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.HasPrefix(p.(string), "BUG: ") {
			t.Errorf("panic is %v", p)
		}
	}()
	rows := []result.Row{result.NewRow(nil, "x"),
		result.NewRow([]result.AxisValue{number("p", 1)}, "x")}
	_ = result.WriteCSV(&bytes.Buffer{}, rows)
}

func TestDistributionsRoundTrip(t *testing.T) {
	want := withDistributions(sweep("link.loss.p", []float64{1e-4, 1e-3}, fourSchemes)).Distributions
	var b bytes.Buffer
	if err := result.WriteDistributions(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := result.ReadDistributions(&b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back differently: %d of %d", len(got), len(want))
	}
	for _, d := range got {
		if n := len(d.Steps); n > result.DistributionSteps || n < 50 {
			t.Errorf("%d steps", n)
		}
	}
}

func TestDistributionErrorsNameThePlace(t *testing.T) {
	const header = "scheme,probability,completion_s\n"
	for _, c := range []struct{ text, want string }{
		{"scheme,completion_s\n", "distribution.csv:1: column scheme: must be followed by " +
			"probability, completion_s and nothing else"},
		{header + "x,2,1\n", "distribution.csv:2: column probability: must be a probability " +
			"between 0 and 1"},
		{header + "x,,1\n", "distribution.csv:2: column probability: must be a probability " +
			"between 0 and 1"},
		{header + "x,0.5,\n", "distribution.csv:2: column completion_s: is empty, must be a " +
			"time in seconds"},
		{header + "x,0.5,1\nx,0.7,2\n", "distribution.csv:3: column completion_s: steps must " +
			"ascend in time and descend in probability"},
	} {
		_, err := result.ReadDistributions(strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	all, err := result.ReadDistributions(strings.NewReader(header + "x,0.5,1\nx,0,2\ny,0,1\n"))
	want := []stats.Step{{X: 1, Exceed: 0.5}, {X: 2, Exceed: 0}}
	if err != nil || len(all) != 2 || !reflect.DeepEqual(all[0].Steps, want) {
		t.Errorf("read %+v, %v", all, err)
	}
}
