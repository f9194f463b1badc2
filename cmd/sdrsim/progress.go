package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"golang.org/x/term"

	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/ledger"
)

// Forms of --log-format.
const (
	logText = "text"
	logJSON = "json"
)

// linePeriod is how often progress is said where there is no terminal, statusPeriod how often it is
// written for those who watch.
const (
	linePeriod   = 5 * time.Second
	statusPeriod = time.Second
)

// meter shows how far a run has come. Update is called by one worker at a time, end once after
// the last update.
type meter interface {
	update(p pace)
	end()
}

// pace is progress with what is known of time.
type pace struct {
	sweep.Progress
	total   int64 // samples that are known to be needed
	elapsed time.Duration
	// jobs share what the forecast says; nil: nothing is known.
	jobs     int
	forecast *forecast
}

// left is about how long the rest takes; false before anything is known.
func (p *pace) left() (time.Duration, bool) {
	if p.forecast == nil {
		return 0, false
	}
	d, known := p.forecast.left()
	return d / time.Duration(max(1, p.jobs)), known
}

func (p *pace) percent() int64 { return 100 * p.Samples / max(1, p.total) }

// watch passes progress on to people, and to the status of the ledger.
type watch struct {
	job     *job
	meter   meter // nil: nobody is shown anything
	started time.Time
	written time.Time // the status
	last    pace

	forecast *forecast
}

func newWatch(stderr io.Writer, j *job, started time.Time) *watch {
	w := &watch{job: j, started: started, forecast: newForecast(j.source)}
	if !j.options.quiet {
		w.meter = newMeter(stderr, j, started)
	}
	w.last.total = j.total
	w.write(ledger.Running, nil)
	return w
}

// newMeter shows progress on w: as bars on a terminal, as a line now and then otherwise.
func newMeter(w io.Writer, j *job, now time.Time) meter {
	f, ok := w.(*os.File)
	if ok && j.options.logFormat == "" && term.IsTerminal(int(f.Fd())) {
		return newBars(w, j.total, len(j.scenario.Schemes))
	}
	var handler slog.Handler = slog.NewTextHandler(w, nil)
	if j.options.logFormat == logJSON {
		handler = slog.NewJSONHandler(w, nil)
	}
	log := slog.New(handler).With("scenario", j.scenario.Name)
	if !j.options.part.Whole() {
		log = log.With("shard", j.options.part.String())
	}
	return &lines{log: log, last: now}
}

func (w *watch) update(p sweep.Progress) {
	now := time.Now()
	w.forecast.update(p.Last)
	w.last = pace{Progress: p, total: w.job.total + p.Extra, elapsed: now.Sub(w.started),
		jobs: w.job.options.jobs, forecast: w.forecast}
	if w.meter != nil {
		w.meter.update(w.last)
	}
	if now.Sub(w.written) >= statusPeriod {
		w.write(ledger.Running, nil)
	}
}

// end ends what is shown. The run goes on until its results are written.
func (w *watch) end() {
	if w.meter != nil {
		w.meter.end()
	}
	w.write(ledger.Running, nil)
}

// ended tells why the run ended before its results were written.
func (w *watch) ended(err error) {
	if errors.Is(err, context.Canceled) {
		w.write(ledger.Interrupted, nil)
		return
	}
	w.write(ledger.Failed, err)
}

// write writes the status. It is for those who watch: where it cannot be written, the run goes on,
// and the samples tell if there is trouble.
func (w *watch) write(state string, cause error) {
	if w.job.ledger == nil {
		return
	}
	w.written = time.Now()
	s := ledger.Status{
		State: state, Started: w.started.UTC().Format(time.RFC3339),
		Updated: w.written.UTC().Format(time.RFC3339),
		Samples: w.last.Samples, Total: w.last.total, Restored: w.last.Restored,
		Failed: w.last.Failed, Units: w.last.Units,
		UnitsTotal: w.job.source.Len() * len(w.job.scenario.Schemes),
		Elapsed:    w.last.elapsed.Seconds(), Last: unitName(w.last.Last),
	}
	if left, known := w.last.left(); known {
		s.Left = left.Round(time.Second).Seconds()
	}
	if cause != nil {
		s.Error = cause.Error()
	}
	_ = w.job.ledger.WriteStatus(s)
}

// unitName names a unit for people.
func unitName(u sweep.UnitProgress) string {
	if u.Key == "" {
		return u.Scheme
	}
	return u.Key + " " + u.Scheme
}

// lines says progress line by line, for logs.
type lines struct {
	log  *slog.Logger
	last time.Time
}

func (l *lines) update(p pace) {
	if now := time.Now(); now.Sub(l.last) >= linePeriod {
		l.last = now
		l.log.Info("progress", p.attributes()...)
	}
}

func (l *lines) end() {}

// attributes are the numbers of a line.
func (p *pace) attributes() []any {
	list := []any{
		"samples", p.Samples, "total", p.total, "percent", p.percent(), "units", p.Units,
		"elapsed_s", p.elapsed.Round(time.Second).Seconds(),
	}
	if left, known := p.left(); known {
		list = append(list, "left_s", left.Round(time.Second).Seconds())
	}
	if p.Failed > 0 {
		list = append(list, "failed", p.Failed)
	}
	if p.Restored > 0 {
		list = append(list, "restored", p.Restored)
	}
	return append(list, "at", unitName(p.Last))
}
