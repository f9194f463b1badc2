package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"strings"
)

//go:embed assets
var assets embed.FS

// scripts are the parts of the one script of a page, in their order.
var scripts = []string{
	"csv.js", "format.js", "data.js", "theme.js", "ticks.js", "dom.js", "state.js", "layers.js",
	"lines.js", "heat.js", "legend.js", "picture.js", "table.js", "main.js",
}

// signature begins every page, and tells it from a file of somebody else.
const signature = "<!doctype html>\n<!-- A report of sdrsim. -->\n"

// Is reports whether a file is a page that Render has made.
func Is(content []byte) bool { return bytes.HasPrefix(content, []byte(signature)) }

// parts are what the template is filled with. Styles, scripts and data stand in it as they are.
type parts struct {
	Document
	Policy              string
	LibraryStyle, Style template.CSS
	Library, Script     template.JS
	Data                template.JS
}

var layout = template.Must(template.ParseFS(assets, "assets/page.html"))

// Render makes the file.
func Render(d Document) ([]byte, error) {
	data, err := json.Marshal(d.Data) // <, > and & are escaped in it: no text ends the script
	if err != nil {
		return nil, err
	}
	p := parts{
		Document:     d,
		LibraryStyle: template.CSS(asset("uplot/uPlot.min.css")),

		Style:   template.CSS(asset("page.css")),
		Library: template.JS(library()),
		Script:  template.JS(script(scripts)),
		Data:    template.JS(data),
	}
	p.Policy = policy(string(p.Library), string(p.Script)) + styles(p.LibraryStyle, p.Style)
	var out bytes.Buffer
	out.WriteString(signature)
	if err := layout.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// policy allows scripts by their hashes, and nothing else.
func policy(scripts ...string) string {
	text := "default-src 'none'; base-uri 'none'; form-action 'none'; script-src"
	for _, s := range scripts {
		text += " " + source(s)
	}
	return text
}

// styles allows styles by their hashes.
func styles(list ...template.CSS) string {
	text := "; style-src"
	for _, s := range list {
		text += " " + source(string(s))
	}
	return text
}

// library is uPlot, with its licence, which copies of it must have.
func library() string {
	return "/*\n" + asset("uplot/LICENSE") + "*/\n" + asset("uplot/uPlot.iife.min.js")
}

// script is the script of a page, of parts, in a scope of its own.
func script(parts []string) string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range parts {
		b.WriteString(asset(name))
	}
	b.WriteString("})();\n")
	return b.String()
}

// asset is a file that is part of the program.
func asset(name string) string {
	content, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("BUG: web: " + err.Error())
	}
	return string(content)
}

// source allows an inline script or style by its hash.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
