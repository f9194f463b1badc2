package training

import (
	"math"
	"testing"

	"sdrsim/units"
)

// shapes are those of public models, with the numbers that follow from them.
var shapes = []struct {
	name                               string
	shape                              Shape
	layer, embedding, parameters, keys int64
}{
	{"Llama-2 7B", Shape{Llama, 4096, 11008, 32, 32, 32, 32000, 0, false},
		202383360, 131072000, 6738415616, 524288},
	{"Llama-2 13B", Shape{Llama, 5120, 13824, 40, 40, 40, 32000, 0, false},
		317204480, 163840000, 13015864320, 819200},
	{"Llama-3 8B", Shape{Llama, 4096, 14336, 32, 32, 8, 128256, 0, false},
		218112000, 525336576, 8030261248, 131072},
	{"Llama-3 70B", Shape{Llama, 8192, 28672, 80, 64, 8, 128256, 0, false},
		855654400, 1050673152, 70553706496, 327680},
	{"Llama-3 405B", Shape{Llama, 16384, 53248, 126, 128, 8, 128256, 0, false},
		3187703808, 2101346304, 405853388800, 516096},
	{"GPT-3 175B", Shape{GPT, 12288, 49152, 96, 96, 96, 50257, 2048, true},
		1812099072, 617558016, 174604259328, 4718592},
}

func TestShapesHaveTheParametersOfPublicModels(t *testing.T) {
	for _, c := range shapes {
		s := c.shape
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if s.Layer() != c.layer || s.Embedding() != c.embedding || s.Parameters() != c.parameters ||
			int64(s.KVBytes()) != c.keys {
			t.Errorf("%s: layer %d, embedding %d, parameters %d, keys and values %d; want %v", c.name,
				s.Layer(), s.Embedding(), s.Parameters(), s.KVBytes(), c)
		}
		if sum := total(s.Tensors()); sum != c.parameters {
			t.Errorf("%s: tensors have %d parameters, the sum %d", c.name, sum, c.parameters)
		}
	}
	s := shapes[4].shape
	if got := s.CheckpointBytes(); got != 14*405853388800 {
		t.Errorf("checkpoint of 405B: %d bytes, want 5.68 TB", got)
	}
	if got := shapes[3].shape.KVBytes() * 8192; got != 2684354560 {
		t.Errorf("keys and values of 8192 tokens of 70B: %d bytes, want 2.684 GB", got)
	}
}

func TestShapesThatNoTransformerHasAreRefused(t *testing.T) {
	for _, spoil := range []func(*Shape){
		func(s *Shape) { s.Hidden = 0 }, func(s *Shape) { s.Layers = -1 },
		func(s *Shape) { s.Heads = 31 }, func(s *Shape) { s.KVHeads = 3 },
		func(s *Shape) { s.Architecture = "mamba" }, func(s *Shape) { s.Positions = -1 },
		func(s *Shape) { s.Architecture = GPT }, func(s *Shape) { s.Vocabulary = 1 << 30 },
		func(s *Shape) { s.Hidden, s.FFN, s.Layers = 1<<22, 1<<24, 1<<20 },
	} {
		s := shapes[0].shape
		spoil(&s)
		if s.Validate() == nil {
			t.Errorf("accepted %+v", s)
		}
	}
}

// seven is the step of 7B with 4 Mi tokens on 1024 GPUs at 400 Tflop/s.
func seven() Step {
	return Step{Shape: shapes[0].shape, Tokens: 4 << 20, Flops: 1024 * 400e12, GradientBytes: 2}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestStepWithoutNetworkTakesSixFlopAParameterAndToken(t *testing.T) {
	s := seven()
	near(t, "7B", s.Compute().Seconds(), 0.41401, 5e-6)
	near(t, "backward is twice forward", s.Backward().Seconds(), 2*s.Forward().Seconds(), 1e-11)
	large := Step{Shape: shapes[4].shape, Tokens: 16 << 20, Flops: 16384 * 400e12, GradientBytes: 2}
	near(t, "405B", large.Compute().Seconds(), 6.2339, 5e-5)

	t.Log("# causal attention over 4096 tokens: 6 L h s a token more")
	plain := s.Compute().Seconds()
	s.Sequence = 4096
	more := 6 * 32 * 4096 * 4096 * float64(4<<20) / s.Flops
	near(t, "attention", s.Compute().Seconds()-plain, more, 1e-9)
}

func TestBucketsAreThoseOfDistributedDataParallel(t *testing.T) {
	s := seven()
	list := s.Buckets(FirstBucket, NextBucket)
	if len(list) != 226 {
		t.Errorf("%d buckets of 25 MiB, want 226: every matrix exceeds the cap", len(list))
	}
	if first := list[0].Bytes; first != 2*131072000 {
		t.Errorf("the first bucket has %v, want the head alone", first)
	}
	if got := len(s.Buckets(FirstBucket, units.GiB)); got != 13 {
		t.Errorf("%d buckets of 1 GiB, want 13", got)
	}
	if got := len(s.Buckets(0, 0)); got != 1 {
		t.Errorf("%d buckets without a cap, want 1", got)
	}
}

func TestEveryBucketIsReadyInTurnAndTheLastWithTheBackwardPass(t *testing.T) {
	for _, c := range shapes {
		for _, sequence := range []int64{0, 8192} {
			s := Step{Shape: c.shape, Tokens: 1 << 20, Sequence: sequence, Flops: 1e17, GradientBytes: 4}
			var bytes units.Bytes
			var last units.Duration
			for i, b := range s.Buckets(FirstBucket, NextBucket) {
				if b.Ready < last {
					t.Errorf("%s: bucket %d of %v is ready at %v, the one before at %v", c.name, i,
						b.Bytes, b.Ready, last)
				}
				bytes, last = bytes+b.Bytes, b.Ready
			}
			if bytes != units.Bytes(4*c.parameters) {
				t.Errorf("%s: buckets of %d bytes, want 4 a parameter", c.name, bytes)
			}
			if diff := last - s.Backward(); diff < -units.Nanosecond || diff > units.Nanosecond {
				t.Errorf("%s: the last bucket is ready at %v, backward ends at %v", c.name, last,
					s.Backward())
			}
		}
	}
}

// 226 buckets, each of which waits for a round trip of 25 ms, are 5.65 s of latency.
func TestCommunicationBucketByBucketIsExposedByItsLatency(t *testing.T) {
	ms := units.Millisecond
	layers := []Bucket{{1, 10 * ms}, {1, 20 * ms}, {1, 30 * ms}, {1, 40 * ms}}
	took := []units.Duration{15 * ms, 15 * ms, 15 * ms, 15 * ms}
	if got := Exposed(layers, took, 40*ms); got != 30*ms {
		t.Errorf("exposed %v, want 30 ms: communication ends at 70", got)
	}
	if got := Exposed(layers, make([]units.Duration, 4), 40*ms); got != 0 {
		t.Errorf("exposed %v of communication that takes no time", got)
	}
	s := seven()
	list := s.Buckets(FirstBucket, NextBucket)
	took = took[:0]
	for _, b := range list {
		took = append(took, 25*ms+(400*units.Gbps).TransmitTime(b.Bytes))
	}
	ends := Exposed(list, took, s.Backward()) + s.Backward()
	near(t, "226 buckets", (ends - list[0].Ready).Seconds(), 5.65+0.2695, 1e-3)
}

func TestLocalStepsHideTheExchange(t *testing.T) {
	s := seven()
	exchange := 25*units.Millisecond + (400 * units.Gbps).TransmitTime(2*6738415616)
	near(t, "exchange", exchange.Seconds(), 0.2945, 5e-5)
	for _, c := range []struct {
		every   int64
		percent float64
		within  float64
	}{{1, 58.4, .05}, {10, 93.4, .05}, {14, 95.2, .05}, {50, 98.6, .05}, {100, 99.3, .05},
		{500, 99.86, .005}} {
		near(t, "efficiency", 100*LocalEfficiency(c.every, s.Compute(), exchange), c.percent, c.within)
	}
}
