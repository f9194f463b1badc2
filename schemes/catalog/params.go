package catalog

import "sdrsim/schemes"

// Parameters that several schemes share.
var (
	paramRTO = schemes.Param{
		Name: "rto", Kind: schemes.KindSpan,
		Doc: "retransmission timeout, from the departure of a chunk's last packet; " +
			"default RTT + alpha*RTT",
	}
	paramAlpha = schemes.Param{
		Name: "alpha", Kind: schemes.KindNumber, Default: "2", Min: 0, Max: 1000,
		Doc: "safety factor of the retransmission timeout, used where rto is not given",
	}
	paramRetries = schemes.Param{
		Name: "retries", Kind: schemes.KindCount, Default: "50", Min: 1, Max: 1e6,
		Doc: "times a chunk is sent again before the message is given up as failed",
	}
	paramAckInterval = schemes.Param{
		Name: "ack.interval", Kind: schemes.KindSpan, Default: "0.0625RTT",
		Doc: "poll period of the receiver, at least the transmission time of a chunk",
	}
	paramAckRepeat = schemes.Param{
		Name: "ack.repeat", Kind: schemes.KindCount, Default: "2", Min: 0, Max: 1000,
		Doc: "polls without news at which the last acknowledgement is said again",
	}
	paramAckSize = schemes.Param{
		Name: "ack.size", Kind: schemes.KindBytes, Default: "4KiB", Min: 64, Max: 65536,
		Doc: "greatest size of an acknowledgement; a selective part that does not fit takes several",
	}
	paramNackReorder = schemes.Param{
		Name: "nack.reorder", Kind: schemes.KindSpan, Default: "0s",
		Doc: "reordering window: a gap is a hole, and reported, once it has lasted so long; 0: at once",
	}
	paramNackSlack = schemes.Param{
		Name: "nack.slack", Kind: schemes.KindSpan, Default: "0.0625RTT",
		Doc: "a hole that persists for one round trip plus this long is reported again",
	}
)

var ackParams = []schemes.Param{paramAckInterval, paramAckRepeat, paramAckSize}

func ecParams(code string) []schemes.Param {
	own := []schemes.Param{
		{Name: "k", Kind: schemes.KindCount, Default: "32", Min: 1, Max: 65535,
			Doc: "data chunks in a submessage"},
		{Name: "m", Kind: schemes.KindCount, Default: "8", Min: 1, Max: 65535,
			Doc: "parity chunks in a submessage" + code},
		{Name: "beta", Kind: schemes.KindNumber, Default: "1", Min: 0, Max: 1000,
			Doc: "round trips that the fallback timeout waits beyond the injection of data and parity"},
		{Name: "fallback", Kind: schemes.KindChoice, Default: "submessage",
			Choices: []string{"submessage", "missing"},
			Doc:     "what is sent again: every data chunk of a failed submessage, or only those missing"},
		{Name: "order", Kind: schemes.KindChoice, Default: "parity-last",
			Choices: []string{"parity-last", "interleaved"},
			Doc:     "parity after all data, or after each submessage"},
		{Name: "encode.rate", Kind: schemes.KindRate,
			Doc: "data a core encodes a second; default: no cost"},
		{Name: "decode.rate", Kind: schemes.KindRate,
			Doc: "data a core decodes a second; default: no cost"},
		{Name: "cores", Kind: schemes.KindCount, Default: "1", Min: 1, Max: 1e4,
			Doc: "cores that encode and decode"},
	}
	return append(append(own, paramRTO, paramAlpha, paramRetries), ackParams...)
}
