package rules

import (
	"slices"
	"strings"

	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
)

const workloadPrefix = keys.WorkloadPath + "."

// workloadKind is what a kind of workload takes, and what it makes of it.
type workloadKind struct {
	name string
	// keys are those below workload that it has, beside kind; needs those that it cannot be without.
	keys, needs []string
	// says are the keys of message that it says, in place of the file.
	says []string
	// lower puts into a draft what the workload says of messages.
	lower func(d, into point)
	check func(d point, f *format.Faults) // may be nil
	build func(d point, p *spec.Point)    // may be nil
}

// workloadKinds are those of workload.kind.
var workloadKinds = append(collectiveKinds(),
	workloadKind{lower: lowerStorage, check: checkStorage, build: buildStorage}.
		of(keys.WorkloadStorage),
	workloadKind{lower: lowerCheckpoint}.of(keys.WorkloadCheckpoint),
	workloadKind{lower: lowerKVCache, check: checkKVCache}.of(keys.WorkloadKVCache))

// of fills in what the table of keys has of a kind.
func (w workloadKind) of(name string) workloadKind {
	i := slices.IndexFunc(keys.WorkloadKinds, func(k keys.WorkloadKind) bool { return k.Name == name })
	k := keys.WorkloadKinds[i]
	w.name, w.keys, w.needs, w.says = k.Name, k.Keys, k.Needs, k.Says
	return w
}

// workload is the kind of workload of a draft; nil: there is none.
func (d point) workload() *workloadKind {
	name := d.Get("workload.kind").Text
	for i := range workloadKinds {
		if workloadKinds[i].name == name {
			return &workloadKinds[i]
		}
	}
	return nil
}

// lowered is the draft with messages as its workload makes them, which the rules of messages hold
// for as for any. A draft without a workload is itself.
func (d point) lowered() point {
	kind := d.workload()
	if kind == nil {
		return d
	}
	for _, path := range kind.says {
		if d.Get(path).Wrote() {
			return d // see checkWorkload
		}
	}
	c := d.clone()
	kind.lower(d, c)
	return c
}

// says puts the value of a setting of messages that follows from some others; it has the name and
// the place of the first, and is broken where one of them has no value.
func (d point) says(path string, value func() int64, from ...*keys.Setting) {
	s := *from[0]
	if s.State = keys.Broken; keys.Usable(from...) {
		s.State, s.Value = from[0].State, keys.Whole(value())
	}
	d.Replace(path, &s)
}

// checkWorkload wants what a kind needs, and nothing that it says itself.
func checkWorkload(d point, f *format.Faults) {
	kind := d.workload()
	if kind == nil {
		return
	}
	for _, path := range kind.says {
		if s := d.Get(path); s.Wrote() {
			f.Blame("must not be given: workload.kind "+kind.name+" says it", nil, s)
		}
	}
	for _, key := range kind.needs {
		if s := d.Get(workloadPrefix + key); s.State == keys.Absent {
			f.Add(s.At, "missing; must be "+d.Key(s.Name).Allowed(), format.Error{Key: s.Name})
		}
	}
	if d.Ring() || d.Networked() {
		f.Blame("goes with one link, not with a collective or a network", nil, d.Get("workload.kind"))
	}
	if kind.check != nil {
		kind.check(d, f)
	}
}

// workloadUse is checked once: a key must be one of the kind.
func workloadUse(d *draft.Decoder, _ []axes.Axis) {
	kind := point{d.Draft}.workload()
	for _, k := range keys.Root.Keys {
		key, below := strings.CutPrefix(k.Path, workloadPrefix)
		if !below || key == "kind" {
			continue
		}
		s := d.Draft.Get(k.Path)
		switch {
		case !s.Wrote():
		case kind == nil && d.Draft.Get("workload.kind").State == keys.Absent:
			d.Faults.Blame("goes with workload.kind, which is missing", nil, s)
		case kind != nil && !slices.Contains(kind.keys, key):
			d.Faults.Blame("is not a key of workload.kind "+kind.name+", which has "+
				strings.Join(kind.keys, ", "), nil, s)
		}
	}
}
