package ec

import (
	"math"

	"sdrsim/schemes"
	"sdrsim/schemes/ec/code"
	"sdrsim/schemes/model"
	"sdrsim/schemes/sr"
	"sdrsim/units"
)

// Code is an erasure code, and the scheme that is made with it.
type Code struct {
	Rule   model.Code // which losses it recovers
	Scheme string
	New    func(k, m int) (code.Coder, error)
}

// Codes are those that there are.
var Codes = []Code{
	{model.MDS, "ec-mds", func(k, m int) (code.Coder, error) { return code.NewMDS(k, m) }},
	{model.XOR, "ec-xor", func(k, m int) (code.Coder, error) { return code.NewXOR(k, m) }},
}

// MDS is erasure coding with a Reed-Solomon code.
var MDS = schemes.Entry{
	Name: Codes[0].Scheme,
	Doc: "Erasure coding with a Reed-Solomon code: any k of k+m chunks recover a submessage " +
		"(§4.1.2)",
	Params: params(""),
	Sends:  2, Falls: true, Split: split, Look: 3,
	Build: func(v schemes.Values) schemes.Factory { return build(v, Codes[0]) },
}

// XOR is erasure coding with XOR parity.
var XOR = schemes.Entry{
	Name:   Codes[1].Scheme,
	Doc:    "Erasure coding with XOR parity: one loss in each of m interleaved groups (§4.1.2)",
	Params: params("; parity i covers the data chunks j with j mod m = i"),
	Sends:  2, Falls: true, Split: split, Look: 4,
	Build: func(v schemes.Values) schemes.Factory { return build(v, Codes[1]) },
}

var split = []string{"k", "m"}

func params(parity string) []schemes.Param {
	own := []schemes.Param{
		{Name: "k", Kind: schemes.KindCount, Default: "32", Min: 1, Max: 65535,
			Doc: "data chunks in a submessage"},
		{Name: "m", Kind: schemes.KindCount, Default: "8", Min: 1, Max: 65535,
			Doc: "parity chunks in a submessage" + parity},
		{Name: "beta", Kind: schemes.KindNumber, Default: "1", Min: 0, Max: 1000,
			Doc: "round trips that the fallback timeout waits beyond the injection of data and parity"},
		{Name: "fallback", Kind: schemes.KindChoice, Default: string(FallbackSubmessage),
			Choices: []string{string(FallbackSubmessage), string(FallbackMissing)},
			Doc:     "what is sent again: every data chunk of a failed submessage, or only those missing"},
		{Name: "order", Kind: schemes.KindChoice, Default: string(OrderParityLast),
			Choices: []string{string(OrderParityLast), string(OrderInterleaved)},
			Doc:     "parity after all data, or after each submessage"},
		{Name: "encode.rate", Kind: schemes.KindRate,
			Doc: "data a core encodes a second; default: no cost"},
		{Name: "decode.rate", Kind: schemes.KindRate,
			Doc: "data a core decodes a second; default: no cost"},
		{Name: "cores", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1e4,
			Doc: "cores that encode and decode"},
	}
	return append(own, sr.Params()...)
}

func build(v schemes.Values, by Code) schemes.Factory {
	cores := v["cores"].Number
	cfg := Config{
		NewCoder:   by.New,
		DataChunks: int(v["k"].Number), ParityChunks: int(v["m"].Number),
		Beta:     units.RTTs(int64(math.Round(v["beta"].Number * units.RTTUnit))),
		Fallback: Fallback(v["fallback"].Word), Order: Order(v["order"].Word),
		EncodeRate: togetherAt(v["encode.rate"].Number * cores),
		DecodeRate: togetherAt(v["decode.rate"].Number * cores), SR: sr.ConfigOf(v),
	}
	return schemes.Factory{
		NewSender:   func() (schemes.Sender, error) { return NewSender(&cfg) },
		NewReceiver: func() (schemes.Receiver, error) { return NewReceiver(&cfg) },
		Retries:     int64(cfg.SR.Retries),
		Parity:      cfg.parity,
		Check: func(b schemes.Bounds) []schemes.Conflict {
			list := append(sr.Check(v, b), cfg.checkWork(v, b)...)
			if by.Rule == model.XOR {
				return append(list, cfg.checkGroups()...)
			}
			return append(list, cfg.checkField(b)...)
		},
		// The parity of all L submessages, beta RTT until the receiver falls back, its report, and a
		// repeat that is lost once.
		Penalty: func(at schemes.Setting) units.Duration {
			parity := units.Duration(cfg.parity(at.Chunks())) * at.ChunkTime()
			return parity + cfg.Beta.Of(at.RTT) + at.RTT + cfg.SR.RTO.Of(at.RTT)
		},
		Groups: func(size, chunk, mtu units.Bytes) ([]schemes.Group, error) {
			return Groups(cfg, size, chunk, mtu)
		},
		Form: func(at schemes.Setting) model.Form {
			switch {
			case cfg.Fallback == FallbackMissing:
				return model.Form{Why: "it repeats whole submessages"}
			case v["encode.rate"].Given || v["decode.rate"].Given:
				return model.Form{Why: "it knows no cost of coding"}
			}
			return cfg.form(at, model.EC{Code: by.Rule, Beta: v["beta"].Number})
		},
	}
}

// togetherAt is a rate in bit/s, at most the greatest that there is: as good as no time at all.
func togetherAt(bits float64) units.Rate {
	const most = 1 << 62
	return units.Rate(min(bits, most))
}

// submessages is how many a message of so many chunks has.
func (c *Config) submessages(chunks int64) int64 {
	return units.CeilDiv(chunks, int64(c.DataChunks))
}

// parity is how many chunks of parity they have; the last has as many as any.
func (c *Config) parity(chunks int64) int64 {
	if c.DataChunks == 0 {
		return 0 // a fault of the user's
	}
	return c.submessages(chunks) * int64(c.ParityChunks)
}

// form completes that of a receiver that speaks as soon as everything can be recovered. Where a
// message is a single short chunk, chunks of parity are as long.
func (c *Config) form(at schemes.Setting, e model.EC) model.Form {
	e.Link, e.Chunks, e.P, e.Ack = at.Link(), at.Chunks(), at.Loss.P, model.AckRecoverable
	e.K, e.M, e.Order = int64(c.DataChunks), int64(c.ParityChunks), model.Order(c.Order)
	e.RTO, e.Limit = c.SR.RTO.Of(at.RTT), c.SR.Limit(at, 0)
	e.FirstPacket = at.Time(min(at.MTU, at.Size))
	short := c.shortParity(&e, at)
	parity := (c.parity(e.Chunks)-short)*at.Packets(at.Chunk) + short*at.Packets(at.Last())
	e.Injection = at.Time(at.MTU) * units.Duration(at.Packets(at.Size)+parity)
	if at.Last() < at.First() {
		e.Last = at.Time(at.Last())
	}
	if at.Loss.PerPacket {
		e.Packets = at.Packets(at.First())
		if e.Last > 0 {
			e.LastPackets = at.Packets(at.Last())
		}
	}
	last := ""
	if e.P > 0 {
		last = "the last chunk is taken as full in the fallback"
	}
	return model.Form{Formula: e, Caveats: at.Caveats(nil, last)}
}

// shortParity is how many chunks of parity cover no data chunk but the last, which is a short one,
// and are as short.
func (c *Config) shortParity(e *model.EC, at schemes.Setting) int64 {
	last := e.Chunks - (c.submessages(e.Chunks)-1)*e.K // data chunks of the last submessage
	switch {
	case at.Last() == at.Chunk:
		return 0
	case e.Code == model.XOR:
		return max(0, e.M-last+1)
	case last == 1:
		return e.M
	}
	return 0
}

// checkGroups wants a data chunk for each chunk of XOR parity.
func (c *Config) checkGroups() []schemes.Conflict {
	if c.DataChunks == 0 || c.ParityChunks <= c.DataChunks {
		return nil
	}
	return []schemes.Conflict{{
		Format: "m %d must not be above k %d: each parity chunk covers a data chunk",
		Args:   []any{c.ParityChunks, c.DataChunks}, Keys: []string{"m", "k"},
	}}
}

// checkField applies the limits of the Reed-Solomon codecs.
func (c *Config) checkField(b schemes.Bounds) []schemes.Conflict {
	k, m := c.DataChunks, c.ParityChunks
	if k < 1 || m < 1 {
		return nil
	}
	switch large := code.InLargeField(k, m); {
	case large > code.LargeField:
		return []schemes.Conflict{{
			Format: "k is %d and m is %d, rounded up to a power of two %d; together they must be " +
				"at most %d",
			Args: []any{k, m, large - k, code.LargeField}, Keys: split,
		}}
	case large > 0 && b.Chunk%code.LargeMultiple != 0:
		return []schemes.Conflict{{
			Format: "k+m is %d; above %d message.chunk must be a multiple of %dB, and is %dB",
			Args:   []any{k + m, code.SmallField, code.LargeMultiple, int64(b.Chunk)},
			Keys:   []string{"k", "m", schemes.ChunkKey},
		}}
	}
	return nil
}

// checkWork keeps the fallback timeout and the work of encoders and decoders inside the clock.
// Submessages are coded one after the other, the last as if it were whole.
func (c *Config) checkWork(v schemes.Values, b schemes.Bounds) (list []schemes.Conflict) {
	const day = 86400
	if b.RTT >= 0 && v["beta"].Number*b.RTT.Seconds() > day {
		list = append(list, schemes.Conflict{
			Format: "beta * RTT must be at most 24h; the round-trip time is %v",
			Args:   []any{b.RTT}, Keys: []string{"beta"},
		})
	}
	cores := v["cores"].Number
	if b.Chunk == 0 || b.Size == 0 || c.DataChunks == 0 || cores == 0 {
		return list
	}
	each := units.Bytes(c.DataChunks) * b.Chunk
	subs := c.submessages(units.CeilDiv(int64(b.Size), int64(b.Chunk)))
	work := 8 * float64(subs) * float64(each) * float64(b.Messages)
	for _, key := range []string{"encode.rate", "decode.rate"} {
		if rate := v[key]; rate.Given && work > b.Seconds*rate.Number*cores {
			list = append(list, schemes.Conflict{
				Format: "coding %v in submessages of %v takes more than 11 days of simulated time, the " +
					"most that there is",
				Args: []any{b.Size, each},
				Keys: []string{key, "k", "cores", schemes.ChunkKey, schemes.WorkKeys},
			})
		}
	}
	return list
}
