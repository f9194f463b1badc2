// Package keys is the table of the keys of a scenario: what each is called, what values it takes,
// what it is by default and what it means.
//
//	Key{Path: "link.rtt", Kind: KindDuration, Min, Max, Doc}        one line of the table
//	Table                                                            keys, found by their paths
//	Block: a Setting for each key of a table                         value, place, who said so
//
// The decoder, the sweep, the schema for editors and the listings follow from the table. Root has
// the keys outside of lists; Lists has those of the entries of each list, and Schemes those of the
// parameters of each scheme, which come from its entry in the catalog. To add a key, add a line
// here and read its setting where the point is built (internal/scenario/rules).
//
// Values are kept in SI base units, as integers where their kind has integers: bytes, bit/s,
// picoseconds, metres.
package keys
