// Package catalog is the one map from the name of a reliability scheme to its entry, which its own
// package fills: parameters, constructors, and what others need to know of the scheme. A new scheme
// is an entry more here, a line more in the import table, and nothing else outside its own package.
package catalog
