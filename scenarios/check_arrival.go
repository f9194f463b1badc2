package scenarios

import (
	"math"

	"sdrsim/internal/spec"
	"sdrsim/units"
)

// arrival builds the arrivals of a point that has been checked; nil where all come at the start.
func (d point) arrival() *spec.Arrival {
	a := &spec.Arrival{Model: d.get("message.arrival.model").text}
	switch a.Model {
	case spec.ArrivalAllAtOnce:
		return nil
	case spec.ArrivalTrace:
		a.Times = d.fileOf("message.arrival.file").(arrivalTimes)
	default:
		a.Interval = d.interval()
	}
	return a
}

// interval is the mean time between messages, as given or as the load makes it: the bytes of a
// message with the headers of its packets take their share of the link.
func (d point) interval() units.Duration {
	if s := d.get("message.arrival.interval"); s.has() {
		return units.Duration(s.whole)
	}
	mtu := units.Bytes(d.get("link.mtu").whole)
	headers := overhead(d.get("link.encapsulation").text)
	size := units.Bytes(d.largestSize().whole)
	wire := float64(size + headers*units.Bytes(units.CeilDiv(int64(size), int64(mtu))))
	if s := d.sizes(); s != nil {
		_, wire = s.Mean(mtu, headers)
	}
	perSecond := d.get("message.arrival.load").number * d.get("link.bandwidth").number
	return units.Duration(math.Round(8 * wire / perSecond * float64(units.Second)))
}

// arrivalKeys are the keys that each model of arrivals may have.
var arrivalKeys = map[string][]string{
	spec.ArrivalPeriodic: {"interval", "load"},
	spec.ArrivalPoisson:  {"interval", "load"},
	spec.ArrivalTrace:    {"file"},
}

// checkArrival wants what the model needs, and arrivals inside the clock.
func checkArrival(d point, f *faults) {
	model, count := d.get("message.arrival.model"), d.get("message.count")
	interval, load := d.get("message.arrival.interval"), d.get("message.arrival.load")
	if !usable(model, count) || model.text == spec.ArrivalAllAtOnce {
		return
	}
	if d.ring() {
		f.blame("a collective has no arrivals: its messages follow from each other", nil, model)
		return
	}
	if model.text == spec.ArrivalTrace {
		checkTrace(d, f)
		return
	}
	switch {
	case interval.state == absent && load.state == absent:
		f.blame("the model needs interval or load", nil, model)
		return
	case interval.state != absent && load.state != absent:
		f.blame("must have only one of interval and load", nil, interval, load)
		return
	case interval.state == broken || load.state == broken || !usable(d.largestSize(),
		d.get("link.mtu"), d.get("link.encapsulation"), d.get("link.bandwidth")) ||
		!sizesUsable(d):
		return
	}
	between := d.interval()
	if between.Seconds()*float64(count.whole) > maxSendSeconds {
		f.blame("%d messages, one each %v, take more than 11 days of simulated time, the most that "+
			"there is", []any{count.whole, between}, count, interval, load)
	}
	if between < 1 {
		f.blame("messages come less than a picosecond apart", nil, load)
	}
}

// checkTrace wants a time for every message.
func checkTrace(d point, f *faults) {
	count, file := d.get("message.count"), d.get("message.arrival.file")
	if file.state == absent {
		f.blame("the model needs file", nil, d.get("message.arrival.model"))
		return
	}
	if times, ok := d.fileOf("message.arrival.file").(arrivalTimes); ok &&
		int64(len(times)) < count.whole {
		f.blame("holds %d times, and there are %d messages", []any{len(times), count.whole},
			file, count)
	}
}
