package validation

import (
	"math"

	"sdrsim/internal/result"
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// setting is a point of the paper's evaluation: 4 KiB chunks that are lost independently, on a
// link whose bandwidth is that of the payload.
type setting struct {
	size      units.Bytes
	chunk     units.Bytes
	bandwidth units.Rate
	rtt       units.Duration
	p         float64
}

// paper is the setting that figures share: 128 MiB over 3750 km at 400 Gbit/s.
var paper = setting{
	size: 128 * units.MiB, chunk: 4 * units.KiB, bandwidth: 400e9,
	rtt: 25 * units.Millisecond, p: 1e-5,
}

// rtos is the timeout of the evaluation, in round trips: RTT + alpha*RTT with alpha = 2. §5
const rtos = 3

// at replaces what was swept by the values of a row.
func (s setting) at(r *result.Row) setting {
	for _, a := range r.Axes {
		switch a.Path {
		case "message.size":
			s.size = units.Bytes(a.Number)
		case "link.loss.p":
			s.p = a.Number
		case "link.bandwidth":
			s.bandwidth = units.Rate(a.Number)
		case "link.distance":
			s.rtt = 2 * units.Vacuum.Delay(units.Distance(a.Number))
		}
	}
	return s
}

// link is the setting in the terms of the model.
func (s setting) link() model.Link {
	return model.Link{ChunkTime: s.bandwidth.TransmitTime(s.chunk), RTT: s.rtt}
}

func (s setting) chunks() int64 { return int64(units.CeilDiv(s.size, s.chunk)) }

// sr is Selective Repeat with a timeout of so many round trips.
func (s setting) sr(timeout int64) model.SR {
	return model.SR{
		Link: s.link(), Chunks: s.chunks(), RTO: units.Duration(timeout) * s.rtt, P: s.p,
	}
}

// ec is erasure coding with submessages of (32,8).
func (s setting) ec(code model.Code) model.EC {
	return model.EC{
		Link: s.link(), Chunks: s.chunks(), K: 32, M: 8, Code: code, Beta: 1,
		RTO: rtos * s.rtt, P: s.p,
	}
}

// early is erasure coding with the receiver that is simulated, which does not wait for parity. A
// chunk is a packet.
func (s setting) early(code model.Code) model.EC {
	e := s.ec(code)
	e.Ack, e.FirstPacket = model.AckRecoverable, e.ChunkTime
	return e
}

// formOf is the form that is exact for a scheme, where it has one.
func (s setting) formOf(scheme string) model.Value {
	switch scheme {
	case "ec-mds":
		return s.early(model.MDS).Mean()
	case "ec-xor":
		return s.early(model.XOR).Mean()
	}
	return s.meanOf(scheme)
}

// lossless is the completion time without loss and parity, in seconds.
func (s setting) lossless() float64 {
	s.p = 0
	return s.sr(rtos).Mean().Seconds
}

// meanOf is the mean completion time of a scheme by the model, in seconds.
func (s setting) meanOf(scheme string) model.Value {
	switch scheme {
	case "sr-rto":
		return s.sr(rtos).Mean()
	case "sr-nack":
		return s.sr(1).Mean()
	case "ec-mds":
		return s.ec(model.MDS).Mean()
	case "ec-xor":
		return s.ec(model.XOR).Mean()
	}
	return model.Value{Seconds: math.NaN(), Validity: model.NotApplicable}
}

// speedup is the mean of sr-rto by that of MDS, by the model.
func (s setting) speedup() float64 {
	return s.meanOf("sr-rto").Seconds / s.meanOf("ec-mds").Seconds
}
