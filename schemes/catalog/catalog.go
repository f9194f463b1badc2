package catalog

import (
	"fmt"

	"sdrsim/schemes"
	"sdrsim/schemes/ec"
	"sdrsim/schemes/openrdma"
	"sdrsim/schemes/rc"
	"sdrsim/schemes/sr"
)

// Entry is a scheme by name.
type Entry = schemes.Entry

// Factory is a scheme with values for its parameters.
type Factory = schemes.Factory

// Entries lists the schemes in the order in which they are shown.
func Entries() []Entry { return entries }

var entries = []Entry{sr.RTO, sr.NACK, rc.RC, rc.MRC, openrdma.OpenRDMA, ec.MDS, ec.XOR}

// Lookup finds a scheme by name.
func Lookup(name string) (Entry, bool) {
	for _, e := range entries {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

// Build gives a scheme its parameters; values holds every parameter of its entry.
func Build(name string, values schemes.Values) (Factory, error) {
	e, ok := Lookup(name)
	if !ok {
		return Factory{}, fmt.Errorf("catalog: no reliability scheme is called %q", name)
	}
	return e.Build(values), nil
}
