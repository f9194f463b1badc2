// Package catalog is the one map from the name of a reliability scheme to its entry, which its own
// package fills: parameters, constructors, and what others need to know of it. A new scheme is a new
// entry here and nothing else outside its own package but its line in the import table.
package catalog
