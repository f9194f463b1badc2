// Package stats turns samples into statements: a value, the interval it lies in, and a warning
// where the samples cannot carry it.
//
// Every interval is two-sided and has a confidence of 95 %:
//
//	mean      m ± t(n-1) s/√n                    Student; exact for normal samples
//	quantile  [x(l), x(u)], the order statistics with P(Bin(n,q) < l) ≤ 2.5 % and
//	          P(Bin(n,q) ≥ u) ≤ 2.5 %            holds for every distribution, ties included
//	fraction  Wilson's score interval            95 % on average; sensible at 0 and at n of n
//	ratio     delta method on paired samples: r = mean(a)/mean(b), s²(a - r b) / (n mean(b)²)
//
// A q-quantile is the smallest sample x with F(x) ≥ q, the order statistic of rank ⌈qn⌉; nothing
// is interpolated. The interval of p99.9 has an upper end only from 3688 samples on, and a quantile
// with fewer than ten samples beyond it carries a warning.
//
// Sums are exact until one final rounding, so no result depends on the order in which samples
// arrive, and therefore not on the number of workers. Products are rounded before they are added,
// so that processors that fuse the two agree.
//
// Samples that are NaN or infinite are left out and reported. Unknown numbers are NaN.
//
// Limitations: samples are taken as independent; messages of one stream are not, and intervals
// over them are too narrow. The Student interval needs some tens of samples where a distribution
// is strongly skewed.
package stats
