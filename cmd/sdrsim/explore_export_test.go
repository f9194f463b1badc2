package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/web/chromium"
)

// maxExport bounds an exported page.
const maxExport = 3_500_000

// exportedLink is what the page is of.
const exportedLink = `# Question: </script><script>window.broken=1</script>?
name: exported
link: {bandwidth: 100Gbps, distance: 500km, loss: {model: iid, p: 1e-3}}
message: {size: 4MiB}
schemes: [sr-rto, {name: sr-nack, label: "</script><b>x"}, {name: ec-mds, k: 8, m: 4}, ec-xor]
samples: 60
seed: 3
`

// TestExportedPageAnswersWhatRunWrites opens a page from disk, has it answer, runs the scenario
// that it shows natively, and compares points.csv byte by byte.
func TestExportedPageAnswersWhatRunWrites(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("too slow")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no Go tool chain")
	}
	b := chromium.Start(t)
	dir := t.TempDir()
	file, page := filepath.Join(dir, "link.yaml"), filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(exportedLink), 0o644); err != nil {
		t.Fatal(err)
	}
	runOK(t, "explore", file, "--export", page)
	if info, err := os.Stat(page); err != nil || info.Size() > maxExport {
		t.Errorf("%v, at most %d bytes; %v", info, maxExport, err)
	}
	tab := b.Open(t, page)
	for i, hash := range []string{"#", "#burst=5&drop=3e-3&size=1MiB&seed=9"} {
		out := filepath.Join(dir, "out"+strconv.Itoa(i))
		got, text := answerTo(tab, hash, out)
		saved := filepath.Join(dir, "saved.yaml")
		if err := os.WriteFile(saved, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		runOK(t, "run", "-q", "--no-report", saved, "-o", filepath.Join(out, "run"))
		want, err := os.ReadFile(filepath.Join(out, "run", "points.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s\nanswers\n%s\nand run writes\n%s", text, got, want)
		}
	}
	if n, _ := tab.Eval(`document.querySelectorAll('#drop polyline').length`).(float64); n != 4 {
		t.Errorf("%v lines over the drop rate, want 4", n)
	}
	if got := tab.Eval(`window.broken`); got != nil {
		t.Errorf("a text was executed: %v", got)
	}
	t.Log("# what is no longer wanted is called off")
	tab.Eval(`location.hash = '#samples=100000&size=1GiB&drop=1e-1'`)
	time.Sleep(300 * time.Millisecond)
	tab.Eval(`location.hash = '#samples=100'`)
	time.Sleep(300 * time.Millisecond)
	answered(tab)
	tab.Has(tab.Text("#count"), "100 samples of each scheme")
	tab.Accessible()
}

// runOK runs a command that succeeds.
func runOK(t *testing.T, args ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, &stdout, &stderr); code != exitOK {
		t.Fatalf("%s: exit status %d: %s", args, code, stderr.String())
	}
}

// answerTo is points.csv and the scenario of a state of the page, which is saved in a folder.
func answerTo(tab *chromium.Tab, hash, dir string) (points []byte, text string) {
	tab.Helper()
	tab.Eval(`location.hash = '` + hash + `'`)
	time.Sleep(300 * time.Millisecond)
	answered(tab)
	if got := tab.Text("#fault"); got != "" {
		tab.Fatal(got)
	}
	tab.Into(nil, "", "Browser.setDownloadBehavior",
		chromium.Params{"behavior": "allow", "downloadPath": dir})
	tab.Click("#csv")
	points = tab.Await(filepath.Join(dir, "exported-link.csv"))
	text, _ = tab.Eval(`document.querySelector('#text').textContent`).(string)
	return points, text
}

// answered waits until an explorer has every part of its answer.
func answered(t *chromium.Tab) {
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

func TestExportNeedsATargetAndATool(t *testing.T) {
	dir, file := writeSmall(t)
	for _, c := range []struct {
		name, path string
		args       []string
		code       int
		want       string
	}{
		{"another ending", "", []string{"--export", "page.txt"}, exitUsage, "must end in .html"},
		{"no folder", "", []string{"--export", filepath.Join(dir, "no", "page.html")}, exitUsage,
			"cannot be written"},
		{"a port too", "", []string{"--export", "p.html", "--port", "80"}, exitUsage, "contradict"},
		{"no tool chain", dir, []string{"--export", filepath.Join(dir, "page.html")}, exitFailure,
			"there is no Go tool chain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.path != "" {
				t.Setenv("PATH", c.path)
			}
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), append([]string{"explore", file}, c.args...), &stdout, &stderr)
			if code != c.code || !strings.Contains(stderr.String(), c.want) {
				t.Errorf("exit status %d, says %q", code, stderr.String())
			}
			if _, err := os.Stat(filepath.Join(dir, "page.html")); err == nil {
				t.Error("a page was written")
			}
		})
	}
}
