package web_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sdrsim/internal/figure"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/web/chromium"
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
	b := chromium.Start(t)
	quickstart, map9 := reportOf(t, "quickstart"), reportOf(t, "paper/fig9")
	short9 := map9 + "#q=128 GiB" // axe takes long for a long table
	for _, c := range []struct {
		name, file string
		test       func(*chromium.Tab)
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
		{"accessible", quickstart, (*chromium.Tab).Accessible},
		{"accessible map", short9, (*chromium.Tab).Accessible},
		{"zero on a logarithmic axis", lossless(t), hasAPlaceForZero},
		{"hostile texts", hostile(t), staysHarmless},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(b.Open(t, c.file)) })
	}
}

func saysTheAnswer(t *chromium.Tab) {
	t.Has(t.Text("header"), "quickstart", "which reliability scheme delivers")
	t.Has(t.Text(".answers"), "Mean completion time", "ec-mds", "is best, by", "drop probability",
		"tie: their 95 % intervals overlap", "too few samples to be sure")
	t.Has(t.Text(".doubts"), "Too few samples carry the p99.9 in 2 of 36 rows")
	t.Has(t.Text("#scenario"), "Seed", "sdrsim 0.", "samples: 10000            # ten of them")
}

func zooms(t *chromium.Tab) {
	before := t.Picture("#chart")
	if got := t.Eval(`[...document.querySelectorAll('#controls button')]
		.filter(b => !b.hidden).map(b => b.innerText).join()`); got != "PNG" {
		t.Errorf("buttons %v before the zoom", got)
	}
	t.Drag(".u-over", [2]float64{0.3, 0.2}, [2]float64{0.7, 0.6})
	t.Has(t.Hash(), "zoom=")
	zoomed := t.Picture("#chart")
	if zoomed == before {
		t.Error("a drag changes nothing")
	}
	t.Log("# the address brings it back")
	t.Reload()
	t.Has(t.Hash(), "zoom=")
	t.Mouse("mouseMoved", 1, 1, 0)
	if t.Picture("#chart") == before {
		t.Error("the address does not bring the zoom back")
	}
	t.Click("#controls button:not([hidden])")
	t.Mouse("mouseMoved", 1, 1, 0)
	if strings.Contains(t.Hash(), "zoom=") || t.Picture("#chart") != before {
		t.Errorf("Reset zoom does not, %s", t.Hash())
	}
}

func hidesAScheme(t *chromium.Tab) {
	t.Mouse("mouseMoved", 1, 1, 0)
	before := t.Picture("#chart")
	t.Click("[data-series=ec-mds]")
	t.Mouse("mouseMoved", 1, 1, 0)
	without := t.Picture("#chart")
	if without == before {
		t.Error("the same pixels without a scheme")
	}
	t.Has(t.Hash(), "off=ec-mds")
	if got := t.Eval(`document.querySelector('[data-series=ec-mds]').ariaPressed`); got != "false" {
		t.Errorf("the button is pressed: %v", got)
	}
	t.Click("[data-series=ec-mds]")
	t.Mouse("mouseMoved", 1, 1, 0)
	if t.Picture("#chart") != before || t.Hash() != "" {
		t.Errorf("it does not come back, %s", t.Hash())
	}
}

func readsValues(t *chromium.Tab) {
	t.Log("# at 10^-4.5 too few samples carry the tail of ec-xor")
	t.Click("#figures button:nth-child(3)")
	t.Hover(".u-over", 0.375, 0.5)
	side := t.Text(".side")
	t.Has(side, "Drop probability 3.16×10⁻⁵",
		"ec-xor: p99.9: 7.63 of 9999 samples with a loss beyond it, fewer than 10")
	t.Has(t.Text("#under"), "hollow: too few samples")
	t.Log("# values have their unit and their interval")
	t.Click("#figures button:nth-child(1)")
	t.Hover(".u-over", 0.5, 0.5)
	t.Has(t.Text(".side"), "Drop probability 10⁻⁴", "10.83 Gbit/s", "[10.797, 10.86] Gbit/s")
	t.Log("# off the chart there are no values")
	t.Mouse("mouseMoved", 1, 1, 0)
	t.Settle()
	if side = t.Text(".side"); strings.Contains(side, "Gbit/s") {
		t.Errorf("still %s", side)
	}
	t.Log("# times have their title, unit and closed form")
	t.Click("#figures button:nth-child(2)")
	t.Hover(".u-over", 0.02, 0.5)
	t.Has(t.Text(".side"), "30.06 ms", "closed form 30.06 ms")
	t.Has(t.Text("#caption"), "Mean completion time of a 128 MiB message")
}

func obeysTheKeyboard(t *chromium.Tab) {
	t.Eval(`document.querySelector('#chart').focus()`)
	t.Key("ArrowRight")
	t.Has(t.Text(".side"), "Drop probability 10⁻⁶", "35.72 Gbit/s")
	t.Key("ArrowRight")
	t.Has(t.Text(".side"), "Drop probability 3.16×10⁻⁶")
	t.Log("# a button of the legend keeps the focus when it is used")
	t.Eval(`document.querySelector('[data-series=sr-nack]').focus()`)
	t.Do("Input.dispatchKeyEvent", chromium.Params{"type": "keyDown", "key": "Enter", "code": "Enter",
		"text": "\r", "windowsVirtualKeyCode": 13})
	t.Settle()
	t.Has(t.Hash(), "off=sr-nack")
	if got := t.Eval(`document.activeElement.dataset.series`); got != "sr-nack" {
		t.Errorf("the focus is on %v", got)
	}
}

func sortsAndFilters(t *chromium.Tab) {
	const second = `#table tbody tr:first-child td:nth-child(2)`
	t.Click(`[data-column=completion_mean_s]`)
	if got := t.Text(second); got != "ec-mds" {
		t.Errorf("least mean completion: %s", got)
	}
	t.Click(`[data-column=completion_mean_s]`)
	if got := t.Text(second); got != "sr-rto" {
		t.Errorf("largest mean completion: %s", got)
	}
	if got := t.Eval(`document.querySelector('th[aria-sort=descending]').innerText`); got == nil {
		t.Error("nothing says how the table is sorted")
	}
	t.Eval(`(() => { const f = document.querySelector('#filter'); f.value = 'ec-xor 0.01';
		f.dispatchEvent(new Event('input')); })()`)
	t.Has(t.Text("#table caption"), "of 36 rows")
	t.Has(t.Text("#table tbody"), "ec-xor", "147.1 ms", "[146.5, 147.62] ms")
	if text := t.Text("#table tbody"); strings.Contains(text, "sr-rto") {
		t.Errorf("not filtered: %s", text)
	}
	t.Has(t.Hash(), "q=ec-xor", "sort=completion_mean_s", "down=1")
	rows := t.Text("#table")
	t.Reload()
	if got := t.Text("#table"); got != rows {
		t.Errorf("the address brings back\n%s\nnot\n%s", got, rows)
	}
	t.Click("#all")
	t.Has(t.Text("#table thead"), "Mean chunks sent again", "Throughput")
}

// downloads compares points.csv with what the page gives away.
func downloads(t *chromium.Tab) {
	dir := t.TempDir()
	t.Into(nil, "", "Browser.setDownloadBehavior",
		chromium.Params{"behavior": "allow", "downloadPath": dir})
	t.Click("#tools button")
	want, err := os.ReadFile("../../results/quickstart/points.csv")
	if err != nil {
		t.Fatal(err)
	}
	if got := t.Await(filepath.Join(dir, "quickstart.csv")); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, not points.csv", len(got))
	}
	t.Click("#controls button:last-child")
	got := t.Await(filepath.Join(dir, "quickstart.png"))
	if !bytes.HasPrefix(got, []byte("\x89PNG")) || len(got) < 20000 {
		t.Errorf("%d bytes, no picture", len(got))
	}
}

func selects(t *chromium.Tab) {
	t.Choose("Show as", "line")
	t.Choose("Series", "2")
	t.Mouse("mouseMoved", 1, 1, 0)
	before := t.Picture("#chart")
	t.Has(t.Text("#fixed"), "Message size 128 KiB")
	t.Choose("Message size", "134217728")
	t.Has(t.Text("#fixed"), "Message size 128 MiB")
	t.Has(t.Hash(), "view=line", "message.size%3D134217728")
	after := t.Picture("#chart")
	if after == before {
		t.Error("another size, and the same pixels")
	}
	t.Log("# logarithmic axes")
	t.Eval(`document.querySelector('[data-control="Log Y"]').click()`)
	t.Settle()
	if t.Picture("#chart") == after {
		t.Error("the same pixels with another scale")
	}
	t.Has(t.Hash(), "ys=")
}

func showsAMap(t *chromium.Tab) {
	t.Has(t.Text("#fixed"), "Scheme ec-mds")
	t.Hover("#chart canvas", 0.5, 0.5)
	t.Has(t.Text("#readout"), "Drop probability", "Message size", "[")
	t.Click("#figures button:last-child")
	t.Has(t.Text("#legend"), "Cells won", "ec-mds", "a tie")
	t.Hover("#chart canvas", 0.5, 0.5)
	t.Has(t.Text("#readout"), "ec-mds is best, by")
	t.Eval(`document.querySelector('#chart').focus()`)
	first := t.Text("#readout")
	t.Key("ArrowRight")
	if t.Text("#readout") == first {
		t.Error("the arrow goes nowhere")
	}
	if t.Eval(`document.querySelectorAll('#chart canvas').length`) != 1.0 {
		t.Error("not one canvas")
	}
}

func showsAnyColumn(t *chromium.Tab) {
	n, _ := t.Eval(`document.querySelector('[data-control="Y axis"]').options.length`).(float64)
	if n < 20 {
		t.Errorf("%v columns for the y axis", n)
	}
	// every column once on each axis: none may fail
	t.Eval(`(async () => {
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
	t.Settle()
	t.Choose("Y axis", "retransmits_mean")
	t.Choose("X axis", "throughput_bps")
	t.Has(t.Text("#caption"), "Mean chunks sent again by throughput")
	t.Has(t.Hash(), "over=throughput_bps", "y=retransmits_mean")
}

// survivesAddresses opens what nobody would write.
func survivesAddresses(t *chromium.Tab) {
	base, _ := t.Eval(`location.href`).(string)
	for _, hash := range []string{
		"#figure=99", "#figure=-1&x=nothing&y=nothing", "#view=map&x=scheme", "#zoom=1 2 3",
		"#zoom=a b c d", "#at=%ZZ", "#off=,,%3Cb%3E", "#won=77&view=map", "#__proto__=1&sort=constructor",
		"#over=failed&by=link.loss.p", "#points",
	} {
		t.Navigate(base + hash)
		t.Reload()
		if t.Eval(`document.querySelectorAll('#chart canvas').length`) != 1.0 {
			t.Errorf("%s: no chart", hash)
		}
	}
}

func fitsScreens(t *chromium.Tab) {
	light := t.Picture("#chart")
	t.Media("", "dark")
	if t.Picture("#chart") == light {
		t.Error("dark is as light")
	}
	t.Media("print", "dark")
	if got := t.Eval(`getComputedStyle(document.querySelector('#controls')).display`); got != "none" {
		t.Errorf("controls on paper: %v", got)
	}
	if got := t.Eval(`getComputedStyle(document.body).backgroundColor`); got != "rgb(255, 255, 255)" {
		t.Errorf("paper is %v", got)
	}
	t.Eval(`dispatchEvent(new Event('beforeprint'))`)
	t.Settle()
	if got, _ := t.Eval(`document.querySelector('#chart canvas').width`).(float64); got > 680 {
		t.Errorf("a chart %v wide on a sheet", got)
	}
	t.Eval(`dispatchEvent(new Event('afterprint'))`)
	t.Media("", "light")
	if t.Picture("#chart") != light {
		t.Error("printing leaves another chart behind")
	}
	for _, width := range []int{320, 420, 800} {
		t.Size(width, 800)
		if got, _ := t.Eval(`document.documentElement.scrollWidth`).(float64); int(got) > width {
			t.Errorf("%v wide on a screen of %d", got, width)
		}
	}
}

// lossless makes the report of a sweep of drop rates that begins at zero.
func lossless(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "results")
	table := result.Table{Paths: []string{"link.loss.p"}}
	for i, text := range []string{"0", "1e-4", "1e-3", "1e-2"} {
		r := result.NewRow([]result.AxisValue{{Path: "link.loss.p", Text: text}}, "a")
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
func hasAPlaceForZero(t *chromium.Tab) {
	labels, _ := t.Eval(`new Promise(done => {
		const write = CanvasRenderingContext2D.prototype.fillText, texts = [];
		CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
			texts.push(text);
			write.call(this, text, ...at);
		};
		document.querySelector('#figures button').click();
		requestAnimationFrame(() => requestAnimationFrame(() => done(texts.join(' '))));
	})`).(string)
	t.Has(labels, "0 10⁻⁴ 0.001 0.01")
	t.Eval(`document.querySelector('#chart').focus()`)
	t.Key("ArrowRight")
	t.Has(t.Text(".side"), "Drop probability 0\n", "1 ms")
}

// nasty is what a text of a scenario may hold.
const nasty = `</script><script>window.broken=1</script><img src=x onerror=window.broken=2>` +
	`"'` + "`${window.broken=3}<!--&amp;]]>"

// hostile makes the report of results whose every text is nasty.
func hostile(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "results")
	var rows []result.Row
	for _, p := range []string{nasty, "b"} {
		for _, scheme := range []string{nasty + "1", nasty + "2"} {
			r := result.NewRow([]result.AxisValue{{Path: "a." + nasty, Text: p}}, scheme)
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
		Table: result.Table{Paths: []string{"a." + nasty}, Rows: rows},
		Page:  scenarios.Question,
	})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, report.ReportFile)
}

func staysHarmless(t *chromium.Tab) {
	if got := t.Eval(`typeof window.broken`); got != "undefined" {
		t.Error("a text of the scenario was run")
	}
	t.Has(t.Text("h1"), nasty)
	t.Has(t.Text("#scenario"), nasty)
	t.Has(t.Text("#table"), nasty)
	t.Has(t.Text(".side"), nasty)
	if got := t.Eval(`document.querySelectorAll('img').length`); got != 0.0 {
		t.Errorf("%v images", got)
	}
	t.Hover(".u-over", 0.3, 0.5)
	t.Has(t.Text("#readout"), nasty)
}
