package scenarios

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// Rework returns the text of a scenario with other values, and without its sweep, its figures and
// its checks: that of a single point, below a comment at its head. Values are set as by --set, but
// not those of a scheme or of an entry of a list: schemes are replaced as a whole, by the path
// "schemes". The error, if any, is an Errors.
func Rework(file string, text []byte, head string, values []Override) ([]byte, error) {
	f := newFaults(file, canonical(values))
	root := parseTree(text, f)
	if root == nil {
		return nil, f.result()
	}
	forget(root, []string{"sweep", "figures", "check"})
	for i, o := range f.overrides {
		n, ok := parseOverride(o, -(i + 1), f)
		_, isKey := rootKeys.index[o.Path]
		switch {
		case !ok:
		case isKey || isSection(o.Path):
			setPath(root, o.Path, n)
		default:
			addNoSuchPath(f, n, o.Path)
		}
	}
	if err := f.result(); err != nil {
		return nil, err
	}
	if len(root.Content) > 0 { // what the file said of itself is no longer so
		root.HeadComment, root.Content[0].HeadComment = "", ""
	}
	var b bytes.Buffer
	for line := range strings.Lines(head) {
		b.WriteString("# " + line)
	}
	b.WriteString("\n")
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}
