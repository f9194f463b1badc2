package rc

import (
	"sdrsim/schemes"
	"sdrsim/schemes/sr"
)

// GoBackN is Go-Back-N.
var GoBackN = schemes.Entry{
	Name: "rc-gbn",
	Doc: "Go-Back-N, as in Reliable Connection: one NAK a gap, and everything from the missing " +
		"packet on again",
	Params: sr.Params(),
	Sends:  1, Look: 5,
	Build: func(v schemes.Values) schemes.Factory {
		s := sr.ConfigOf(v)
		cfg := Config{RTO: s.RTO, Retries: s.Retries, Ack: s.Ack}
		return schemes.Factory{
			NewSender:   func() (schemes.Sender, error) { return NewSender(cfg), nil },
			NewReceiver: func() (schemes.Receiver, error) { return NewReceiver(cfg), nil },
			Retries:     int64(cfg.Retries),
			Check:       func(b schemes.Bounds) []schemes.Conflict { return sr.Check(v, b) },
		}
	},
}
