package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/web/chromium"
)

// maxExport bounds an exported page.
const maxExport = 3_500_000

// TestExportedPageAnswersWhatRunWrites opens a page from disk, has it answer, runs the scenario that
// it shows natively, and compares points.csv byte by byte.
func TestExportedPageAnswersWhatRunWrites(t *testing.T) {
	if runtime.GOOS == "windows" || raceEnabled {
		t.Skip("too slow")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no Go tool chain")
	}
	b := chromium.Start(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "link.yaml")
	const scenario = `# Question: </script><script>window.broken=1</script>?
name: exported
link: {bandwidth: 100Gbps, distance: 500km, loss: {model: iid, p: 1e-3}}
message: {size: 4MiB}
schemes: [sr-rto, {name: sr-nack, label: "</script><b>x"}, {name: ec-mds, k: 8, m: 4}, ec-xor]
samples: 60
seed: 3
`
	if err := os.WriteFile(file, []byte(scenario), 0o644); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "page.html")
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"explore", file, "--export", page}, &stdout,
		&stderr); code != exitOK {
		t.Fatalf("exit status %d: %s", code, stderr.String())
	}
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if len(content) > maxExport {
		t.Errorf("%d bytes, at most %d", len(content), maxExport)
	}
	tab := b.Open(t, page)
	for i, hash := range []string{"#", "#burst=5&drop=3e-3&size=1MiB&seed=9"} {
		tab.Eval(`location.hash = '` + hash + `'`)
		time.Sleep(300 * time.Millisecond)
		answered(tab)
		if got := tab.Text("#fault"); got != "" {
			t.Fatal(got)
		}
		points := filepath.Join(dir, "downloads"+string(rune('0'+i)))
		tab.Into(nil, "", "Browser.setDownloadBehavior",
			chromium.Params{"behavior": "allow", "downloadPath": points})
		tab.Click("#csv")
		got := tab.Await(filepath.Join(points, "exported-link.csv"))
		saved := filepath.Join(dir, "saved.yaml")
		text, _ := tab.Eval(`document.querySelector('#text').textContent`).(string)
		if err := os.WriteFile(saved, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out"+string(rune('0'+i)))
		if code := run(t.Context(), []string{"run", "-q", "--no-report", saved, "-o", out}, &stdout,
			&stderr); code != exitOK {
			t.Fatalf("exit status %d: %s", code, stderr.String())
		}
		want, err := os.ReadFile(filepath.Join(out, "points.csv"))
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
