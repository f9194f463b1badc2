package docs

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sdrsim/internal/report"
	"sdrsim/internal/result"
)

// performancePage is written from the measurements in performanceFolder.
const (
	performancePage   = "docs/performance.md"
	performanceFolder = "results/performance"
)

// measuredMark begins what is written from measurements, up to measuredEnd.
var measuredMark = regexp.MustCompile(
	`(?m)^<!-- measured: ([a-z0-9-]+); written by: make performance -->\n`)

const measuredEnd = "<!-- end of what is measured -->\n"

// TestPerformancePageIsWhatWasMeasured compares the tables of the page with the files they are made
// from, and writes them with -update. It measures nothing itself.
func TestPerformancePageIsWhatWasMeasured(t *testing.T) {
	tables := measuredTables(t)
	p := pageOf(t, performancePage)
	var seen []string
	for at := 0; ; {
		m := measuredMark.FindStringSubmatchIndex(p.text[at:])
		if m == nil {
			break
		}
		name, from := p.text[at+m[2]:at+m[3]], at+m[1]
		length := strings.Index(p.text[from:], measuredEnd)
		if length < 0 {
			t.Fatalf("%s: the part %s does not end", p.name, name)
		}
		want, known := tables[name]
		if !known {
			t.Fatalf("%s: nothing called %s is measured", p.name, name)
		}
		seen = append(seen, name)
		if strings.Contains(want, "?") {
			t.Errorf("%s, %s: something was not measured:\n%s", p.name, name, want)
		}
		if have := p.text[from : from+length]; have != want && !*update {
			inPage, inFile := firstDifference(have, want)
			t.Errorf("%s, %s has\n%s\nwhere the measurements have\n%s\n-update writes it anew",
				p.name, name, inPage, inFile)
		} else if have != want {
			p.replace(t, from, from+length, want)
		}
		at = from
	}
	if len(seen) != len(tables) {
		t.Errorf("%s has the parts %q of %d that are measured", p.name, seen, len(tables))
	}
}

// measuredTables are the parts of the page by name.
func measuredTables(t *testing.T) map[string]string {
	t.Helper()
	scaling, fig9 := measured(t, "scaling"), measured(t, "sweep-fig9-full")
	bench := readBenchmarks(t)
	return map[string]string{
		"machine":   machineLines(t, "scaling"),
		"size":      sizeTable(scaling),
		"loss":      lossTable(scaling),
		"packets":   packetTable(scaling, bench),
		"parts":     partsTable(bench),
		"codec":     codecTable(bench),
		"fig9-full": machineLines(t, "sweep-fig9-full") + sweepTable(fig9),
		"ten-thousand": machineLines(t, "sweep-ten-thousand") +
			sweepTable(measured(t, "sweep-ten-thousand")),
	}
}

// measured are the rows of a measurement.
func measured(t *testing.T, name string) []result.Row {
	t.Helper()
	table, err := report.ReadTable(filepath.Join(root, performanceFolder, name))
	if err != nil {
		t.Fatalf("%v; make performance measures", err)
	}
	return table.Rows
}

// machineLines say how a measurement was made.
func machineLines(t *testing.T, name string) string {
	t.Helper()
	m, err := report.ReadManifest(filepath.Join(root, performanceFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	return fence + "text\n" + m.Scenario + fence + "\n"
}

// grown is a table of a page that is being written.
type grown struct{ strings.Builder }

func newGrown(header ...string) *grown {
	g := new(grown)
	g.row(header...)
	g.row(slices.Repeat([]string{"---"}, len(header))...)
	return g
}

func (g *grown) row(cells ...string) { fmt.Fprintf(g, "| %s |\n", strings.Join(cells, " | ")) }

// measuredSchemes are the columns of tables.
var measuredSchemes = []string{"sr-rto", "sr-nack", "ec-mds", "ec-xor"}

// pick is a row by the words of its axes.
func pick(rows []result.Row, scheme string, axes ...string) *result.Row {
	for i := range rows {
		same := rows[i].Scheme == scheme
		for k, text := range axes {
			same = same && rows[i].Axes[k].Text == text
		}
		if same {
			return &rows[i]
		}
	}
	missing := result.NewRow(nil, scheme)
	return &missing
}

// distinct are the words of an axis among the rows of a part, in their order.
func distinct(rows []result.Row, part string, axis int) (texts []string) {
	for i := range rows {
		text := rows[i].Axes[axis].Text
		if rows[i].Axes[0].Text == part && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// sizeTable has events and time by size, without losses and with ten.
func sizeTable(rows []result.Row) string {
	g := newGrown(append([]string{"size", "losses"}, measuredSchemes...)...)
	for _, part := range []string{"lossless", "ten losses"} {
		for i, size := range distinct(rows, part, 1) {
			if i != 0 && (i == 1 || i%3 != 1) { // 1, 16, 128 MiB and so on
				continue
			}
			cells := []string{sizeOf(size), map[string]string{"lossless": "0"}[part]}
			if part != "lossless" {
				cells[1] = "10"
			}
			for _, scheme := range measuredSchemes {
				r := pick(rows, scheme, part, size)
				cells = append(cells, digits(r.EventsMean, 2)+" events, "+wallOf(r.SampleWall))
			}
			g.row(cells...)
		}
	}
	return g.String()
}

// lossTable has time, time of a loss and ratio to the bare model of 1 GiB, by drop rate.
func lossTable(rows []result.Row) string {
	g := newGrown(append([]string{"drop rate", "losses of a sample"}, measuredSchemes...)...)
	const size = "1073741824"
	for _, p := range distinct(rows, "drop rate", 2) {
		first := pick(rows, measuredSchemes[0], "drop rate", size, p)
		cells := []string{p, digits(first.LostMean, 2)}
		for _, scheme := range measuredSchemes {
			r := pick(rows, scheme, "drop rate", size, p)
			cell := wallOf(r.SampleWall)
			if r.LostMean >= 100 {
				cell += ", " + wallOf(r.SampleWall/r.LostMean) + " a loss"
			}
			cells = append(cells, cell+", "+digits(r.WallRatio, 2)+"x")
		}
		g.row(cells...)
	}
	return g.String()
}

// packetTable has what a packet costs where each is handled alone, over the floor of such a
// simulation, and where runs are taken as one.
func packetTable(rows []result.Row, b benchmarks) string {
	g := newGrown("128 MiB, 32 768 packets", "a packet")
	for _, floor := range []struct{ name, what string }{
		{"FloorTwoQueues", "only events, in a queue of departures and one of arrivals"},
		{"FloorContainerHeap", "only events, in one `container/heap`"},
		{"FloorEngine", "only events, in the engine of this simulator"},
	} {
		g.row(floor.what, wallOf(b.median(floor.name, "ns/packet")*1e-9))
	}
	for _, scheme := range measuredSchemes {
		g.row("`"+scheme+"` in single packets",
			wallOf(b.median("Packets/p=0/scheme="+scheme, "ns/packet")*1e-9))
	}
	for _, scheme := range measuredSchemes {
		r := pick(rows, scheme, "lossless", "134217728")
		g.row("`"+scheme+"` in runs, as usual", wallOf(r.SampleWall/r.PacketsMean))
	}
	return g.String()
}

// partsTable has what the parts cost by themselves.
func partsTable(b benchmarks) string {
	g := newGrown("operation", "time", "benchmark")
	for _, part := range []struct{ name, what string }{
		{"Hold/pending=4", "an event, with four pending"},
		{"Hold/pending=100000", "an event, with 100 000 pending"},
		{"TimerRearmLater", "an event that moves a timer to later"},
		{"TransmitPacket", "a packet over a link"},
		{"TransmitPiece", "a run over a link, up to its loss"},
		{"StreamSeed", "seeding a random stream"},
		{"BuildPoint", "building topology and endpoints of a point"},
		{"Overhead", "what a sweep adds to a sample"},
	} {
		g.row(part.what, wallOf(b.median(part.name, "ns/op")*1e-9),
			"`Benchmark"+strings.Split(part.name, "/")[0]+"`")
	}
	return g.String()
}

// codecTable has the codes over their library, and the rate of messages with real bytes.
func codecTable(b benchmarks) string {
	g := newGrown("MDS(32,8)", "chunk", "time over the bare library")
	for _, task := range []string{"encode", "rebuild/lost=1", "rebuild/lost=8"} {
		for _, chunk := range []string{"4096", "65536"} {
			ratio := b.median("OverLibrary/"+task+"/chunk="+chunk, "ours/library")
			g.row(strings.Replace(task, "/lost=", ", lost ", 1), sizeOf(chunk),
				strconv.FormatFloat(ratio, 'f', 2, 64))
		}
	}
	g.WriteString("\n")
	h := newGrown(append([]string{"drop rate"}, measuredSchemes...)...)
	for _, p := range []string{"0", "1e-2"} {
		cells := []string{p}
		for _, scheme := range measuredSchemes {
			rate := b.median("RealPayload/p="+p+"/scheme="+scheme, "MB/s")
			cells = append(cells, digits(rate, 2)+" MB/s")
		}
		h.row(cells...)
	}
	return g.String() + h.String()
}

// sweepTable has schemes and whole sweeps, by jobs.
func sweepTable(rows []result.Row) string {
	g := newGrown("jobs", "what", "a sample", "over the bare model", "over one job")
	for i := range rows {
		r := &rows[i]
		if strings.HasSuffix(r.Scheme, "(bare model)") {
			continue
		}
		bare, jobs := digits(r.WallRatio, 2)+"x", ""
		if r.Axes[0].Number > 1 {
			bare, jobs = "", strconv.FormatFloat(1/r.WallRatio, 'f', 2, 64)+"x as fast"
		}
		g.row(r.Axes[0].Text, r.Scheme, wallOf(r.SampleWall), bare, jobs)
	}
	return g.String()
}

// digits writes a number with so many significant ones, whole where it is large.
func digits(v float64, n int) string {
	switch {
	case math.IsNaN(v):
		return "?"
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', n, 64)
}

// wallOf writes seconds with their unit.
func wallOf(s float64) string {
	for _, u := range []struct {
		factor float64
		name   string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}} {
		if s >= u.factor || s >= 0 && u.factor == 1e-9 {
			return digits(s/u.factor, 2) + " " + u.name
		}
	}
	return "?"
}

// sizeOf writes bytes with their unit.
func sizeOf(text string) string {
	n, err := strconv.ParseFloat(text, 64)
	for _, u := range []string{"B", "KiB", "MiB", "GiB"} {
		if err == nil && (n < 1024 || u == "GiB") {
			return digits(n, 3) + " " + u
		}
		n /= 1024
	}
	return text
}

// benchmarks are the values of benchmark and unit, of all times it was run.
type benchmarks map[[2]string][]float64

// cpuSuffix is what the testing package adds to names.
var cpuSuffix = regexp.MustCompile(`-\d+$`)

// readBenchmarks reads what make performance keeps of make bench.
func readBenchmarks(t *testing.T) benchmarks {
	t.Helper()
	f, err := os.Open(filepath.Join(root, performanceFolder, "bench.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := benchmarks{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := cpuSuffix.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		for i := 2; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				t.Fatalf("bench.txt: %s: %v", fields[0], err)
			}
			key := [2]string{name, fields[i+1]}
			b[key] = append(b[key], v)
		}
	}
	return b
}

// median is NaN where a benchmark is missing.
func (b benchmarks) median(name, unit string) float64 {
	values := slices.Sorted(slices.Values(b[[2]string{name, unit}]))
	if len(values) == 0 {
		return math.NaN()
	}
	return values[len(values)/2]
}
