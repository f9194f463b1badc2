package rules

import (
	"math"

	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// arrival builds the arrivals of a point that has been checked; nil where all come at the start.
func (d point) arrival() *spec.Arrival {
	a := &spec.Arrival{Model: d.Get("message.arrival.model").Text}
	switch a.Model {
	case spec.ArrivalAllAtOnce:
		return nil
	case spec.ArrivalTrace:
		a.Times = d.FileOf("message.arrival.file").(draft.ArrivalTimes)
	default:
		a.Interval = d.interval()
	}
	return a
}

// interval is the mean time between messages, as given or as the load makes it: the bytes of a
// message with the headers of its packets take their share of the link.
func (d point) interval() units.Duration {
	if s := d.Get("message.arrival.interval"); s.Has() {
		return units.Duration(s.Whole)
	}
	mtu := units.Bytes(d.Get("link.mtu").Whole)
	headers := spec.Overhead(d.Get("link.encapsulation").Text)
	size := units.Bytes(d.largestSize().Whole)
	wire := float64(size + headers*units.Bytes(units.CeilDiv(int64(size), int64(mtu))))
	if s := d.sizes(); s != nil {
		_, wire = s.Mean(mtu, headers)
	}
	perSecond := d.Get("message.arrival.load").Number * d.Get("link.bandwidth").Number
	return units.Duration(math.Round(8 * wire / perSecond * float64(units.Second)))
}

// arrivalKeys are the keys that each model of arrivals may have.
var arrivalKeys = map[string][]string{
	spec.ArrivalPeriodic: {"interval", "load"},
	spec.ArrivalPoisson:  {"interval", "load"},
	spec.ArrivalTrace:    {"file"},
}

// checkArrival wants what the model needs, and arrivals inside the clock.
func checkArrival(d point, f *format.Faults) {
	model, count := d.Get("message.arrival.model"), d.Get("message.count")
	interval, load := d.Get("message.arrival.interval"), d.Get("message.arrival.load")
	if !keys.Usable(model, count) || model.Text == spec.ArrivalAllAtOnce {
		return
	}
	if d.Ring() {
		f.Blame("a collective has no arrivals: its messages follow from each other", nil, model)
		return
	}
	if model.Text == spec.ArrivalTrace {
		checkTrace(d, f)
		return
	}
	switch {
	case interval.State == keys.Absent && load.State == keys.Absent:
		f.Blame("the model needs interval or load", nil, model)
		return
	case interval.State != keys.Absent && load.State != keys.Absent:
		f.Blame("must have only one of interval and load", nil, interval, load)
		return
	case interval.State == keys.Broken || load.State == keys.Broken || !keys.Usable(d.largestSize(),
		d.Get("link.mtu"), d.Get("link.encapsulation"), d.Get("link.bandwidth")) ||
		!sizesUsable(d):
		return
	}
	between := d.interval()
	if between.Seconds()*float64(count.Whole) > keys.MaxSendSeconds {
		f.Blame("%d messages, one each %v, take more than 11 days of simulated time, the most that "+
			"there is", []any{count.Whole, between}, count, interval, load)
	}
	if between < 1 {
		f.Blame("messages come less than a picosecond apart", nil, load)
	}
}

// checkTrace wants a time for every message.
func checkTrace(d point, f *format.Faults) {
	count, file := d.Get("message.count"), d.Get("message.arrival.file")
	if file.State == keys.Absent {
		f.Blame("the model needs file", nil, d.Get("message.arrival.model"))
		return
	}
	if times, ok := d.FileOf("message.arrival.file").(draft.ArrivalTimes); ok &&
		int64(len(times)) < count.Whole {
		f.Blame("holds %d times, and there are %d messages", []any{len(times), count.Whole},
			file, count)
	}
}
