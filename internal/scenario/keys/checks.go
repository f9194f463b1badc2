package keys

import (
	"slices"
	"strings"

	"sdrsim/internal/metric"
	"sdrsim/schemes"
)

func metricNames() []string {
	var names []string
	for _, c := range metric.Checks() {
		names = append(names, c.Name)
	}
	return names
}

// checkKeys are the keys of a rule. Min and max take the unit of their metric.
var checkKeys = []Key{
	{Path: "check.metric", Kind: schemes.KindChoice, Choices: metricNames(), Fixed: true,
		Doc: "what is judged; required"},
	{Path: "check.better", Kind: schemes.KindChoice, Choices: []string{metric.Lower, metric.Higher},
		Fixed: true, Doc: "default: as the metric has it"},
	{Path: "check.scheme", Kind: KindText, Fixed: true,
		Doc: "label of the scheme that is meant; default: every one"},
	{Path: "check.where", Kind: KindMapping, Fixed: true,
		Doc: "values of the swept paths that are meant; default: every point"},
	{Path: "check.min", Kind: KindText, Fixed: true,
		Doc: "least value: a duration, a rate or a number, as the metric is"},
	{Path: "check.max", Kind: KindText, Fixed: true,
		Doc: "greatest value: a duration, a rate or a number, as the metric is"},
	{Path: "check.max_drop", Kind: KindShare, Max: 1, Fixed: true,
		Doc: "how much lower than its baseline a metric may be that is better when higher"},
	{Path: "check.max_increase", Kind: KindShare, Max: 1000, Fixed: true,
		Doc: "how much higher than its baseline a metric may be that is better when lower"},
}

// CheckSet has the keys of a rule by their names in it.
var CheckSet = func() *Table {
	keys := slices.Clone(checkKeys)
	for i := range keys {
		keys[i].Path = strings.TrimPrefix(keys[i].Path, "check.")
	}
	return NewTable(keys)
}()

// BoundKey is how a bound of the metric is written.
func BoundKey(m metric.Check) *Key {
	switch m.Unit {
	case metric.Seconds:
		return &Key{Kind: KindDuration, Max: MaxSendSeconds}
	case metric.Bits:
		return &Key{Kind: schemes.KindRate, Max: maxRate}
	}
	return &Key{Kind: KindShare}
}
