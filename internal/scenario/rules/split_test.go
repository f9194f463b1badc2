package rules

import (
	"testing"

	"sdrsim/wire"

	"pgregory.net/rapid"
)

// A split is found exactly where there is one, and gives up as little as it must: no split with the
// same user bits and more ids would do, nor one with more user bits.
func TestSplitGivesUpAsLittleAsItMust(t *testing.T) {
	fits := func(s wire.Split, packets, ids int64) bool {
		return s.Valid() && s.Packets() >= packets && s.Messages() >= ids
	}
	rapid.Check(t, func(rt *rapid.T) {
		packets := int64(1) << rapid.IntRange(0, 33).Draw(rt, "packets")
		packets += rapid.Int64Range(0, packets-1).Draw(rt, "more")
		ids := rapid.Int64Range(1, 1<<22).Draw(rt, "ids")
		wanted := rapid.Int64Range(1, 1<<22).Draw(rt, "wanted")
		got, ok := fitSplit(packets, ids, wanted)
		if ok && !fits(got, packets, ids) {
			rt.Fatalf("%v does not fit", got)
		}
		for user := uint8(0); user <= 4; user++ {
			for id := uint8(1); id < 32; id++ {
				s := wire.Split{ID: id, Offset: 32 - id - user, User: user}
				some := id <= wire.DefaultSplit.ID || got.Messages() < wanted
				better := !ok || user > got.User || user == got.User && id > got.ID && some
				if id+user < 32 && better && fits(s, packets, ids) {
					rt.Fatalf("got %v, %v; %v would do", got, ok, s)
				}
			}
		}
	})
}
