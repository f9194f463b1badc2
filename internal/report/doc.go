// Package report writes the results of a scenario, reads them back, and draws figures from them.
// It never simulates: everything on a figure comes from the files of a result directory,
//
//	points.csv        one row per point and scheme: swept paths, scheme, statistics, warnings
//	rounds.csv        how long each round of a collective took, by point and scheme
//	flows.csv         what each flow of a network did, by point and scheme
//	queues.csv        what each queue of a network did, by point and scheme
//	distribution.csv  P(X > x) of the completion time, for the points that a cdf or ccdf shows
//	manifest.json     scenario, seed, version, figures: equal runs give equal bytes
//	run.json          wall time, host, memory: changes from run to run
//	NAME.svg, NAME.png  one pair per figure, and NAME.pdf of one for a paper
//	report.html       all of it as one page for a browser (package web), if asked for
//
// so figures can be drawn again at any time, and equal tables give equal bytes.
//
// A result directory appears whole or not at all: it is assembled beside its place and renamed
// into it. A run that fails leaves what was there before.
//
// A figure is a page of four regions that do not overlap by construction: title, plot, legend (or
// colour bar), and footnotes. Inside the plot every axis maps its values to 0..1 (type scale), so
// a logarithmic axis may hold a place for zero and a heat map may have axes of words. A quantile
// that too few samples carry is drawn hollow and named in a footnote.
//
// Numbers are plain SI (seconds, bit/s, bytes); an unknown number is an empty field in a file and
// NaN in memory.
//
// Limitations: the interval of a speed-up is that of paired samples only for the mean against the
// first scheme; others treat the two schemes as independent, which is too wide where they share
// their losses; text outside of Latin, Greek and Cyrillic scripts shows in SVG
// only; a figure with more than some twenty series shortens its legend.
package report
