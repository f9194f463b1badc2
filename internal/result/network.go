package result

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The files of networks and of collectives in a folder of results.
const (
	FlowsFile  = "flows.csv"
	QueuesFile = "queues.csv"
	RoundsFile = "rounds.csv"
)

// Flow is what a connection of a network did, of one scheme at one point. Times are in seconds,
// counts are means over samples; NaN where no sample was delivered.
type Flow struct {
	Axes   []AxisValue
	Scheme string // the one of the point, also where the flow has its own
	Name   string
	// From and To are its hosts.
	From, To string
	// Samples are those all of whose messages were delivered.
	Samples int64
	// Completion times of its messages, the mean with its 95 % interval.
	Mean, MeanLo, MeanHi float64
	P50, P99, P999       float64
	Slowdown             float64
	Goodput              float64 // bit/s
	Retransmits          float64 // chunks
	Packets              float64
	Dropped              float64 // packets that queues had no room for
	Lost                 float64 // packets that the link between the borders lost
	Marked               float64
	// Fairness is Jain's index of the goodputs of all flows.
	Fairness float64
	// Warnings tell what the samples do not carry, as in Row.
	Warnings []string
}

// Queue is what a queue of a network did, of one scheme at one point: means over samples, NaN where
// none was delivered.
type Queue struct {
	Axes    []AxisValue
	Scheme  string
	Name    string
	Samples int64
	// Mean is the backlog over time, P99 what 99 of 100 packets of a sample do not exceed when they
	// come, and Max the greatest of all samples; in bytes.
	Mean, P99, Max float64
	// Wait is the mean over the packets of all samples, in seconds.
	Wait  float64
	Marks float64
	// Overflow are packets that it had no room for, Link those lost on the link behind it.
	Overflow, Link float64
	Utilisation    float64
}

// cell is a column of flows.csv or queues.csv in a row: where its value is, by its type.
type cell struct {
	name   string
	word   *string
	count  *int64
	number *float64
	list   *[]string
}

// cells are the columns behind the scheme, in their order.
func (f *Flow) cells() []cell {
	return []cell{
		{name: "flow", word: &f.Name}, {name: "from", word: &f.From}, {name: "to", word: &f.To},
		{name: "samples", count: &f.Samples},
		{name: "completion_mean_s", number: &f.Mean},
		{name: "completion_mean_lo_s", number: &f.MeanLo},
		{name: "completion_mean_hi_s", number: &f.MeanHi},
		{name: "completion_p50_s", number: &f.P50}, {name: "completion_p99_s", number: &f.P99},
		{name: "completion_p999_s", number: &f.P999}, {name: "slowdown_mean", number: &f.Slowdown},
		{name: "goodput_bps", number: &f.Goodput},
		{name: "retransmits_mean", number: &f.Retransmits},
		{name: "packets_mean", number: &f.Packets}, {name: "dropped_mean", number: &f.Dropped},
		{name: "lost_mean", number: &f.Lost}, {name: "marked_mean", number: &f.Marked},
		{name: "fairness", number: &f.Fairness}, {name: WarningsColumn, list: &f.Warnings},
	}
}

// cells are the columns behind the scheme, in their order.
func (q *Queue) cells() []cell {
	return []cell{
		{name: "queue", word: &q.Name}, {name: "samples", count: &q.Samples},
		{name: "backlog_mean_bytes", number: &q.Mean}, {name: "backlog_p99_bytes", number: &q.P99},
		{name: "backlog_max_bytes", number: &q.Max}, {name: "wait_mean_s", number: &q.Wait},
		{name: "marks_mean", number: &q.Marks}, {name: "drops_overflow_mean", number: &q.Overflow},
		{name: "drops_link_mean", number: &q.Link}, {name: "utilisation", number: &q.Utilisation},
	}
}

func (f *Flow) place() (*[]AxisValue, *string)  { return &f.Axes, &f.Scheme }
func (q *Queue) place() (*[]AxisValue, *string) { return &q.Axes, &q.Scheme }

// part is a row of flows.csv or queues.csv. Its first cell names it among those of its place.
type part[T any] interface {
	*T
	place() (axes *[]AxisValue, scheme *string)
	cells() []cell
}

// WriteFlows writes flows.csv: swept paths, scheme, and a line for each flow.
func WriteFlows(w io.Writer, all []Flow) error { return writeParts[Flow](w, all) }

// ReadFlows reads what WriteFlows wrote; errors name file:line and column.
func ReadFlows(r io.Reader) ([]Flow, error) { return readParts[Flow](r, FlowsFile) }

// WriteQueues writes queues.csv: swept paths, scheme, and a line for each queue.
func WriteQueues(w io.Writer, all []Queue) error { return writeParts[Queue](w, all) }

// ReadQueues reads what WriteQueues wrote; errors name file:line and column.
func ReadQueues(r io.Reader) ([]Queue, error) { return readParts[Queue](r, QueuesFile) }

func writeParts[T any, P part[T]](w io.Writer, all []T) error {
	var paths []string
	if len(all) > 0 {
		axes, _ := P(&all[0]).place()
		paths = PathsOf(*axes)
	}
	out := csv.NewWriter(w)
	header := append(append(slices.Clone(paths), SchemeColumn), cellNames(P(new(T)).cells())...)
	if err := out.Write(header); err != nil {
		return err
	}
	for i := range all {
		axes, scheme := P(&all[i]).place()
		line := append(axisFields(*axes, paths), PlainText(*scheme))
		for _, c := range P(&all[i]).cells() {
			line = append(line, c.text())
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func cellNames(cells []cell) []string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.name
	}
	return names
}

// text is the value as a field.
func (c cell) text() string {
	switch {
	case c.word != nil:
		return PlainText(*c.word)
	case c.count != nil:
		return strconv.FormatInt(*c.count, 10)
	case c.list != nil:
		return WarningText(*c.list)
	}
	return FormatNumber(*c.number)
}

func readParts[T any, P part[T]](r io.Reader, file string) ([]T, error) {
	s, err := openSheet(r, file)
	if err != nil {
		return nil, err
	}
	names := cellNames(P(new(T)).cells())
	if !slices.Equal(s.header[s.scheme+1:], names) {
		return nil, s.fault(s.scheme, "must be followed by %q and nothing else", names)
	}
	var all []T
	lines := map[string]int{} // by place and name
	for {
		err := s.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, *new(T))
		row := P(&all[len(all)-1])
		axes, scheme := row.place()
		*axes, *scheme = s.point(), s.current[s.scheme]
		for i, c := range row.cells() {
			if err := s.cell(s.scheme+1+i, c); err != nil {
				return nil, err
			}
		}
		line, _ := s.csv.FieldPos(0)
		key := strings.Join(s.current[:s.scheme+2], "\x00")
		if first, double := lines[key]; double {
			return nil, s.fault(s.scheme+1, "%q of this scheme at this point is already in line %d",
				s.current[s.scheme+1], first)
		}
		lines[key] = line
	}
}

// cell reads a field.
func (s *sheet) cell(field int, c cell) (err error) {
	switch text := s.current[field]; {
	case c.word != nil && text == "":
		return s.fault(field, "is empty")
	case c.word != nil:
		*c.word = text
	case c.count != nil:
		*c.count, err = s.count(field)
	case c.list != nil && text != "":
		*c.list = strings.Split(text, WarningSep)
	case c.number != nil:
		*c.number, err = s.number(field)
	}
	return err
}
