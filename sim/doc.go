// Package sim is the discrete-event engine: virtual time, the event queue, timers and named
// streams of random numbers.
//
//	Engine.Run:   take the event with the least (time, sequence number); set the clock; Fire
//
// # Order of events
//
// Events fire in the total order of (time, sequence number). The sequence number counts the calls
// that schedule something, so events of one instant fire in the order in which they were
// scheduled. Arming an armed timer again counts as scheduling: it goes behind everything that is
// already scheduled for its instant, whether the timer moves earlier, later or not at all. An event
// that schedules another for its own instant sees it fire in the same instant, after the others.
// Nothing else decides: no map, no address, no clock of the machine. Two runs that schedule the
// same things in the same order are identical, which Engine.Hash shows.
//
// # Randomness
//
// Every model draws from its own Stream, named by a seed, a name and an index. Adding a model, or a
// draw to a model, does not shift the draws of another.
//
// # Limitations
//
// An engine belongs to one goroutine. Time is finite: 106 days of picoseconds, see sim/units. The
// queue holds at most 2^31 events.
package sim
