package rc

import (
	"sdrsim/schemes"
	"sdrsim/units"
)

// mprUnit is the unit of the window of MRC, in packets.
const mprUnit = 128

// MRC is the multipath transport whose packets may arrive in any order.
var MRC = schemes.Entry{
	Name: "mrc",
	Doc: "multipath Reliable Connection: every packet placeable, reports of 64 PSNs, a reordering " +
		"threshold, retries that are linear and then double",
	Params: []schemes.Param{
		{Name: "mpr", Kind: schemes.KindCount, Default: "32", Min: 1, Max: 1 << 16,
			Doc: "packets that may be outstanding, in units of 128: the window of the responder"},
		{Name: "sack.every", Kind: schemes.KindCount, Default: "16", Min: 1, Max: 1e6,
			Doc: "packets of a message after which the responder reports"},
		{Name: "sack.bits", Kind: schemes.KindCount, Default: "64", Min: 8, Max: 32768,
			Doc: "PSNs of a report, a block that holds the packet which is answered"},
		{Name: "reorder", Kind: schemes.KindCount, Default: "128", Min: 1, Max: 1 << 23,
			Doc: "PSNs beyond a hole that have to be reported before it counts as lost"},
		{Name: "timeout", Kind: schemes.KindCount, Default: "14", Min: 1, Max: 31,
			Doc: "retransmission timeout, 4.096 us * 2^timeout"},
		{Name: "rto", Kind: schemes.KindSpan,
			Doc: "retransmission timeout as a time, in place of timeout"},
		{Name: "retry.linear", Kind: schemes.KindCount, Default: "3", Min: 0, Max: 1e6,
			Doc: "expiries without progress before the timeout doubles"},
		{Name: "retry.doubling", Kind: schemes.KindCount, Default: "5", Min: 0, Max: 20,
			Doc: "further expiries, each after twice the time; then the connection breaks"},
	},
	Sends: 1, Look: 6,
	Build: func(v schemes.Values) schemes.Factory {
		cfg := configOfMRC(v)
		return schemes.Factory{
			NewSender:   func() (schemes.Sender, error) { return NewSender(&cfg), nil },
			NewReceiver: func() (schemes.Receiver, error) { return NewReceiver(&cfg), nil },
			Retries:     int64(cfg.Retries),
			Check: func(b schemes.Bounds) []schemes.Conflict {
				return check(v, &cfg, b, "retry.linear", "retry.doubling", "timeout", "rto")
			},
		}
	},
}

// configOfMRC reads the parameters. The connection breaks when the last of the expiries comes,
// after 34 timeouts by default: 1, 1, 1, and from 1 on twice as long each time.
func configOfMRC(v schemes.Values) Config {
	linear, doubling := uint(v["retry.linear"].Number), uint(v["retry.doubling"].Number)
	cfg := Config{
		Selective: true, Recent: true, Patient: true,
		Timeout: v["rto"].Span, Linear: linear, Doubling: doubling,
		Retries:  int(max(1, linear+doubling)) - 1,
		AckEvery: max(1, int64(v["sack.every"].Number)),
		Window:   mprUnit * int64(v["mpr"].Number),
		Bitmap:   max(1, int64(v["sack.bits"].Number)),
		Reorder:  max(1, int64(v["reorder"].Number)),
	}
	if cfg.Timeout.IsZero() {
		cfg.Timeout = units.Span{Fixed: TimeoutOf(uint(v["timeout"].Number), 0)}
	}
	return cfg
}
