// Package figure says what a figure shows: the value, the axes, the series, and what is fixed.
// Scenarios read figures, and reports draw them from tables of results.
package figure
