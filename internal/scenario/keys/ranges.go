package keys

import (
	"sdrsim/schemes"
)

// RangeKeys are the keys of a range; its ends and its step are what the axis is.
func (k *Key) RangeKeys() *Table {
	end := *k
	end.Default = ""
	from, to, step := end, end, end
	from.Path, to.Path, step.Path = "from", "to", "step"
	return NewTable([]Key{from, to,
		{Path: "points", Kind: schemes.KindCount, Min: 2, Max: MaxValues},
		{Path: "scale", Kind: schemes.KindChoice, Default: "linear",
			Choices: []string{"log", "linear"}},
		step,
		{Path: "factor", Kind: schemes.KindNumber, Min: 1.0001, Max: 1e12}})
}

// Wordy reports whether values of the key are not numbers.
func (k *Key) Wordy() bool {
	return k.Kind == schemes.KindChoice || k.Kind == KindSplit || k.Kind == KindRuns ||
		k.Kind == KindFile || k.Kind == KindHosts
}

// Fractional reports whether values like v need not be whole.
func (k *Key) Fractional(v Value) bool {
	return k.Kind == KindProbability || k.Kind == schemes.KindNumber || k.Kind == KindShare ||
		k.Kind == KindStay && !v.Timed()
}

const MaxValues = 10_000 // of an axis
