// Package units holds the quantities of the simulator: time, sizes, rates, distances and
// probabilities, with exact integer arithmetic, parsing and printing.
//
// Time is counted in integer picoseconds, so 4 KiB at 400 Gbit/s is exactly 81 920 ps and an
// int64 spans 106 days. There is one place where a transmission time is rounded,
// Rate.TransmitTime, and no floating-point number enters the time of an event.
//
// The package is a leaf: it imports nothing of the project.
package units
