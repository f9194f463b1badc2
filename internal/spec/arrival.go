package spec

import "sdrsim/units"

// Models of when the application posts its messages.
const (
	ArrivalAllAtOnce = "all-at-once"
	ArrivalPeriodic  = "periodic"
	ArrivalPoisson   = "poisson"
	ArrivalTrace     = "trace"
)

// Arrival is when the application posts messages that do not all come at the start.
type Arrival struct {
	Model string
	// Interval is the mean time from one to the next (periodic, poisson).
	Interval units.Duration
	// Times are when they come (trace), in order.
	Times []units.Time
}
