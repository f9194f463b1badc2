package schema

import (
	"bytes"
	"encoding/json"

	"sdrsim/internal/scenario/keys"
)

// Schema returns the JSON Schema (draft 2020-12) of a scenario file, indented, for editors. It is
// made from the table of keys that Load reads by.
//
// The schema refuses what is wrong in the structure of a file: unknown and missing keys, a list in
// place of a word, an unknown scheme, a quantity without its unit. What binds values together is
// for Load to judge; every file that loads satisfies the schema.
func Schema() []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(rootSchema()); err != nil {
		panic("BUG: schema: schema: " + err.Error())
	}
	return out.Bytes()
}

// closed is an object schema that allows the given properties and no other.
func closed(properties object) object {
	return object{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
}

// required is closed with properties that have to be there.
func required(properties object, names ...string) object {
	return closed(properties).with("required", names)
}

// listOf is a schema of a list whose items satisfy another.
func listOf(items object) object { return object{{"type", "array"}, {"items", items}} }

// ref refers to a definition of the schema.
func ref(name string) object { return object{{"$ref", "#/$defs/" + name}} }

// rootSchema is the schema of a whole file.
func rootSchema() object {
	return object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "sdrsim scenario"},
		{"description", "What sdrsim simulates: a link, a message, reliability schemes, " +
			"and a sweep over any of their settings."},
		{"type", "object"},
		{"properties", tree{keys.Root, keys.Sections}.properties("")},
		{"additionalProperties", false},
		{"required", []string{"name", "schemes"}},
		{"allOf", presence()},
		{"$defs", definitions()},
	}
}

// tree is a table of keys with the sections that they form.
type tree struct {
	set      *keys.Table
	sections map[string][]string
}

// properties are those of a section; "" is the whole.
func (t tree) properties(path string) object {
	var properties object
	for _, name := range t.sections[path] {
		properties = properties.with(name, t.key(keys.JoinPath(path, name)))
	}
	return properties
}

// key is the schema of a key or of a section.
func (t tree) key(path string) object {
	if i, ok := t.set.Find(path); ok {
		value := valueSchema(&t.set.Keys[i])
		if t.sections[path] == nil {
			return value
		}
		return object{{"anyOf", []object{value, closed(t.properties(path))}}}
	}
	if t.sections[path] == nil {
		return listSchema(path)
	}
	section := closed(t.properties(path))
	for _, short := range keys.ShortKeys { // a loss model may be one word
		if i, ok := t.set.Find(path + short); ok && path != keys.WorkloadPath {
			model := &t.set.Keys[i]
			words := []object{{{"type", "string"}, {"enum", model.Choices}}}
			if _, ok := t.set.Find(path + ".p"); ok { // or a probability
				words = append(words, numberSchema(&keys.Key{Kind: keys.KindProbability, Max: 1},
					"number", spaced(numberPattern+`\s*%?`)))
			}
			return object{{"anyOf", append(words, section)}, {"description", model.Doc}}
		}
	}
	return section
}

// listSchema is the schema of a key that holds more than a word.
func listSchema(path string) object {
	s := object(nil)
	switch path {
	case "link.loss.drops", "loss.drops":
		s = listOf(dropSchema(keys.DropKeys.Keys))
	case "link.ack_loss.drops", "ack_loss.drops":
		s = listOf(dropSchema(keys.DropKeys.Keys[1:3]))
	case keys.OutagesPath, keys.ChangesPath, keys.PathsPath, keys.FlowsPath, keys.TrafficPath:
		s = listOf(eventSchema(path))
	case keys.FlowScheme:
		s = ref("scheme")
	case "schemes":
		s = listOf(ref("scheme")).with("minItems", 1)
	case "sweep":
		s = sweepSchema()
	case "figures":
		s = listOf(required(figureSchema(), "kind"))
	case "check":
		s = listOf(required(checkSchema(), "metric"))
	case keys.HopsPath:
		s = listOf(required(tree{keys.HopSet, keys.HopSections}.properties(""), "hop").with("not", object{
			{"anyOf", []object{
				{{"required", []string{"distance", "rtt"}}},
				{{"required", []string{"distance", "delay"}}},
				{{"required", []string{"rtt", "delay"}}},
			}},
		}))
	default:
		panic("BUG: schema: no schema for " + path)
	}
	for i := range keys.Structured {
		if keys.Structured[i].Path == path {
			s = s.with("description", keys.Structured[i].Doc)
		}
	}
	return s
}

// presence wants the settings that every point has: in their section, or in the sweep.
func presence() []object {
	given := func(path string) object {
		section, name := keys.SplitPath(path)
		return object{{"anyOf", []object{
			holds(section, name), holds("sweep", path), zips(path), points(path),
		}}}
	}
	length := object{{"oneOf", []object{
		given("link.distance"), given("link.rtt"), given("link.delay"),
	}}}
	return append(workloadPresence(given), []object{
		given("link.bandwidth"),
		{{"anyOf", []object{given("message.size"), given("message.size.model"),
			holds("workload", "kind")}}},
		{{"anyOf", []object{length, holds("sweep", keys.PointsKey)}}}, // each point may have its own
		{
			{"if", object{{"required", []string{"collective"}}}},
			{"then", object{{"allOf", []object{
				holds("collective", "kind"), given("collective.datacenters"),
			}}}},
		},
		{
			{"if", object{{"required", []string{keys.NetworkPath}}}},
			{"then", holds(keys.NetworkPath, "kind")},
		},
	}...)
}

// zips is satisfied by a file whose sweep has a path among those that move together.
func zips(path string) object {
	some := object{{"type", "array"}, {"contains", object{{"required", []string{path}}}}}
	return object{
		{"properties", object{{"sweep", object{{"type", "object"},
			{"properties", object{{keys.ZipKey, some}}}, {"required", []string{keys.ZipKey}}}}}},
		{"required", []string{"sweep"}},
	}
}

// points is satisfied by a file of which a named point has a path.
func points(path string) object {
	none := object{{"additionalProperties", object{{"not", object{{"required", []string{path}}}}}}}
	return object{
		{"properties", object{{"sweep", object{{"type", "object"},
			{"properties", object{{keys.PointsKey, object{{"type", "object"}, {"not", none}}}}},
			{"required", []string{keys.PointsKey}}}}}},
		{"required", []string{"sweep"}},
	}
}

// holds is satisfied by a file whose section has a key.
func holds(section, name string) object {
	inner := object{{"type", "object"}, {"required", []string{name}}}
	return object{
		{"properties", object{{section, inner}}}, {"required", []string{section}},
	}
}

// workloadPresence wants what each kind of workload needs; given is satisfied by a file that has a
// path.
func workloadPresence(given func(path string) object) (list []object) {
	for _, kind := range keys.WorkloadKinds {
		named := object{{"properties", object{{"kind", object{{"const", kind.Name}}}}},
			{"required", []string{"kind"}}}
		var wants []object
		for _, key := range kind.Needs {
			wants = append(wants, given(keys.WorkloadPath+"."+key))
		}
		list = append(list, object{
			{"if", object{{"properties", object{{keys.WorkloadPath, named}}},
				{"required", []string{keys.WorkloadPath}}}},
			{"then", object{{"allOf", wants}}},
		})
	}
	return list
}
