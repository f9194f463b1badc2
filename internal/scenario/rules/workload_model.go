package rules

import (
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/internal/training"
	"sdrsim/units"
)

// shape is the model of a draft; nil: its file could not be read.
func (d point) shape() *training.Shape {
	shape, _ := d.FileOf("workload.model").(*training.Shape)
	return shape
}

// lowerCheckpoint says how large messages are: a checkpoint by its shards.
func lowerCheckpoint(d, into point) {
	model, shards := d.Get("workload.model"), d.Get("workload.shards")
	into.says("message.size", func() int64 {
		return units.CeilDiv(int64(d.shape().CheckpointBytes()), shards.Whole)
	}, model, shards)
}

// lowerKVCache says how large messages are: the keys and values of so many tokens.
func lowerKVCache(d, into point) {
	model, tokens := d.Get("workload.model"), d.Get("workload.tokens")
	sigma, most := d.Get("workload.sigma"), d.Get("workload.tokens_max")
	of := func(tokens int64) func() int64 {
		return func() int64 { return tokens * int64(d.shape().KVBytes()) }
	}
	if !sigma.Has() || sigma.Number == 0 {
		into.says("message.size", of(tokens.Whole), tokens, model)
		return
	}
	into.says("message.size.median", of(tokens.Whole), tokens, model)
	into.says("message.size.min", of(1), tokens, model)
	into.says("message.size.max", of(most.Whole), most, model)
	sizes := *sigma
	into.Replace("message.size.sigma", &sizes)
	lognormal := *sigma
	lognormal.Value = keys.Word(spec.SizeLognormal)
	into.Replace("message.size.model", &lognormal)
}

func checkKVCache(d point, f *format.Faults) {
	tokens, most := d.Get("workload.tokens"), d.Get("workload.tokens_max")
	if keys.Usable(tokens, most) && tokens.Whole > most.Whole {
		f.Blame("workload.tokens %d must not be above workload.tokens_max %d",
			[]any{tokens.Whole, most.Whole}, tokens, most)
	}
}
