// Package nic is the simulated NIC. It hosts the endpoints of reliability schemes, injects their
// packets into a link at line rate, and delivers what arrives to the queue pair.
//
//	          senders                                            receivers
//	             | NextSend, HandleSent          Quiet, HandleArrival ^
//	             v                                                    |
//	control > repeats > first sends  --- link --->  [ workers ] -> queue pair
//
// Whatever wakes a NIC, it does the same things in the same order: it takes what has arrived up to
// now, lets every endpoint do what is due, and then transmits. Two NICs meet only through ports and inboxes,
// where everything takes time, so the order of events at one instant never depends on how packets
// are grouped into runs.
//
// A NIC has one timer in the engine. What has left the peer can no longer change, so a stretch of
// arrivals about which its receiver is silent is taken ahead of its time, in one step, up to the
// next deadline of the receiver (ahead.go). A NIC with a lone sender, or with none, takes short
// turns (short.go), one after the other as long as nothing else is scheduled before them, which do
// what whole turns would do.
package nic
