package schemes

import (
	"sdrsim/schemes/model"
	"sdrsim/units"
)

// Entry is what a reliability scheme says of itself: all that loaders, simulations, forecasts and
// figures know of it.
type Entry struct {
	Name   string
	Doc    string // one line
	Params []Param
	// Sends is how many SDR messages the scheme posts for each message, and so how many ids it takes.
	Sends int
	// Falls is set where a message may fall back from the scheme to another way of repair; how many
	// do is then counted.
	Falls bool
	// Split are parameters that labels print by their values alone, where schemes of one name differ
	// in them: ec-mds(32,8).
	Split []string
	// Look is the place of its colour in the palette of figures, from 1 and no other scheme's; 0 is
	// any that is free.
	Look int
	// Build gives the scheme its parameters. A value in which there is a fault is zero.
	Build func(Values) Factory
}

// Factory is a scheme with values for its parameters. NewSender and NewReceiver have to be there;
// of the rest, nil is not known or none.
type Factory struct {
	NewSender   func() (Sender, error)
	NewReceiver func() (Receiver, error)
	// Retries is how often a packet is sent again at most before a message is given up.
	Retries int64
	// Parity is how many chunks of parity a message of so many chunks has. They are the second of
	// its two SDR messages.
	Parity func(chunks int64) int64
	// Check finds values that contradict each other, or take longer than the clock spans.
	Check func(Bounds) []Conflict
	// Penalty is about what one more of the rare events that make samples of a message differ adds
	// to its completion. Intervals of means allow for one that no sample met.
	Penalty func(Setting) units.Duration
	// Form is the closed form of a message.
	Form func(Setting) model.Form
}

// ParityOf is how many chunks of parity a message of so many chunks has.
func (f *Factory) ParityOf(chunks int64) int64 {
	if f.Parity == nil {
		return 0
	}
	return f.Parity(chunks)
}

// Bounds are what values have to agree with. Sizes that are zero are not known.
type Bounds struct {
	Size, Chunk units.Bytes    // of the largest message
	Messages    int64          // that follow each other
	RTT         units.Duration // below 0: not known
	Seconds     float64        // of simulated time are the most that there is
}

// Conflict is a fault of several values together.
type Conflict struct {
	Format string // says what is wrong, as of package fmt
	Args   []any
	// Keys are those that can put it right: parameters of the scheme, ChunkKey or WorkKeys.
	Keys []string
}

// Keys of a scenario that conflicts name beside parameters.
const (
	ChunkKey = "message.chunk"
	// WorkKeys stands for all that says how much is sent.
	WorkKeys = "message"
)

// Setting is a message on a link, as far as closed forms know it.
type Setting struct {
	Bandwidth     units.Rate
	RTT           units.Duration
	Size, Chunk   units.Bytes    // of the message
	MTU, Overhead units.Bytes    // of packets
	AckTime       units.Duration // of the acknowledgement of the whole message, on the way back
	Loss          Loss
	AckLoss       Loss // of control packets
}

// Loss is how a link loses.
type Loss struct {
	Any       bool    // it may lose
	P         float64 // the probability that a unit is lost, or the share of them in the long run
	Bursts    bool    // losses come together; else they are independent
	PerPacket bool    // units are packets, else chunks
}

// Chunks is how many chunks the message has.
func (s Setting) Chunks() int64 { return units.CeilDiv(int64(s.Size), int64(s.Chunk)) }

// First is the size of the first chunk: a message shorter than a chunk is a chunk of its size.
func (s Setting) First() units.Bytes { return min(s.Chunk, s.Size) }

// Last is the size of the last chunk.
func (s Setting) Last() units.Bytes { return s.Size - units.Bytes(s.Chunks()-1)*s.Chunk }

// Packets is how many packets so many bytes are.
func (s Setting) Packets(size units.Bytes) int64 {
	return units.CeilDiv(int64(size), int64(s.MTU))
}

// Time is how long so many bytes take the link, with the headers of their packets.
func (s Setting) Time(size units.Bytes) units.Duration {
	return s.Bandwidth.TransmitTime(size + units.Bytes(s.Packets(size))*s.Overhead)
}

// ChunkTime is how long a full chunk takes the link, packet by packet.
func (s Setting) ChunkTime() units.Duration {
	return units.Duration(s.Packets(s.Chunk)) * s.Time(s.MTU)
}

// Link is the link in the terms of the closed form.
func (s Setting) Link() model.Link {
	return model.Link{ChunkTime: s.Time(s.First()), RTT: s.RTT, AckTime: s.AckTime}
}

// Caveats are what the setting has and no closed form knows, behind a scheme's own. last says how a
// form takes a last chunk that is shorter than others; empty: as it is.
func (s Setting) Caveats(own []model.Caveat, last string) []model.Caveat {
	if s.AckLoss.Any && s.Loss.P > 0 {
		own = append(own, model.Caveat{Validity: model.LowerBound,
			Why: "no acknowledgement is lost in it"})
	}
	if last != "" && s.Last() < s.First() {
		own = append(own, model.Caveat{Validity: model.Approximate, Why: last})
	}
	return own
}
