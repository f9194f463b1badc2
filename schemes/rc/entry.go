package rc

import (
	"sdrsim/schemes"
	"sdrsim/units"
)

// Ways of recovery, and what restarts the timer.
const (
	goBackN   = "go-back-n"
	selective = "selective"
	progress  = "progress"
	any       = "any"
	yes       = "yes"
	no        = "no"
)

// RC is Reliable Connection.
var RC = schemes.Entry{
	Name: "rc",
	Doc: "Reliable Connection, as NICs have it: Go-Back-N or selective recovery, timers in powers " +
		"of two, sequence numbers across messages",
	Params: []schemes.Param{
		{Name: "recovery", Kind: schemes.KindChoice, Default: goBackN,
			Choices: []string{goBackN, selective},
			Doc:     "what is retransmitted: everything from the missing packet on, or what is missing"},
		{Name: "timeout", Kind: schemes.KindCount, Default: "14", Min: 1, Max: 31,
			Doc: "retransmission timeout as verbs have it, 4.096 us * 2^timeout"},
		{Name: "device", Kind: schemes.KindCount, Default: "0", Min: 0, Max: 31,
			Doc: "ACK delay of the NIC in the same form, which the connection manager adds; 0: none"},
		{Name: "stretch", Kind: schemes.KindNumber, Default: "1", Min: 1, Max: 4,
			Doc: "factor by which the NIC exceeds the timeout, 1 to 4"},
		{Name: "rto", Kind: schemes.KindSpan,
			Doc: "retransmission timeout as a time, in place of timeout"},
		{Name: "rto_low", Kind: schemes.KindSpan,
			Doc: "shorter timeout while few packets are in flight; default: none"},
		{Name: "few", Kind: schemes.KindCount, Default: "3", Min: 1, Max: 1e6,
			Doc: "packets in flight up to which rto_low is used"},
		{Name: "backoff", Kind: schemes.KindCount, Default: "0", Min: 0, Max: 20,
			Doc: "how often the timeout doubles, once for each expiry without progress"},
		{Name: "restart", Kind: schemes.KindChoice, Default: progress, Choices: []string{progress, any},
			Doc: "acknowledgements that restart the timer: those that bring progress, or any"},
		{Name: "retry_cnt", Kind: schemes.KindCount, Default: "7", Min: 0, Max: 1e6,
			Doc: "retries without progress before the connection breaks"},
		{Name: "ack.every", Kind: schemes.KindCount, Default: "64", Min: 1, Max: 1e6,
			Doc: "packets of a message of which the last requests an acknowledgement"},
		{Name: "window", Kind: schemes.KindCount, Min: 1, Max: 1 << 23,
			Doc: "packets in flight at most; default: 2^23 with go-back-n, the bandwidth-delay product " +
				"with selective"},
		{Name: "bitmap", Kind: schemes.KindCount, Default: "4096", Min: 1, Max: 32768,
			Doc: "PSNs beyond the cumulative one that an acknowledgement reports, with selective"},
		{Name: "adaptive.base", Kind: schemes.KindSpan,
			Doc: "unit of the second timer, of the hardware, base * 2^g; default: there is none"},
		{Name: "adaptive.low", Kind: schemes.KindCount, Default: "0", Min: 0, Max: 31,
			Doc: "g of the second timer at first"},
		{Name: "adaptive.steps", Kind: schemes.KindCount, Default: "16", Min: 0, Max: 31,
			Doc: "how often the second timer doubles at most"},
		{Name: "adaptive.uses", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1000,
			Doc: "expiries without progress after which the second timer doubles"},
		{Name: "adaptive.fall", Kind: schemes.KindCount, Default: "0", Min: 0, Max: 31,
			Doc: "by how much g falls on progress; 0: to adaptive.low"},
		{Name: "adaptive.capped", Kind: schemes.KindChoice, Default: yes, Choices: []string{yes, no},
			Doc: "whether the second timer is never longer than the timeout, as in firmware of 2025"},
	},
	Sends: 1, Look: 5,
	Build: func(v schemes.Values) schemes.Factory {
		cfg := configOf(v)
		return schemes.Factory{
			NewSender:   func() (schemes.Sender, error) { return NewSender(&cfg), nil },
			NewReceiver: func() (schemes.Receiver, error) { return NewReceiver(&cfg), nil },
			Retries:     int64(cfg.Retries),
			Check:       func(b schemes.Bounds) []schemes.Conflict { return check(v, &cfg, b) },
		}
	},
}

// configOf reads the parameters.
func configOf(v schemes.Values) Config {
	cfg := Config{
		Selective:  v["recovery"].Word == selective,
		Timeout:    v["rto"].Span,
		TimeoutLow: v["rto_low"].Span, FewInFlight: int64(v["few"].Number),
		Doubling:    uint(v["backoff"].Number),
		AnyRestarts: v["restart"].Word == any,
		Retries:     int(v["retry_cnt"].Number),
		AckEvery:    max(1, int64(v["ack.every"].Number)),
		Window:      int64(v["window"].Number),
		Bitmap:      int64(v["bitmap"].Number),
	}
	if cfg.Timeout.IsZero() {
		base := TimeoutOf(uint(v["timeout"].Number), uint(v["device"].Number))
		cfg.Timeout = units.Span{Fixed: units.Duration(float64(base) * max(1, v["stretch"].Number))}
	}
	if cfg.Window == 0 && !cfg.Selective {
		cfg.Window = -1
	}
	if base := v["adaptive.base"].Span; !base.IsZero() {
		cfg.Adaptive = &Adaptive{Base: base.Fixed, Low: uint(v["adaptive.low"].Number),
			Steps: uint(v["adaptive.steps"].Number), Fall: uint(v["adaptive.fall"].Number),
			Uses: int(v["adaptive.uses"].Number), Capped: v["adaptive.capped"].Word == yes}
	}
	return cfg
}

// check finds values that contradict each other.
func check(v schemes.Values, cfg *Config, b schemes.Bounds) (list []schemes.Conflict) {
	add := func(keys []string, format string, args ...interface{}) {
		list = append(list, schemes.Conflict{Format: format, Args: args, Keys: keys})
	}
	for _, key := range []string{"timeout", "device", "stretch"} {
		if v["rto"].Given && v[key].Given {
			add([]string{key, "rto"}, "must have only one of rto and %s", key)
		}
	}
	for _, key := range []string{"rto", "adaptive.base"} {
		if v[key].Given && v[key].Span.IsZero() {
			add([]string{key}, "must be above 0")
		}
	}
	if v["adaptive.base"].Span.Multiple != 0 {
		add([]string{"adaptive.base"}, "must be a time: the hardware knows no round trip")
	}
	if v["adaptive.low"].Number+v["adaptive.steps"].Number > 31 {
		add([]string{"adaptive.low", "adaptive.steps"}, "must be at most 31 together")
	}
	if b.RTT >= 0 && len(list) == 0 {
		checkClock(cfg, b, add)
	}
	return list
}

// checkClock wants the retries to end inside the clock.
func checkClock(cfg *Config, b schemes.Bounds, add func([]string, string, ...interface{})) {
	rtt := b.RTT.Seconds()
	longest := cfg.Timeout.Fixed.Seconds() + float64(cfg.Timeout.Multiple)/units.RTTUnit*rtt
	longest *= float64(int64(1) << cfg.Doubling)
	if a := cfg.Adaptive; a != nil && !a.Capped {
		longest = max(longest, a.Base.Seconds()*float64(int64(1)<<(a.Low+a.Steps)))
	}
	if all := float64(cfg.Retries+1) * (longest + rtt); all > b.Seconds {
		add([]string{"retry_cnt", "timeout", "rto", "backoff", "adaptive.steps"},
			"%d retries of at most %.3g s take more than 11 days of simulated time, the most that there is",
			cfg.Retries, longest)
	}
}
