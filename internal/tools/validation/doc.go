// Package validation makes the page docs/validation.md: every claim of arXiv:2505.05366 beside the
// closed form and the simulation, from the committed results and schemes/model alone.
//
//	results/paper/*/points.csv --+
//	results/bench/codec          +--> Page --> docs/validation.md
//	schemes/model ---------------+
//
// A claim says what the paper states and judges what was found. A test compares the committed page
// with the generated one, so that neither results nor verdicts can change unseen; `make validation`
// writes the page anew.
//
// Parameters of the closed form stand here once more, beside those of the scenarios: a scenario
// that strays from the setting of the paper shows as a difference from the model.
//
// Limitations: a claim whose results are not there is "not run"; figures of the paper without
// numbers in its text are judged by shape only.
package validation
