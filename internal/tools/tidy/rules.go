package tidy

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of size. A line is measured in characters, a tab being one.
const (
	maxFunctionLines = 70
	maxFileLines     = 500
	maxColumns       = 100
	maxParameters    = 4
)

func check(sources []*source) []Finding {
	findings := checkPackages(sources)
	for _, s := range sources {
		findings = append(findings, checkSizes(s)...)
		findings = append(findings, checkComments(s)...)
		if s.isTest() {
			continue
		}
		findings = append(findings, checkImports(s)...)
		findings = append(findings, checkCalls(s)...)
		findings = append(findings, checkPortable(s)...)
		findings = append(findings, checkSchemes(s)...)
		findings = append(findings, checkDocs(s)...)
		findings = append(findings, checkSignatures(s)...)
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return findings
}

// checkPackages wants every package in the import table and documented in a doc.go.
func checkPackages(sources []*source) []Finding {
	documented := map[string]bool{}
	var folders []string
	for _, s := range sources {
		if !slices.Contains(folders, s.folder) {
			folders = append(folders, s.folder)
		}
		if strings.HasSuffix(s.name, "/doc.go") && s.syntax.Doc != nil {
			documented[s.folder] = true
		}
	}
	var findings []Finding
	for _, folder := range folders {
		if _, known := layers[folder]; !known {
			findings = append(findings, Finding{folder, 1, "package is not in the import table"})
		}
		if !documented[folder] {
			findings = append(findings, Finding{folder, 1, "package has no doc.go that describes it"})
		}
	}
	return findings
}

func checkImports(s *source) []Finding {
	var findings []Finding
	for _, spec := range s.syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err == nil && !layers[s.folder].allowsPath(path) {
			findings = append(findings, s.finding(spec.Pos(), "%s may not import %s", s.folder, path))
		}
	}
	return findings
}

// banned are calls that make a result depend on the machine or on the moment, by import path;
// the names that follow an exclamation mark are the only ones allowed of their package.
var banned = map[string]string{
	"time":         "Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker",
	"math/rand":    "!",
	"math/rand/v2": "!New NewPCG NewChaCha8 NewZipf Rand PCG ChaCha8 Zipf Source",
}

func isBanned(path, name string) bool {
	list, only := strings.CutPrefix(banned[path], "!")
	return banned[path] != "" && slices.Contains(strings.Fields(list), name) != only
}

// checkCalls finds the clock, the global random numbers and goroutines below the world.
func checkCalls(s *source) []Finding {
	if layers[s.folder].world {
		return nil
	}
	names := importNames(s)
	var findings []Finding
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			findings = append(findings, s.finding(n.Pos(), "goroutine below the commands"))
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && isBanned(names[x.Name], n.Sel.Name) {
				findings = append(findings,
					s.finding(n.Pos(), "%s.%s below the commands", x.Name, n.Sel.Name))
			}
		}
		return true
	})
	return findings
}

// exact are the functions of package math that are the same on every processor, being exact or
// rounded as IEEE 754 says; the others are assembly on some, and fused on others.
var exact = strings.Fields("Abs Ceil Copysign Dim Float32bits Float32frombits Float64bits " +
	"Float64frombits Floor Frexp Inf IsInf IsNaN Ldexp Logb Ilogb Max Min Mod Modf NaN Nextafter " +
	"Nextafter32 Pow10 Remainder Round RoundToEven Signbit Sqrt Trunc")

// checkPortable finds functions of package math whose last digit is the processor's.
func checkPortable(s *source) []Finding {
	if s.folder == "internal/portable" {
		return nil
	}
	names := importNames(s)
	var findings []Finding
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		function, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := function.X.(*ast.Ident)
		if ok && names[x.Name] == "math" && !slices.Contains(exact, function.Sel.Name) {
			findings = append(findings, s.finding(n.Pos(),
				"%s.%s differs by processor: use internal/portable", x.Name, function.Sel.Name))
		}
		return true
	})
	return findings
}

// importNames maps the names by which a file knows the packages that it imports to their paths.
func importNames(s *source) map[string]string {
	names := map[string]string{}
	for _, spec := range s.syntax.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := strings.TrimSuffix(path, "/v2")
		name = name[strings.LastIndex(name, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
	}
	return names
}

// link is text that cannot be broken over lines.
var link = regexp.MustCompile(`https?://`)

func checkSizes(s *source) []Finding {
	var findings []Finding
	lines := strings.Split(strings.TrimSuffix(s.text, "\n"), "\n")
	if len(lines) > maxFileLines {
		message := fmt.Sprintf("file of %d lines, over %d", len(lines), maxFileLines)
		findings = append(findings, Finding{s.name, 1, message})
	}
	for i, text := range lines {
		columns := utf8.RuneCountInString(text)
		if columns > maxColumns && !link.MatchString(text) {
			message := fmt.Sprintf("line of %d columns, over %d", columns, maxColumns)
			findings = append(findings, Finding{s.name, i + 1, message})
		}
	}
	for _, decl := range s.syntax.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := s.line(function.End()) - s.line(function.Pos()) + 1; n > maxFunctionLines {
			findings = append(findings, s.finding(function.Pos(),
				"function %s of %d lines, over %d", function.Name.Name, n, maxFunctionLines))
		}
	}
	return findings
}

// unfinished are the marks of work that was put off.
var unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)

func checkComments(s *source) []Finding {
	var findings []Finding
	for _, group := range s.syntax.Comments {
		for _, comment := range group.List {
			if mark := unfinished.FindString(comment.Text); mark != "" {
				findings = append(findings, s.finding(comment.Pos(), "comment marked %s", mark))
			}
		}
	}
	return findings
}

// checkSignatures keeps parameter lists short, and calls of exported functions readable.
func checkSignatures(s *source) []Finding {
	var findings []Finding
	for _, decl := range s.syntax.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := function.Type.Params.NumFields(); n > maxParameters {
			findings = append(findings, s.finding(function.Pos(),
				"function %s of %d parameters, over %d", function.Name.Name, n, maxParameters))
		}
		if exported(function) && takesBool(function) {
			findings = append(findings, s.finding(function.Pos(),
				"exported function %s takes a boolean", function.Name.Name))
		}
	}
	return findings
}

func takesBool(function *ast.FuncDecl) bool {
	return slices.ContainsFunc(function.Type.Params.List, func(field *ast.Field) bool {
		name, ok := field.Type.(*ast.Ident)
		return ok && name.Name == "bool"
	})
}

// checkDocs wants a comment on every exported identifier of the package level; in a group of
// constants or variables the comment of the group will do.
func checkDocs(s *source) []Finding {
	var findings []Finding
	for _, decl := range s.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if exported(decl) && decl.Doc == nil && !selfEvident(decl) {
				findings = append(findings, s.finding(decl.Pos(), "%s has no comment", decl.Name.Name))
			}
		case *ast.GenDecl:
			for _, name := range undocumented(decl) {
				findings = append(findings, s.finding(name.Pos(), "%s has no comment", name.Name))
			}
		}
	}
	return findings
}

// selfEvident methods make an error of a type, and say nothing that its comment does not.
func selfEvident(function *ast.FuncDecl) bool {
	name := function.Name.Name
	return function.Recv != nil && (name == "Error" || name == "Unwrap")
}

// exported tells whether a function is seen from outside: its receiver, if any, is exported too.
func exported(function *ast.FuncDecl) bool {
	if function.Recv == nil {
		return function.Name.IsExported()
	}
	receiver := function.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported() && function.Name.IsExported()
}

func undocumented(decl *ast.GenDecl) []*ast.Ident {
	if decl.Tok == token.IMPORT || decl.Doc != nil {
		return nil
	}
	var names []*ast.Ident
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Doc == nil && spec.Comment == nil && spec.Name.IsExported() {
				names = append(names, spec.Name)
			}
		case *ast.ValueSpec:
			if spec.Doc != nil || spec.Comment != nil {
				continue
			}
			for _, name := range spec.Names {
				if name.IsExported() {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
