package draft

import (
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

// Rework sets the overrides in the tree of a file, and takes out its sweep, its figures and its
// checks, so that a single point is left. An override of a parameter of a scheme or of an entry of
// a list is a fault: schemes are replaced as a whole.
func Rework(root *yaml.Node, f *format.Faults) {
	format.Forget(root, []string{"sweep", "figures", "check"})
	for i, o := range f.Overrides {
		n, ok := format.ParseValue(o, -(i + 1), f)
		_, isKey := keys.Root.Find(o.Path)
		switch {
		case !ok:
		case isKey || isSection(o.Path):
			setPath(root, o.Path, n)
		default:
			addNoSuchPath(f, n, o.Path)
		}
	}
}
