// Package explore answers what a link would do: the samples of one point under several schemes, and
// of the points around it, in answers that become better while one waits.
//
//	Base + Ask -> text of a scenario -> points -> rounds of samples -> Part, Part, ...
//
//	round   0     1      2      3 ...
//	here    1     4     16     64 ...   samples, until there are as many as the scenario asks for
//	drop          1      4     16 ...   the same link over the drop rate, up to fewer of them
//	distance      1      4     16 ...   and over the distance
//
// What is asked becomes the text of a scenario first, and that is what is run: the page shows it,
// and sdrsim run makes the same rows of it, to every digit. Rounds are runs of internal/sweep with
// more and more samples, of which those before are kept.
//
// The package knows neither a server nor a browser; both use it: internal/explore/serve natively,
// internal/explore/wasm inside of a page.
//
// Limitations: a sample cannot be interrupted, so that an ask that is called off ends with the
// sample under way.
package explore
