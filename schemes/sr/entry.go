package sr

import (
	"math"
	"strconv"

	"sdrsim/internal/portable"
	"sdrsim/schemes"
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// RTO is Selective Repeat by timeouts alone.
var RTO = schemes.Entry{
	Name:   "sr-rto",
	Doc:    "Selective Repeat: a chunk whose timeout expires is sent again (arXiv:2505.05366 §4.1.1)",
	Params: Params(),
	Sends:  1, Look: 1,
	Build: func(v schemes.Values) schemes.Factory { return factory(v, ConfigOf(v)) },
}

// NACK is Selective Repeat whose receiver reports holes.
var NACK = schemes.Entry{
	Name:   "sr-nack",
	Doc:    "Selective Repeat with holes reported by the receiver; the timeout is the last resort",
	Params: append([]schemes.Param{paramNackSlack, paramNackReorder}, Params()...),
	Sends:  1, Look: 2,
	Build: func(v schemes.Values) schemes.Factory {
		cfg := ConfigOf(v)
		cfg.Nack, cfg.NackSlack = true, v["nack.slack"].Span
		cfg.NackReorder = v["nack.reorder"].Span
		return factory(v, cfg)
	},
}

var paramNackSlack = schemes.Param{
	Name: "nack.slack", Kind: schemes.KindSpan, Default: "0.0625RTT",
	Doc: "a hole that persists for one round trip plus this long is reported again",
}

var paramNackReorder = schemes.Param{
	Name: "nack.reorder", Kind: schemes.KindSpan, Default: "0s",
	Doc: "reordering window: a gap is a hole, and reported, once it has lasted so long; 0: at once",
}

// Params are the parameters of retransmissions and acknowledgements, which ConfigOf reads. Other
// schemes have them too.
func Params() []schemes.Param {
	return []schemes.Param{
		{Name: "rto", Kind: schemes.KindSpan,
			Doc: "retransmission timeout, from the departure of a chunk's last packet; " +
				"default RTT + alpha*RTT"},
		{Name: "alpha", Kind: schemes.KindNumber, Default: "2", Min: 0, Max: 1000,
			Doc: "safety factor of the retransmission timeout, used where rto is not given"},
		{Name: "retries", Kind: schemes.KindCount, Default: "50", Min: 1, Max: 1e6,
			Doc: "times a chunk is sent again before the message is given up as failed"},
		{Name: "ack.interval", Kind: schemes.KindSpan, Default: "0.0625RTT",
			Doc: "poll period of the receiver, at least the transmission time of a chunk"},
		{Name: "ack.repeat", Kind: schemes.KindCount, Default: "2", Min: 0, Max: 1000,
			Doc: "polls without news at which the last acknowledgement is said again"},
		{Name: "ack.size", Kind: schemes.KindBytes, Default: "4KiB", Min: 64, Max: 65536,
			Doc: "greatest size of an acknowledgement; a selective part that does not fit takes several"},
	}
}

// ConfigOf reads Params.
func ConfigOf(v schemes.Values) Config {
	return Config{
		RTO: timeout(v), Retries: int(v["retries"].Number),
		Ack: AckConfig{
			Interval: v["ack.interval"].Span, Repeat: int(v["ack.repeat"].Number),
			Size: units.Bytes(v["ack.size"].Number),
		},
	}
}

// timeout is the retransmission timeout: rto, or RTT + alpha*RTT. arXiv:2505.05366 §4.1.1
func timeout(v schemes.Values) units.Span {
	if rto := v["rto"].Span; !rto.IsZero() {
		return rto
	}
	return units.RTTs(int64(math.Round((1 + v["alpha"].Number) * units.RTTUnit)))
}

func factory(v schemes.Values, cfg Config) schemes.Factory {
	return schemes.Factory{
		NewSender:   func() (schemes.Sender, error) { return NewSender(&cfg), nil },
		NewReceiver: func() (schemes.Receiver, error) { return NewReceiver(&cfg), nil },
		Retries:     int64(cfg.Retries),
		Check:       func(b schemes.Bounds) []schemes.Conflict { return Check(v, b) },
		// A chunk that is lost comes RTO + T_inj later. arXiv:2505.05366 §4.2.1
		Penalty: func(at schemes.Setting) units.Duration {
			return cfg.RTO.Of(at.RTT) + at.ChunkTime()
		},
		Form: cfg.form,
	}
}

// form is that of Selective Repeat. With NACKs the timeout is the one of a round trip that the
// paper models them by.
func (c Config) form(at schemes.Setting) model.Form {
	m := model.SR{
		Link: at.Link(), Chunks: at.Chunks(), RTO: c.RTO.Of(at.RTT), P: at.Loss.P,
		Limit: c.Limit(at, 1),
	}
	var own []model.Caveat
	if c.Nack {
		m.RTO = at.RTT
		if at.Loss.P > 0 {
			own = append(own, model.Caveat{Validity: model.LowerBound,
				Why: "a hole is taken to cost one round trip, though those at the tail cost more"})
		}
	}
	if at.Loss.PerPacket {
		m.Packets = at.Packets(at.First())
	}
	return model.Form{Formula: m, Caveats: at.Caveats(own, "the last chunk is taken as full")}
}

// Limit is when a message is given up: a chunk was retransmitted as often as retries says, and the
// timeout of the last retransmission expires. Where a timeout is shorter than the round trip to an
// acknowledgement, the last ones leave too late to be acknowledged. An attempt is not acknowledged
// either if its acknowledgement is lost as often as it is repeated; in a burst, if it is once.
// first is 1 where the first transmission counts beside the retransmissions.
func (c Config) Limit(at schemes.Setting, first int64) *model.Limit {
	poll := max(c.Ack.Interval.Of(at.RTT), at.Time(at.First()))
	l := &model.Limit{Attempts: int64(c.Retries) + first, AckLoss: at.AckLoss.P}
	if rto := c.RTO.Of(at.RTT); rto > 0 {
		l.Attempts = max(0, l.Attempts-int64((at.RTT+poll-1)/rto))
	}
	if !at.AckLoss.Bursts {
		l.AckLoss = portable.Pow(at.AckLoss.P, 1+float64(c.Ack.Repeat))
	}
	return l
}

// Check finds what is wrong with Params: two ways to say what the timeout is, and timeouts that
// take longer than the clock spans until the scheme gives up. They run from the departure of a
// retransmission, which is acknowledged after a round trip.
func Check(v schemes.Values, b schemes.Bounds) (list []schemes.Conflict) {
	add := func(keys []string, format string, args ...any) {
		list = append(list, schemes.Conflict{Format: format, Args: args, Keys: keys})
	}
	rto, retries := v["rto"], v["retries"].Number
	if rto.Given && v["alpha"].Given {
		add([]string{"alpha", "rto"}, "must have only one of rto and alpha; rto is RTT + alpha*RTT")
	}
	if rto.Given && rto.Span.IsZero() {
		add([]string{"rto"}, "must be above 0")
	}
	// In float, as nothing has bounded the product yet.
	rtt, span := b.RTT.Seconds(), timeout(v)
	wait := span.Fixed.Seconds()
	if span.Multiple != 0 {
		wait = float64(span.Multiple) / units.RTTUnit * rtt
	}
	if b.RTT >= 0 && (retries+1)*(wait+rtt) > b.Seconds {
		add([]string{"retries", "rto", "alpha"}, "%.0f retries of %ss take more than 11 days of "+
			"simulated time, the most that there is; the round-trip time is %v",
			retries, strconv.FormatFloat(wait, 'f', -1, 64), b.RTT)
	}
	return list
}
