package tidy

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"sdrsim/schemes/catalog"
)

// checkSchemes keeps what is particular to a scheme in its own package: elsewhere no text is a
// scheme's name, and no value is looked up by that of a parameter. What a scheme needs is asked of
// its entry in the catalog. Names among other words, in help and examples, are free;
// internal/tools/validation judges rows of given scenarios and names the schemes that these do.
func checkSchemes(s *source) []Finding {
	if s.folder == "internal/tools/validation" || strings.HasPrefix(s.folder, "schemes") {
		return nil
	}
	var findings []Finding
	looksUp := func(key ast.Expr) {
		if name := literal(key); isParam(name) {
			findings = append(findings, s.finding(key.Pos(),
				"looks up %s, a parameter of schemes: ask their entries", name))
		}
	}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if _, scheme := catalog.Lookup(literal(n)); scheme {
				findings = append(findings, s.finding(n.Pos(), "names the scheme %s: ask its entry",
					literal(n)))
			}
		case *ast.IndexExpr:
			looksUp(n.Index)
		case *ast.CallExpr:
			if f, method := n.Fun.(*ast.SelectorExpr); method && len(n.Args) == 1 &&
				(strings.EqualFold(f.Sel.Name, "get") || strings.EqualFold(f.Sel.Name, "lookup")) {
				looksUp(n.Args[0])
			}
		}
		return true
	})
	return findings
}

// literal is the value of a literal string; empty where it is none.
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)
	return text
}

// isParam reports whether any scheme has a parameter of the name.
func isParam(name string) bool {
	for _, e := range catalog.Entries() {
		for _, p := range e.Params {
			if p.Name == name {
				return true
			}
		}
	}
	return false
}
