// Package closedform finds the closed form of a point of a scenario under a scheme, where there is
// one: the formula that the scheme's entry in the catalog has for a message on a link
// (schemes/model), or that of a collective.
//
//	point, scheme -> Of -> Form -> Mean, Quantile, Draw
//
// Limitations: the forms are of single messages of one size on a link that does not change, with
// independent losses, and hosts cost nothing.
package closedform
