// Package draft is a scenario as it is written: a setting for each key, before anything is checked
// against anything else.
//
//	tree + overrides --> Decode --> Draft: Block of the root, Schemes, Entries of lists, Hops, files
//	                                target = a setting in it, found by its path (Resolve)
//
// A draft is a value: a sweep clones it and puts other settings in the place of some (Put). Files
// that a scenario names are read once, and shared by its drafts.
//
// Limitations: a label of a scheme may hold dots; of several that fit a path the longest is meant.
package draft
