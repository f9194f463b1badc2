package scenarios

import (
	"bytes"
	"encoding/json"
	"slices"
)

// member is a key of an object of JSON with its value.
type member struct {
	key   string
	value any
}

// object is an object of JSON whose keys keep their order.
type object []member

// with returns the object with a member more.
func (o object) with(key string, value any) object {
	return append(slices.Clip(o), member{key, value})
}

// schemaColumns is the width to which JSON is written.
const schemaColumns = 100

// writeJSON writes a value on one line where it fits, and a member or an element a line otherwise.
func writeJSON(out *bytes.Buffer, v any, indent string) {
	start := out.Len()
	writeInside(out, v, "", "")
	if column := len(indent); out.Len()-start+column <= schemaColumns {
		return
	}
	out.Truncate(start)
	writeInside(out, v, "\n"+indent+"  ", "\n"+indent)
}

// writeInside writes a value whose members and elements begin after open and whose end comes after
// shut; an open of "" means one line.
func writeInside(out *bytes.Buffer, v any, open, shut string) {
	switch v := v.(type) {
	case object:
		out.WriteByte('{')
		for i, m := range v {
			separate(out, i, open)
			writeWord(out, m.key)
			out.WriteString(": ")
			writeBelow(out, m.value, open)
		}
		finish(out, open, shut, '}')
	case []object:
		out.WriteByte('[')
		for i, item := range v {
			separate(out, i, open)
			writeBelow(out, item, open)
		}
		finish(out, open, shut, ']')
	case []string:
		out.WriteByte('[')
		for i, item := range v {
			separate(out, i, open)
			writeWord(out, item)
		}
		finish(out, open, shut, ']')
	default:
		writeWord(out, v)
	}
}

// writeBelow writes a value one level down.
func writeBelow(out *bytes.Buffer, v any, open string) {
	if open == "" {
		writeInside(out, v, "", "")
		return
	}
	writeJSON(out, v, open[1:])
}

// separate writes what stands before element i.
func separate(out *bytes.Buffer, i int, open string) {
	if i > 0 {
		out.WriteByte(',')
		if open == "" {
			out.WriteByte(' ')
		}
	}
	out.WriteString(open)
}

// finish closes an object or an array.
func finish(out *bytes.Buffer, open, shut string, bracket byte) {
	if open != "" {
		out.WriteString(shut)
	}
	out.WriteByte(bracket)
}

// writeWord writes a string, a number or a truth value.
func writeWord(out *bytes.Buffer, v any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("BUG: scenarios: schema: " + err.Error())
	}
	out.Truncate(out.Len() - 1) // the line break of the encoder
}
