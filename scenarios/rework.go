package scenarios

import (
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
)

// Rework returns the text of a scenario with other values, and without its sweep, its figures and
// its checks: that of a single point, below a comment at its head. Values are set as by --set, but
// not those of a scheme or of an entry of a list: schemes are replaced as a whole, by the path
// "schemes". The error, if any, is an Errors.
func Rework(file string, text []byte, head string, values []Override) ([]byte, error) {
	f := format.NewFaults(file, format.Canonical(values))
	root := format.Parse(text, f)
	if root == nil {
		return nil, f.Result()
	}
	draft.Rework(root, f)
	if err := f.Result(); err != nil {
		return nil, err
	}
	return format.Encode(root, head)
}
