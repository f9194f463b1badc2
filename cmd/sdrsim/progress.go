package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"sdrsim/internal/sweep"
)

// linePeriod is how often progress is said where there is no terminal.
const linePeriod = 5 * time.Second

// meter shows how far a run has come. Update is called by one worker at a time, end once after
// the last update.
type meter interface {
	update(p sweep.Progress)
	end()
}

// newMeter shows the progress of total samples on w: as a bar on a terminal, as a line now and
// then otherwise.
func newMeter(w io.Writer, total int64) meter {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return newBar(w, total)
	}
	now := time.Now()
	return &lines{w: w, total: total, started: now, last: now}
}

// bar is a progress bar that vanishes when the run ends.
type bar struct {
	container *mpb.Progress
	bar       *mpb.Bar
}

func newBar(w io.Writer, total int64) *bar {
	container := mpb.New(mpb.WithOutput(w), mpb.WithWidth(60))
	return &bar{container: container, bar: container.AddBar(total,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d samples ")),
		mpb.AppendDecorators(decor.Percentage(), decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8})),
	)}
}

func (b *bar) update(p sweep.Progress) { b.bar.SetCurrent(p.Samples) }

func (b *bar) end() {
	b.bar.Abort(true) // nothing after the last sample
	b.container.Wait()
}

// lines says progress line by line, for logs.
type lines struct {
	w             io.Writer
	total         int64
	started, last time.Time
}

func (l *lines) update(p sweep.Progress) {
	now := time.Now()
	if now.Sub(l.last) < linePeriod {
		return
	}
	l.last = now
	fmt.Fprintln(l.w, progressLine(p, l.total, now.Sub(l.started)))
}

func (l *lines) end() {}

// progressLine says what is done of total samples after the time elapsed, and what is left if all
// samples cost the same.
func progressLine(p sweep.Progress, total int64, elapsed time.Duration) string {
	text := fmt.Sprintf("%d of %d samples (%d %%), %s", p.Samples, total,
		100*p.Samples/max(1, total), elapsed.Round(time.Second))
	if p.Samples > 0 {
		left := time.Duration(float64(elapsed) * float64(total-p.Samples) / float64(p.Samples))
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	if p.Failed > 0 {
		text += fmt.Sprintf(", %d failed", p.Failed)
	}
	return text
}
