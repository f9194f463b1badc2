package scenarios

import (
	"fmt"

	"sdrsim/internal/spec"
	"sdrsim/internal/training"
	"sdrsim/schemes"
	"sdrsim/units"
)

const (
	workloadCheckpoint = "checkpoint"
	workloadKVCache    = "kv-cache"
)

// ModelsFolder is the name of a folder of shapes of models; what is in it is no scenario.
const ModelsFolder = "models"

// shapeKeys are those of a file of the shape of a model.
var shapeKeys = newKeySet([]Key{
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
	f := newFaults("", nil)
	root := parseTree([]byte(text), f)
	if root == nil {
		return nil, shapeFault(f)
	}
	b := newBlock(shapeKeys, "", place(root))
	var known []string
	for i := range shapeKeys.keys {
		known = append(known, shapeKeys.keys[i].Path)
	}
	d := decoder{f: f}
	for _, e := range entries(root, "", f) {
		if s := b.lookup(e.key); s != nil {
			d.scalar(s, &shapeKeys.keys[shapeKeys.index[e.key]], e.val)
		} else {
			addUnknown(f, e, "", known)
		}
	}
	unknown := len(f.list) > 0 // may stand for what is missing
	for _, s := range b.settings {
		if s.state == absent && !unknown {
			f.add(s.at, "missing", Error{Key: s.name})
		}
	}
	if len(f.list) > 0 {
		return nil, shapeFault(f)
	}
	shape := &training.Shape{
		Architecture: b.get("architecture").text, Hidden: b.get("hidden").whole,
		FFN: b.get("ffn").whole, Layers: b.get("layers").whole, Heads: b.get("heads").whole,
		KVHeads: b.get("kv_heads").whole, Vocabulary: b.get("vocabulary").whole,
		Positions: b.get("positions").whole, Tied: b.get("tied").text == "true",
	}
	return shape, shape.Validate()
}

// shapeFault is the first fault of a file, with its line.
func shapeFault(f *faults) error {
	first := f.result().(Errors)[0]
	text := first.Message
	if first.Value != "" {
		text = fmt.Sprintf("%q: %s", first.Value, text)
	}
	if first.Key != "" {
		text = first.Key + ": " + text
	}
	return fmt.Errorf("line %d: %s", first.Line, text)
}

var workloadModelKeys = []Key{
	{Path: "workload.model", Kind: KindFile,
		Doc: "training-step, checkpoint, kv-cache: file of the shape of a transformer, " +
			"such as models/transformer-7b.yaml"},
	{Path: "workload.shards", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1 << 20,
		Doc: "checkpoint: messages that a checkpoint is divided into, of 14 bytes a parameter together"},
	{Path: "workload.tokens", Kind: schemes.KindCount, Min: 1, Max: 1 << 40,
		Doc: "training-step: tokens of a step, of all GPUs; kv-cache: tokens of which a message has the " +
			"keys and values, the median where they differ"},
	{Path: "workload.sigma", Kind: schemes.KindNumber, Default: "0", Max: 10,
		Doc: "kv-cache: standard deviation of the logarithm of the tokens; 0: all messages are alike"},
	{Path: "workload.tokens_max", Kind: schemes.KindCount, Default: "131072", Min: 1, Max: 1 << 30,
		Doc: "kv-cache: no message has more tokens"},
}

// shape is the model of a draft; nil: its file could not be read.
func (d *draft) shape() *training.Shape {
	shape, _ := d.fileOf("workload.model").(*training.Shape)
	return shape
}

var checkpointKind = workloadKind{
	name: workloadCheckpoint, keys: []string{"model", "shards"}, needs: []string{"model"},
	says: []string{"message.size", "message.size.model"},
	lower: func(d, into *draft) {
		model, shards := d.get("workload.model"), d.get("workload.shards")
		into.says("message.size", func() int64 {
			return units.CeilDiv(int64(d.shape().CheckpointBytes()), shards.whole)
		}, model, shards)
	},
}

var kvCacheKind = workloadKind{
	name: workloadKVCache, keys: []string{"model", "tokens", "sigma", "tokens_max"},
	needs: []string{"model", "tokens"},
	says:  []string{"message.size", "message.size.model"},
	lower: lowerKVCache, check: checkKVCache,
}

// lowerKVCache says how large messages are: the keys and values of so many tokens.
func lowerKVCache(d, into *draft) {
	model, tokens := d.get("workload.model"), d.get("workload.tokens")
	sigma, most := d.get("workload.sigma"), d.get("workload.tokens_max")
	of := func(tokens int64) func() int64 {
		return func() int64 { return tokens * int64(d.shape().KVBytes()) }
	}
	if !sigma.has() || sigma.number == 0 {
		into.says("message.size", of(tokens.whole), tokens, model)
		return
	}
	into.says("message.size.median", of(tokens.whole), tokens, model)
	into.says("message.size.min", of(1), tokens, model)
	into.says("message.size.max", of(most.whole), most, model)
	sizes := *sigma
	into.settings[into.set.index["message.size.sigma"]] = &sizes
	lognormal := *sigma
	lognormal.value = word(spec.SizeLognormal)
	into.settings[into.set.index["message.size.model"]] = &lognormal
}

func checkKVCache(d *draft, f *faults) {
	tokens, most := d.get("workload.tokens"), d.get("workload.tokens_max")
	if usable(tokens, most) && tokens.whole > most.whole {
		f.blame("workload.tokens %d must not be above workload.tokens_max %d",
			[]any{tokens.whole, most.whole}, tokens, most)
	}
}
