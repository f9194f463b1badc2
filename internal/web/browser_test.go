package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/figure"
	"sdrsim/internal/report"
	"sdrsim/scenarios"
)

// reportOf makes the report of committed results, in a folder of its own.
func reportOf(t *testing.T, name string) string {
	t.Helper()
	from, dir := filepath.Join("../../results", name), t.TempDir()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".csv" && ext != ".json" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := report.Redraw(dir, scenarios.Question); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, report.ReportFile)
}

// TestReportInABrowser opens reports from disk in one browser. Every tab fails where something is
// requested or the console complains.
func TestReportInABrowser(t *testing.T) {
	b := startBrowser(t)
	quickstart, map9 := reportOf(t, "quickstart"), reportOf(t, "paper/fig9")
	short9 := map9 + "#q=128 GiB" // axe takes long for a long table
	for _, c := range []struct {
		name, file string
		test       func(*tab)
	}{
		{"says the answer", quickstart, saysTheAnswer},
		{"zooms and remembers it", quickstart, zooms},
		{"hides a scheme", quickstart, hidesAScheme},
		{"reads values", quickstart, readsValues},
		{"keyboard", quickstart, obeysTheKeyboard},
		{"table", quickstart, sortsAndFilters},
		{"downloads", quickstart, downloads},
		{"selectors", map9, selects},
		{"map", map9, showsAMap},
		{"any column", quickstart, showsAnyColumn},
		{"addresses of anybody", quickstart, survivesAddresses},
		{"phone, dark and print", quickstart, fitsScreens},
		{"accessible", quickstart, isAccessible},
		{"accessible map", short9, isAccessible},
		{"zero on a logarithmic axis", lossless(t), hasAPlaceForZero},
		{"hostile texts", hostile(t), staysHarmless},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(b.open(t, c.file)) })
	}
}

func (t *tab) has(text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func saysTheAnswer(t *tab) {
	t.has(t.text("header"), "quickstart", "which reliability scheme delivers")
	t.has(t.text(".answers"), "Mean completion time", "ec-mds", "is best, by", "drop probability",
		"tie: their 95 % intervals overlap", "too few samples to be sure")
	t.has(t.text(".doubts"), "Too few samples carry the p99.9 in 2 of 36 rows")
	t.has(t.text("#scenario"), "Seed", "sdrsim 0.", "samples: 10000            # ten of them")
}

func zooms(t *tab) {
	before := t.picture("#chart")
	if got := t.eval(`[...document.querySelectorAll('#controls button')]
		.filter(b => !b.hidden).map(b => b.innerText).join()`); got != "PNG" {
		t.Errorf("buttons %v before the zoom", got)
	}
	t.drag(".u-over", [2]float64{0.3, 0.2}, [2]float64{0.7, 0.6})
	t.has(t.hash(), "zoom=")
	zoomed := t.picture("#chart")
	if zoomed == before {
		t.Error("a drag changes nothing")
	}
	t.Log("# the address brings it back")
	t.reload()
	t.has(t.hash(), "zoom=")
	t.mouse("mouseMoved", 1, 1, 0)
	if t.picture("#chart") == before {
		t.Error("the address does not bring the zoom back")
	}
	t.click("#controls button:not([hidden])")
	t.mouse("mouseMoved", 1, 1, 0)
	if strings.Contains(t.hash(), "zoom=") || t.picture("#chart") != before {
		t.Errorf("Reset zoom does not, %s", t.hash())
	}
}

func hidesAScheme(t *tab) {
	t.mouse("mouseMoved", 1, 1, 0)
	before := t.picture("#chart")
	t.click("[data-series=ec-mds]")
	t.mouse("mouseMoved", 1, 1, 0)
	without := t.picture("#chart")
	if without == before {
		t.Error("the same pixels without a scheme")
	}
	t.has(t.hash(), "off=ec-mds")
	if got := t.eval(`document.querySelector('[data-series=ec-mds]').ariaPressed`); got != "false" {
		t.Errorf("the button is pressed: %v", got)
	}
	t.click("[data-series=ec-mds]")
	t.mouse("mouseMoved", 1, 1, 0)
	if t.picture("#chart") != before || t.hash() != "" {
		t.Errorf("it does not come back, %s", t.hash())
	}
}

func readsValues(t *tab) {
	t.Log("# at 10^-4.5 too few samples carry the tail of ec-xor")
	t.click("#figures button:nth-child(3)")
	t.hover(".u-over", 0.375, 0.5)
	side := t.text(".side")
	t.has(side, "Drop probability 3.16×10⁻⁵",
		"ec-xor: p99.9: 7.63 of 9999 samples with a loss beyond it, fewer than 10")
	t.has(t.text("#under"), "hollow: too few samples")
	t.Log("# values have their unit and their interval")
	t.click("#figures button:nth-child(1)")
	t.hover(".u-over", 0.5, 0.5)
	t.has(t.text(".side"), "Drop probability 10⁻⁴", "10.83 Gbit/s", "[10.797, 10.86] Gbit/s")
	t.Log("# off the chart there are no values")
	t.mouse("mouseMoved", 1, 1, 0)
	t.settle()
	if side = t.text(".side"); strings.Contains(side, "Gbit/s") {
		t.Errorf("still %s", side)
	}
	t.Log("# times have their title, unit and closed form")
	t.click("#figures button:nth-child(2)")
	t.hover(".u-over", 0.02, 0.5)
	t.has(t.text(".side"), "30.06 ms", "closed form 30.06 ms")
	t.has(t.text("#caption"), "Mean completion time of a 128 MiB message")
}

func obeysTheKeyboard(t *tab) {
	t.eval(`document.querySelector('#chart').focus()`)
	t.key("ArrowRight")
	t.has(t.text(".side"), "Drop probability 10⁻⁶", "35.72 Gbit/s")
	t.key("ArrowRight")
	t.has(t.text(".side"), "Drop probability 3.16×10⁻⁶")
	t.Log("# a button of the legend keeps the focus when it is used")
	t.eval(`document.querySelector('[data-series=sr-nack]').focus()`)
	t.do("Input.dispatchKeyEvent", params{"type": "keyDown", "key": "Enter", "code": "Enter",
		"text": "\r", "windowsVirtualKeyCode": 13})
	t.settle()
	t.has(t.hash(), "off=sr-nack")
	if got := t.eval(`document.activeElement.dataset.series`); got != "sr-nack" {
		t.Errorf("the focus is on %v", got)
	}
}

func sortsAndFilters(t *tab) {
	const second = `#table tbody tr:first-child td:nth-child(2)`
	t.click(`[data-column=completion_mean_s]`)
	if got := t.text(second); got != "ec-mds" {
		t.Errorf("least mean completion: %s", got)
	}
	t.click(`[data-column=completion_mean_s]`)
	if got := t.text(second); got != "sr-rto" {
		t.Errorf("largest mean completion: %s", got)
	}
	if got := t.eval(`document.querySelector('th[aria-sort=descending]').innerText`); got == nil {
		t.Error("nothing says how the table is sorted")
	}
	t.eval(`(() => { const f = document.querySelector('#filter'); f.value = 'ec-xor 0.01';
		f.dispatchEvent(new Event('input')); })()`)
	t.has(t.text("#table caption"), "of 36 rows")
	t.has(t.text("#table tbody"), "ec-xor", "147.1 ms", "[146.5, 147.62] ms")
	if text := t.text("#table tbody"); strings.Contains(text, "sr-rto") {
		t.Errorf("not filtered: %s", text)
	}
	t.has(t.hash(), "q=ec-xor", "sort=completion_mean_s", "down=1")
	rows := t.text("#table")
	t.reload()
	if got := t.text("#table"); got != rows {
		t.Errorf("the address brings back\n%s\nnot\n%s", got, rows)
	}
	t.click("#all")
	t.has(t.text("#table thead"), "Mean chunks sent again", "Throughput")
}

// downloads compares points.csv with what the page gives away.
func downloads(t *tab) {
	dir := t.TempDir()
	t.into(nil, "", "Browser.setDownloadBehavior",
		params{"behavior": "allow", "downloadPath": dir})
	t.click("#tools button")
	want, err := os.ReadFile("../../results/quickstart/points.csv")
	if err != nil {
		t.Fatal(err)
	}
	if got := t.await(filepath.Join(dir, "quickstart.csv")); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, not points.csv", len(got))
	}
	t.click("#controls button:last-child")
	got := t.await(filepath.Join(dir, "quickstart.png"))
	if !bytes.HasPrefix(got, []byte("\x89PNG")) || len(got) < 20000 {
		t.Errorf("%d bytes, no picture", len(got))
	}
}

// await reads a file once it is there.
func (t *tab) await(file string) []byte {
	t.Helper()
	for range 1000 {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return data
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s was not downloaded", file)
	return nil
}

func selects(t *tab) {
	t.choose("Show as", "line")
	t.choose("Series", "2")
	t.mouse("mouseMoved", 1, 1, 0)
	before := t.picture("#chart")
	t.has(t.text("#fixed"), "Message size 128 KiB")
	t.choose("Message size", "134217728")
	t.has(t.text("#fixed"), "Message size 128 MiB")
	t.has(t.hash(), "view=line", "message.size%3D134217728")
	after := t.picture("#chart")
	if after == before {
		t.Error("another size, and the same pixels")
	}
	t.Log("# logarithmic axes")
	t.eval(`document.querySelector('[data-control="Log Y"]').click()`)
	t.settle()
	if t.picture("#chart") == after {
		t.Error("the same pixels with another scale")
	}
	t.has(t.hash(), "ys=")
}

func showsAMap(t *tab) {
	t.has(t.text("#fixed"), "Scheme ec-mds")
	t.hover("#chart canvas", 0.5, 0.5)
	t.has(t.text("#readout"), "Drop probability", "Message size", "[")
	t.click("#figures button:last-child")
	t.has(t.text("#legend"), "Cells won", "ec-mds", "a tie")
	t.hover("#chart canvas", 0.5, 0.5)
	t.has(t.text("#readout"), "ec-mds is best, by")
	t.eval(`document.querySelector('#chart').focus()`)
	first := t.text("#readout")
	t.key("ArrowRight")
	if t.text("#readout") == first {
		t.Error("the arrow goes nowhere")
	}
	if t.eval(`document.querySelectorAll('#chart canvas').length`) != 1.0 {
		t.Error("not one canvas")
	}
}

func showsAnyColumn(t *tab) {
	n, _ := t.eval(`document.querySelector('[data-control="Y axis"]').options.length`).(float64)
	if n < 20 {
		t.Errorf("%v columns for the y axis", n)
	}
	// every column once on each axis: none may fail
	t.eval(`(async () => {
		for (const axis of ['Y axis', 'X axis']) {
			const list = [...document.querySelector('[data-control="' + axis + '"]').options];
			for (const { value } of list) {
				const s = document.querySelector('[data-control="' + axis + '"]');
				s.value = value;
				s.dispatchEvent(new Event('change'));
			}
		}
		await 0;
	})()`)
	t.settle()
	t.choose("Y axis", "retransmits_mean")
	t.choose("X axis", "throughput_bps")
	t.has(t.text("#caption"), "Mean chunks sent again by throughput")
	t.has(t.hash(), "over=throughput_bps", "y=retransmits_mean")
}

// survivesAddresses opens what nobody would write.
func survivesAddresses(t *tab) {
	base, _ := t.eval(`location.href`).(string)
	for _, hash := range []string{
		"#figure=99", "#figure=-1&x=nothing&y=nothing", "#view=map&x=scheme", "#zoom=1 2 3",
		"#zoom=a b c d", "#at=%ZZ", "#off=,,%3Cb%3E", "#won=77&view=map", "#__proto__=1&sort=constructor",
		"#over=failed&by=link.loss.p", "#points",
	} {
		t.navigate(base + hash)
		t.reload()
		if t.eval(`document.querySelectorAll('#chart canvas').length`) != 1.0 {
			t.Errorf("%s: no chart", hash)
		}
	}
}

func fitsScreens(t *tab) {
	light := t.picture("#chart")
	t.media("", "dark")
	if t.picture("#chart") == light {
		t.Error("dark is as light")
	}
	t.media("print", "dark")
	if got := t.eval(`getComputedStyle(document.querySelector('#controls')).display`); got != "none" {
		t.Errorf("controls on paper: %v", got)
	}
	if got := t.eval(`getComputedStyle(document.body).backgroundColor`); got != "rgb(255, 255, 255)" {
		t.Errorf("paper is %v", got)
	}
	t.eval(`dispatchEvent(new Event('beforeprint'))`)
	t.settle()
	if got, _ := t.eval(`document.querySelector('#chart canvas').width`).(float64); got > 680 {
		t.Errorf("a chart %v wide on a sheet", got)
	}
	t.eval(`dispatchEvent(new Event('afterprint'))`)
	t.media("", "light")
	if t.picture("#chart") != light {
		t.Error("printing leaves another chart behind")
	}
	for _, width := range []int{320, 420, 800} {
		t.size(width, 800)
		if got, _ := t.eval(`document.documentElement.scrollWidth`).(float64); int(got) > width {
			t.Errorf("%v wide on a screen of %d", got, width)
		}
	}
}

// isAccessible has axe-core look at the page, light and dark.
func isAccessible(t *tab) {
	f, err := os.Open("testdata/axe.min.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	axe, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	t.eval(string(axe) + "; 0")
	for _, scheme := range []string{"light", "dark"} {
		t.media("", scheme)
		found, ok := t.eval(`axe.run().then(r => [r.passes.length, ...r.violations.flatMap(v =>
			v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary))])`).([]any)
		if n, _ := found[0].(float64); !ok || n < 20 {
			t.Errorf("only %v rules were looked at", n)
		}
		for _, v := range found[1:] {
			t.Errorf("%s: %v", scheme, v)
		}
	}
}

// lossless makes the report of a sweep of drop rates that begins at zero.
func lossless(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "results")
	table := report.Table{Paths: []string{"link.loss.p"}}
	for i, text := range []string{"0", "1e-4", "1e-3", "1e-2"} {
		r := report.NewRow([]report.AxisValue{{Path: "link.loss.p", Text: text}}, "a")
		r.Samples, r.CompletionMean = 10, float64(i+1)/1e3
		table.Rows = append(table.Rows, r)
	}
	_, err := report.WriteResult(dir,
		report.Result{Manifest: report.Manifest{Name: "n"}, Table: table, Page: scenarios.Question})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, report.ReportFile)
}

// hasAPlaceForZero looks at the labels that are written below the axis, and at the first value.
func hasAPlaceForZero(t *tab) {
	labels, _ := t.eval(`new Promise(done => {
		const write = CanvasRenderingContext2D.prototype.fillText, texts = [];
		CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
			texts.push(text);
			write.call(this, text, ...at);
		};
		document.querySelector('#figures button').click();
		requestAnimationFrame(() => requestAnimationFrame(() => done(texts.join(' '))));
	})`).(string)
	t.has(labels, "0 10⁻⁴ 0.001 0.01")
	t.eval(`document.querySelector('#chart').focus()`)
	t.key("ArrowRight")
	t.has(t.text(".side"), "Drop probability 0\n", "1 ms")
}

// nasty is what a text of a scenario may hold.
const nasty = `</script><script>window.broken=1</script><img src=x onerror=window.broken=2>` +
	`"'` + "`${window.broken=3}<!--&amp;]]>"

// hostile makes the report of results whose every text is nasty.
func hostile(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "results")
	var rows []report.Row
	for _, p := range []string{nasty, "b"} {
		for _, scheme := range []string{nasty + "1", nasty + "2"} {
			r := report.NewRow([]report.AxisValue{{Path: "a." + nasty, Text: p}}, scheme)
			r.Samples, r.CompletionMean, r.Goodput = 10, 1, 1e9
			r.Warnings = []string{"mean: " + nasty}
			rows = append(rows, r)
		}
	}
	_, err := report.WriteResult(dir, report.Result{
		Manifest: report.Manifest{
			Name: nasty, Version: nasty, Scenario: "# Question: " + nasty + "\nname: " + nasty,
			Overrides: []string{"a=" + nasty},
			Files:     []report.File{{Name: nasty, SHA256: nasty, Text: nasty}},
			Figures: []figure.Figure{{
				Kind: figure.Line, Title: nasty, X: "a." + nasty,
				References: []figure.Reference{{Axis: "y", Value: 1, Label: nasty}},
			}},
		},
		Table: report.Table{Paths: []string{"a." + nasty}, Rows: rows},
		Page:  scenarios.Question,
	})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, report.ReportFile)
}

func staysHarmless(t *tab) {
	if got := t.eval(`typeof window.broken`); got != "undefined" {
		t.Error("a text of the scenario was run")
	}
	t.has(t.text("h1"), nasty)
	t.has(t.text("#scenario"), nasty)
	t.has(t.text("#table"), nasty)
	t.has(t.text(".side"), nasty)
	if got := t.eval(`document.querySelectorAll('img').length`); got != 0.0 {
		t.Errorf("%v images", got)
	}
	t.hover(".u-over", 0.3, 0.5)
	t.has(t.text("#readout"), nasty)
}
