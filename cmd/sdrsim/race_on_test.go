//go:build race

package main

// raceEnabled tells that the race detector is on, under which drawing takes ten times as long:
// tests of processes, in which it finds nothing that others do not find, are left out.
const raceEnabled = true
