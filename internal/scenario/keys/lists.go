package keys

import (
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
)

// DropKeys are the keys of an entry of a script of losses.
var DropKeys = NewTable([]Key{
	{Path: "message", Kind: schemes.KindCount, Default: "0", Max: 1e9},
	{Path: "first", Kind: schemes.KindCount, Max: 1 << 50},
	{Path: "last", Kind: schemes.KindCount, Max: 1 << 50},
	{Path: "transmission", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1e9},
})

// EveryTransmission is the word for a drop that repeats meet too.
const EveryTransmission = "every"

// Lists of what happens to a link in time.
const (
	OutagesPath = "link.outages"
	ChangesPath = "link.changes"
)

// Lists are the keys of the entries by list.
var Lists = map[string]*Table{
	OutagesPath: NewTable(outageKeys), ChangesPath: NewTable(changeKeys),
	PathsPath: NewTable(pathKeys), FlowsPath: NewTable(flowKeys),
	TrafficPath: NewTable(trafficKeys),
}

var outageKeys = []Key{
	{Path: "at", Kind: KindDuration, Max: MaxSendSeconds,
		Doc: "when the link goes down, from the beginning of a sample"},
	{Path: "for", Kind: KindDuration, Min: 1e-12, Max: MaxSendSeconds, Doc: "how long it is down"},
	{Path: "every", Kind: KindDuration, Min: 1e-12, Max: MaxSendSeconds,
		Doc: "after what time it goes down again; default: it does not"},
}

// changeKeys are those of a change.
var changeKeys = func() []Key {
	keys := []Key{
		{Path: "at", Kind: KindDuration, Max: MaxSendSeconds,
			Doc: "when the link changes, from the beginning of a sample"},
		{Path: "delay", Kind: KindDuration, Min: 1e-9, Max: maxRTTSeconds / 2,
			Doc: "propagation one way from then on"},
		{Path: "bandwidth", Kind: schemes.KindRate, Min: 1, Max: maxRate,
			Doc: "data rate from then on"},
	}
	return append(keys, lossOfEntry()...)
}()

// ListSections are the keys of an entry of a list, and of the mappings in it.
var ListSections = map[string]map[string][]string{
	OutagesPath: childrenOf(outageKeys), ChangesPath: childrenOf(changeKeys),
	PathsPath: childrenOf(pathKeys), FlowsPath: childrenOf(flowNames),
	TrafficPath: childrenOf(trafficKeys),
}

// ListNames are the lists, in the order of files.
var ListNames = []string{OutagesPath, ChangesPath, PathsPath, FlowsPath, TrafficPath}

// OfEntries reports whether a path leads into an entry of a list.
func OfEntries(path string) bool {
	for _, list := range ListNames {
		if strings.HasPrefix(path, list+".") {
			return true
		}
	}
	return false
}

// PathsPath is the list of paths. Its entries are read as events are, and swept by their number:
// link.paths.0.delay.
const PathsPath = "link.paths"

var pathKeys = func() []Key {
	keys := []Key{
		{Path: "delay", Kind: KindDuration, Min: 1e-9, Max: maxRTTSeconds / 2,
			Doc: "propagation one way; default: that of the link"},
		{Path: "weight", Kind: schemes.KindNumber, Default: "1", Min: 1e-6, Max: 1e6,
			Doc: "share of the data that takes the path, against those of the others"},
	}
	return append(keys, lossOfEntry()...)
}()

// lossOfEntry are the keys of a loss in an entry of a list. A loss that is listed or replayed
// begins with the sample, so it is none to have there.
func lossOfEntry() (keys []Key) {
	for _, k := range lossKeys("link.loss", []string{spec.LossNone, spec.LossIID,
		spec.LossGilbertElliott}) {
		k.Path = strings.TrimPrefix(k.Path, "link.")
		switch k.Path {
		case "loss.per", "loss.file":
			continue
		case "loss.model":
			k.Default = ""
		}
		keys = append(keys, k)
	}
	return keys
}
