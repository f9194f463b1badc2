package axes

import (
	"strings"
	"testing"

	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"

	"pgregory.net/rapid"
)

func TestRangeBeginsAndEndsAsWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		from := rapid.Int64Range(1, 1<<40).Draw(rt, "from")
		to := rapid.Int64Range(from+1000, 1<<41).Draw(rt, "to")
		points := rapid.IntRange(2, 20).Draw(rt, "points")
		scale := rapid.SampledFrom([]string{"log", "linear"}).Draw(rt, "scale")
		r := axisReader{
			f:    format.NewFaults("f", nil),
			key:  keys.Root.Key("message.size"),
			axis: &Axis{},
		}
		b := keys.NewBlock(r.key.RangeKeys(), "", format.Pos{})
		for path, v := range map[string]keys.Value{"from": keys.Whole(from), "to": keys.Whole(to),
			"points": keys.Whole(int64(points)), "scale": keys.Word(scale)} {
			s := b.Get(path)
			s.Value, s.State = v, keys.Given
		}
		if !r.expand(&b) {
			// The only reason to refuse: small numbers close together on a log scale.
			if got := r.f.Result().Error(); !strings.Contains(got, "comes twice") {
				rt.Fatal(got)
			}
			return
		}
		list := r.axis.settings
		if len(list) != points || list[0].Whole != from || list[points-1].Whole != to {
			rt.Fatalf("got %d values from %d to %d", len(list), list[0].Whole,
				list[len(list)-1].Whole)
		}
		for i := 1; i < len(list); i++ {
			if list[i].Whole <= list[i-1].Whole {
				rt.Fatalf("%d is followed by %d", list[i-1].Whole, list[i].Whole)
			}
		}
	})
}
