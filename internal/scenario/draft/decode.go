package draft

import (
	"slices"
	"strings"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"gopkg.in/yaml.v3"
)

// Decoder turns the tree of a file into a draft.
type Decoder struct {
	Faults  *format.Faults
	Draft   *Draft
	Sweep   *yaml.Node
	Figures []*yaml.Node
	Checks  []*yaml.Node
	// SchemesBroken tells that figures cannot be checked against them.
	SchemesBroken bool
}

// Decode reads every key of a file but the sweep, the figures and the rules of check, which
// need the schemes.
func Decode(root *yaml.Node, f *format.Faults) *Decoder {
	d := &Decoder{Faults: f, Draft: &Draft{Block: keys.NewBlock(keys.Root, "", format.Place(root))}}
	d.Draft.DropsAt, d.Draft.NetworkAt = map[string]format.Pos{}, map[string]format.Pos{}
	d.Draft.hasRing = format.FindKey(root, "collective") != nil
	d.section(root, "")
	if format.FindKey(root, "schemes") == nil {
		d.SchemesBroken = true
		f.Add(format.Place(root), "missing; must be a list of schemes", format.Error{Key: "schemes"})
	}
	return d
}

// section reads a mapping of keys below path.
func (d *Decoder) section(n *yaml.Node, path string) {
	for _, e := range format.Entries(n, path, d.Faults) {
		d.key(e, path)
	}
}

// key reads one key of a section.
func (d *Decoder) key(e format.Entry, parent string) {
	path := keys.JoinPath(parent, e.Key)
	switch path {
	case keys.NetworkPath, keys.FlowsPath, keys.TrafficPath:
		d.Draft.NetworkAt[path] = e.At
	}
	setting := d.Draft.Lookup(path)
	switch {
	case strings.Contains(e.Key, "."), !slices.Contains(keys.Sections[parent], e.Key):
		format.AddUnknown(d.Faults, e, parent, keys.Sections[parent])
	case setting != nil && !(keys.Sections[path] != nil && e.Val.Kind == yaml.MappingNode):
		d.Scalar(setting, d.Draft.Key(path), e.Val)
	case path == "schemes":
		d.schemes(e.Val)
	case path == "sweep":
		if d.Faults.Want(e.Val, yaml.MappingNode, path, "a mapping of paths to values") {
			d.Sweep = e.Val
		}
	case path == "figures":
		if d.Faults.Want(e.Val, yaml.SequenceNode, path, "a list of figures") {
			d.Figures = e.Val.Content
		}
	case path == "check":
		if d.Faults.Want(e.Val, yaml.SequenceNode, path, "a list of rules") {
			d.Checks = e.Val.Content
		}
	case path == keys.HopsPath:
		d.hopList(e.Val)
	case keys.Lists[path] != nil:
		d.eventList(e.Val, path)
	case path == "link.loss.drops":
		d.Draft.Drops = d.dropList(e.Val, path)
		d.Draft.DropsAt[path] = format.Place(e.Val)
	case path == "link.ack_loss.drops":
		d.Draft.AckDrops = d.dropList(e.Val, path)
		d.Draft.DropsAt[path] = format.Place(e.Val)
	default:
		d.subsection(e, path)
	}
}

// subsection reads a mapping, or the model of a loss or the like as a single word.
func (d *Decoder) subsection(e format.Entry, path string) {
	d.home(path, e.At)
	for _, key := range keys.ShortKeys {
		short := d.Draft.Lookup(path + key)
		if short != nil && path != keys.WorkloadPath && e.Val.Kind == yaml.ScalarNode {
			if d.Draft.Lookup(path+".p") != nil {
				d.lossWord(&d.Draft.Block, path, e.Val)
				return
			}
			d.Scalar(short, d.Draft.Key(path+key), e.Val)
			return
		}
	}
	if d.Faults.Want(e.Val, yaml.MappingNode, path, "a mapping") {
		d.section(e.Val, path)
		return
	}
	for i := range d.Draft.Settings {
		if s := d.Draft.Settings[i]; strings.HasPrefix(s.Name, path+".") {
			s.State = keys.Broken
		}
	}
}

// home tells where keys that are missing from a section are missing from.
func (d *Decoder) home(path string, at format.Pos) {
	for i := range d.Draft.Settings {
		s := d.Draft.Settings[i]
		if !s.Wrote() && strings.HasPrefix(s.Name, path+".") {
			s.At = at
		}
	}
}

// Scalar reads the value of a setting.
func (d *Decoder) Scalar(s *keys.Setting, k *keys.Key, n *yaml.Node) {
	s.At, s.State = format.Place(n), keys.Broken
	text, ok := format.Scalar(n, s.Name, k.Allowed(), d.Faults)
	if !ok {
		return
	}
	s.Read(k, text, d.Faults)
}
