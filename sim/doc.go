// Package sim is the discrete-event engine: virtual time, the event queue, timers, lanes and named
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
// # The queue
//
// Up to 32 pending events are a sorted list. With more, what is not next lies in a wheel of buckets
// as wide as one event or two, which follows the density of events and their number; the buckets of
// what is far are wider, and dealt out to finer ones when their time has come. What is crowded into
// one bucket is sorted once, and what is scheduled in between goes to a heap, so that an event
// costs no more than a logarithm whatever the distribution. An event that cannot be called off has
// no place to be kept track of; a timer that was stopped may leave a dead entry, and when more are
// dead than alive all of them are swept out.
//
// It was chosen by measurement: the hold model, where each event schedules another, with spans that
// are exponential, uniform, bimodal or all equal. Time of an event in the queue alone, over that of
// container/heap in the same run, which is 0.08, 0.17, 0.30 and 0.75 us for 2 to 100 000 pending
// (exponential, one core at 2.1 GHz that other processes shared):
//
//	pending     wheel   binary heap   4-ary heap   calendar   ladder   radix
//	      2      0.20          0.28         0.26       0.80     0.98    0.90
//	     16      0.22          0.38         0.35       0.29     0.34    0.28
//	  1 000      0.16          0.47         0.42       0.27     0.18    0.25
//	100 000      0.11          0.38         0.49       0.39     0.21    0.11
//
// Where all happens at one instant, the calendar collapses (7 times container/heap with 1 000), and
// ladder and radix, which append and hardly sort, are two to four times as fast as the wheel. With
// the engine around it, handler, clock and hash included, an event takes 0.18 of container/heap
// alone with 1 000 pending and 0.12 to 0.14 with 100 000. A value on a Lane takes 10 to 12 ns,
// whatever is in flight. To measure again, on a machine that does nothing else:
//
//	go test ./sim -run '^$' -bench 'Queues|Hold|Lane'
//
// That all these queues pop the same is TestQueuesPopTheSameEntries.
//
// # Randomness
//
// Every model draws from its own Stream, named by a seed, a name and an index. Adding a model, or a
// draw to a model, does not shift the draws of another.
//
// # Limitations
//
// An engine belongs to one goroutine. Time is finite: 106 days of picoseconds, see units. The
// queue holds at most 2^31 events.
package sim
