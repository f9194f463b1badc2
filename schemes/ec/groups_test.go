package ec

import (
	"slices"
	"testing"

	"sdrsim/schemes"
	"sdrsim/schemes/ec/code"
	"sdrsim/units"
)

// Groups of every size and order have each packet of a message once, in units that are numbered as
// they are sent.
func TestGroupsTakeUpAllThatIsSent(t *testing.T) {
	for size := units.Bytes(1); size < 14; size++ {
		for _, order := range []Order{OrderParityLast, OrderInterleaved} {
			for name, coder := range map[string]func(k, m int) (code.Coder, error){"mds": mds, "xor": xor} {
				cfg := Config{NewCoder: coder, DataChunks: 3, ParityChunks: 2, Order: order}
				const chunk, mtu = 3 * 64, 64 // chunks of three packets
				list, err := Groups(cfg, size*64-3, chunk, mtu)
				if err != nil {
					t.Fatal(err)
				}
				var all []schemes.Sent
				for _, g := range list {
					all = append(all, g.Chunks...)
					if want := map[string]int{"mds": 2, "xor": 1}[name]; g.Bears != want {
						t.Errorf("%s of %d packets, %s: bears %d", name, size, order, g.Bears)
					}
				}
				slices.SortFunc(all, func(a, b schemes.Sent) int { return int(a.Chunk - b.Chunk) })
				packet := int64(0)
				for i, c := range all {
					if c.Chunk != int64(i) || c.Packet != packet || c.Packets < 1 {
						t.Errorf("%s of %d packets, %s: chunk %d is %+v, from packet %d", name, size,
							order, i, c, packet)
					}
					packet += c.Packets
				}
			}
		}
	}
}

// Parity i of an XOR code repairs one of the data chunks i, i+m, ..; all parity of an MDS code any.
func TestGroupsAreWhatRepairsEachOther(t *testing.T) {
	chunks := func(coder func(k, m int) (code.Coder, error), order Order) (list [][]int64) {
		cfg := Config{NewCoder: coder, DataChunks: 4, ParityChunks: 2, Order: order}
		groups, err := Groups(cfg, 6*64, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			var one []int64
			for _, c := range g.Chunks {
				one = append(one, c.Chunk)
			}
			list = append(list, one)
		}
		return list
	}
	for _, c := range []struct {
		got, want [][]int64
	}{
		{chunks(mds, OrderParityLast), [][]int64{{0, 1, 2, 3, 6, 7}, {4, 5, 8, 9}}},
		{chunks(mds, OrderInterleaved), [][]int64{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9}}},
		{chunks(xor, OrderParityLast), [][]int64{{0, 2, 6}, {1, 3, 7}, {4, 8}, {5, 9}}},
		{chunks(xor, OrderInterleaved), [][]int64{{0, 2, 4}, {1, 3, 5}, {6, 8}, {7, 9}}},
	} {
		if !slices.EqualFunc(c.got, c.want, slices.Equal) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
