package web

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"html/template"
	"slices"
)

// Explorer is a page that asks for what it shows.
type Explorer struct {
	Name, Question string
	// State is what it starts from, as JSON of the package that answers.
	State any
	Units map[string]Unit
	// Looks are how series are drawn, Schemes the places among them that schemes own.
	Looks   []Look
	Schemes map[string]int
}

// exploring are the parts of the script of an explorer, before those that get its answers.
var exploring = []string{
	"csv.js", "format.js", "theme.js", "ticks.js", "dom.js", "explore/knobs.js", "explore/look.js",
	"explore/table.js", "explore/chart.js",
}

// block is a text that stands in a page for its script to read. It is written as it is: it must not
// end its element.
type block struct {
	ID   string
	Text template.HTML
}

// explorerParts are what the template is filled with.
type explorerParts struct {
	Explorer
	Policy              string
	LibraryStyle, Style template.CSS
	Data, Script        template.JS
	Blocks              []block
}

var exploreLayout = template.Must(template.ParseFS(assets, "assets/explore/page.html"))

// RenderServed makes the page of an explorer that asks whoever serves it, and the content security
// policy that goes with it.
func RenderServed(e Explorer) (page []byte, policy string, err error) {
	p := explorerParts{Explorer: e}
	page, err = p.render(nil, "explore/server.js", "; connect-src 'self'")
	return page, p.Policy, err
}

// Program is what a page runs.
type Program struct {
	// Zipped is WebAssembly, compressed by gzip; Runtime is the script that the compiler has for it.
	Zipped  []byte
	Runtime string
}

// RenderExported makes the page of an explorer that answers by itself, by a program which is handed
// base with each ask.
func RenderExported(e Explorer, base any, program Program) ([]byte, error) {
	if bytes.Contains([]byte(program.Runtime), []byte("</script")) {
		return nil, errors.New("the runtime of the program would end its element")
	}
	p := explorerParts{Explorer: e, Blocks: []block{
		{"alphabet", alphabet}, {"runtime", template.HTML(program.Runtime)},
		{"worker", template.HTML(asset("explore/worker.js"))},
		{"program", template.HTML(ascii85(program.Zipped))},
	}}
	return p.render(base, "explore/inside.js", " 'wasm-unsafe-eval' blob:; worker-src blob:")
}

// alphabet has 85 signs that mean nothing in HTML.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
	"!#$%()*+,-./:;=?@[]^_{|}~"

// ascii85 writes four bytes as five signs of the alphabet, behind a digit that says how many bytes
// at the end are none of them. Base64 would take 7 % more.
func ascii85(content []byte) string {
	missing := (4 - len(content)%4) % 4
	content = append(slices.Clip(content), make([]byte, missing)...)
	out := make([]byte, 1, 1+len(content)/4*5)
	out[0] = '0' + byte(missing)
	for ; len(content) > 0; content = content[4:] {
		v := binary.BigEndian.Uint32(content)
		var signs [5]byte
		for i := 4; i >= 0; i-- {
			signs[i], v = alphabet[v%85], v/85
		}
		out = append(out, signs[:]...)
	}
	return string(out)
}

// render fills the template with a script that gets its answers by a part of its own; what that
// needs is allowed behind the scripts of the policy.
func (p *explorerParts) render(base any, answers, allowed string) ([]byte, error) {
	data, err := json.Marshal(map[string]any{ // <, > and & are escaped in it: no text ends the script
		"name": p.Name, "state": p.State, "units": p.Units, "looks": p.Looks, "schemes": p.Schemes,
		"base": base,
	})
	if err != nil {
		return nil, err
	}
	names := append(slices.Clone(exploring), answers, "explore/main.js")
	p.Data, p.Script = template.JS(data), template.JS(script(names))
	p.LibraryStyle = template.CSS(asset("page.css"))
	p.Style = template.CSS(asset("explore/explore.css"))
	p.Policy = policy(string(p.Script)) + allowed + styles(p.LibraryStyle, p.Style)
	var out bytes.Buffer
	out.WriteString("<!doctype html>\n<!-- An explorer of sdrsim. -->\n")
	err = exploreLayout.Execute(&out, p)
	return out.Bytes(), err
}
