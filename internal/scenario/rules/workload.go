package rules

import (
	"slices"
	"strings"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
)

// workload is what a kind of workload makes of a draft.
type workload struct {
	*keys.WorkloadKind
	// lower puts into a draft what the workload says of messages.
	lower func(d, into point)
	check func(d point, f *format.Faults) // may be nil
	build func(d point, p *spec.Point)    // may be nil
}

// workloads are those of keys.WorkloadKinds.
var workloads = map[string]workload{
	keys.WorkloadTraining:   {lower: lowerTraining, check: checkTraining, build: buildTraining},
	keys.WorkloadStorage:    {lower: lowerStorage, check: checkStorage, build: buildStorage},
	keys.WorkloadCheckpoint: {lower: lowerCheckpoint},
	keys.WorkloadKVCache:    {lower: lowerKVCache, check: checkKVCache},
}

// workload is the kind of workload of a draft; nil: there is none.
func (d point) workload() *workload {
	name := d.Get("workload.kind").Text
	for i := range keys.WorkloadKinds {
		if kind := &keys.WorkloadKinds[i]; kind.Name == name {
			w := workloads[name]
			w.WorkloadKind = kind
			return &w
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
	for _, path := range kind.Says {
		if d.Get(path).Wrote() {
			return d // see checkWorkload
		}
	}
	c := d.clone()
	kind.lower(d, c)
	return c
}

// says puts the value of a setting of messages that follows from some others; it has the name and
// the place of the first, and is keys.Broken where one of them has no value.
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
	for _, path := range kind.Says {
		if s := d.Get(path); s.Wrote() {
			f.Blame("must not be given: workload.kind "+kind.Name+" says it", nil, s)
		}
	}
	for _, key := range kind.Needs {
		if s := d.Get(keys.WorkloadPath + "." + key); s.State == keys.Absent {
			f.Add(s.At, "missing; must be "+d.Key(s.Name).Allowed(),
				format.Error{Key: s.Name})
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
func workloadUse(d *draft.Decoder) {
	kind := (point{d.Draft}).workload()
	for i := range keys.WorkloadKeys {
		key := strings.TrimPrefix(keys.WorkloadKeys[i].Path, keys.WorkloadPath+".")
		s := d.Draft.Get(keys.WorkloadKeys[i].Path)
		switch {
		case key == "kind" || !s.Wrote():
		case kind == nil && d.Draft.Get("workload.kind").State == keys.Absent:
			d.Faults.Blame("goes with workload.kind, which is missing", nil, s)
		case kind != nil && !slices.Contains(kind.Keys, key):
			d.Faults.Blame("is not a key of workload.kind "+kind.Name+", which has "+
				strings.Join(kind.Keys, ", "), nil, s)
		}
	}
}
