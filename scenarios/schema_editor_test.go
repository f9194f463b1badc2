package scenarios

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sdrsim/internal/scenario/keys"
)

// editor talks to a language server as an editor does: JSON-RPC over its standard input and output.
type editor struct {
	t    *testing.T
	in   io.Writer
	out  chan packet
	next int
}

// packet is a request, an answer or a notification.
type packet struct {
	Version string          `json:"jsonrpc"`
	ID      *int            `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

// startEditor starts the server, or skips the test where there is none.
func startEditor(t *testing.T) *editor {
	t.Helper()
	name := os.Getenv("YAML_LANGUAGE_SERVER")
	if name == "" {
		name = "yaml-language-server"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s: npm install yaml-language-server, and set YAML_LANGUAGE_SERVER", name)
	}
	cmd := exec.CommandContext(t.Context(), path, "--stdio")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Wait() }) // the context has ended it
	e := &editor{t: t, in: in, out: make(chan packet, 100)}
	go e.read(bufio.NewReader(out))
	return e
}

// read passes on what the server says until it ends.
func (e *editor) read(r *bufio.Reader) {
	defer close(e.out)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		size, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var p packet
		if json.Unmarshal(body, &p) == nil {
			e.out <- p
		}
	}
}

func (e *editor) send(p packet) {
	e.t.Helper()
	p.Version = "2.0"
	body, err := json.Marshal(p)
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) notify(method string, params any) {
	body, _ := json.Marshal(params) // maps of words and numbers
	e.send(packet{Method: method, Params: body})
}

// ask sends a request and returns its answer.
func (e *editor) ask(method string, params any) string {
	e.t.Helper()
	e.next++
	id := e.next
	body, _ := json.Marshal(params)
	e.send(packet{ID: &id, Method: method, Params: body})
	return string(e.await(func(p packet) bool {
		return p.Method == "" && p.ID != nil && *p.ID == id
	}).Result)
}

// await answers the server's own requests until it says what is awaited.
func (e *editor) await(wanted func(packet) bool) packet {
	e.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		select {
		case p, ok := <-e.out:
			if !ok {
				e.t.Fatal("the server has ended")
			}
			if wanted(p) {
				return p
			}
			if p.Method != "" && p.ID != nil {
				e.send(packet{ID: p.ID, Result: answerTo(p)})
			}
		case <-deadline:
			e.t.Fatal("the server does not answer")
		}
	}
}

// answerTo is what an editor without settings answers.
func answerTo(p packet) json.RawMessage {
	if p.Method != "workspace/configuration" {
		return json.RawMessage("null")
	}
	var asked struct{ Items []any }
	_ = json.Unmarshal(p.Params, &asked)
	answers := strings.TrimSuffix(strings.Repeat("{},", len(asked.Items)), ",")
	return json.RawMessage("[" + answers + "]")
}

const draftScenario = `# yaml-language-server: $schema=../docs/scenario.schema.json
name: draft
link:
  bandwidth: 400Gbps
  rtt: 25ms
  colour: red
message: {size: 1MiB}
schemes:
  - name: ec-
`

// TestEditorsCompleteAndExplain drives a language server with the schema that scenarios name.
func TestEditorsCompleteAndExplain(t *testing.T) {
	e := startEditor(t)
	here, err := filepath.Abs("draft.yaml")
	if err != nil {
		t.Fatal(err)
	}
	uri := "file://" + filepath.ToSlash(here)
	e.ask("initialize", map[string]any{"processId": os.Getpid(), "rootUri": nil,
		"capabilities": map[string]any{"textDocument": map[string]any{
			"hover": map[string]any{"contentFormat": []string{"markdown"}}}}})
	e.notify("initialized", map[string]any{})
	e.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"yaml": map[string]any{"validate": true, "hover": true, "completion": true}}})
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "yaml", "version": 1, "text": draftScenario}})

	t.Log("# an unknown key is marked")
	marked := e.await(func(p packet) bool {
		return p.Method == "textDocument/publishDiagnostics" &&
			strings.Contains(string(p.Params), "colour")
	})
	if !strings.Contains(string(marked.Params), `"line":5`) {
		t.Errorf("marked %s; want the key of line 5, from 0", marked.Params)
	}

	at := func(line, character int) map[string]any {
		return map[string]any{"textDocument": map[string]any{"uri": uri},
			"position": map[string]any{"line": line, "character": character}}
	}
	t.Log("# schemes are offered")
	offered := e.ask("textDocument/completion", at(8, len("  - name: ec-")))
	for _, name := range []string{"ec-mds", "ec-xor"} {
		if !strings.Contains(offered, `"label":"`+name+`"`) {
			t.Errorf("%s is not offered, but %s", name, offered)
		}
	}
	t.Log("# keys are explained")
	bandwidth := *keys.Root.Key("link.bandwidth")
	if shown := e.ask("textDocument/hover", at(3, 4)); !strings.Contains(shown, bandwidth.Doc) {
		t.Errorf("shown %s; want %q", shown, bandwidth.Doc)
	}
}
