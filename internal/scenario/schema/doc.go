// Package schema makes the JSON Schema of a scenario file, by which editors complete and check,
// from the table of keys.
//
// It refuses what is wrong in the structure of a file. What binds values together is for the rules
// to judge (internal/scenario/rules); every file that loads satisfies the schema.
package schema
