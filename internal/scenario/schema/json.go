package schema

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

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for i, m := range o {
		out.WriteByte("{,"[min(i, 1)])
		if err := encoder.Encode(m.key); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := encoder.Encode(m.value); err != nil {
			return nil, err
		}
	}
	if len(o) == 0 {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
