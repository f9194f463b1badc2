package report

import (
	"image/color"
	"math"

	"sdrsim/internal/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barShare is the part of a category that its bars fill.
const barShare = 0.8

// maxBarLabels is how many bars have their value written above.
const maxBarLabels = 16

// barPage draws a quantity as bars, in groups along the x axis.
func (f *drawing) barPage(sel *selection, m measure) (*page, *notes) {
	xs := axisValues(sel.rows, f.X)
	all := f.group(sel, m, xs)
	p := f.newPage(sel)
	p.x = newCategories(f.pathName(f.X), xs, f.medium().acrossSize)
	p.y = newScale(axisSpec{
		name: m.name, unit: m.unit, want: f.barScale(all), base: baseZero, headroom: 0.09,
		values: f.withReferences("y", yValues(all)),
	})
	n := &notes{}
	n.samples(f.behind(sel), intervalWord(all, categories))
	if f.X != f.Series { // else a series has one category only, and no value elsewhere
		n.about(all, m)
	} else {
		n.about(diagonal(all), m)
	}
	n.offScale(all, &p.y)
	if e := extentOf(yValues(all)); e.zeros == e.values && e.zeros > 0 && f.YScale != figure.LogScale {
		n.add("Every value is zero.")
	}
	n.scales(f, p)
	for i, s := range all {
		slot := barSlot{index: i, of: len(all)}
		if f.X == f.Series {
			slot = barSlot{index: 0, of: 1}
		}
		p.body = append(p.body, bars{
			series: s, page: p, slot: slot, labelled: len(all)*len(xs) <= maxBarLabels,
		})
	}
	p.references = f.referenceLines(p, m)
	if f.X != f.Series {
		p.side = barLegend(all)
	}
	p.fitWords(xs)
	if f.X == f.Series && p.x.shortened {
		p.x.ticks = nil // the legend has their names in full, in the same order
		p.side = barLegend(all)
	}
	p.foot = n.foot
	return p, n
}

// barScale is linear unless values differ by more than a factor of 100: the length of a bar means
// something on a linear axis only.
func (f *drawing) barScale(all []series) string {
	e := extentOf(yValues(all))
	if f.YScale != "" || e.negative || e.zeros > 0 || !(e.max/e.positive > 100) {
		if f.YScale != "" {
			return f.YScale
		}
		return figure.LinearScale
	}
	return figure.LogScale
}

// diagonal keeps of each series the values it can have where series and categories are the same.
func diagonal(all []series) []series {
	out := make([]series, len(all))
	for i, s := range all {
		out[i] = s
		out[i].data = s.data[i : i+1]
	}
	return out
}

func barLegend(all []series) legend {
	var l legend
	for _, s := range all {
		l = append(l, entry{s.label, func(c *draw.Canvas, r vg.Rectangle) {
			r.Min.X += 8
			s.look.area(c, r)
		}})
	}
	if intervalWord(all, categories) != "" {
		l = append(l, entry{"95 % interval", errorBarSample})
	}
	if word := hollowWord(all); word != "" {
		l = append(l, entry{word, func(c *draw.Canvas, r vg.Rectangle) {
			r.Min.X += 8
			outline(c, hollowLine(softInk), r)
		}})
	}
	return l
}

// barSlot is the place of a series within each group.
type barSlot struct{ index, of int }

// bars draws the bars of one series.
type bars struct {
	series
	page     *page
	slot     barSlot
	labelled bool
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, _ *plot.Plot) {
	group := b.page.x.width * barShare
	width := group / float64(b.slot.of)
	for _, d := range b.data {
		top, ok := b.page.y.at(d.est.Value)
		if !ok {
			continue
		}
		left := b.page.x.places[d.x.Text] - group/2 + float64(float64(b.slot.index)*width)
		base := 0.0
		if b.page.y.kind == linearScale {
			base = b.page.y.clamp(0)
		}
		margin := float64(0.06 * width)
		box := rectangle(&c, span{left + margin, left + float64(width-margin)}, span{base, top})
		b.bar(&c, box, d)
	}
}

// bar draws one bar with its interval and value.
func (b bars) bar(c *draw.Canvas, box vg.Rectangle, d datum) {
	if d.hollow() {
		outline(c, hollowLine(b.look.color), box)
	} else {
		b.look.area(c, box)
	}
	top := box.Max.Y
	x := (box.Min.X + box.Max.X) / 2
	if d.bounded() {
		lo, hi := c.Y(b.page.y.clamp(d.est.Lo)), c.Y(b.page.y.clamp(d.est.Hi))
		errorBar(c, draw.LineStyle{Color: ink, Width: 0.9}, vg.Point{X: x, Y: lo}, hi)
		top = vg.Length(math.Max(float64(top), float64(hi)))
	}
	if b.labelled {
		sty := textStyle(smallText, ink)
		sty.XAlign = draw.XCenter
		text := powers(threeDigits(d.est.Value / b.page.y.step.factor))
		if sty.Width(text) <= b.page.on.beyond()*(box.Max.X-box.Min.X) {
			c.FillText(sty, vg.Point{X: x, Y: top + 2}, text)
		}
	}
}

// hollowLine is the outline of what too few samples carry.
func hollowLine(c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: 1.2, Dashes: []vg.Length{3, 2}}
}
