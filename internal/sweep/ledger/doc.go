// Package ledger keeps what a run has done in a directory of its own, so that nothing but what was
// in flight is lost however the run ends.
//
//	head.json      what the run is of: scenario, overrides, program, shard; with a checksum of it all
//	units.journal  the samples of every unit (a point under a scheme) that is complete, and of those
//	               that an interrupt found unfinished; see package journal for what survives what
//	status.json    how far it is; only for people and programs that watch
//	lock           held by the process that writes; the system lets go of it when that ends. It is
//	               empty, and stays so
//
// While the run goes on the directory is hidden beside its results: .NAME.run for NAME. The results
// of a whole run replace it; that of a shard is renamed to NAME when it is complete, and is what
// merge reads.
//
// A run goes on where another stopped only if both are of the same scenario to the byte, with the
// same overrides (seed and samples among them), by the same program; Open tells what differs.
//
// The journal begins with the checksum of the head, so that samples of one run are not taken for
// those of another. Other files in the directory are not the run's, and stay.
//
// Limitations: locks are those of flock(2), which some network file systems do not share between
// machines; a shard belongs to one machine at a time anyway.
package ledger
