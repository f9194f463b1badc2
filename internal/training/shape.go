package training

import (
	"errors"
	"fmt"

	"sdrsim/units"
)

// Architectures of transformers.
const (
	// Llama: RMSNorm, gated feed-forward, grouped key and value heads, no biases.
	Llama = "llama"
	// GPT: LayerNorm and biases, a feed-forward of two matrices, learned positions.
	GPT = "gpt"
)

// Shape is the shape of a dense transformer, from which its parameters follow.
type Shape struct {
	Architecture string
	// Hidden is the width of the model, FFN that of its feed-forward part.
	Hidden, FFN int64
	Layers      int64
	// Heads are those of attention, KVHeads those that keys and values have.
	Heads, KVHeads int64
	Vocabulary     int64
	// Positions are learned ones; 0: none.
	Positions int64
	// Tied models have one matrix for the embedding and the head.
	Tied bool
}

// Tensor is a parameter as a framework registers it: what a gradient is computed of as one.
type Tensor struct {
	Name       string
	Parameters int64
	// Matrix tells that it is multiplied with what passes the layer, which takes 2 flop a token and
	// parameter forward and twice as many backward.
	Matrix bool
	// Attention tells that its gradient comes right behind that of attention itself.
	Attention bool
}

// Validate reports the first number that no transformer has.
func (s *Shape) Validate() error {
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"hidden", s.Hidden}, {"ffn", s.FFN}, {"layers", s.Layers}, {"heads", s.Heads},
		{"kv_heads", s.KVHeads}, {"vocabulary", s.Vocabulary},
	} {
		if n.value < 1 || n.value > 1<<24 {
			return fmt.Errorf("%s %d must be from 1 to %d", n.name, n.value, 1<<24)
		}
	}
	switch {
	case s.Architecture != Llama && s.Architecture != GPT:
		return fmt.Errorf("architecture %q must be one of %s, %s", s.Architecture, Llama, GPT)
	case s.Positions < 0 || s.Positions > 1<<24:
		return fmt.Errorf("positions %d must be from 0 to %d", s.Positions, 1<<24)
	case s.Hidden%s.Heads != 0:
		return errors.New("hidden must be a multiple of heads")
	case s.Heads%s.KVHeads != 0:
		return errors.New("heads must be a multiple of kv_heads")
	case s.Architecture == GPT && (s.FFN != 4*s.Hidden || s.KVHeads != s.Heads):
		return errors.New("gpt has an ffn of 4 hidden, and as many kv_heads as heads")
	}
	if s.Layers > maxParameters/s.Layer() || s.Parameters() > maxParameters {
		return fmt.Errorf("more than %d parameters", int64(maxParameters))
	}
	return nil
}

// maxParameters bounds a model, so that products with bytes and tokens stay numbers.
const maxParameters = 1e14

// Tensors lists all parameters in the order of registration: the embedding first, the head last,
// unless it is the embedding.
func (s *Shape) Tensors() []Tensor {
	list := []Tensor{{Name: "embedding", Parameters: s.Embedding(), Matrix: true}}
	if s.Positions > 0 {
		list = append(list, Tensor{Name: "positions", Parameters: s.Positions * s.Hidden})
	}
	layer := s.layerTensors()
	for range s.Layers {
		list = append(list, layer...)
	}
	norm := s.Hidden
	if s.Architecture == GPT {
		norm *= 2 // weight and bias
	}
	list = append(list, Tensor{Name: "norm", Parameters: norm})
	if !s.Tied {
		list = append(list, Tensor{Name: "head", Parameters: s.Embedding(), Matrix: true})
	}
	return list
}

// layerTensors are those of one layer.
func (s *Shape) layerTensors() []Tensor {
	h := s.Hidden
	if s.Architecture == GPT {
		return []Tensor{
			{Name: "attention norm", Parameters: 2 * h},
			{Name: "qkv", Parameters: 3*h*h + 3*h, Matrix: true, Attention: true},
			{Name: "projection", Parameters: h*h + h, Matrix: true},
			{Name: "ffn norm", Parameters: 2 * h},
			{Name: "up", Parameters: 4*h*h + 4*h, Matrix: true},
			{Name: "down", Parameters: 4*h*h + h, Matrix: true},
		}
	}
	kv := h / s.Heads * s.KVHeads
	return []Tensor{
		{Name: "q", Parameters: h * h, Matrix: true},
		{Name: "k", Parameters: h * kv, Matrix: true},
		{Name: "v", Parameters: h * kv, Matrix: true, Attention: true},
		{Name: "o", Parameters: h * h, Matrix: true},
		{Name: "gate", Parameters: h * s.FFN, Matrix: true},
		{Name: "up", Parameters: h * s.FFN, Matrix: true},
		{Name: "down", Parameters: h * s.FFN, Matrix: true},
		{Name: "attention norm", Parameters: h},
		{Name: "ffn norm", Parameters: h},
	}
}

// Layer is how many parameters a layer has.
func (s *Shape) Layer() int64 { return total(s.layerTensors()) }

// Embedding is how many parameters the embedding has, and the head.
func (s *Shape) Embedding() int64 { return s.Vocabulary * s.Hidden }

// Parameters is how many the whole model has.
func (s *Shape) Parameters() int64 {
	ends := s.Embedding() + s.Positions*s.Hidden + s.Hidden
	if s.Architecture == GPT {
		ends += s.Hidden
	}
	if !s.Tied {
		ends += s.Embedding()
	}
	return ends + s.Layers*s.Layer()
}

// KVBytes is the size of the keys and values of a token in 16 bit, over all layers.
func (s *Shape) KVBytes() units.Bytes {
	return units.Bytes(2 * 2 * s.Layers * (s.Hidden / s.Heads) * s.KVHeads)
}

// CheckpointBytes is the size of a checkpoint: parameters in 16 bit, and in 32 bit a copy of them
// and the two moments of Adam.
func (s *Shape) CheckpointBytes() units.Bytes {
	return units.Bytes((2 + 4 + 4 + 4) * s.Parameters())
}

func total(list []Tensor) (sum int64) {
	for _, t := range list {
		sum += t.Parameters
	}
	return sum
}
