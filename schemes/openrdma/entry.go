package openrdma

import (
	"sdrsim/schemes"
	"sdrsim/units"
)

// Ways of recovery on a NAK.
const (
	goBackN = "go-back-n"
	slidOut = "range"
)

// OpenRDMA is the transport of OpenRDMA.
var OpenRDMA = schemes.Entry{
	Name: "openrdma",
	Doc: "OpenRDMA: a receive bitmap of 128 packets that slides by 16, and recovery in software on " +
		"the CPU",
	Params: []schemes.Param{
		{Name: "recovery", Kind: schemes.KindChoice, Default: goBackN,
			Choices: []string{goBackN, slidOut},
			Doc: "what a NAK has retransmitted: nothing, the timer goes back, as in the public code; or " +
				"what slid out and the bitmap"},
		{Name: "timeout", Kind: schemes.KindCount, Default: "14", Min: 1, Max: 31,
			Doc: "timeout of the software, 4.096 us * 2^timeout"},
		{Name: "rto", Kind: schemes.KindSpan,
			Doc: "timeout of the software as a time, in place of timeout"},
		{Name: "check", Kind: schemes.KindSpan, Default: "1048576ns",
			Doc: "period in which the software looks at its timers"},
		{Name: "retry_cnt", Kind: schemes.KindCount, Default: "5", Min: 0, Max: 1e6,
			Doc: "expiries without a report before the connection breaks"},
		{Name: "poll", Kind: schemes.KindSpan, Default: "40us",
			Doc: "period of reports"},
		{Name: "bitmap", Kind: schemes.KindCount, Default: "128", Min: 16, Max: 1 << 20,
			Doc: "packets of the receive bitmap"},
		{Name: "slide", Kind: schemes.KindCount, Default: "16", Min: 1, Max: 1 << 20,
			Doc: "packets by which the bitmap slides"},
	},
	Sends: 1, Look: 7,
	Build: func(v schemes.Values) schemes.Factory {
		cfg := configOf(v)
		return schemes.Factory{
			NewSender:   func() (schemes.Sender, error) { return NewSender(&cfg), nil },
			NewReceiver: func() (schemes.Receiver, error) { return NewReceiver(&cfg), nil },
			Retries:     int64(cfg.Retries),
			Check:       func(b schemes.Bounds) []schemes.Conflict { return conflicts(v, &cfg, b) },
		}
	},
}

// configOf reads the parameters.
func configOf(v schemes.Values) Config {
	cfg := Config{
		Timeout: v["rto"].Span, Check: v["check"].Span, Poll: v["poll"].Span,
		Range: v["recovery"].Word == slidOut, Retries: int(v["retry_cnt"].Number),
		Bitmap: int64(v["bitmap"].Number), Slide: max(1, int64(v["slide"].Number)),
	}
	if cfg.Timeout.IsZero() {
		cfg.Timeout = units.Span{Fixed: 4096 * units.Nanosecond << uint(v["timeout"].Number)}
	}
	return cfg
}

// conflicts finds values that contradict each other.
func conflicts(v schemes.Values, cfg *Config, b schemes.Bounds) (list []schemes.Conflict) {
	add := func(keys []string, format string, args ...any) {
		list = append(list, schemes.Conflict{Format: format, Args: args, Keys: keys})
	}
	if v["rto"].Given && v["timeout"].Given {
		add([]string{"timeout", "rto"}, "must have only one of rto and timeout")
	}
	for _, key := range []string{"rto", "check", "poll"} {
		if v[key].Given && v[key].Span.IsZero() {
			add([]string{key}, "must be above 0")
		}
	}
	if cfg.Bitmap%cfg.Slide != 0 {
		add([]string{"bitmap", "slide"}, "must have a bitmap of a multiple of slide, not %d of %d",
			cfg.Bitmap, cfg.Slide)
	}
	wait := func(s units.Span) float64 {
		return s.Fixed.Seconds() + float64(s.Multiple)/units.RTTUnit*b.RTT.Seconds()
	}
	each := wait(cfg.Timeout) + wait(cfg.Check) + b.RTT.Seconds()
	if b.RTT >= 0 && float64(cfg.Retries+1)*each > b.Seconds {
		add([]string{"retry_cnt", "timeout", "rto"}, "%d retries take more than 11 days of simulated "+
			"time, the most that there is", cfg.Retries)
	}
	return list
}
