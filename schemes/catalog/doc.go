// Package catalog is the one map from the name of a reliability scheme to its parameters and its
// constructor. A new scheme is a new entry here and nothing else outside its own package.
package catalog
