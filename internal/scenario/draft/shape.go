package draft

import (
	"fmt"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/training"
	"sdrsim/schemes"
)

// shapeKeys are those of a file of the shape of a model.
var shapeKeys = keys.NewTable([]keys.Key{
	{Path: "architecture", Kind: schemes.KindChoice, Choices: []string{training.Llama, training.GPT}},
	{Path: "hidden", Kind: schemes.KindCount, Min: 1, Max: 1 << 24},
	{Path: "ffn", Kind: schemes.KindCount, Min: 1, Max: 1 << 24},
	{Path: "layers", Kind: schemes.KindCount, Min: 1, Max: 1 << 24},
	{Path: "heads", Kind: schemes.KindCount, Min: 1, Max: 1 << 24},
	{Path: "kv_heads", Kind: schemes.KindCount, Min: 1, Max: 1 << 24},
	{Path: "vocabulary", Kind: schemes.KindCount, Min: 1, Max: 1 << 24},
	{Path: "positions", Kind: schemes.KindCount, Default: "0", Max: 1 << 24},
	{Path: "tied", Kind: schemes.KindChoice, Default: "false", Choices: []string{"false", "true"}},
})

// parseShape reads the file of a model: a mapping of shapeKeys.
func parseShape(text string) (any, error) {
	f := format.NewFaults("", nil)
	root := format.Parse([]byte(text), f)
	if root == nil {
		return nil, shapeFault(f)
	}
	b := keys.NewBlock(shapeKeys, "", format.Place(root))
	var known []string
	for i := range shapeKeys.Keys {
		known = append(known, shapeKeys.Keys[i].Path)
	}
	d := Decoder{Faults: f}
	for _, e := range format.Entries(root, "", f) {
		if s := b.Lookup(e.Key); s != nil {
			d.Scalar(s, shapeKeys.Key(e.Key), e.Val)
		} else {
			format.AddUnknown(f, e, "", known)
		}
	}
	unknown := f.Count() > 0 // may stand for what is missing
	for _, s := range b.Settings {
		if s.State == keys.Absent && !unknown {
			f.Add(s.At, "missing", format.Error{Key: s.Name})
		}
	}
	if f.Count() > 0 {
		return nil, shapeFault(f)
	}
	shape := &training.Shape{
		Architecture: b.Get("architecture").Text, Hidden: b.Get("hidden").Whole,
		FFN: b.Get("ffn").Whole, Layers: b.Get("layers").Whole, Heads: b.Get("heads").Whole,
		KVHeads: b.Get("kv_heads").Whole, Vocabulary: b.Get("vocabulary").Whole,
		Positions: b.Get("positions").Whole, Tied: b.Get("tied").Text == "true",
	}
	return shape, shape.Validate()
}

// shapeFault is the first fault of a file, with its line.
func shapeFault(f *format.Faults) error {
	first := f.Result().(format.Errors)[0]
	text := first.Message
	if first.Value != "" {
		text = fmt.Sprintf("%q: %s", first.Value, text)
	}
	if first.Key != "" {
		text = first.Key + ": " + text
	}
	return fmt.Errorf("line %d: %s", first.Line, text)
}
