// Package bench measures this machine: the erasure codes, samples by size and losses, and whole
// sweeps, the latter two beside the bare model, which draws from the closed form.
//
//	Bench: Check -> Measure -> rows -> Print
//
// What is compared is measured in turn, round by round, so that a drift of the machine meets all of
// it; numbers are medians of rounds, with their 95 % interval where there are six rounds or more.
//
// Limitations: times are of the wall, so that other load on the machine shows.
package bench
