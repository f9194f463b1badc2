// Package conn is what the endpoints of connections have in common: the messages that are under
// way, in order of posting, and the packet sequence numbers (PSNs) that run across them.
//
//	message    0       1         2              posted, one after the other
//	PSN        0 1 2   3 4 5 6   7 8 9 ...      a number for each packet, from 0, in 64 bits
//
// On the wire a PSN has 24 bits, so at most 2^23 packets may be under way (Most); acknowledgements
// of the simulator carry all 64.
//
// Sends is the queue of a sender, Receives that of a receiver.
package conn
