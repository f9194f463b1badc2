package draft

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"

	"gopkg.in/yaml.v3"
)

// Entry is an entry of such a list before it is checked. Its settings can be swept, by the
// number of the entry: link.outages.0.for.
type Entry struct {
	keys.Block
	List string // one of keys.ListNames
	Path string // such as link.outages.0
	At   format.Pos
	// Scheme is that of a flow; nil: the scheme under test.
	Scheme *Scheme
	// Unknown tells of a key that there is none of: it may stand for one that is missing.
	Unknown bool
}

// Happens tells that an entry is something that happens to the link in time.
func (e *Entry) Happens() bool { return e.List == keys.OutagesPath || e.List == keys.ChangesPath }

// maxEvents bounds a list.
const maxEvents = 1000

// eventList reads a list.
func (d *Decoder) eventList(n *yaml.Node, list string) {
	allowed := map[string]string{
		keys.OutagesPath: "{at: 10ms, for: 2ms}", keys.ChangesPath: "{at: 10ms, bandwidth: 100Gbps}",
		keys.PathsPath: "{delay: 13ms, weight: 2}", keys.FlowsPath: "{pattern: pairs}",
		keys.TrafficPath: "{model: poisson, load: 0.3}",
	}[list]
	if !d.Faults.Want(n, yaml.SequenceNode, list, "a list of mappings such as "+allowed) {
		d.Draft.FlowsBroken = d.Draft.FlowsBroken || list == keys.FlowsPath
		return
	}
	if len(n.Content) > maxEvents {
		d.Faults.Add(format.Place(n), fmt.Sprintf("more than %d entries", maxEvents),
			format.Error{Key: list})
		return
	}
	for i, item := range n.Content {
		path := fmt.Sprintf("%s.%d", list, i)
		if d.Faults.Want(item, yaml.MappingNode, path, "a mapping such as "+allowed) {
			e := Entry{List: list, Path: path, At: format.Place(item),
				Block: keys.NewBlock(keys.Lists[list], path+".", format.Place(item))}
			d.eventSection(&e, item, "")
			d.Draft.Events = append(d.Draft.Events, e)
		} else if list == keys.FlowsPath {
			d.Draft.FlowsBroken = true
		}
	}
}

// eventSection reads a mapping of the keys of an entry below path.
func (d *Decoder) eventSection(e *Entry, n *yaml.Node, path string) {
	known := keys.ListSections[e.List][path]
	for _, one := range format.Entries(n, keys.JoinPath(e.Path, path), d.Faults) {
		key := keys.JoinPath(path, one.Key)
		s := e.Lookup(key)
		switch {
		case strings.Contains(one.Key, "."), !slices.Contains(known, one.Key):
			format.AddUnknown(d.Faults, one, strings.TrimSuffix(keys.JoinPath(e.Path, path), "."), known)
			e.Unknown = true
		case s != nil:
			d.Scalar(s, e.Key(key), one.Val)
		case key == keys.FlowScheme:
			d.flowScheme(e, one.Val)
		case one.Val.Kind == yaml.ScalarNode:
			d.lossWord(&e.Block, "loss", one.Val)
		case d.Faults.Want(one.Val, yaml.MappingNode, keys.JoinPath(e.Path, key), "a mapping"):
			e.Get("loss.model").At = format.Place(one.Val)
			d.eventSection(e, one.Val, key)
			if model := e.Get("loss.model"); model.State == keys.Absent {
				d.Faults.Add(format.Place(one.Val), "missing; must be "+e.Key("loss.model").Allowed(),
					format.Error{Key: model.Name})
				model.State = keys.Broken
			}
		default:
			e.Get("loss.model").State = keys.Broken
		}
	}
}

// lossWord reads a loss that is a word: a probability, or the name of a model.
func (d *Decoder) lossWord(b *keys.Block, prefix string, n *yaml.Node) {
	model, p := b.Get(prefix+".model"), b.Get(prefix+".p")
	if !keys.IsNumber(n.Value) {
		d.Scalar(model, b.Key(prefix+".model"), n)
		return
	}
	d.Scalar(p, b.Key(prefix+".p"), n)
	model.Value, model.Raw, model.At, model.State = keys.Word(spec.LossIID), spec.LossIID,
		format.Place(n), keys.Given
}

// flowScheme reads the scheme that a flow runs on.
func (d *Decoder) flowScheme(e *Entry, n *yaml.Node) {
	s, ok := d.scheme(n)
	if !ok {
		return
	}
	for i := range s.Settings {
		s.Settings[i].Name = keys.JoinPath(e.Path, keys.FlowScheme+"."+s.Set.Keys[i].Path)
	}
	e.Scheme = &s
}
