package report

import (
	"fmt"
	"slices"
	"strings"

	"sdrsim/internal/result"
)

// failedKey explains the marks of failures.
const failedKey = "failed: samples given up, which no value includes; such a scheme never beats " +
	"one that delivered.\n!: all have some.\n"

func anyFailed(rows []*result.Row) bool {
	return slices.ContainsFunc(rows, func(r *result.Row) bool { return r.Failed > 0 })
}

// failuresText lists the schemes of a point that gave up samples, and how many of a hundred.
func failuresText(rows []*result.Row, label int) string {
	var list []string
	for _, r := range rows {
		if r.Failed > 0 {
			list = append(list, squeeze(r.Scheme, label)+" "+failedShare(r))
		}
	}
	if len(list) > 2 {
		list = append(list[:1], fmt.Sprintf("%d others", len(list)-1))
	}
	return strings.Join(list, ", ")
}

// failedShare is the share of samples that were given up: "15.7 %".
func failedShare(r *result.Row) string {
	return decimal(100*float64(r.Failed)/float64(max(r.Samples, 1)), 3) + " %"
}

// failedAt is at how many points a scheme gave up samples.
func failedAt(points [][]*result.Row, scheme string) (n int) {
	for _, rows := range points {
		failed := func(r *result.Row) bool { return r.Scheme == scheme && r.Failed > 0 }
		if slices.ContainsFunc(rows, failed) {
			n++
		}
	}
	return n
}
