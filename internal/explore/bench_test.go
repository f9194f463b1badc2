package explore

import (
	"context"
	"testing"
)

// BenchmarkFirstAnswer is the time to the first answer of a link.
func BenchmarkFirstAnswer(b *testing.B) {
	base := baseOf(b, "quickstart.yaml")
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		_ = base.Answer(ctx, &Ask{Parts: []string{PartHere}}, 2, func(p Part) error {
			if p.Part == PartHere {
				cancel()
			}
			return nil
		})
	}
}

// BenchmarkFirstAround is the time to the first answer of what is around a link.
func BenchmarkFirstAround(b *testing.B) {
	base := baseOf(b, "quickstart.yaml")
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		_ = base.Answer(ctx, &Ask{Parts: []string{PartDrop}}, 2, func(p Part) error {
			if p.Part == PartDrop {
				cancel()
			}
			return nil
		})
	}
}
