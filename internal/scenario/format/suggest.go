package format

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that was probably meant by word; empty where none is close. Close
// is an edit for every three letters, and one in a shorter word.
func Nearest(word string, candidates []string) string {
	best, least := "", max((len(word)+1)/3, 1)
	for _, c := range candidates {
		if d := editDistance(word, c); d <= least && d < len(c) && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// NearestPath is nearest for dotted paths. Where no path is close, the first that ends as the word
// does is meant, or nearly does: rtt is short for link.rtt.
func NearestPath(path string, candidates []string) string {
	if found := Nearest(path, candidates); found != "" {
		return found
	}
	var ends []string
	for _, c := range candidates {
		if strings.HasSuffix(c, "."+path) {
			return c
		}
		ends = append(ends, c[strings.LastIndexByte(c, '.')+1:])
	}
	if i := slices.Index(ends, Nearest(path, ends)); i >= 0 {
		return candidates[i]
	}
	return ""
}

// editDistance counts the letters to insert, delete, replace or swap with their neighbour that
// make a into b (optimal string alignment). Long words are taken as far apart.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var rows [3][65]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
