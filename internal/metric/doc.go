// Package metric is the one table of what is measured. An entry has the name of a metric, its
// title, unit and direction, how it is counted and the numbers of points.csv that it is reduced to:
//
//	counters of a sample --mean--> columns of points.csv --> figures, checks, winners, schema.json
//
// Names and places of columns, what figures can show and checks can hold, the columns of samples,
// what replay prints and the page of columns follow from it. Estimates of times and rates are made
// in internal/sweep.
//
// To add something that is counted: a field of Counters, one of Values for its mean, and an entry
// of the table. The line that counts it is all that is left to write.
//
// Limits: what is computed from other metrics, such as the overhead, has no formula here; whoever
// shows it has one.
package metric
