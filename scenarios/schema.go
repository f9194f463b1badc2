package scenarios

import (
	"bytes"
	"encoding/json"
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
		panic("BUG: scenarios: schema: " + err.Error())
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
		{"properties", tree{rootKeys, sections}.properties("")},
		{"additionalProperties", false},
		{"required", []string{"name", "schemes"}},
		{"allOf", presence()},
		{"$defs", definitions()},
	}
}

// tree is a table of keys with the sections that they form.
type tree struct {
	set      *keySet
	sections map[string][]string
}

// properties are those of a section; "" is the whole.
func (t tree) properties(path string) object {
	var properties object
	for _, name := range t.sections[path] {
		properties = properties.with(name, t.key(joinPath(path, name)))
	}
	return properties
}

// key is the schema of a key or of a section.
func (t tree) key(path string) object {
	if i, ok := t.set.index[path]; ok {
		value := valueSchema(&t.set.keys[i])
		if t.sections[path] == nil {
			return value
		}
		return object{{"anyOf", []object{value, closed(t.properties(path))}}}
	}
	if t.sections[path] == nil {
		return listSchema(path)
	}
	section := closed(t.properties(path))
	for _, short := range shortKeys { // a loss model may be one word
		if i, ok := t.set.index[path+short]; ok && path != workloadPath {
			model := &t.set.keys[i]
			word := object{{"type", "string"}, {"enum", model.Choices}}
			return object{{"anyOf", []object{word, section}}, {"description", model.Doc}}
		}
	}
	return section
}

// listSchema is the schema of a key that holds more than a word.
func listSchema(path string) object {
	s := object(nil)
	switch path {
	case "link.loss.drops", "loss.drops":
		s = listOf(dropSchema(dropKeys.keys))
	case "link.ack_loss.drops", "ack_loss.drops":
		s = listOf(dropSchema(dropKeys.keys[1:3]))
	case outagesPath, changesPath, pathsPath, flowsPath, trafficPath:
		s = listOf(eventSchema(path))
	case flowScheme:
		s = ref("scheme")
	case "schemes":
		s = listOf(ref("scheme")).with("minItems", 1)
	case "sweep":
		s = sweepSchema()
	case "figures":
		s = listOf(required(figureSchema(), "kind"))
	case "check":
		s = listOf(required(checkSchema(), "metric"))
	case hopsPath:
		s = listOf(required(tree{hopSet, hopSections}.properties(""), "hop").with("not", object{
			{"anyOf", []object{
				{{"required", []string{"distance", "rtt"}}},
				{{"required", []string{"distance", "delay"}}},
				{{"required", []string{"rtt", "delay"}}},
			}},
		}))
	default:
		panic("BUG: scenarios: no schema for " + path)
	}
	for i := range listKeys {
		if listKeys[i].Path == path {
			s = s.with("description", listKeys[i].Doc)
		}
	}
	return s
}

// presence wants the settings that every point has: in their section, or in the sweep.
func presence() []object {
	given := func(path string) object {
		section, name := splitPath(path)
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
		{{"anyOf", []object{length, holds("sweep", pointsKey)}}}, // each point may have its own
		{
			{"if", object{{"required", []string{"collective"}}}},
			{"then", object{{"allOf", []object{
				holds("collective", "kind"), given("collective.datacenters"),
			}}}},
		},
		{
			{"if", object{{"required", []string{networkPath}}}},
			{"then", holds(networkPath, "kind")},
		},
	}...)
}

// zips is satisfied by a file whose sweep has a path among those that move together.
func zips(path string) object {
	some := object{{"type", "array"}, {"contains", object{{"required", []string{path}}}}}
	return object{
		{"properties", object{{"sweep", object{{"type", "object"},
			{"properties", object{{zipKey, some}}}, {"required", []string{zipKey}}}}}},
		{"required", []string{"sweep"}},
	}
}

// points is satisfied by a file of which a named point has a path.
func points(path string) object {
	none := object{{"additionalProperties", object{{"not", object{{"required", []string{path}}}}}}}
	return object{
		{"properties", object{{"sweep", object{{"type", "object"},
			{"properties", object{{pointsKey, object{{"type", "object"}, {"not", none}}}}},
			{"required", []string{pointsKey}}}}}},
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
