package main

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"sdrsim/internal/sweep"
)

// maxBars bounds the points that have a bar at a time.
const maxBars = 8

// bars shows a bar for the whole run and one for each point under way. They vanish when what they
// show is complete.
type bars struct {
	container *mpb.Progress
	whole     *mpb.Bar
	total     int64
	schemes   int // of a point
	points    map[int]*pointBar

	left     atomic.Int64 // a time.Duration
	computed time.Time    // when it was
}

// pointBar is the bar of a point: the samples of all its schemes.
type pointBar struct {
	bar     *mpb.Bar
	schemes map[string]sweep.UnitProgress
}

func newBars(w io.Writer, total int64, schemes int) *bars {
	container := mpb.New(mpb.WithOutput(w), mpb.WithWidth(60))
	b := &bars{container: container, total: total, schemes: schemes, points: map[int]*pointBar{}}
	b.whole = container.AddBar(total,
		mpb.BarRemoveOnComplete(), mpb.BarPriority(1<<30),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d samples ")),
		mpb.AppendDecorators(decor.Percentage(), decor.Any(b.remaining, decor.WC{W: 8})),
	)
	return b
}

// leftPeriod is how often the time that is left is computed anew.
const leftPeriod = 500 * time.Millisecond

// remaining is the time that is left, for the bar of the run.
func (b *bars) remaining(decor.Statistics) string {
	return time.Duration(b.left.Load()).Round(time.Second).String()
}

func (b *bars) update(p pace) {
	if now := time.Now(); now.Sub(b.computed) >= leftPeriod {
		left, _ := p.left()
		b.left.Store(int64(left))
		b.computed = now
	}
	if p.total != b.total {
		b.total = p.total
		b.whole.SetTotal(p.total, false)
	}
	if restored := p.Restored; restored > 0 {
		b.whole.SetRefill(restored)
	}
	b.whole.SetCurrent(p.Samples)
	b.point(p.Last)
}

// point moves the bar of the point of a unit.
func (b *bars) point(u sweep.UnitProgress) {
	if u.Key == "" {
		return // nothing is swept
	}
	p := b.points[u.Point]
	if p == nil {
		if len(b.points) == maxBars || u.Complete {
			return
		}
		p = &pointBar{schemes: map[string]sweep.UnitProgress{}}
		p.bar = b.container.AddBar(0,
			mpb.BarRemoveOnComplete(), mpb.BarPriority(u.Point),
			mpb.PrependDecorators(decor.Name(u.Key+" ")),
			mpb.AppendDecorators(decor.Percentage()),
		)
		b.points[u.Point] = p
	}
	p.schemes[u.Scheme] = u
	done, target := int64(0), int64(0)
	complete := len(p.schemes) == b.schemes
	for _, s := range p.schemes {
		done += int64(s.Samples)
		target += int64(s.Target)
		complete = complete && s.Complete
	}
	// Schemes that have not begun are taken to need as much as the others.
	p.bar.SetTotal(target*int64(b.schemes)/int64(len(p.schemes))+1, false)
	p.bar.SetCurrent(done)
	if complete {
		p.bar.Abort(true)
		delete(b.points, u.Point)
	}
}

func (b *bars) end() {
	for _, p := range b.points {
		p.bar.Abort(true)
	}
	b.whole.Abort(true) // nothing after the last sample
	b.container.Wait()
}
