package schema

import (
	"encoding/json"
	"strconv"
	"strings"

	"sdrsim/internal/scenario/keys"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
)

// Patterns of words that YAML does not read as a number. A number is what a person writes, or more:
// Load judges it.
const (
	numberPattern = `[0-9.eE+-]+`
	bytesPattern  = `([KMGT]iB|[kKMGT]?B)`
	ratePattern   = `([kKMGT]?bps|[kMGT]?bit/s)`
	timePattern   = `([pnumµμ]?s|min|h)`
	placePattern  = `k?m`
)

// spaced allows space around a pattern, as Load does.
func spaced(pattern string) string { return `^\s*` + pattern + `\s*$` }

// quantityPattern is a number with a unit.
func quantityPattern(unit string) string { return spaced(numberPattern + `\s*` + unit) }

// wordSchema is a word that matches a pattern.
func wordSchema(pattern string) object {
	return object{{"type", "string"}, {"pattern", pattern}}
}

// textSchema is any word: YAML reads some of them as numbers or as truth values.
func textSchema() object {
	return object{{"type", []string{"string", "number", "boolean"}}}
}

// numberSchema is a number of the key's range, or the same in quotes.
func numberSchema(k *keys.Key, kind, pattern string) object {
	s := object{{"type", []string{kind, "string"}}, {"pattern", pattern}}
	if k.Min > keys.Unbounded {
		s = s.with("minimum", plainNumber(k.Min))
	}
	if k.Max != 0 {
		s = s.with("maximum", plainNumber(k.Max))
	}
	return s
}

// plainNumber is a number as JSON has it, without a needless exponent.
func plainNumber(v float64) json.Number {
	if v == 0 || v >= 1e-6 && v < 1e18 {
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64))
	}
	return json.Number(keys.FormatNumber(v))
}

// valueSchema is the schema of a key that holds a word, with what editors show beside it.
func valueSchema(k *keys.Key) object {
	s := kindSchema(k)
	if doc := describe(k); doc != "" {
		s = s.with("description", doc)
	}
	if k.Default != "" {
		s = s.with("default", defaultOf(k))
	}
	return s
}

// describe says what a key means and what it takes.
func describe(k *keys.Key) string {
	if k.Kind == keys.KindText || k.Kind == schemes.KindChoice || k.Kind == keys.KindMapping {
		return k.Doc
	}
	return strings.TrimSpace(k.Doc + " (" + k.Allowed() + ")")
}

// defaultOf is the default as YAML would read it.
func defaultOf(k *keys.Key) any {
	if k.Default == "true" || k.Default == "false" {
		return k.Default == "true"
	}
	if json.Valid([]byte(k.Default)) { // a number; words have no quotes
		return json.Number(k.Default)
	}
	return k.Default
}

// kindSchema is the schema of the values of a kind.
func kindSchema(k *keys.Key) object {
	switch k.Kind {
	case schemes.KindChoice:
		if k.Choices[0] == "true" {
			return object{{"type", "boolean"}}
		}
		return object{{"type", "string"}, {"enum", k.Choices}}
	case schemes.KindBytes:
		return wordSchema(quantityPattern(bytesPattern))
	case schemes.KindRate:
		return wordSchema(quantityPattern(ratePattern))
	case keys.KindDuration:
		return wordSchema(quantityPattern(timePattern))
	case schemes.KindSpan:
		return wordSchema(quantityPattern("(" + timePattern + "|RTT)"))
	case keys.KindStay:
		return numberSchema(k, "number", spaced(numberPattern+`\s*`+timePattern+"?"))
	case keys.KindDistance:
		return wordSchema(quantityPattern(placePattern))
	case keys.KindSplit:
		return wordSchema(spaced(`[0-9]+\s*\+\s*[0-9]+\s*\+\s*[0-9]+`))
	case schemes.KindCount:
		return numberSchema(k, "integer", spaced(numberPattern))
	case schemes.KindNumber:
		return numberSchema(k, "number", spaced(numberPattern))
	case keys.KindProbability, keys.KindShare:
		return numberSchema(k, "number", spaced(numberPattern+`\s*%?`))
	case keys.KindRuns:
		whole := numberSchema(k, "integer", spaced(numberPattern))
		return object{{"anyOf", []object{{{"const", keys.RunsUnlimited}}, whole}}}
	case keys.KindSeed:
		return object{{"type", []string{"integer", "string"}}, {"pattern", spaced(`[0-9]+`)},
			{"minimum", 0}, {"maximum", json.Number("18446744073709551615")}}
	case keys.KindName:
		return textSchema().with("pattern", spaced(`[A-Za-z0-9_][A-Za-z0-9_.-]*`))
	case keys.KindHosts:
		return wordSchema(spaced(`(west|east)(\[[0-9]+(-[0-9]+)?\])?`))
	case keys.KindText, keys.KindFile:
		return textSchema()
	}
	panic("BUG: schema: no schema for kind " + string(k.Kind))
}

// entryDoc is what the catalog says of a scheme.
func entryDoc(name string) string {
	e, _ := catalog.Lookup(name)
	return e.Doc
}
