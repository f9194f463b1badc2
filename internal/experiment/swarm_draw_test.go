package experiment

import (
	"fmt"
	"strings"

	"sdrsim/link"
	"sdrsim/sim"
	"sdrsim/units"
	"sdrsim/wire"
)

// A swarm run: everything about it is drawn from one number, so a failure is replayed by naming it.

// dice draws the parameters of a run.
type dice struct{ *sim.Stream }

func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

// one draws an element.
func (d dice) one(of ...string) string { return of[d.IntN(len(of))] }

// swarmRun is a scenario of one scheme, the losses that it meets, and when they stop.
type swarmRun struct {
	text          string
	data, control link.LossModel
	heals         bool
}

// drawRun draws a run. Losses heal after some number of packets, in which case nothing is given up,
// or never.
func drawRun(seed uint64) swarmRun {
	d := dice{sim.NewStream(seed, "swarm", 0)}
	mtu := []int{64, 320, 1000, 4096}[d.IntN(4)]
	perChunk := []int{1, 1, 2, 3, 16}[d.IntN(5)]
	count := []int{1, 1, 2, 5, 11}[d.IntN(5)]
	flight := d.between(1, min(count, 4))
	run := swarmRun{heals: d.IntN(4) > 0}
	run.data = d.losses(perChunk, run.heals)
	run.control = d.losses(1, run.heals)
	var b strings.Builder
	fmt.Fprintf(&b, "name: swarm\nseed: %d\nsamples: 1\npayload: real\n", seed)
	rate := []int{400_000, 100_000, 3333, 70}[d.IntN(4)] // Mbit/s
	channels := d.between(1, 8)
	fmt.Fprintf(&b, "link: {bandwidth: %dMbps, rtt: %s, mtu: %dB, encapsulation: %s}\n", rate,
		d.rtt(perChunk*(mtu+100)*8000/rate), mtu, d.one("none", "rocev2-ipv4"))
	fmt.Fprintf(&b, "message: {size: %s, chunk: %dB, count: %d, in_flight: %d, arrival: %s}\n",
		d.sizes(120*mtu), perChunk*mtu, count, flight,
		d.one("all-at-once", "{model: poisson, load: 0.5}", "{model: periodic, interval: 30us}"))
	held := d.depth(count, flight)
	fmt.Fprintf(&b, "sdr: {recv_depth: %d, channels: %d, generations: %d, ", held, channels,
		d.between(2, 4))
	fmt.Fprintf(&b, "imm: %s}\n", d.split(held))
	fmt.Fprintf(&b, "engine: {runs: %s}\n", d.one("unlimited", "unlimited", "1", "5"))
	if d.IntN(3) == 0 {
		b.WriteString(d.nic(rate, mtu, channels))
	}
	fmt.Fprintf(&b, "schemes:\n  - {%s}\n", d.scheme(run.heals))
	run.text = b.String()
	return run
}

// sizes draws one size of at most so many bytes, or a distribution.
func (d dice) sizes(most int) string {
	size := d.between(1, most)
	return fmt.Sprintf(d.one("%dB", "%dB", "{model: uniform, max: %dB}",
		"{model: lognormal, median: 5kB, sigma: 2, max: %dB}"), size)
}

// rtt draws a round-trip time that is not below twenty chunk times, here in nanoseconds: where
// timeouts are shorter than the transmission of what they guard, repeats leave room for nothing
// else.
func (d dice) rtt(chunk int) string {
	times := []string{"200ms", "25ms", "1ms", "20us", "0.9us"}
	for i, ns := range []int{25e6, 1e6, 20e3, 900} {
		if ns < 20*chunk {
			times = times[:i+1]
			break
		}
	}
	return d.one(times...)
}

// depth draws how many receives are posted ahead.
func (d dice) depth(count, flight int) int { return min(count, flight+d.IntN(3)) }

// split draws a split of the immediate with few message ids, so that they wrap and late packets
// meet new messages, but enough for so many messages of two ids.
func (d dice) split(messages int) string {
	bits := 1
	for 1<<bits < 2*messages {
		bits++
	}
	bits += d.IntN(3)
	user := []int{0, 1, 2, 4}[d.IntN(4)]
	return fmt.Sprintf("%d+%d+%d", bits, 32-bits-user, user)
}

// nic draws workers that keep up with the link. A slower receiver and a timeout that does not adapt
// bring congestion collapse: repeats queue up before what they repeat.
func (d dice) nic(mbps, mtu, channels int) string {
	workers := d.between(1, 5)
	busiest := (channels + workers - 1) / workers // channels of the busiest worker
	budget := max(1, mtu*8000/mbps*channels/busiest*3/4)
	packet := d.IntN(budget)
	return fmt.Sprintf("nic: {workers: %d, per_packet: %dns, per_chunk: %dns, repost: %dus}\n",
		workers, packet, d.IntN(budget-packet), d.IntN(30))
}

// scheme draws a scheme with parameters, some of which make no sense but must not break it.
func (d dice) scheme(patient bool) string {
	retries := d.between(1, 8)
	if patient {
		retries = 100_000
	}
	common := fmt.Sprintf("rto: %s, retries: %d, ack: {interval: %s, repeat: %d, size: %dB}",
		d.one("3RTT", "1.3RTT", "0.6RTT"), retries, d.one("0.0625RTT", "0.5RTT", "0.01RTT", "3us"),
		d.IntN(3), []int{64, 65, 100, 4096}[d.IntN(4)])
	switch d.IntN(5) {
	case 0:
		return "name: sr-rto, " + common
	case 4:
		return fmt.Sprintf("name: rc, recovery: %s, rto: %s, retry_cnt: %d, restart: %s, backoff: %d, "+
			"ack.every: %d%s", d.one("go-back-n", "selective"), d.one("3RTT", "1.3RTT", "0.6RTT"), retries,
			d.one("progress", "any"), d.IntN(3), d.between(1, 20), d.one("", ", window: 3", ", window: 40",
				", rto_low: 0.5RTT", ", adaptive: {base: 20us, uses: 2}"))
	case 1:
		return fmt.Sprintf("name: sr-nack, nack.slack: %s, %s", d.one("0.0625RTT", "0RTT", "1RTT"),
			common)
	}
	name, k := "ec-xor", d.between(1, 40)
	m := d.between(1, min(k, 10))
	if d.IntN(2) == 0 {
		name, m = "ec-mds", d.between(1, 12)
	}
	return fmt.Sprintf("name: %s, k: %d, m: %d, beta: %s, fallback: %s, order: %s%s, %s", name, k, m,
		d.one("1", "0.1", "0"), d.one("submessage", "missing"), d.one("parity-last", "interleaved"),
		d.one("", "", ", encode.rate: 10Gbps", ", decode.rate: 10Gbps"), common)
}

// losses draws heavy losses of units of so many packets.
func (d dice) losses(perChunk int, heals bool) link.LossModel {
	var m link.LossModel
	switch d.IntN(7) {
	case 5:
		return link.None{}
	case 0, 1:
		m = &link.IID{P: []float64{0.03, 0.2, 0.5, 0.8}[d.IntN(4)]}
	case 2:
		m = &link.GilbertElliott{GoodBad: 0.1, BadGood: 0.05, LossGood: 0.01, LossBad: 0.9}
	case 6:
		m = &link.Fading{Bad: []units.Duration{units.Microsecond, units.Millisecond}[d.IntN(2)],
			Share: 0.3, LossGood: 0.01, LossBad: 0.9}
	case 3:
		m = &link.IID{P: 1}
	case 4:
		m = &link.GilbertElliott{GoodBad: 0.02, BadGood: 0.02, LossBad: 1}
	}
	if perChunk > 1 && d.IntN(2) == 0 {
		m = link.NewPerChunk(m, int64(perChunk))
	}
	if heals {
		m = &healing{inner: m, after: int64(d.IntN(300))}
	}
	return m
}

// healing loses packets as another model does, but none after the first so many.
type healing struct {
	inner       link.LossModel
	after, sent int64
}

func (h *healing) Reset(s *sim.Stream) {
	h.sent = 0
	h.inner.Reset(s)
}

func (h *healing) Peek(r *wire.Run) (pass, drop int64) {
	left := h.after - h.sent
	if left <= 0 {
		return r.Count, 0
	}
	pass, drop = h.inner.Peek(r)
	pass = min(pass, left)
	return pass, min(drop, left-pass)
}

func (h *healing) Advance(r *wire.Run, n int64) {
	if h.sent < h.after {
		h.inner.Advance(r, n)
	}
	h.sent += n
}

// setLosses replaces the losses of a runner's only connection.
func setLosses(r *Runner, data, control link.LossModel) {
	w := r.hops[0]
	t, p := w.pair, w.cfg
	t.losses[0].model, t.losses[1].model = data, control
	t.there = link.New(link.Config{Bandwidth: p.Link.Bandwidth, Delay: p.Link.Delay,
		Overhead: p.Link.Overhead, Loss: data, ControlLoss: link.None{},
		MaxRun: p.Engine.MaxRun})
	t.back = link.New(link.Config{Bandwidth: p.Link.ReverseBandwidth, Delay: p.Link.Delay,
		Overhead: p.Link.Overhead, Loss: link.None{}, ControlLoss: control})
	t.a.Connect(t.qpA, t.there, t.back.Inbox(), w)
	t.b.Connect(t.qpB, t.back, t.there.Inbox(), w)
}
