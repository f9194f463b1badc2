package scenarios

import (
	"slices"
	"strings"

	"sdrsim/internal/spec"
	"sdrsim/schemes"
)

const (
	workloadPath   = "workload"
	workloadPrefix = workloadPath + "."
)

// workloadKind is what a kind of workload takes, and what it makes of it.
type workloadKind struct {
	name, doc string
	// keys are those below workload that it has, needs those that it cannot be without.
	keys, needs []string
	// says are the keys of message that it says, in place of the file.
	says []string
	// lower puts into a draft what the workload says of messages.
	lower func(d, into *draft)
	check func(d *draft, f *faults)     // may be nil
	build func(d *draft, p *spec.Point) // may be nil
}

// workloadKinds are those of workload.kind.
var workloadKinds = []workloadKind{trainingKind, storageKind, checkpointKind, kvCacheKind}

var workloadKeys = slices.Concat([]Key{
	{Path: "workload.kind", Kind: schemes.KindChoice, Choices: workloadNames(), Fixed: true,
		Doc: "what an application does, in place of messages of message.size"},
}, workloadModelKeys, trainingKeys, storageKeys)

// workloadNames are the choices of workload.kind; their kinds are not initialised yet.
func workloadNames() []string {
	return []string{workloadTraining, workloadStorage, workloadCheckpoint, workloadKVCache}
}

// workload is the kind of workload of a draft; nil: there is none.
func (d *draft) workload() *workloadKind {
	name := d.get("workload.kind").text
	for i := range workloadKinds {
		if workloadKinds[i].name == name {
			return &workloadKinds[i]
		}
	}
	return nil
}

// lowered is the draft with messages as its workload makes them, which the rules of messages hold
// for as for any. A draft without a workload is itself.
func (d *draft) lowered() *draft {
	kind := d.workload()
	if kind == nil {
		return d
	}
	for _, path := range kind.says {
		if d.get(path).wrote() {
			return d // see checkWorkload
		}
	}
	c := d.clone()
	kind.lower(d, c)
	return c
}

// says puts the value of a setting of messages that follows from some others; it has the name and
// the place of the first, and is broken where one of them has no value.
func (d *draft) says(path string, value func() int64, from ...*setting) {
	s := *from[0]
	if s.state = broken; usable(from...) {
		s.state, s.value = from[0].state, whole(value())
	}
	d.settings[d.set.index[path]] = &s
}

// checkWorkload wants what a kind needs, and nothing that it says itself.
func checkWorkload(d *draft, f *faults) {
	kind := d.workload()
	if kind == nil {
		return
	}
	for _, path := range kind.says {
		if s := d.get(path); s.wrote() {
			f.blame("must not be given: workload.kind "+kind.name+" says it", nil, s)
		}
	}
	for _, key := range kind.needs {
		if s := d.get(workloadPrefix + key); s.state == absent {
			f.add(s.at, "missing; must be "+d.set.keys[d.set.index[s.name]].Allowed(),
				Error{Key: s.name})
		}
	}
	if d.ring() || d.networked() {
		f.blame("goes with one link, not with a collective or a network", nil, d.get("workload.kind"))
	}
	if kind.check != nil {
		kind.check(d, f)
	}
}

// workloadUse is checked once: a key must be one of the kind.
func (d *decoder) workloadUse() {
	kind := d.draft.workload()
	for i := range workloadKeys {
		key := strings.TrimPrefix(workloadKeys[i].Path, workloadPrefix)
		s := d.draft.get(workloadKeys[i].Path)
		switch {
		case key == "kind" || !s.wrote():
		case kind == nil && d.draft.get("workload.kind").state == absent:
			d.f.blame("goes with workload.kind, which is missing", nil, s)
		case kind != nil && !slices.Contains(kind.keys, key):
			d.f.blame("is not a key of workload.kind "+kind.name+", which has "+
				strings.Join(kind.keys, ", "), nil, s)
		}
	}
}

// workloadPresence wants what each kind needs; given is satisfied by a file that has a path.
func workloadPresence(given func(path string) object) (list []object) {
	for _, kind := range workloadKinds {
		named := object{{"properties", object{{"kind", object{{"const", kind.name}}}}},
			{"required", []string{"kind"}}}
		var wants []object
		for _, key := range kind.needs {
			wants = append(wants, given(workloadPrefix+key))
		}
		list = append(list, object{
			{"if", object{{"properties", object{{workloadPath, named}}},
				{"required", []string{workloadPath}}}},
			{"then", object{{"allOf", wants}}},
		})
	}
	return list
}
