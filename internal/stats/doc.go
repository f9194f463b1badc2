// Package stats turns samples into statements: a value, the interval it lies in, and a warning
// where the samples cannot carry it.
//
// Every interval is two-sided and has a confidence of 95 %:
//
//	mean      b + [L, U]/n, the gamma interval of sums of rare events above the least value b, with
//	          room for one more event, as costly as the largest seen or as the penalty declared
//	strata    the same of weighted samples, over cases of which the chance is known
//	quantile  [x(l), x(u)], the order statistics with P(Bin(n,q) < l) ≤ 2.5 % and
//	          P(Bin(n,q) ≥ u) ≤ 2.5 %            holds for every distribution, ties included
//	          of streams: by the shares of messages beyond, one of each sample
//	fraction  Clopper and Pearson                never below 95 %
//	rate      over the ends of the interval of the time
//	speed-up  the tighter of: both means on the logarithmic scale; paired differences
//
// A mean that fewer than 20 samples carry, n/g² with g the skewness, carries a warning.
//
// A q-quantile is the smallest sample x with F(x) ≥ q, the order statistic of rank ⌈qn⌉; nothing
// is interpolated. The interval of p99.9 has an upper end only from 3688 samples on, and a quantile
// with fewer than ten samples beyond it carries a warning.
//
// Sums are exact until one final rounding, so no result depends on the order in which samples
// arrive, and therefore not on the number of workers. Products are rounded before they are added,
// so that processors that fuse the two agree; quantiles of distributions keep nine digits.
//
// Samples that are NaN or infinite are left out and reported. Unknown numbers are NaN.
//
// Limitations: without a declared penalty an interval of a mean with fewer than ten carriers holds
// less often than 95 %. Quantiles of weighted samples have normal intervals.
package stats
