package spec

import (
	"sdrsim/internal/storage"
	"sdrsim/units"
)

// Storage is file operations of a host over a client on its DPU; its Operation is empty where there
// are none. Messages of the point are requests and replies; Message.Count is how many operations
// there are, and Message.Arrival when they come, where the loop is open.
type Storage struct {
	Operation string // storage.Read or storage.Write
	Size      units.Bytes
	// Depth is how many operations the application keeps under way, where the loop is closed.
	Depth int
	// Queues are the virtio queues, over which operations go in turn, each of so many Pages.
	Queues, Pages int
	// Station is the part of a request that the client takes one at a time.
	Station units.Duration
	// ReadAhead is how far ahead of the host the client reads; 0: it does not.
	ReadAhead units.Bytes
	// HostCPU is how long an operation takes a core of the host.
	HostCPU units.Duration
}

// CallBytes is the size of a request or a reply without data.
const CallBytes units.Bytes = 256

// ReadUnit is what the client reads at a time where it reads ahead.
const ReadUnit = units.MiB

// Ahead reports whether the client reads ahead.
func (s *Storage) Ahead() bool { return s.ReadAhead > 0 }

// Requests is how many requests so many operations are, over the network.
func (s *Storage) Requests(operations int) int {
	if s.Ahead() {
		return int(units.CeilDiv(units.Bytes(operations)*s.Size, ReadUnit))
	}
	return operations * storage.Requests(s.Size)
}

// Places is how many requests of the host a queue holds.
func (s *Storage) Places() int { return storage.InFlight(s.Operation, s.Size, s.Pages) }

// Transfer is the data of a request, the largest.
func (s *Storage) Transfer() units.Bytes {
	if s.Ahead() {
		return ReadUnit
	}
	return min(s.Size, storage.MaxRequest)
}

// InFlight is how many requests are on the network at most.
func (s *Storage) InFlight() int {
	if s.Ahead() {
		return int(units.CeilDiv(s.ReadAhead, ReadUnit)) + 1
	}
	return s.Queues * s.Places()
}

// Ways are the sizes of the messages of a request, and of its reply.
func (s *Storage) Ways() (request, reply units.Bytes) {
	if s.Operation == storage.Write {
		return CallBytes + s.Transfer(), CallBytes
	}
	return CallBytes, CallBytes + s.Transfer()
}

// Back is the link as what goes back sees it.
func (l Link) Back() Link {
	l.Bandwidth, l.ReverseBandwidth = l.ReverseBandwidth, l.Bandwidth
	l.Changes = append([]Change(nil), l.Changes...)
	for i := range l.Changes {
		c := &l.Changes[i]
		c.Bandwidth, c.ReverseBandwidth = c.ReverseBandwidth, c.Bandwidth
	}
	return l
}
