// Package check tells whether the schemes of a scenario have become worse: it compares what a run
// measured with a baseline that was committed, and holds it to the bounds of the scenario.
//
//	sweep --> Recorder --> cases: point, scheme, metric --+
//	                                                      +--> findings --> text, json, junit, ...
//	results/NAME/baseline.json --> cases -----------------+
//	check: block of the scenario --> rules ---------------+
//
// A case is one metric of one scheme at one point, with its 95 % interval. How a case is judged
// depends on what the two runs have in common:
//
//   - equal seed and sample count: exact. A simulator has no noise, so every change is real. A
//     change for the worse beyond the tolerance, which is nothing unless a rule grants some, is a
//     regression.
//
//   - otherwise: statistical. A change counts if it exceeds its tolerance and is significant. With
//     a and b the values and the ends of their intervals that face each other, b > a, it is if
//
//     b - a > c √((b - lo b)² + (hi a - a)²),  c = z(1 - 0.025/n) / z(0.975)
//
//     for n cases in the scenario (Bonferroni), so that of twenty scenarios without a change one
//     is expected to show one. A change beyond the tolerance that is not significant is
//     inconclusive, which is no failure.
//
// A baseline changes only on demand, and records why.
//
// Limitations: a baseline holds values and intervals, no samples, so rank tests such as
// Mann-Whitney cannot be had. Runs of one seed share losses, which makes the interval of a
// difference too wide where their sample counts differ: regressions may then be missed, never
// invented. Intervals of quantiles are stretched by c as if they were normal.
package check
