package chromium

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Browser is a headless Chromium that is spoken to through a pair of pipes.
type Browser struct {
	cmd *exec.Cmd
	to  *os.File

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
	tabs    map[string]*Tab // by session
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// names under which systems have the browser.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Start starts a browser for the test, which is skipped where there is none.
func Start(t *testing.T) *Browser {
	t.Helper()
	var program string
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no Chromium is installed (Debian: apt-get install chromium)")
	}
	theirs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	b := &Browser{to: to, waiting: map[int]chan answer{}, tabs: map[string]*Tab{}}
	b.cmd = exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "--no-first-run",
		"--disable-background-networking", "--disable-dev-shm-usage", "--disable-extensions",
		"--force-color-profile=srgb", "--hide-scrollbars", "--window-size=1400,900")
	b.cmd.ExtraFiles = []*os.File{theirs, theirOut} // descriptors 3 and 4
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	theirOut.Close()
	go b.listen(bufio.NewReaderSize(from, 1<<20))
	t.Cleanup(func() {
		_, _ = b.call("", "Browser.close", nil)
		to.Close()
		_ = b.cmd.Wait()
		from.Close()
	})
	return b
}

// listen hands answers to who waits for them, and events to their tab.
func (b *Browser) listen(from *bufio.Reader) {
	for {
		line, err := from.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			for _, c := range b.waiting {
				close(c)
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		var m struct {
			ID        int
			Method    string
			SessionID string `json:"sessionId"`
			Params    json.RawMessage
			answer
		}
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if c := b.waiting[m.ID]; c != nil {
			c <- m.answer
			delete(b.waiting, m.ID)
		} else if tab := b.tabs[m.SessionID]; tab != nil {
			tab.note(m.Method, m.Params)
		}
		b.mu.Unlock()
	}
}

// Params are those of a method of the browser.
type Params map[string]any

// call asks the browser for something and waits for the answer.
func (b *Browser) call(session, method string, p Params) (json.RawMessage, error) {
	c := make(chan answer, 1)
	b.mu.Lock()
	if b.waiting == nil {
		b.mu.Unlock()
		return nil, fmt.Errorf("%s: the browser has ended", method)
	}
	b.last++
	id := b.last
	b.waiting[id] = c
	b.mu.Unlock()
	m := Params{"id": id, "method": method}
	if session != "" {
		m["sessionId"] = session
	}
	if p != nil {
		m["params"] = p
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return nil, err
	}
	select {
	case a, open := <-c:
		switch {
		case !open:
			return nil, fmt.Errorf("%s: the browser has ended", method)
		case a.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, a.Error.Message)
		}
		return a.Result, nil
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%s: no answer", method)
	}
}

// Tab is a page of the browser, with what it asked for and complained of.
type Tab struct {
	*testing.T
	b        *Browser
	session  string
	requests []string
	troubles []string
}

// note keeps what must not happen. The browser is locked.
func (t *Tab) note(method string, raw json.RawMessage) {
	var e struct {
		Request          struct{ URL string }
		Entry            struct{ Text, Level string }
		Type             string
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		Args []struct{ Value any }
	}
	_ = json.Unmarshal(raw, &e)
	switch method {
	case "Network.requestWillBeSent":
		t.requests = append(t.requests, e.Request.URL)
	case "Log.entryAdded":
		t.troubles = append(t.troubles, e.Entry.Text)
	case "Runtime.exceptionThrown":
		t.troubles = append(t.troubles, e.ExceptionDetails.Exception.Description)
	case "Runtime.consoleAPICalled":
		if e.Type == "error" || e.Type == "warning" {
			t.troubles = append(t.troubles, fmt.Sprint(e.Args))
		}
	}
}

// Open opens a file or an address in a tab of the test. At its end nothing may have been requested
// but what begins as it does, and nothing complained of.
func (b *Browser) Open(t *testing.T, page string) *Tab {
	t.Helper()
	if !strings.HasPrefix(page, "http://") {
		page = "file://" + page
	}
	p := &Tab{T: t, b: b}
	var target struct{ TargetID string }
	p.Into(&target, "", "Target.createTarget", Params{"url": "about:blank"})
	var attached struct{ SessionID string }
	p.Into(&attached, "", "Target.attachToTarget",
		Params{"targetId": target.TargetID, "flatten": true})
	p.session = attached.SessionID
	b.mu.Lock()
	b.tabs[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Network", "Log", "Runtime"} {
		p.Do(domain+".enable", nil)
	}
	p.Size(1400, 900)
	p.Navigate(page)
	page, _, _ = strings.Cut(page, "#")
	t.Cleanup(func() {
		_, _ = b.call("", "Target.closeTarget", Params{"targetId": target.TargetID})
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, url := range p.requests {
			if !strings.HasPrefix(url, page) && !strings.HasPrefix(url, "blob:") {
				t.Errorf("requested %s", url)
			}
		}
		for _, text := range p.troubles {
			t.Errorf("console: %s", text)
		}
	})
	return p
}

// Into calls a method of the browser, for a session or none, and reads its answer.
func (t *Tab) Into(to any, session, method string, p Params) {
	t.Helper()
	raw, err := t.b.call(session, method, p)
	if err != nil {
		t.Fatal(err)
	}
	if to != nil {
		if err := json.Unmarshal(raw, to); err != nil {
			t.Fatal(err)
		}
	}
}

// Do calls a method of the browser for the page.
func (t *Tab) Do(method string, p Params) { t.Helper(); t.Into(nil, t.session, method, p) }

// Size sets the size of the window.
func (t *Tab) Size(width, height int) {
	t.Helper()
	t.Do("Emulation.setDeviceMetricsOverride",
		Params{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
	t.Settle()
}

// Media sets light, dark or print.
func (t *Tab) Media(kind, scheme string) {
	t.Helper()
	t.Do("Emulation.setEmulatedMedia", Params{"media": kind, "features": []Params{
		{"name": "prefers-color-scheme", "value": scheme},
	}})
	t.Settle()
}

// Navigate goes to an address and waits for its scripts.
func (t *Tab) Navigate(url string) {
	t.Helper()
	t.Do("Page.navigate", Params{"url": url})
	t.loaded(`location.href !== 'about:blank'`)
}

// Reload starts the page of the address anew.
func (t *Tab) Reload() {
	t.Helper()
	t.Eval(`window.former = true`)
	t.Do("Page.reload", nil)
	t.loaded(`!window.former`)
}

// loaded waits for a page of which something holds, and for its scripts.
func (t *Tab) loaded(holds string) {
	t.Helper()
	for range 1000 {
		// An error is that of a page which is on its way out.
		raw, err := t.b.call(t.session, "Runtime.evaluate", Params{
			"expression": holds + ` && document.readyState === 'complete'`, "returnByValue": true,
		})
		if err == nil && strings.Contains(string(raw), `"value":true`) {
			t.Settle()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the page was not loaded")
}

// Settle waits for two frames, in which everything that was asked for is drawn.
func (t *Tab) Settle() {
	t.Helper()
	t.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
}

// Eval computes something in the page; a promise is waited for.
func (t *Tab) Eval(script string) any {
	t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	t.Into(&got, t.session, "Runtime.evaluate",
		Params{"expression": script, "returnByValue": true, "awaitPromise": true})
	if got.ExceptionDetails != nil {
		t.Fatalf("%s\n%s", script, got.ExceptionDetails.Exception.Description)
	}
	return got.Result.Value
}

// Text is that of the element of a selector.
func (t *Tab) Text(selector string) string {
	t.Helper()
	text, _ := t.Eval(`document.querySelector(` + quote(selector) + `).innerText`).(string)
	return text
}

func quote(text string) string { b, _ := json.Marshal(text); return string(b) }

// Box is where an element is in the window, which is scrolled to it.
func (t *Tab) Box(selector string) (x, y, width, height float64) {
	t.Helper()
	at, ok := t.Eval(`(() => { const e = document.querySelector(` + quote(selector) + `);
		e.scrollIntoView({block: 'center'});
		const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()`).([]any)
	if !ok {
		t.Fatalf("no element %s", selector)
	}
	return at[0].(float64), at[1].(float64), at[2].(float64), at[3].(float64)
}

// Mouse tells the page of the mouse; kind is mouseMoved, mousePressed or mouseReleased.
func (t *Tab) Mouse(kind string, x, y float64, clicks int) {
	t.Helper()
	button := "left"
	if kind == "mouseMoved" && clicks == 0 {
		button = "none"
	}
	t.Do("Input.dispatchMouseEvent", Params{"type": kind, "x": x, "y": y, "button": button,
		"clickCount": clicks})
}

// Click clicks the middle of an element.
func (t *Tab) Click(selector string) {
	t.Helper()
	x, y, w, h := t.Box(selector)
	t.Mouse("mousePressed", x+w/2, y+h/2, 1)
	t.Mouse("mouseReleased", x+w/2, y+h/2, 1)
	t.Settle()
}

// Hover moves the mouse to a part of an element.
func (t *Tab) Hover(selector string, right, down float64) {
	t.Helper()
	x, y, w, h := t.Box(selector)
	t.Mouse("mouseMoved", x+right*w, y+down*h, 0)
	t.Settle()
}

// Drag draws from one part of an element to another.
func (t *Tab) Drag(selector string, from, to [2]float64) {
	t.Helper()
	x, y, w, h := t.Box(selector)
	t.Mouse("mouseMoved", x+from[0]*w, y+from[1]*h, 0)
	t.Mouse("mousePressed", x+from[0]*w, y+from[1]*h, 1)
	t.Mouse("mouseMoved", x+(from[0]+to[0])/2*w, y+(from[1]+to[1])/2*h, 1)
	t.Mouse("mouseMoved", x+to[0]*w, y+to[1]*h, 1)
	t.Mouse("mouseReleased", x+to[0]*w, y+to[1]*h, 1)
	t.Settle()
}

// Key presses a key.
func (t *Tab) Key(name string) {
	t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		t.Do("Input.dispatchKeyEvent", Params{"type": kind, "key": name, "code": name})
	}
	t.Settle()
}

// Choose picks an option of the list with a label.
func (t *Tab) Choose(label, value string) {
	t.Helper()
	t.Eval(`(() => { const s = document.querySelector('select[data-control=' + ` +
		quote(quote(label)) + ` + ']'); s.value = ` + quote(value) +
		`; if (s.value !== ` + quote(value) + `) throw new Error('no such option');
		s.dispatchEvent(new Event('change')); })()`)
	t.Settle()
}

// Hash is what the address says of the state.
func (t *Tab) Hash() string {
	t.Helper()
	text, _ := t.Eval(`decodeURIComponent(location.hash)`).(string)
	return text
}

// Picture is what an element looks like, as PNG.
func (t *Tab) Picture(selector string) string {
	t.Helper()
	x, y, w, h := t.Box(selector)
	scroll, _ := t.Eval(`[scrollX, scrollY]`).([]any)
	var got struct{ Data string }
	t.Into(&got, t.session, "Page.captureScreenshot", Params{"format": "png", "clip": Params{
		"x": x + scroll[0].(float64), "y": y + scroll[1].(float64), "width": w, "height": h, "scale": 1,
	}})
	data, err := base64.StdEncoding.DecodeString(got.Data)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
