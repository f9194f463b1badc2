package serve_test

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/closedform"
	"sdrsim/internal/experiment"
	"sdrsim/internal/explore"
	"sdrsim/internal/explore/serve"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/web/chromium"
	"sdrsim/scenarios"
)

// serving starts a server of a scenario text, and returns its address.
func serving(t *testing.T, text string) string {
	t.Helper()
	s, err := scenarios.Load("a.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	base, err := explore.NewBase(s)
	if err != nil {
		t.Fatal(err)
	}
	server, err := serve.New(base, report.Explorer(), 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("it ends with %v", err)
		}
	})
	return server.URL()
}

// settled waits until the page has every part of its answer.
func settled(t *chromium.Tab) {
	t.Helper()
	for range 3000 {
		if state, _ := t.Eval(`document.body.dataset.state`).(string); state == "done" ||
			state == "failed" {
			t.Settle()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("no answer")
}

// link is a small link whose samples take no time.
const link = `# Question: what does a page answer?
name: small
link: {bandwidth: 100Gbps, distance: 500km, loss: {model: iid, p: 1e-3}}
message: {size: 1MiB}
schemes: [sr-rto, sr-nack, {name: ec-mds, k: 8, m: 4}]
samples: 200
seed: 3
`

func TestExplorerInABrowser(t *testing.T) {
	url := serving(t, link)
	nasty := serving(t, strings.Replace(strings.Replace(link, "what does a page answer?",
		hostile, 1), "sr-rto, ", "{name: sr-rto, label: '</script><b>x</b>'}, ", 1))
	b := chromium.Start(t)
	for _, c := range []struct {
		name, url string
		test      func(*chromium.Tab)
	}{
		{"answers as a run does", url, answersAsARun},
		{"moves by sliders and fields", url, moves},
		{"schemes and parameters", url, changesSchemes},
		{"what is around", url, looksAround},
		{"faults", url + "#bandwidth=fast", saysFaults},
		{"addresses of anybody", url, survivesAddresses},
		{"phone and dark", url, fitsScreens},
		{"accessible", url, func(t *chromium.Tab) { settled(t); t.Accessible() }},
		{"hostile texts", nasty, staysHarmless},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(b.Open(t, c.url)) })
	}
}

const hostile = `</script><script>window.broken=1</script><img src=x onerror=window.broken=2>`

// ran are the rows of a scenario that is run as a whole.
func ran(t *testing.T, text string) []result.Row {
	t.Helper()
	s, err := scenarios.Load("a.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	swept, err := sweep.Run(t.Context(), sweep.Config{
		Source: s, Jobs: 1, Model: closedform.Mean,
		NewRunner: func(p *spec.Point, s *spec.Scheme) (sweep.Runner, error) {
			return experiment.NewRunner(p, s)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return swept.Rows
}

// answersAsARun runs the text that the page shows, and looks for the numbers in its table.
func answersAsARun(t *chromium.Tab) {
	t.Eval(`location.hash = 'drop=2e-3&samples=150'`)
	time.Sleep(200 * time.Millisecond)
	settled(t)
	text := t.Text("#text")
	t.Has(text, "p: 2e-3", "samples: 150", "name: small-link")
	rows := ran(t.T, text)
	table := t.Text("#rows")
	for _, r := range rows {
		t.Has(table, r.Scheme, strconv.FormatFloat(1e3*r.CompletionMean, 'g', 4, 64)+" ms")
	}
	t.Log("# every digit, by the answer itself")
	got, _ := t.Eval(`(async () => {
		const r = await fetch('ask', {method: 'POST', headers: {'Content-Type': 'application/json'},
			body: JSON.stringify({values: {drop: '2e-3', samples: '150'}, parts: ['here']})});
		return (await r.text()).trim().split('\n').map(JSON.parse).at(-1).points;
	})()`).(string)
	var want bytes.Buffer
	if err := result.WriteCSV(&want, rows); err != nil {
		t.Fatal(err)
	}
	if got != want.String() {
		t.Errorf("answers\n%s\nand a run\n%s", got, want.String())
	}
	if verdict := t.Text("#verdict"); !strings.Contains(verdict, "best") &&
		!strings.Contains(verdict, "a tie") {
		t.Errorf("says %q", verdict)
	}
	t.Has(t.Text("#count"), "150 samples")
}

func moves(t *chromium.Tab) {
	settled(t)
	before := t.Picture("#bars")
	t.Eval(`(() => { const s = document.querySelector('[data-knob=drop]'); s.value = 11;
		s.dispatchEvent(new Event('input')); })()`)
	time.Sleep(200 * time.Millisecond)
	settled(t)
	t.Has(t.Hash(), "drop=3e-2")
	t.Has(t.Text("#text"), "p: 3e-2")
	if t.Picture("#bars") == before {
		t.Error("another drop rate, and the same pixels")
	}
	t.Log("# a field takes any value")
	t.Eval(`(() => { const s = document.querySelector('#knob-distance'); s.value = '7ms';
		s.dispatchEvent(new Event('input')); })()`)
	time.Sleep(200 * time.Millisecond)
	settled(t)
	t.Has(t.Text("#text"), "rtt: 7ms")
	t.Log("# the address brings it back")
	text := t.Text("#text")
	t.Reload()
	settled(t)
	if got := t.Text("#text"); got != text {
		t.Errorf("after a reload\n%s\nnot\n%s", got, text)
	}
	t.Click("#reset")
	time.Sleep(200 * time.Millisecond)
	settled(t)
	t.Has(t.Text("#text"), "p: 1e-3")
	t.Log("# another measure")
	t.Eval(`(() => { const s = document.querySelector('#measure'); s.value = 'goodput_bps';
		s.dispatchEvent(new Event('change')); })()`)
	t.Has(t.Text("#bars"), "bit/s")
}

func changesSchemes(t *chromium.Tab) {
	settled(t)
	t.Eval(`(() => { const s = document.querySelector('[data-card="2"] [data-param=m]'); s.value = '2';
		s.dispatchEvent(new Event('input')); })()`)
	t.Click(`[data-card="1"] button`)
	t.Eval(`document.querySelector('#more').value = 'ec-xor'`)
	t.Click("#add")
	time.Sleep(200 * time.Millisecond)
	settled(t)
	t.Has(t.Text("#text"), "- {name: sr-rto}", "- {name: ec-mds, k: 8, m: 2}", "- {name: ec-xor}")
	t.Has(t.Text("#rows"), "ec-xor")
	if strings.Contains(t.Text("#rows"), "sr-nack") {
		t.Error("a scheme that was removed is answered")
	}
}

func looksAround(t *chromium.Tab) {
	settled(t)
	const lines = `document.querySelectorAll('#drop polyline, #distance polyline').length`
	if n, _ := t.Eval(lines).(float64); n != 6 {
		t.Errorf("%v lines, want 3 schemes in 2 figures", n)
	}
	if n, _ := t.Eval(`document.querySelectorAll('.stand').length`).(float64); n != 2 {
		t.Errorf("%v marks of where the link stands", n)
	}
	t.Hover("#drop svg", 0.6, 0.5)
	t.Has(t.Text("#drop-note"), "sr-rto", "ms")
	x, y, w, h := t.Box("#drop svg")
	t.Mouse("mousePressed", x+0.9*w, y+h/2, 1)
	t.Mouse("mouseReleased", x+0.9*w, y+h/2, 1)
	time.Sleep(200 * time.Millisecond)
	settled(t)
	t.Has(t.Hash(), "drop=")
}

func saysFaults(t *chromium.Tab) {
	settled(t)
	t.Has(t.Text("#fault"), "link.bandwidth", "fast", "must be a rate")
	t.Eval(`(() => { const s = document.querySelector('#knob-bandwidth'); s.value = '10Gbps';
		s.dispatchEvent(new Event('input')); })()`)
	time.Sleep(200 * time.Millisecond)
	settled(t)
	if got := t.Text("#fault"); got != "" {
		t.Errorf("still says %q", got)
	}
}

func survivesAddresses(t *chromium.Tab) {
	for _, hash := range []string{"#schemes=[1]", "#schemes={", "#show=nothing", "#drop=%ZZ",
		"#__proto__=1", "#schemes=[{%22name%22:%22sr-rto%22,%22params%22:{%22rto%22:3}}]"} {
		t.Eval(`location.hash = '` + hash + `'`)
		time.Sleep(150 * time.Millisecond)
		settled(t)
		if n, _ := t.Eval(`document.querySelectorAll('[data-card]').length`).(float64); n != 3 {
			t.Errorf("%s: %v schemes", hash, n)
		}
	}
}

func fitsScreens(t *chromium.Tab) {
	settled(t)
	light := t.Picture("#bars")
	t.Media("", "dark")
	if t.Picture("#bars") == light {
		t.Error("dark is as light")
	}
	for _, width := range []int{320, 420, 800, 1000} {
		t.Size(width, 900)
		if got, _ := t.Eval(`document.documentElement.scrollWidth`).(float64); int(got) > width {
			t.Errorf("%v wide on a screen of %d", got, width)
		}
	}
}

func staysHarmless(t *chromium.Tab) {
	settled(t)
	t.Has(t.Text("header"), "</script>")
	t.Has(t.Text("#rows"), "</script><b>x</b>")
	if got := t.Eval(`window.broken`); got != nil {
		t.Errorf("a text was executed: %v", got)
	}
	const foreign = `document.querySelectorAll('img, #rows b, #schemes b b').length`
	if n, _ := t.Eval(foreign).(float64); n != 0 {
		t.Errorf("%v elements of a text", n)
	}
}
