package jobs

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
)

// Engines by name.
const (
	Slurm      = "slurm"
	Kubernetes = "kubernetes"
	Parallel   = "parallel"
)

// Engines lists the names.
func Engines() []string { return []string{Slurm, Kubernetes, Parallel} }

// Plan is what a job file is made from.
type Plan struct {
	Name   string // of the scenario: lower case, digits, hyphens
	File   string // the scenario
	Text   string // what is in it
	Shards int
	// Folder is where the shards go, Results where they are merged to.
	Folder, Results string
	// Set are overrides, as path=value.
	Set []string
	// CPUs is how many cores a shard has.
	CPUs int
	// Image is the container image of Kubernetes, Claim the volume claim for the shards.
	Image, Claim string
}

// Write writes the job file for an engine.
func Write(w io.Writer, engine string, p Plan) error {
	text, ok := templates[engine]
	if !ok {
		return fmt.Errorf("no engine %q; there are %s", engine, strings.Join(Engines(), ", "))
	}
	t := template.Must(template.New(engine).Funcs(template.FuncMap{
		"quote": quote, "string": yamlString, "literal": yamlBlock, "label": label,
	}).Parse(text))
	return t.Execute(w, p)
}

// Command is the command of a shard but for the shard itself, quoted for a shell.
func (p Plan) Command() string {
	words := []string{"sdrsim", "run", p.File}
	for _, o := range p.Set {
		words = append(words, "--set", o)
	}
	for i, word := range words {
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}

// Args are the arguments of a shard in a container, where the scenario is mounted.
func (p Plan) Args() []string {
	args := []string{"run", "/scenario/" + p.Name + ".yaml"}
	for _, o := range p.Set {
		args = append(args, "--set", o)
	}
	return append(args, "--shard", "auto", "-o", "/results/"+p.Name+".shards",
		"--log-format", "json")
}

// plain are the characters that mean nothing to a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%"

// quote writes a word for a POSIX shell.
func quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// yamlString writes a scalar that is a string whatever is in it: JSON is YAML.
func yamlString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// yamlBlock writes a text as a literal block, indented by so many spaces, where its lines can be
// kept as they are; else as a quoted string.
func yamlBlock(spaces int, text string) string {
	body, ended := strings.CutSuffix(text, "\n")
	last := body[strings.LastIndexByte(body, '\n')+1:]
	literal := ended && strings.Trim(last, " ") != "" &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return r != '\n' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 ||
				slices.Contains([]rune{0x2028, 0x2029, 0xfeff}, r))
		})
	if !literal {
		return yamlString(text)
	}
	// The indicator counts from the parent, which is two less: a first line may begin with spaces.
	out := "|2"
	for line := range strings.Lines(text) {
		if line == "\n" {
			out += "\n"
			continue
		}
		out += "\n" + strings.Repeat(" ", spaces) + strings.TrimSuffix(line, "\n")
	}
	return out
}

// label makes a name that Kubernetes allows for an object.
func label(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	return strings.Trim("sdrsim-"+name[:min(len(name), 40)], "-")
}
