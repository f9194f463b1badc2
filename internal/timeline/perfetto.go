package timeline

import (
	"bufio"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields of Perfetto's messages that are written.
const (
	tracePacket = 1

	packetTimestamp       = 8
	packetSequence        = 10
	packetTrackEvent      = 11
	packetTrackDescriptor = 60

	eventType            = 9
	eventDebugAnnotation = 4
	eventTrack           = 11
	eventName            = 23
	eventCounterValue    = 30
	eventFlow            = 47
	eventEndingFlow      = 48

	annotationInt  = 4
	annotationName = 10

	descriptorUUID     = 1
	descriptorName     = 2
	descriptorParent   = 5
	descriptorCounter  = 8
	descriptorOrdering = 11
	descriptorRank     = 12

	counterUnit = 3
)

// Values of their enumerations.
const (
	sliceBegin, sliceEnd, instant, counter = 1, 2, 3, 4

	orderExplicit = 3
	unitBytes     = 3
)

// sequenceID is that of the one writer of the trace.
const sequenceID = 1

// perfetto writes packets; the first error stays.
type perfetto struct {
	w             *bufio.Writer
	packet, event []byte
	head, note    []byte
	err           error
}

// WritePerfetto writes the timeline as a Perfetto trace.
func (t *Timeline) WritePerfetto(w io.Writer) error {
	p := &perfetto{w: bufio.NewWriter(w)}
	next := uint64(1)
	for _, g := range t.groups {
		parent := next
		next++
		p.describe(parent, func(b []byte) []byte {
			b = text(b, descriptorName, g.name)
			return varint(b, descriptorOrdering, orderExplicit)
		})
		child := func(name string, rank int) uint64 {
			id := next
			next++
			p.describe(id, func(b []byte) []byte {
				b = text(b, descriptorName, name)
				b = varint(b, descriptorParent, parent)
				return varint(b, descriptorRank, uint64(rank))
			})
			return id
		}
		for rank, track := range g.tracks {
			id := child(track.name, rank)
			for i := range track.slices {
				p.slice(id, &track.slices[i])
			}
		}
		p.counter(next, parent, g)
		next++
	}
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

// describe writes the descriptor of a track.
func (p *perfetto) describe(id uint64, fill func([]byte) []byte) {
	p.event = fill(varint(p.event[:0], descriptorUUID, id))
	p.packet = embed(p.packet[:0], packetTrackDescriptor, p.event)
	p.end()
}

// slice writes its beginning and its end, or one instant.
func (p *perfetto) slice(track uint64, s *slice) {
	kind := uint64(sliceBegin)
	if s.from == s.to {
		kind = instant
	}
	b := p.begin(kind, track)
	b = text(b, eventName, s.name)
	for _, a := range s.args {
		p.note = varint(p.note[:0], annotationInt, uint64(a.value))
		p.note = text(p.note, annotationName, a.name)
		b = embed(b, eventDebugAnnotation, p.note)
	}
	if s.flow != 0 {
		field := protowire.Number(eventFlow)
		if s.ends {
			field = eventEndingFlow
		}
		b = protowire.AppendTag(b, field, protowire.Fixed64Type)
		b = protowire.AppendFixed64(b, s.flow)
	}
	p.at(nanoseconds(s.from), b)
	if kind == sliceBegin {
		p.at(nanoseconds(s.to), p.begin(sliceEnd, track))
	}
}

// counter writes the bytes in flight of a hop.
func (p *perfetto) counter(id, parent uint64, g group) {
	p.describe(id, func(b []byte) []byte {
		b = text(b, descriptorName, "bytes in flight")
		b = varint(b, descriptorParent, parent)
		b = embed(b, descriptorCounter, varint(nil, counterUnit, unitBytes))
		return varint(b, descriptorRank, uint64(len(g.tracks)))
	})
	for _, v := range g.flight {
		p.at(nanoseconds(v.at), varint(p.begin(counter, id), eventCounterValue, uint64(v.bytes)))
	}
}

// begin begins an event of a track.
func (p *perfetto) begin(kind, track uint64) []byte {
	return varint(varint(p.event[:0], eventType, kind), eventTrack, track)
}

// at writes an event at a time.
func (p *perfetto) at(nanoseconds uint64, event []byte) {
	p.event = event
	p.packet = varint(p.packet[:0], packetTimestamp, nanoseconds)
	p.packet = varint(p.packet, packetSequence, sequenceID)
	p.packet = embed(p.packet, packetTrackEvent, event)
	p.end()
}

// end writes the packet as one of the trace.
func (p *perfetto) end() {
	p.head = protowire.AppendTag(p.head[:0], tracePacket, protowire.BytesType)
	p.head = protowire.AppendVarint(p.head, uint64(len(p.packet)))
	for _, b := range [][]byte{p.head, p.packet} {
		if p.err == nil {
			_, p.err = p.w.Write(b)
		}
	}
}

func varint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func embed(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}

func text(b []byte, field protowire.Number, v string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), v)
}
