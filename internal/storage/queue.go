package storage

import "sdrsim/units"

// Page is the size of a page of memory that a virtio queue hands over.
const Page = 4 * units.KiB

// QueuePages is how many pages a virtio queue of DPFS holds.
const QueuePages = 64

// MaxRequest is the largest request; longer operations are several.
const MaxRequest = 128 * units.KiB

// Pages of a request besides those of its data.
const (
	readPages  = 3
	writePages = 4
)

// Requests is how many requests an operation is, and the size of each but the last.
func Requests(size units.Bytes) int { return int(units.CeilDiv(size, MaxRequest)) }

// InFlight is how many requests of a size a queue of so many pages holds:
//
//	floor(pages / (data pages + 3 of a read, 4 of a write))
func InFlight(operation string, size units.Bytes, pages int) int {
	own := int(units.CeilDiv(min(size, MaxRequest), Page)) + readPages
	if operation == Write {
		own += writePages - readPages
	}
	return pages / own
}
