package timeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"sdrsim/units"
)

// event is one of the Trace Event Format; times are microseconds.
type event struct {
	Phase    string         `json:"ph"`
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	At       json.Number    `json:"ts,omitempty"`
	Duration json.Number    `json:"dur,omitempty"`
	ID       uint64         `json:"id,omitempty"`
	Binding  string         `json:"bp,omitempty"`
	Scope    string         `json:"s,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

// jsonWriter writes events as the elements of an array; the first error stays.
type jsonWriter struct {
	w    *bufio.Writer
	some bool
	err  error
}

// WriteJSON writes the timeline in the Trace Event Format.
func (t *Timeline) WriteJSON(w io.Writer) error {
	j := &jsonWriter{w: bufio.NewWriter(w)}
	j.put(`{"displayTimeUnit":"ns","traceEvents":[`)
	for i, g := range t.groups {
		process := i + 1
		j.event(event{Phase: "M", Name: "process_name", Process: process,
			Args: map[string]any{"name": g.name}})
		for k, track := range g.tracks {
			thread := k + 1
			j.event(event{Phase: "M", Name: "thread_name", Process: process, Thread: thread,
				Args: map[string]any{"name": track.name}})
			j.event(event{Phase: "M", Name: "thread_sort_index", Process: process, Thread: thread,
				Args: map[string]any{"sort_index": k}})
			for s := range track.slices {
				j.slice(process, thread, &track.slices[s])
			}
		}
		for _, p := range g.flight {
			j.event(event{Phase: "C", Name: "bytes in flight", Process: process,
				At: microseconds(int64(p.at)), Args: map[string]any{"bytes": p.bytes}})
		}
	}
	j.put("\n]}\n")
	if j.err == nil {
		j.err = j.w.Flush()
	}
	return j.err
}

func (j *jsonWriter) slice(process, thread int, s *slice) {
	args := map[string]any{}
	for _, a := range s.args {
		args[a.name] = a.value
	}
	e := event{Phase: "X", Name: s.name, Process: process, Thread: thread,
		At: microseconds(int64(s.from)), Duration: microseconds(int64(s.to - s.from)), Args: args}
	if s.from == s.to {
		e.Phase, e.Duration, e.Scope = "i", "", "t"
	}
	j.event(e)
	if s.flow == 0 {
		return
	}
	flow := event{Phase: "s", Name: "link", Category: "link", Process: process, Thread: thread,
		At: e.At, ID: s.flow}
	if s.ends {
		flow.Phase, flow.Binding = "f", "e"
	}
	j.event(flow)
}

func (j *jsonWriter) event(e event) {
	text, err := json.Marshal(e)
	if j.err == nil {
		j.err = err
	}
	separator := ",\n"
	if !j.some {
		separator = "\n"
	}
	j.some = true
	j.put(separator)
	j.put(string(text))
}

func (j *jsonWriter) put(text string) {
	if j.err == nil {
		_, j.err = j.w.WriteString(text)
	}
}

// microseconds prints picoseconds as microseconds, exactly.
func microseconds(ps int64) json.Number {
	const per = int64(units.Microsecond)
	return json.Number(fmt.Sprintf("%d.%06d", ps/per, ps%per))
}
