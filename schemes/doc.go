// Package schemes is the contract between a reliability scheme and the world it runs in.
//
// A scheme is two state machines, a Sender and a Receiver for one message. They are handed the
// time and never ask for it; they hold no clock, no socket and no randomness. A host (a simulated
// NIC, or a program with a real socket) pumps:
//
//	            NextSend, HandleSent                    HandleArrival
//	Sender  <------------------------->  host  <--------------------------------->  Receiver
//	            HandleControl                          HandleControl
//	            NextTimeout, HandleTimeout             NextTimeout, HandleTimeout
//
// Acknowledgements travel as encoded bytes through the Control that a state machine was built with.
//
// Sender and Receiver are all that a scheme has to implement. What else it knows is optional, and a
// host asks for it once, when an endpoint is attached:
//
//   - RunSender and RunReceiver handle runs: consecutive packets, back to back, that are handed
//     over together. Any other endpoint is handed each packet by itself, which is slow and always
//     right.
//   - ControlDeferrer is a sender that may be handed passive acknowledgements late.
//   - Follower is a receiver that makes use of what arrives of later messages of its connection.
//   - Recaller is a sender that may withdraw the retransmissions that it has handed out.
//   - ConnectionSender and ConnectionReceiver live as long as their connection; messages are work
//     that is posted to them.
//
// What others have to know of a scheme, from its parameters to its closed form, stands in an Entry
// of its own package; package catalog lists them.
//
// How many packets are handled together, and when a host asks, reports and wakes within the limits
// of the contract, changes no outcome by a picosecond. These clauses make it so; package
// schemestest names those of the schemes where they are broken:
//
//   - What a scheme does must not depend on its host. HandleSent tells of departures that lie in
//     the future, of more or fewer at a time, and earlier or later: what a sender does must follow
//     from the times of departure, not from the call.
//   - HandleControl and HandleArrival do at once what is due; a timeout lies later.
//   - HandleTimeout before the deadline changes nothing.
//   - A passive control message does not bring the timeout forward: a host need not wake a
//     ControlDeferrer for it.
//   - Work belongs to the host; no packet is handed out twice as a first transmission. It does from
//     NextSend until its departure was reported; only a Recaller may withdraw it, and only
//     retransmissions.
//   - Asking (Ready, Urgent, Quiet, Patience, NextTimeout) changes and sends nothing.
//   - Packets that are reported together arrive sdr.Arrival.Spacing apart, at whatever rate they
//     were sent. No timeout that one of them sets expires before the next of them arrives: Quiet
//     ends before that.
//   - So the first packet of a receive is taken alone where it sets a timeout and there was none.
//   - Quiet returns between one packet and all, never 0: a packet that has arrived is taken.
//   - A control message that is refused changes nothing.
//   - HandleLater changes nothing at a receiver that is done, nor when it is called again.
//   - Open forgets everything of the last message: endpoints are reused.
//   - A host calls no method of an endpoint from within Control.Send, and the time that it hands to
//     an endpoint never decreases.
package schemes
