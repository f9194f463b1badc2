// Package jobs writes the files by which an engine runs the shards of a scenario: a Slurm array, an
// Indexed Job of Kubernetes, or a script for GNU parallel. The engines schedule, restart and watch;
// each task only runs
//
//	sdrsim run FILE --shard i/n -o DIR
//
// and is safe to start again at any time: it goes on where it stopped, and does nothing when its
// shard is complete. sdrsim merge joins the shards.
//
// Limitations: paths must be seen by every node under the same name; image, volume and partition
// are the user's.
package jobs
