package schema

import (
	"regexp"
	"slices"
	"strings"

	"sdrsim/internal/scenario/keys"
)

// eventPattern matches the paths of keys of entries, in a sweep.
func eventPattern(list string, keys ...keys.Key) string {
	var names []string
	for _, k := range keys {
		names = append(names, regexp.QuoteMeta(k.Path))
	}
	return "^" + regexp.QuoteMeta(list) + `\.[0-9]+\.(` + strings.Join(names, "|") + ")$"
}

// eventSchema is an entry of a list.
func eventSchema(list string) object {
	return closed(tree{keys.Lists[list], keys.ListSections[list]}.properties(""))
}

// dropSchema is an entry of a script of losses.
func dropSchema(list []keys.Key) object {
	var properties object
	for i := range list {
		s := valueSchema(&list[i])
		if list[i].Path == "transmission" {
			s = object{{"anyOf", []object{{{"const", keys.EveryTransmission}}, s}}}
		}
		properties = properties.with(list[i].Path, s)
	}
	return required(properties, "first")
}

// figureSchema is the properties of a figure.
func figureSchema() object {
	var properties object
	for i := range keys.FigureSet.Keys {
		k := &keys.FigureSet.Keys[i]
		s := object(nil)
		switch k.Path {
		case "where":
			s = matchSchema()
		case "schemes":
			s = listOf(textSchema())
		case "references":
			var lines object
			for i := range keys.ReferenceKeys.Keys {
				lines = lines.with(keys.ReferenceKeys.Keys[i].Path, valueSchema(&keys.ReferenceKeys.Keys[i]))
			}
			s = listOf(required(lines, "at"))
		default:
			properties = properties.with(k.Path, valueSchema(k))
			continue
		}
		properties = properties.with(k.Path, s.with("description", k.Doc))
	}
	return properties
}

// checkSchema is the properties of a rule of the check block.
func checkSchema() object {
	var properties object
	for i := range keys.CheckSet.Keys {
		k := &keys.CheckSet.Keys[i]
		if k.Path == "where" {
			properties = properties.with(k.Path, matchSchema().with("description", k.Doc))
			continue
		}
		properties = properties.with(k.Path, valueSchema(k))
	}
	return properties
}

// matchSchema is a mapping of swept paths to one value each.
func matchSchema() object {
	return object{
		{"type", "object"},
		{"propertyNames", pathNames(keys.PointAxis)},
		{"additionalProperties", textSchema()},
	}
}

// pathNames is satisfied by the paths that a sweep may have, and by other words.
func pathNames(others ...string) object {
	names := []object{
		{{"enum", append(plainPaths(), others...)}},
		{{"pattern", labelledPattern(everyParam()...)}},
	}
	for _, list := range keys.ListNames {
		names = append(names, object{{"pattern", eventPattern(list, keys.Lists[list].Keys...)}})
	}
	return object{{"anyOf", names}}
}

// groupSchemas are the keys of a sweep that are not paths.
func groupSchemas() object {
	axis := object{{"type", []string{"array", "object"}}}
	group := object{{"type", "object"}, {"minProperties", 2},
		{"propertyNames", pathNames()}, {"additionalProperties", axis}}
	point := object{{"type", "object"},
		{"propertyNames", pathNames()}, {"additionalProperties", textSchema()}}
	values := object{{"anyOf", []object{textSchema(), listOf(textSchema())}}}
	excluded := object{{"type", "object"}, {"minProperties", 1},
		{"propertyNames", pathNames(keys.PointAxis)}, {"additionalProperties", values}}
	return object{
		{keys.ZipKey, listOf(group).with("description", "groups of paths whose values move together")},
		{keys.PointsKey, object{{"type", "object"}, {"minProperties", 1},
			{"additionalProperties", point},
			{"description", "points by name, each with what it sets"}}},
		{keys.ExcludeKey, listOf(excluded).with("description", "combinations that are left out")},
	}
}

// plainPaths lists the paths that a sweep may have without knowing the labels of schemes.
func plainPaths() []string {
	var paths []string
	for _, k := range keys.Root.Keys {
		if !k.Fixed {
			paths = append(paths, k.Path)
		}
	}
	for _, k := range everyParam() {
		paths = append(paths, keys.EveryScheme+k.Path)
	}
	return paths
}

// labelledPattern matches a path such as schemes.LABEL.rto of some of the parameters.
func labelledPattern(params ...keys.Key) string {
	var names []string
	for _, k := range params {
		names = append(names, regexp.QuoteMeta(k.Path))
	}
	return `^schemes\..+\.(` + strings.Join(names, "|") + ")$"
}

// everyParam lists the parameters that some scheme has, each once.
func everyParam() []keys.Key {
	var list []keys.Key
	for _, name := range keys.EntryNames() {
		for _, k := range keys.SchemeKeys[name].Keys {
			same := func(have keys.Key) bool { return have.Path == k.Path }
			if !slices.ContainsFunc(list, same) {
				list = append(list, k)
			}
		}
	}
	return list
}

// sweepSchema is the mapping of paths to values.
func sweepSchema() object {
	var paths object
	for i := range keys.Root.Keys {
		if k := &keys.Root.Keys[i]; !k.Fixed {
			paths = paths.with(k.Path, axisSchema(k))
		}
	}
	var labelled object
	for _, k := range everyParam() {
		paths = paths.with(keys.EveryScheme+k.Path, ref(axisName(k)))
		labelled = labelled.with(labelledPattern(k), ref(axisName(k)))
	}
	for _, list := range keys.ListNames {
		for _, k := range keys.Lists[list].Keys {
			labelled = labelled.with(eventPattern(list, k), axisSchema(&k))
		}
	}
	return object{
		{"type", "object"},
		{"properties", append(paths, groupSchemas()...)},
		{"patternProperties", labelled},
		{"additionalProperties", false},
	}
}

// axisName is the definition of what a sweep has for a parameter of schemes.
func axisName(param keys.Key) string { return "sweep." + param.Path }

// axisSchema is a list of values, or a range where they are numbers.
func axisSchema(k *keys.Key) object {
	one := valueSchema(k)
	one = slices.DeleteFunc(one, func(m member) bool {
		return m.key == "description" || m.key == "default"
	})
	list := listOf(one).with("minItems", 1)
	if k.Wordy() {
		return list.with("description", k.Doc)
	}
	var properties object
	for _, end := range k.RangeKeys().Keys {
		s := valueSchema(&end)
		if end.Path == "from" || end.Path == "to" || end.Path == "step" {
			s = one
		}
		properties = properties.with(end.Path, s)
	}
	span := required(properties, "from", "to").with("oneOf", []object{
		{{"required", []string{"points"}}},
		{{"required", []string{"step"}}},
		{{"required", []string{"factor"}}},
	})
	return object{{"anyOf", []object{list, span}}, {"description", k.Doc}}
}

// definitions are the schemes, and the values of their parameters in a sweep.
func definitions() object {
	names := keys.EntryNames()
	choices := []object{
		{{"type", "string"}, {"enum", names}, {"description", "a scheme with its defaults"}},
	}
	defs := object{}
	for _, name := range names {
		choices = append(choices, ref(name))
	}
	defs = defs.with("scheme", object{{"anyOf", choices}})
	for _, name := range names {
		defs = defs.with(name, schemeSchema(name))
	}
	for _, k := range everyParam() {
		defs = defs.with(axisName(k), axisSchema(&k))
	}
	return defs
}

// schemeSchema is a scheme as a mapping: its name, a label and its parameters, which may be nested
// at their dots.
func schemeSchema(name string) object {
	params := keys.SchemeKeys[name].Keys
	properties := object{
		{"name", object{{"const", name}}},
		{"label", textSchema().with("description", "what results call it; default: the name, "+
			"with the parameters that tell it from others of the name")},
	}
	groups := map[string]object{}
	var order []string
	for i := range params {
		properties = properties.with(params[i].Path, valueSchema(&params[i]))
		group, below := keys.SplitPath(params[i].Path)
		if group == "" {
			continue
		}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = groups[group].with(below, valueSchema(&params[i]))
	}
	for _, group := range order {
		properties = properties.with(group, closed(groups[group]))
	}
	return required(properties, "name").with("description", entryDoc(name))
}
