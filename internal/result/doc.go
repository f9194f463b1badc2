// Package result has the rows of results: what each scheme did at each point, with intervals and
// warnings.
//
//	Row, Distribution, Round, Flow, Queue   <->   points.csv, distribution.csv, ...
//
// A Row is read by column: its estimate, and whether the samples carry it. A Contest compares the
// rows of a point, and says who wins, who ties and what to doubt.
//
// It draws nothing and opens no file, so that whoever computes rows need not know how they are
// shown: packages report and explore do that.
package result
