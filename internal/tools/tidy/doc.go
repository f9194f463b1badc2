// Package tidy turns the architecture and the style of the project into a test: what may import
// what, what may not be called where, how long functions, files and lines may be, and that every
// package and every exported identifier says what it is.
//
//	THE WORLD        cmd/sdrsim · internal/report · internal/sweep · scenarios   files, real clock
//	VIRTUAL TIME     internal/experiment · nic · link · sim                 picoseconds, seeded
//	PURE PROTOCOL    schemes/* · sdr · wire · units                     no clock, no I/O
//
// Imports only point down; layers.go is the table. A package that is not in the table is a finding
// too, so that a new one is placed deliberately.
//
// Limitations: the source is parsed, not type-checked. A banned function that is reached through a
// variable, or through a package that the table allows, is not seen.
package tidy
