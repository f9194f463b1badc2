package keys

import (
	"strings"

	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
)

// paramKeys turns the parameters of a scheme into keys.
func paramKeys(params []schemes.Param) []Key {
	keys := make([]Key, len(params))
	for i, p := range params {
		keys[i] = Key{Path: p.Name, Kind: p.Kind, Default: p.Default, Choices: p.Choices,
			Min: p.Min, Max: p.Max, Doc: p.Doc}
		if p.Kind == schemes.KindRate {
			keys[i].Min, keys[i].Max = 1, maxRate // work at no rate never ends
		}
	}
	return keys
}

// SchemeKeys are the tables of the schemes by name.
var SchemeKeys = func() map[string]*Table {
	sets := map[string]*Table{}
	for _, e := range catalog.Entries() {
		sets[e.Name] = NewTable(paramKeys(e.Params))
	}
	return sets
}()

// EntryNames are the names of the schemes of the catalog.
func EntryNames() []string {
	var names []string
	for _, e := range catalog.Entries() {
		names = append(names, e.Name)
	}
	return names
}

// SchemeNames says which schemes there are, as a phrase that follows "must be".
func SchemeNames() string { return "one of " + strings.Join(EntryNames(), ", ") }
