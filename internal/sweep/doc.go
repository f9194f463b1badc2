// Package sweep runs the points of a scenario under each of their schemes over all cores, and
// reduces the samples to rows of results.
//
//	points x schemes = units;  unit = samples;  samples are claimed in blocks
//
//	worker 1  [u0: 0][u0: 1..2][u0: 3..6] ... [u2: ...]
//	worker 2  [u1: 0][u1: 1..2] ...           [u2: ...]   <- helps where most is left
//
// Determinism. Sample i of a point meets the same losses under every scheme, on whichever worker
// it runs. Times are stored by the number of the sample and reduced in that order once the unit is
// complete; counters are integers, whose sums do not depend on an order. So the rows are the same
// for every number of workers and every schedule.
//
// Balance. Units differ in cost by orders of magnitude. A block grows, doubling, until it holds
// about blockCost simulated events: the measure is the simulation's own, so no clock is read.
// Each worker has a unit of its own while there are some, and helps with the costliest after.
//
// Precision. A unit that is to be precise is judged when its samples are done, and at every
// doubling of them, by one worker and from the samples alone: it is complete, or gets more.
//
// Endings. A Store keeps the Record of every complete unit, and those of the units under way when
// the context ends; blocks are finished first, so that those are the first samples of the unit. A
// later sweep with the same Store runs only what is missing. Rows are computed from records alone,
// whether their samples were run or loaded, so that they cannot differ.
//
// Memory grows with the number of workers and the samples of a unit, not with the number of units:
// at most one unit a worker is open, and a complete one is reduced at once. Of its samples only the
// completion times stay, until the other schemes of the point are complete and compared by pairs.
//
// Limitations: one process. A sample cannot be interrupted, so cancellation waits for those under
// way.
package sweep
