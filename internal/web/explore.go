package web

import (
	"bytes"
	"encoding/json"
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

// block is a text that stands in a page for its script to read.
type block struct {
	ID   string
	Text template.JS
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
	page, err = p.render([]string{"explore/server.js"}, "; connect-src 'self'")
	return page, p.Policy, err
}

// render fills the template with a script that gets its answers by parts of its own, which a policy
// allows.
func (p *explorerParts) render(answers []string, allowed string) ([]byte, error) {
	data, err := json.Marshal(map[string]any{ // <, > and & are escaped in it: no text ends the script
		"name": p.Name, "state": p.State, "units": p.Units, "looks": p.Looks, "schemes": p.Schemes,
	})
	if err != nil {
		return nil, err
	}
	names := append(append(slices.Clone(exploring), answers...), "explore/main.js")
	p.Data, p.Script = template.JS(data), template.JS(script(names))
	p.LibraryStyle = template.CSS(asset("page.css"))
	p.Style = template.CSS(asset("explore/explore.css"))
	p.Policy = policy(string(p.Script)) + styles(p.LibraryStyle, p.Style) + allowed
	var out bytes.Buffer
	out.WriteString("<!doctype html>\n<!-- An explorer of sdrsim. -->\n")
	err = exploreLayout.Execute(&out, p)
	return out.Bytes(), err
}
