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
	"format.js", "data.js", "theme.js", "ticks.js", "state.js", "layers.js", "lines.js", "heat.js",
	"legend.js", "picture.js", "table.js", "main.js",
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
		Script:  template.JS(script()),
		Data:    template.JS(data),
	}
	p.Policy = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " +
		source(string(p.Library)) + " " + source(string(p.Script)) + "; style-src " +
		source(string(p.LibraryStyle)) + " " + source(string(p.Style))
	var out bytes.Buffer
	out.WriteString(signature)
	if err := layout.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// library is uPlot, with its licence, which copies of it must have.
func library() string {
	return "/*\n" + asset("uplot/LICENSE") + "*/\n" + asset("uplot/uPlot.iife.min.js")
}

// script is the script of the page, in a scope of its own.
func script() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts {
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
