package main

import (
	"math"
	"strconv"

	"sdrsim/internal/experiment"
	"sdrsim/internal/portable"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
	"sdrsim/schemes/catalog"
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// form is the closed form for one point under one scheme; sr, ec or why is set.
type form struct {
	sr *model.SR
	ec *model.EC
	// ring is how many datacenters a collective has whose rounds sr or ec are of; 0 for a message.
	ring int64
	// why tells why there is none.
	why string
	// caveats are what the point has and the form does not know.
	caveats []caveat
}

// caveat lowers what a value of the form is worth.
type caveat struct {
	validity model.Validity
	why      string
}

// formOf finds the closed form of arXiv:2505.05366 §4.2 for a point under a scheme. It is of one
// message with independent losses, and knows neither lost acknowledgements nor the cost of hosts:
// points with such costs, streams, sizes that are drawn and bursts have none. Losses of packets
// instead of chunks are taken as the simulation has them: packets that arrived stay arrived, and a
// code has lost a chunk with any of its packets.
//
// A collective has the form of ringForm.
func formOf(p *scenarios.Point, s *scenarios.Scheme) form {
	switch {
	case !p.Link.Steady():
		return form{why: "it is of a link that does not change"}
	case !p.Even():
		return form{why: "it is of a path that keeps packets in order and at their distances"}
	case p.Collective.Kind != "":
		return ringForm(p, s)
	case p.Message.Count > 1:
		return form{why: "it is of a single message"}
	case p.Message.Sizes != nil:
		return form{why: "it is of messages of one size"}
	case p.Link.Loss.Model != scenarios.LossNone && p.Link.Loss.Model != scenarios.LossIID:
		return form{why: "it is of independent losses"}
	case p.NIC.PerPacket > 0 || p.NIC.PerChunk > 0:
		return form{why: "it knows no cost of completions"}
	}
	f := form{why: "it does not know the scheme"}
	switch s.Name {
	case "sr-rto", "sr-nack":
		f = selectiveRepeat(p, s)
	case "ec-mds":
		f = erasureCoding(p, s, model.MDS)
	case "ec-xor":
		f = erasureCoding(p, s, model.XOR)
	}
	f.caveats = caveatsOf(p, s)
	return f
}

// packetsOf is how many packets so many bytes are.
func packetsOf(p *scenarios.Point, size units.Bytes) int64 {
	return int64((size + p.Link.MTU - 1) / p.Link.MTU)
}

// timeOf is how long so many bytes take the link, with the headers of their packets.
func timeOf(p *scenarios.Point, size units.Bytes) units.Duration {
	headers := units.Bytes(packetsOf(p, size)) * p.Link.Overhead
	return p.Link.Bandwidth.TransmitTime(size + headers)
}

// chunkOf is the size of the first chunk: a message shorter than a chunk is a chunk of its size.
func chunkOf(p *scenarios.Point) units.Bytes { return min(p.Message.Chunk, p.Message.Size) }

// linkOf is the link in the terms of the model.
func linkOf(p *scenarios.Point) model.Link {
	return model.Link{ChunkTime: timeOf(p, chunkOf(p)), RTT: p.Link.RTT(),
		AckTime: experiment.AckTime(p)}
}

// timeout is the retransmission timeout of a scheme, as its endpoints have it.
func timeout(p *scenarios.Point, s *scenarios.Scheme) units.Duration {
	return catalog.Timeout(s.Params).Of(p.Link.RTT())
}

// limitOf is when a scheme gives a message up: a chunk was sent again as often as retries says, and
// the timeout of the last repeat expires. Where a timeout is shorter than the way to an
// acknowledgement and back, the last repeats leave too late to be heard of. An attempt is not heard
// of either if its acknowledgement is lost as often as it is said; in a burst, if it is once. first
// is 1 where the first transmission counts beside the repeats.
func limitOf(p *scenarios.Point, s *scenarios.Scheme, first int64) *model.Limit {
	rtt := p.Link.RTT()
	poll := max(s.Params["ack.interval"].Span.Of(rtt), timeOf(p, chunkOf(p)))
	l := &model.Limit{Attempts: int64(s.Params["retries"].Number) + first}
	if rto := timeout(p, s); rto > 0 {
		l.Attempts = max(0, l.Attempts-int64((rtt+poll-1)/rto))
	}
	switch loss := p.Link.AckLoss; loss.Model {
	case scenarios.LossIID:
		l.AckLoss = portable.Pow(loss.P, 1+s.Params["ack.repeat"].Number)
	case scenarios.LossGilbertElliott:
		l.AckLoss = loss.Mean()
	}
	return l
}

// among tells the form that its message is one of so many, all of which have to complete.
func (f form) among(messages int64) {
	switch {
	case f.sr != nil:
		f.sr.Limit.Messages = messages
	case f.ec != nil:
		f.ec.Limit.Messages = messages
	}
}

// selectiveRepeat is the form of sr-rto, and of sr-nack with the timeout of one round trip that
// the paper models negative acknowledgements by.
func selectiveRepeat(p *scenarios.Point, s *scenarios.Scheme) form {
	sr := &model.SR{
		Link: linkOf(p), Chunks: p.Message.Chunks(), RTO: timeout(p, s), P: p.Link.Loss.P,
	}
	if s.Name == "sr-nack" {
		sr.RTO = p.Link.RTT()
	}
	if p.Link.Loss.Per == scenarios.PerPacket {
		sr.Packets = packetsOf(p, chunkOf(p))
	}
	sr.Limit = limitOf(p, s, 1)
	return form{sr: sr}
}

// erasureCoding is the form of erasure coding whose receiver speaks as soon as everything can be
// recovered. Where a message is a single short chunk, chunks of parity are as long.
func erasureCoding(p *scenarios.Point, s *scenarios.Scheme, code model.Code) form {
	switch {
	case s.Params["fallback"].Word == "missing":
		return form{why: "it repeats whole submessages"}
	case s.Params["encode.rate"].Given || s.Params["decode.rate"].Given:
		return form{why: "it knows no cost of coding"}
	}
	ec := &model.EC{
		Link:   linkOf(p),
		Chunks: p.Message.Chunks(), Code: code, Ack: model.AckRecoverable,
		K: int64(s.Params["k"].Number), M: int64(s.Params["m"].Number),
		Order: model.Order(s.Params["order"].Word), Beta: s.Params["beta"].Number,
		RTO: timeout(p, s), P: p.Link.Loss.P,
		FirstPacket: timeOf(p, min(p.Link.MTU, p.Message.Size)),
		Limit:       limitOf(p, s, 0),
	}
	chunk := chunkOf(p)
	short := shortParity(ec, p.Message)
	parity := (ec.M*ceilDiv(ec.Chunks, ec.K)-short)*packetsOf(p, p.Message.Chunk) +
		short*packetsOf(p, lastChunk(p.Message))
	ec.Injection = timeOf(p, p.Link.MTU) * units.Duration(packetsOf(p, p.Message.Size)+parity)
	rest := p.Message.Size % chunk
	if rest > 0 {
		ec.Last = timeOf(p, rest)
	}
	if p.Link.Loss.Per == scenarios.PerPacket {
		ec.Packets = packetsOf(p, chunk)
		if rest > 0 {
			ec.LastPackets = packetsOf(p, rest)
		}
	}
	return form{ec: ec}
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// lastChunk is the size of the last chunk of a message.
func lastChunk(m scenarios.Message) units.Bytes {
	return m.Size - units.Bytes(m.Chunks()-1)*m.Chunk
}

// shortParity is how many chunks of parity cover no data chunk but the last, which is a short one,
// and are as short.
func shortParity(e *model.EC, m scenarios.Message) int64 {
	last := e.Chunks - (ceilDiv(e.Chunks, e.K)-1)*e.K // data chunks of the last submessage
	switch {
	case lastChunk(m) == m.Chunk:
		return 0
	case e.Code == model.XOR:
		return max(0, e.M-last+1)
	case last == 1:
		return e.M
	}
	return 0
}

// approximate values are neither exact nor a bound.
const approximate model.Validity = "approximate"

// mean is the mean completion time by the form, with what it is worth for the simulated scheme.
func (f form) mean() model.Value {
	v := model.Value{Seconds: math.NaN(), Validity: model.NotApplicable, Why: f.why}
	if f.sr != nil {
		v = f.sr.Mean()
	}
	if f.ec != nil {
		v = f.ec.Mean()
	}
	if v.Validity == model.NotApplicable {
		return v
	}
	if f.ring > 0 {
		round := v.Why
		v = model.AllReduce(f.ring, v)
		v.Why += "; a round: " + round
	}
	for _, c := range f.caveats {
		v.Validity, v.Why = c.validity, v.Why+"; "+c.why
	}
	return v
}

// caveatsOf lists what the form leaves out of a point, the gravest last.
func caveatsOf(p *scenarios.Point, s *scenarios.Scheme) []caveat {
	var list []caveat
	lossy := p.Link.Loss.P > 0
	if s.Name == "sr-nack" && lossy {
		list = append(list, caveat{model.LowerBound,
			"a hole is taken to cost one round trip, though those at the tail cost more"})
	}
	if p.Link.AckLoss.Model != scenarios.LossNone && lossy {
		list = append(list, caveat{model.LowerBound, "no acknowledgement is lost in it"})
	}
	if p.Message.Size%p.Message.Chunk == 0 || p.Message.Size < p.Message.Chunk {
		return list
	}
	if _, coded := s.Params["k"]; !coded {
		list = append(list, caveat{approximate, "the last chunk is taken as full"})
	} else if lossy {
		list = append(list, caveat{approximate, "the last chunk is taken as full in the fallback"})
	}
	return list
}

// quantile is a quantile of the completion time; the form has one for messages only.
func (f form) quantile(q float64) float64 {
	switch {
	case f.ring > 0:
	case f.sr != nil:
		return steady(f.sr.Quantile(q).Seconds)
	case f.ec != nil:
		return steady(f.ec.Quantile(q).Seconds)
	}
	return math.NaN()
}

// closedForm is the mean completion time that stands beside simulated ones.
func closedForm(p *scenarios.Point, s *scenarios.Scheme) sweep.Form {
	v := formOf(p, s).mean()
	return sweep.Form{
		Seconds: steady(v.Seconds),
		Known:   v.Validity != model.NotApplicable, Exact: v.Validity == model.Exact,
	}
}

// steady keeps ten digits, so that the last bits of a processor's exponential and logarithm, which
// differ between machines, do not reach a result file.
func steady(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64)
	return rounded
}
