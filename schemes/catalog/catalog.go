package catalog

import (
	"fmt"
	"math"

	"sdrsim/schemes"
	"sdrsim/schemes/ec"
	"sdrsim/schemes/ec/code"
	"sdrsim/schemes/rc"
	"sdrsim/schemes/sr"
	"sdrsim/units"
)

// Entry is a scheme by name.
type Entry struct {
	Name   string
	Doc    string // one line
	Params []schemes.Param
	// Sends is how many SDR messages the scheme posts for each message.
	Sends int
	// Coded schemes send m chunks of parity, a parameter, for every k chunks of data.
	Coded bool
	// Disjoint codes need a data chunk for each parity chunk: m is at most k.
	Disjoint bool
	build    func(schemes.Values) Factory
}

// Factory makes the two sides of a scheme with given parameters.
type Factory struct {
	NewSender   func() (schemes.Sender, error)
	NewReceiver func() (schemes.Receiver, error)
	// Penalty is about what one more of the rare events that make samples of a message differ adds
	// to its completion; nil: not known. Intervals of means allow for one that no sample met.
	Penalty func(Setting) units.Duration
	// Groups are the chunks of a message that repair each other, by its size, the size of a chunk and
	// of a packet; nil: none do. Samples look for losses that a group does not bear.
	Groups func(size, chunk, mtu units.Bytes) ([]schemes.Group, error)
}

// Setting is what a penalty depends on.
type Setting struct {
	RTT       units.Duration
	ChunkTime units.Duration // how long a full chunk occupies the link
	Chunks    int64          // of the message
}

// Entries lists the schemes in the order in which they are shown.
func Entries() []Entry { return entries }

var entries = []Entry{
	{
		Name:   "sr-rto",
		Doc:    "Selective Repeat: a chunk whose timeout expires is sent again (arXiv:2505.05366 §4.1.1)",
		Params: append([]schemes.Param{paramRTO, paramAlpha, paramRetries}, ackParams...),
		Sends:  1, build: func(v schemes.Values) Factory { return srFactory(srConfig(v)) },
	},
	{
		Name: "sr-nack",
		Doc:  "Selective Repeat with holes reported by the receiver; the timeout is the last resort",
		Params: append([]schemes.Param{paramNackSlack, paramRTO, paramAlpha, paramRetries},
			ackParams...),
		Sends: 1,
		build: func(v schemes.Values) Factory {
			cfg := srConfig(v)
			cfg.Nack, cfg.NackSlack = true, v["nack.slack"].Span
			return srFactory(cfg)
		},
	},
	{
		Name: "rc-gbn",
		Doc: "Go-Back-N, as in Reliable Connection: one NAK a gap, and everything from the missing " +
			"packet on again",
		Params: append([]schemes.Param{paramRTO, paramAlpha, paramRetries}, ackParams...),
		Sends:  1,
		build: func(v schemes.Values) Factory {
			cfg := srConfig(v)
			return goBackN(rc.Config{RTO: cfg.RTO, Retries: cfg.Retries, Ack: cfg.Ack})
		},
	},
	{
		Name: "ec-mds",
		Doc: "Erasure coding with a Reed-Solomon code: any k of k+m chunks recover a submessage " +
			"(§4.1.2)",
		Params: ecParams(""),
		Sends:  2, Coded: true,
		build: func(v schemes.Values) Factory {
			return ecFactory(v, func(k, m int) (code.Coder, error) { return code.NewMDS(k, m) })
		},
	},
	{
		Name:   "ec-xor",
		Doc:    "Erasure coding with XOR parity: one loss in each of m interleaved groups (§4.1.2)",
		Params: ecParams("; parity i covers the data chunks j with j mod m = i"),
		Sends:  2, Coded: true, Disjoint: true,
		build: func(v schemes.Values) Factory {
			return ecFactory(v, func(k, m int) (code.Coder, error) { return code.NewXOR(k, m) })
		},
	},
}

// Lookup finds a scheme by name.
func Lookup(name string) (Entry, bool) {
	for _, e := range entries {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

// Build returns the constructors of a scheme; values holds every parameter of its entry.
func Build(name string, values schemes.Values) (Factory, error) {
	e, ok := Lookup(name)
	if !ok {
		return Factory{}, fmt.Errorf("catalog: no reliability scheme is called %q", name)
	}
	return e.build(values), nil
}

func srFactory(cfg sr.Config) Factory {
	return Factory{
		NewSender:   func() (schemes.Sender, error) { return sr.NewSender(cfg), nil },
		NewReceiver: func() (schemes.Receiver, error) { return sr.NewReceiver(cfg), nil },
		// A chunk that is lost comes RTO + T_inj later. arXiv:2505.05366 §4.2.1
		Penalty: func(at Setting) units.Duration { return cfg.RTO.Of(at.RTT) + at.ChunkTime },
	}
}

func goBackN(cfg rc.Config) Factory {
	return Factory{
		NewSender:   func() (schemes.Sender, error) { return rc.NewSender(cfg), nil },
		NewReceiver: func() (schemes.Receiver, error) { return rc.NewReceiver(cfg), nil },
	}
}

func ecFactory(v schemes.Values, coder func(k, m int) (code.Coder, error)) Factory {
	cores := v["cores"].Number
	cfg := ec.Config{
		NewCoder: coder, DataChunks: int(v["k"].Number), ParityChunks: int(v["m"].Number),
		Beta: rtts(v["beta"].Number), Fallback: ec.Fallback(v["fallback"].Word),
		Order:      ec.Order(v["order"].Word),
		EncodeRate: togetherAt(v["encode.rate"].Number * cores),
		DecodeRate: togetherAt(v["decode.rate"].Number * cores), SR: srConfig(v),
	}
	return Factory{
		NewSender:   func() (schemes.Sender, error) { return ec.NewSender(cfg) },
		NewReceiver: func() (schemes.Receiver, error) { return ec.NewReceiver(cfg) },
		Groups: func(size, chunk, mtu units.Bytes) ([]schemes.Group, error) {
			return ec.Groups(cfg, size, chunk, mtu)
		},
		// The parity of all L submessages, beta RTT until the receiver falls back, its report, and a
		// repeat that is lost once.
		Penalty: func(at Setting) units.Duration {
			k := int64(cfg.DataChunks)
			parity := (at.Chunks + k - 1) / k * int64(cfg.ParityChunks)
			return units.Duration(parity)*at.ChunkTime + cfg.Beta.Of(at.RTT) + at.RTT +
				cfg.SR.RTO.Of(at.RTT)
		},
	}
}

// togetherAt is a rate in bit/s, at most the greatest that there is: as good as no time at all.
func togetherAt(bits float64) units.Rate {
	const most = 1 << 62
	return units.Rate(min(bits, most))
}

// Timeout is the retransmission timeout of a scheme: rto, or RTT + alpha*RTT.
// arXiv:2505.05366 §4.1.1
func Timeout(v schemes.Values) units.Span {
	if rto := v["rto"].Span; !rto.IsZero() {
		return rto
	}
	return rtts(1 + v["alpha"].Number)
}

func srConfig(v schemes.Values) sr.Config {
	return sr.Config{
		RTO: Timeout(v), Retries: int(v["retries"].Number),
		Ack: sr.AckConfig{
			Interval: v["ack.interval"].Span, Repeat: int(v["ack.repeat"].Number),
			Size: units.Bytes(v["ack.size"].Number),
		},
	}
}

// rtts is a number of round trips, to a millionth.
func rtts(n float64) units.Span {
	return units.RTTs(int64(math.Round(n * units.RTTUnit)))
}
