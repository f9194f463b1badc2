// Package shard divides the points of a scenario among runs that know nothing of each other.
//
// The points are put in the order of the hash of their keys and dealt round, so that neighbours,
// which cost alike, go to different shards, and every shard is found from the scenario alone:
//
//	order by SHA-256(key):  p4 p0 p7 p2 p1 ...
//	shard of n = 3:          1  2  3  1  2 ...
//
// Which shard a point is in says nothing about its losses: those follow from seed, key and sample.
//
// Limitations: shards have equal numbers of points, not equal cost; many more points than shards
// even that out.
package shard
