package rc

import (
	"sdrsim/schemes"
	"sdrsim/schemes/conn"
	"sdrsim/units"
)

// Config are the parameters of a connection.
type Config struct {
	// Selective is recovery of single packets, else Go-Back-N.
	Selective bool
	// Timeout is the retransmission timeout. A connection with selective recovery has TimeoutLow in
	// its place while at most FewInFlight packets are in flight.
	Timeout, TimeoutLow units.Span
	FewInFlight         int64
	// Doubling is how often the timeout doubles, once for each expiry without progress in between.
	Doubling uint
	// AnyRestarts has the timer restarted by any acknowledgement, else by those that bring progress.
	AnyRestarts bool
	// Retries is how often the sender goes back, by a NAK or its timer, without progress in between,
	// before the connection breaks.
	Retries int
	// AckEvery is after how many packets of a message an acknowledgement is requested. The last packet
	// of a message requests one too.
	AckEvery int64
	// Window is how many packets may be in flight; 0: the bandwidth-delay product, below 0 no cap but
	// that of the PSN.
	Window int64
	// Bitmap is how many PSNs beyond the cumulative one an acknowledgement reports.
	Bitmap int64
	// Adaptive is the second timer, of the hardware; nil: there is none.
	Adaptive *Adaptive
}

// Adaptive is a timer of the hardware beside that of the queue pair: Base * 2^g, where g begins
// with Low. A value is used Uses times without progress, then g grows by one, up to Low+Steps. On
// progress it falls by Fall, or to Low where that is 0.
type Adaptive struct {
	Base             units.Duration
	Low, Steps, Fall uint
	Uses             int
	// Capped says that it is never longer than the timer of the queue pair.
	Capped bool
}

// windowOn is how many packets may be in flight on a path.
func (c *Config) windowOn(path schemes.Path) int64 {
	switch {
	case c.Window < 0:
		return conn.Most
	case c.Window == 0:
		return min(max(1, int64((path.RTT+path.PacketTime-1)/path.PacketTime)), conn.Most)
	}
	return min(c.Window, conn.Most)
}

// ackEveryOn is after how many packets an acknowledgement is requested on a path: a window is never
// without a request.
func (c *Config) ackEveryOn(path schemes.Path) int64 {
	return min(c.AckEvery, max(1, c.windowOn(path)/2))
}

// TimeoutOf is the timeout that verbs write as a number from 1 to 31: 4.096 us * 2^n. device is the
// delay of the NIC in the same form, which the connection manager adds, 0 where nobody does: Linux,
// drivers/infiniband/core/cm.c.
func TimeoutOf(n, device uint) units.Duration {
	switch {
	case device == 0:
	case n >= device && device+1 >= n:
		n++
	case n >= device:
	case n+1 >= device:
		n = device + 1
	default:
		n = device
	}
	return 4096 * units.Nanosecond << n
}
