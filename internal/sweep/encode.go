package sweep

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"sdrsim/internal/metric"
	"sdrsim/units"
)

// recordHead is what a record begins with: everything but the columns of numbers.
type recordHead struct {
	Point    string         `json:"point"`
	Scheme   string         `json:"scheme"`
	Samples  int            `json:"samples"`
	Messages int            `json:"messages"`
	Rounds   int            `json:"rounds,omitempty"`
	Ideal    units.Duration `json:"ideal_ps"`
	Weighted bool           `json:"weighted,omitempty"`
	Waits    bool           `json:"waits,omitempty"`
	Ideals   bool           `json:"ideals,omitempty"`
	Tilts    []float64      `json:"tilts,omitempty"`
	Shares   []float64      `json:"shares,omitempty"`
	Failure  string         `json:"failure,omitempty"`
	FailedAt int            `json:"failed_at,omitempty"`
}

// Append encodes the record:
//
//	uvarint length, head as JSON
//	columns: completion, delivery, wait, ideals, delivered, round, elapsed, each counter, weight,
//	         stratum
//
// A column of equal numbers is a 0 and that number, any other a 1 and the differences of
// neighbours; numbers are varints. Most counters take a byte a sample that way, or none at all.
func (r *Record) Append(b []byte) []byte {
	head, err := json.Marshal(recordHead{
		Point: r.Point, Scheme: r.Scheme, Samples: r.samples, Messages: r.messages,
		Rounds: r.rounds, Ideal: r.ideal, Weighted: r.weight != nil,
		Waits: r.wait != nil, Ideals: r.ideals != nil,
		Tilts: r.tilts, Shares: r.shares,
		Failure: r.failure, FailedAt: r.failedAt,
	})
	if err != nil {
		panic(fmt.Sprintf("BUG: sweep: head of a record: %v", err))
	}
	b = binary.AppendUvarint(b, uint64(len(head)))
	b = append(b, head...)
	var column []int64
	for _, c := range r.columns() {
		column = slices.Grow(column[:0], c.n)[:c.n]
		for i := range column {
			column[i] = c.at(i)
		}
		b = appendColumn(b, column)
	}
	return b
}

// series is a column of numbers of a record.
type series struct {
	n  int
	at func(i int) int64
	// set stores a number; false if it is out of range.
	set func(i int, v int64) bool
}

// columns are all columns of a record with room for its samples.
func (r *Record) columns() []series {
	list := []series{
		durations(r.completion[:r.samples*r.messages]),
		durations(r.delivery[:r.samples*r.messages]),
		durations(r.wait[:min(len(r.wait), r.samples*r.messages)]),
		durations(r.ideals[:min(len(r.ideals), r.samples*r.messages)]),
		{n: r.samples,
			at: func(i int) int64 { return int64(r.delivered[i]) },
			set: func(i int, v int64) bool {
				r.delivered[i] = int32(v)
				return v >= 0 && v <= int64(r.messages)
			}},
		durations(r.round[:r.samples*r.rounds]),
		durations(r.elapsed[:r.samples]),
	}
	for _, f := range metric.Counted() {
		list = append(list, series{n: r.samples,
			at:  func(i int) int64 { return *f.Count(&r.counters[i]) },
			set: func(i int, v int64) bool { *f.Count(&r.counters[i]) = v; return true }})
	}
	if r.weight != nil {
		list = append(list, series{n: r.samples,
			at: func(i int) int64 { return int64(math.Float64bits(r.weight[i])) },
			set: func(i int, v int64) bool {
				r.weight[i] = math.Float64frombits(uint64(v))
				return true
			}})
	}
	if r.shares != nil {
		list = append(list, series{n: r.samples,
			at: func(i int) int64 { return int64(r.stratum[i]) },
			set: func(i int, v int64) bool {
				r.stratum[i] = uint8(v)
				return v >= 0 && v < int64(len(r.shares))
			}})
	}
	return list
}

func durations(s []units.Duration) series {
	return series{n: len(s),
		at:  func(i int) int64 { return int64(s[i]) },
		set: func(i int, v int64) bool { s[i] = units.Duration(v); return v >= 0 }}
}

const (
	columnConstant = 0
	columnVarying  = 1
)

func appendColumn(b []byte, column []int64) []byte {
	if constant(column) {
		b = append(b, columnConstant)
		if len(column) > 0 {
			b = binary.AppendVarint(b, column[0])
		}
		return b
	}
	b = append(b, columnVarying)
	last := int64(0)
	for _, v := range column {
		b = binary.AppendVarint(b, v-last) // wraps around, and back when it is read
		last = v
	}
	return b
}

func constant(column []int64) bool {
	for _, v := range column {
		if v != column[0] {
			return false
		}
	}
	return true
}

// errRecord is a record that this program did not write, or whose bytes have changed.
var errRecord = errors.New("not a record of samples")

// DecodeRecord reads what Append wrote.
func DecodeRecord(b []byte) (*Record, error) {
	h, b, err := decodeHead(b)
	if err != nil {
		return nil, err
	}
	r := &Record{Point: h.Point, Scheme: h.Scheme, samples: h.Samples, messages: h.Messages,
		rounds: h.Rounds, ideal: h.Ideal, failure: h.Failure, failedAt: h.FailedAt,
		tilts: h.Tilts, shares: h.Shares}
	if h.Weighted {
		r.weight = []float64{}
	}
	if h.Waits {
		r.wait = []units.Duration{}
	}
	if h.Ideals {
		r.ideals = []units.Duration{}
	}
	r.grow(h.Samples)
	for _, c := range r.columns() {
		if b, err = c.decode(b); err != nil {
			return nil, err
		}
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%w: %d bytes too many", errRecord, len(b))
	}
	return r, nil
}

// maxCells bounds what a head may ask memory for.
const maxCells = 1 << 36

func decodeHead(b []byte) (h recordHead, rest []byte, err error) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > uint64(len(b)-n) {
		return h, nil, fmt.Errorf("%w: it ends in its head", errRecord)
	}
	if err := json.Unmarshal(b[n:n+int(size)], &h); err != nil {
		return h, nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	if h.Samples < 0 || h.Messages < 1 || h.Rounds < 0 || h.Ideal < 0 ||
		int64(h.Messages) > maxCells || int64(h.Rounds) > maxCells ||
		int64(h.Samples) > maxCells/(int64(h.Messages)+int64(h.Rounds)) {
		return h, nil, fmt.Errorf("%w: %d samples of %d messages and %d rounds",
			errRecord, h.Samples, h.Messages, h.Rounds)
	}
	return h, b[n+int(size):], nil
}

func (c series) decode(b []byte) ([]byte, error) {
	if len(b) == 0 || b[0] > columnVarying {
		return nil, fmt.Errorf("%w: a column has no beginning", errRecord)
	}
	varying := b[0] == columnVarying
	b = b[1:]
	last := int64(0)
	for i := range c.n {
		if varying || i == 0 {
			step, n := binary.Varint(b)
			if n <= 0 {
				return nil, fmt.Errorf("%w: it ends in a column", errRecord)
			}
			last += step
			b = b[n:]
		}
		if !c.set(i, last) {
			return nil, fmt.Errorf("%w: %d is out of range", errRecord, last)
		}
	}
	return b, nil
}

// RecordKey reads of which unit an encoded record is, and how many samples it holds.
func RecordKey(b []byte) (point, scheme string, samples int, err error) {
	h, _, err := decodeHead(b)
	return h.Point, h.Scheme, h.Samples, err
}
