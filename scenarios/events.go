package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"

	"gopkg.in/yaml.v3"
)

// Lists of what happens to a link in time.
const (
	outagesPath = "link.outages"
	changesPath = "link.changes"
)

// eventDraft is an entry of such a list before it is checked. Its settings can be swept, by the
// number of the entry: link.outages.0.for.
type eventDraft struct {
	block
	list string // outagesPath or another of eventKeys
	path string // such as link.outages.0
	at   pos
	// scheme is that of a flow; nil: the scheme under test.
	scheme *schemeDraft
	// unknown tells of a key that there is none of: it may stand for one that is missing.
	unknown bool
}

// eventKeys are the keys of the entries by list.
var eventKeys = map[string]*keySet{
	outagesPath: newKeySet(outageKeys), changesPath: newKeySet(changeKeys),
	pathsPath: newKeySet(pathKeys), flowsPath: newKeySet(flowKeys),
	trafficPath: newKeySet(trafficKeys),
}

var outageKeys = []Key{
	{Path: "at", Kind: KindDuration, Max: maxSendSeconds,
		Doc: "when the link goes down, from the beginning of a sample"},
	{Path: "for", Kind: KindDuration, Min: 1e-12, Max: maxSendSeconds, Doc: "how long it is down"},
	{Path: "every", Kind: KindDuration, Min: 1e-12, Max: maxSendSeconds,
		Doc: "after what time it goes down again; default: it does not"},
}

// changeKeys are those of a change.
var changeKeys = func() []Key {
	keys := []Key{
		{Path: "at", Kind: KindDuration, Max: maxSendSeconds,
			Doc: "when the link changes, from the beginning of a sample"},
		{Path: "delay", Kind: KindDuration, Min: 1e-9, Max: maxRTTSeconds / 2,
			Doc: "propagation one way from then on"},
		{Path: "bandwidth", Kind: schemes.KindRate, Min: 1, Max: maxRate,
			Doc: "data rate from then on"},
	}
	return append(keys, lossOfEntry()...)
}()

// eventSections are the keys of an entry of a list, and of the mappings in it.
var eventSections = map[string]map[string][]string{
	outagesPath: childrenOf(outageKeys), changesPath: childrenOf(changeKeys),
	pathsPath: childrenOf(pathKeys), flowsPath: childrenOf(flowNames),
	trafficPath: childrenOf(trafficKeys),
}

// eventLists are the lists of eventKeys, in the order of files.
var eventLists = []string{outagesPath, changesPath, pathsPath, flowsPath, trafficPath}

// happens tells that an entry is something that happens to the link in time.
func (e *eventDraft) happens() bool { return e.list == outagesPath || e.list == changesPath }

// ofEvents reports whether a path leads into an entry of a list.
func ofEvents(path string) bool {
	for _, list := range eventLists {
		if strings.HasPrefix(path, list+".") {
			return true
		}
	}
	return false
}

// maxEvents bounds a list.
const maxEvents = 1000

// eventList reads a list.
func (d *decoder) eventList(n *yaml.Node, list string) {
	allowed := map[string]string{
		outagesPath: "{at: 10ms, for: 2ms}", changesPath: "{at: 10ms, bandwidth: 100Gbps}",
		pathsPath: "{delay: 13ms, weight: 2}", flowsPath: "{pattern: pairs}",
		trafficPath: "{model: poisson, load: 0.3}",
	}[list]
	if !d.f.want(n, yaml.SequenceNode, list, "a list of mappings such as "+allowed) {
		d.draft.flowsBroken = d.draft.flowsBroken || list == flowsPath
		return
	}
	if len(n.Content) > maxEvents {
		d.f.add(place(n), fmt.Sprintf("more than %d entries", maxEvents), Error{Key: list})
		return
	}
	for i, item := range n.Content {
		path := fmt.Sprintf("%s.%d", list, i)
		if d.f.want(item, yaml.MappingNode, path, "a mapping such as "+allowed) {
			e := eventDraft{list: list, path: path, at: place(item),
				block: newBlock(eventKeys[list], path+".", place(item))}
			d.eventSection(&e, item, "")
			d.draft.events = append(d.draft.events, e)
		} else if list == flowsPath {
			d.draft.flowsBroken = true
		}
	}
}

// eventSection reads a mapping of the keys of an entry below path.
func (d *decoder) eventSection(e *eventDraft, n *yaml.Node, path string) {
	known := eventSections[e.list][path]
	for _, one := range entries(n, joinPath(e.path, path), d.f) {
		key := joinPath(path, one.key)
		s := e.lookup(key)
		switch {
		case strings.Contains(one.key, "."), !slices.Contains(known, one.key):
			addUnknown(d.f, one, strings.TrimSuffix(joinPath(e.path, path), "."), known)
			e.unknown = true
		case s != nil:
			d.scalar(s, e.key(key), one.val)
		case key == flowScheme:
			d.flowScheme(e, one.val)
		case one.val.Kind == yaml.ScalarNode:
			d.eventLoss(e, one.val)
		case d.f.want(one.val, yaml.MappingNode, joinPath(e.path, key), "a mapping"):
			e.get("loss.model").at = place(one.val)
			d.eventSection(e, one.val, key)
			if model := e.get("loss.model"); model.state == absent {
				d.f.add(place(one.val), "missing; must be "+e.key("loss.model").Allowed(),
					Error{Key: model.name})
				model.state = broken
			}
		default:
			e.get("loss.model").state = broken
		}
	}
}

// eventLoss reads a loss that is a word: a probability, or the name of a model.
func (d *decoder) eventLoss(e *eventDraft, n *yaml.Node) {
	model, p := e.get("loss.model"), e.get("loss.p")
	if text := strings.TrimSpace(n.Value); text == "" || text[0] > '9' {
		d.scalar(model, e.key("loss.model"), n)
		return
	}
	d.scalar(p, e.key("loss.p"), n)
	model.value, model.raw, model.at, model.state = word(spec.LossIID), spec.LossIID, place(n), given
}

// eventPattern matches the paths of keys of entries, in a sweep.
func eventPattern(list string, keys ...Key) string {
	var names []string
	for _, k := range keys {
		names = append(names, regexp.QuoteMeta(k.Path))
	}
	return "^" + regexp.QuoteMeta(list) + `\.[0-9]+\.(` + strings.Join(names, "|") + ")$"
}

// eventSchema is an entry of a list.
func eventSchema(list string) object {
	properties := tree{eventKeys[list], eventSections[list]}.properties("")
	if list == outagesPath {
		return closed(properties)
	}
	for i := range properties {
		if properties[i].key == "loss" {
			p := numberSchema(&Key{Kind: KindProbability, Max: 1}, "number", spaced(numberPattern+`\s*%?`))
			properties[i].value = object{{"anyOf", []object{p, properties[i].value.(object)}}}
		}
	}
	return closed(properties)
}

// flowScheme reads the scheme that a flow runs on.
func (d *decoder) flowScheme(e *eventDraft, n *yaml.Node) {
	s, ok := d.scheme(n)
	if !ok {
		return
	}
	for i := range s.settings {
		s.settings[i].name = joinPath(e.path, flowScheme+"."+s.set.keys[i].Path)
	}
	e.scheme = &s
}
