package experiment

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
)

// drawScenario draws a scenario with one point and every scheme: link, losses in both directions,
// sizes that are no multiple of anything, and parameters of the schemes.
func drawScenario(t *rapid.T) string {
	var b strings.Builder
	mtu := rapid.SampledFrom([]int{64, 1000, 4096}).Draw(t, "mtu")
	chunk := mtu * rapid.SampledFrom([]int{1, 1, 2, 3, 16}).Draw(t, "packets a chunk")
	size := rapid.OneOf(rapid.IntRange(1, 150*mtu), rapid.IntRange(1, chunk)).Draw(t, "size")
	count := rapid.SampledFrom([]int{1, 1, 2, 5, 9}).Draw(t, "count")
	flight := rapid.IntRange(1, min(count, 4)).Draw(t, "in flight")
	fmt.Fprintf(&b, "name: drawn\nseed: %d\nsamples: 1\n", rapid.IntRange(0, 1<<30).Draw(t, "seed"))
	fmt.Fprintf(&b, "link:\n  bandwidth: %s\n  rtt: %s\n  mtu: %dB\n  encapsulation: %s\n",
		rapid.SampledFrom([]string{"400Gbps", "100Gbps", "3333Mbps", "70Mbps"}).Draw(t, "bandwidth"),
		rapid.SampledFrom([]string{"25ms", "1ms", "20us", "0.9us"}).Draw(t, "rtt"), mtu,
		rapid.SampledFrom([]string{"none", "rocev2-ipv4"}).Draw(t, "encapsulation"))
	// The way back may be slower than what is said on it.
	if back := rapid.SampledFrom([]string{"", "", "20Mbps", "700kbps"}).Draw(t, "back"); back != "" {
		fmt.Fprintf(&b, "  reverse_bandwidth: %s\n", back)
	}
	fmt.Fprintf(&b, "  loss: %s\n", drawLoss(t, "loss", (size+chunk-1)/chunk))
	events := drawEvents(t)
	b.WriteString(events)
	b.WriteString(drawPath(t, !strings.Contains(events, "delay")))
	fmt.Fprintf(&b, "  ack_loss: %s\n", rapid.SampledFrom([]string{"none", "same",
		"{model: iid, p: 0.3}", "{model: gilbert-elliott, burst: 3us, gap: 7us, h: 0.2}",
		"{model: script, drops: [{first: 0}, {first: 2, last: 4}]}"}).
		Draw(t, "ack loss"))
	fmt.Fprintf(&b, "message: {size: %s, chunk: %dB, count: %d, in_flight: %d, arrival: %s}\n",
		drawSizes(t, size), chunk, count, flight, drawArrivals(t))
	depth := flight + rapid.IntRange(0, 3).Draw(t, "depth")
	fmt.Fprintf(&b, "sdr: {recv_depth: %d%s}\n", depth, drawIDs(t, depth))
	b.WriteString(drawSchemes(t))
	text := b.String()
	text += drawConnections(t, text, chunk > mtu)
	divisible := count == 1 && (!strings.Contains(text, "qps: ") || strings.Contains(text, "qps: 1"))
	text += drawSubmission(t)
	for _, not := range []string{"gilbert", "script", "trace", "uniform", "lognormal", "submission",
		"outages", "changes", "jitter", "paths"} {
		divisible = divisible && !strings.Contains(text, not)
	}
	if divisible {
		text += "acceleration: " + rapid.SampledFrom([]string{"auto", "strata", "none"}).
			Draw(t, "sampling") + "\n"
	}
	return text
}

// drawConnections draws how many connections share the link, where they may.
func drawConnections(t *rapid.T, text string, chunks bool) string {
	for _, not := range []string{"model: script", "model: trace", "spread: message",
		"spread: flowlet"} {
		if strings.Contains(text, not) {
			return ""
		}
	}
	if chunks && strings.Contains(text, "per: chunk") {
		return ""
	}
	return fmt.Sprintf("nic: {qps: %d}\n",
		rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "connections"))
}

// drawSubmission draws what it costs to start a message; most often nothing.
func drawSubmission(t *rapid.T) string {
	by := rapid.SampledFrom([]string{"", "", "cpu", "ibgda", "token"}).Draw(t, "submission")
	if by == "" {
		return ""
	}
	return fmt.Sprintf("submission: {by: %s, pcie: gen3-x16, memory: %s, registration: %s%s%s}\n", by,
		rapid.SampledFrom([]string{"gpudirect", "bounce"}).Draw(t, "memory"),
		rapid.SampledFrom([]string{"before", "once", "each"}).Draw(t, "registration"),
		rapid.SampledFrom([]string{"", ", mtt: {region: 64KiB, size: 77B}"}).Draw(t, "translations"),
		rapid.SampledFrom([]string{"", ", outstanding: 1", ", rate: 7e4", ", start: 0s, done: 0s"}).
			Draw(t, "costs"))
}

// drawSizes draws what sizes of at most so many bytes are drawn from.
func drawSizes(t *rapid.T, most int) string {
	switch rapid.SampledFrom([]string{"", "", "uniform", "lognormal"}).Draw(t, "sizes") {
	case "uniform":
		return fmt.Sprintf("{model: uniform, min: %dB, max: %dB}",
			rapid.IntRange(1, most).Draw(t, "least"), most)
	case "lognormal":
		return fmt.Sprintf("{model: lognormal, median: %dB, sigma: 1.5, max: %dB}",
			rapid.IntRange(1, most).Draw(t, "median"), most)
	}
	return fmt.Sprintf("%dB", most)
}

// drawArrivals draws when messages are posted.
func drawArrivals(t *rapid.T) string {
	model := rapid.SampledFrom([]string{"", "", "periodic", "poisson"}).Draw(t, "arrivals")
	if model == "" {
		return "all-at-once"
	}
	often := rapid.SampledFrom([]string{"load: 0.1", "load: 0.8", "load: 3", "interval: 1ns",
		"interval: 20us", "interval: 3ms"}).Draw(t, "how often")
	return "{model: " + model + ", " + often + "}"
}

// drawIDs draws message ids for so many messages of two sends: as many as by default, or hardly
// more than there have to be, so that they are used again and again.
func drawIDs(t *rapid.T, depth int) string {
	bits := 1
	for 1<<bits < 2*depth {
		bits++
	}
	bits += rapid.SampledFrom([]int{0, 0, 1}).Draw(t, "more id bits")
	if rapid.Bool().Draw(t, "default ids") {
		return ""
	}
	return fmt.Sprintf(", imm: %d+%d+4, generations: %d", bits, 28-bits,
		rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "generations"))
}

// drawLoss draws a loss model for messages of so many chunks.
func drawLoss(t *rapid.T, name string, chunks int) string {
	per := rapid.SampledFrom([]string{"packet", "chunk"}).Draw(t, name+" per")
	p := rapid.SampledFrom([]string{"0", "1e-3", "0.01", "0.05", "0.2", "0.4"}).Draw(t, name+" p")
	switch rapid.SampledFrom([]string{"iid", "ge", "classic", "time", "trace", "script"}).
		Draw(t, name+" model") {
	case "iid":
		return fmt.Sprintf("{model: iid, per: %s, p: %s}", per, p)
	case "ge":
		return fmt.Sprintf("{model: gilbert-elliott, per: %s, mean: 0.1, burst: %d}", per,
			rapid.IntRange(2, 30).Draw(t, name+" burst"))
	case "trace":
		return fmt.Sprintf("{model: trace, per: %s, file: testdata/%s.csv}", per,
			rapid.SampledFrom([]string{"packets", "times"}).Draw(t, name+" file"))
	case "time":
		return fmt.Sprintf("{model: gilbert-elliott, per: %s, burst: %s, gap: %s, h: %s, k: %s}", per,
			drawTime(t, name+" burst"), drawTime(t, name+" gap"),
			rapid.SampledFrom([]string{"0", "0.4"}).Draw(t, name+" h"),
			rapid.SampledFrom([]string{"1", "0.99"}).Draw(t, name+" k"))
	case "classic":
		return fmt.Sprintf("{model: gilbert-elliott, per: %s, p: 0.05, r: 0.3, h: 0.4, k: 0.99}", per)
	}
	last := chunks - 1
	return fmt.Sprintf("{model: script, per: %s, drops: [{first: %d}, "+
		"{first: %d, last: %d, transmission: 1}, {first: %d, transmission: 2}]}", per,
		rapid.IntRange(0, min(9, last)).Draw(t, name+" drop"), min(3, last), min(5, last),
		min(1, last))
}

// drawTime draws a time about those that links of these scenarios have.
func drawTime(t *rapid.T, name string) string {
	return fmt.Sprintf("%d%s", rapid.IntRange(1, 999).Draw(t, name),
		rapid.SampledFrom([]string{"us", "us", "ms"}).Draw(t, name+" unit"))
}

// drawPath draws jitter and several paths, most often none.
func drawPath(t *rapid.T, several bool) string {
	var b strings.Builder
	if rapid.IntRange(0, 2).Draw(t, "jitter") == 0 {
		fmt.Fprintf(&b, "  jitter: {model: %s, spread: %s, ordered: %v}\n",
			rapid.SampledFrom([]string{"uniform", "normal", "gamma", "pareto"}).Draw(t, "jitter model"),
			rapid.SampledFrom([]string{"0s", "1ps", "300ns", "5us", "0.1RTT", "1RTT"}).
				Draw(t, "jitter spread"), rapid.Bool().Draw(t, "ordered"))
	}
	if !several || rapid.IntRange(0, 2).Draw(t, "paths") > 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "  spread: %s\n  paths:\n",
		rapid.SampledFrom([]string{"packet", "message", "flowlet"}).Draw(t, "spread"))
	for range rapid.IntRange(1, 3).Draw(t, "paths") {
		fmt.Fprintf(&b, "    - {weight: %s%s%s}\n",
			rapid.SampledFrom([]string{"1", "0.1", "3"}).Draw(t, "weight"),
			rapid.SampledFrom([]string{"", ", delay: 11us", ", delay: 300ns", ", delay: 2ms"}).
				Draw(t, "path delay"),
			rapid.SampledFrom([]string{"", "", ", loss: 0.1",
				", loss: {model: gilbert-elliott, mean: 0.1, burst: 5us}"}).Draw(t, "path loss"))
	}
	return b.String()
}

// drawEvents draws outages and changes of the link, most often none.
func drawEvents(t *rapid.T) string {
	var b strings.Builder
	if rapid.IntRange(0, 2).Draw(t, "outages") == 0 {
		fmt.Fprintf(&b, "  outages: [{at: %s, for: 1us, every: %s}, {at: 0s, for: %s}]\n",
			drawTime(t, "down"), rapid.SampledFrom([]string{"5us", "77us", "3ms"}).Draw(t, "every"),
			drawTime(t, "down for"))
	}
	if rapid.IntRange(0, 1).Draw(t, "changes") == 0 {
		fmt.Fprintf(&b, "  changes:\n    - {at: %dns%s}\n    - {at: %dus%s}\n    - {at: %dms%s}\n",
			rapid.IntRange(0, 999).Draw(t, "first change"), drawChange(t),
			rapid.IntRange(1, 999).Draw(t, "second change"), drawChange(t),
			rapid.IntRange(1, 99).Draw(t, "third change"), drawChange(t))
	}
	return b.String()
}

// drawChange draws what becomes of a link.
func drawChange(t *rapid.T) string {
	loss := rapid.SampledFrom([]string{"", ", loss: none", ", loss: 0.1",
		", loss: {model: gilbert-elliott, mean: 0.2, burst: 4}",
		", loss: {model: gilbert-elliott, mean: 0.2, burst: 9us}"}).Draw(t, "new loss")
	rate := rapid.SampledFrom([]string{"", ", bandwidth: 7Gbps", ", bandwidth: 333Mbps",
		", bandwidth: 800Gbps"}).Draw(t, "new bandwidth")
	return loss + rate + ", delay: " + rapid.SampledFrom([]string{"13us", "2ms", "400ns", "12.5ms"}).
		Draw(t, "new delay")
}

// drawSchemes draws parameters for every scheme of the catalog, the same for those that share them.
func drawSchemes(t *rapid.T) string {
	drawn := map[string]string{}
	var b strings.Builder
	b.WriteString("schemes:\n")
	for _, e := range catalog.Entries() {
		fmt.Fprintf(&b, "  - {name: %s", e.Name)
		for _, p := range e.Params {
			key := p.Name + strings.Join(p.Choices, "")
			if _, known := drawn[key]; !known {
				drawn[key] = drawParam(t, &p, drawn)
			}
			if text := drawn[key]; text != "" {
				fmt.Fprintf(&b, ", %s: %s", p.Name, text)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// telling are values of parameters that meet the links of these scenarios; empty: the default.
var telling = map[string][]string{
	"ack.interval": {"0.0625RTT", "0.5RTT", "0.01RTT", "7us", "10RTT"},
	"ack.repeat":   {"0", "1", "2"},
	"ack.size":     {"64B", "100B", "4KiB"},
	"rto":          {"3RTT", "1.2RTT", "0.7RTT"},
	"alpha":        {""}, // is not given beside rto
	"beta":         {"1", "0.1", "0"},
	"nack.reorder": {"0s", "0s", "1ps", "2us", "0.5RTT"},
	"nack.slack":   {"0.0625RTT", "0RTT", "1RTT"},

	"timeout":        {""}, // is not given beside rto
	"device":         {""},
	"stretch":        {""},
	"rto_low":        {"", "1.1RTT", "0.3RTT"},
	"few":            {"1", "3", "100"},
	"backoff":        {"0", "1", "4"},
	"retry_cnt":      {"2", "7", "30"},
	"ack.every":      {"64", "1", "7"},
	"window":         {"", "1", "5", "100"},
	"bitmap":         {"128", "16", "64"},
	"slide":          {"16", "4"},
	"check":          {"5us", "1048576ns"},
	"poll":           {"7us", "40us", "1ms"},
	"mpr":            {"1", "32"},
	"sack.every":     {"1", "5", "16"},
	"sack.bits":      {"8", "64"},
	"reorder":        {"1", "4", "30"},
	"retry.linear":   {"0", "3", "30"},
	"retry.doubling": {"0", "5"},
	"adaptive.base":  {"", "", "4us"},
	"adaptive.low":   {"0", "3"},
	"adaptive.steps": {"2", "9"},
	"adaptive.uses":  {"1", "2"},
	"adaptive.fall":  {"0", "1", "2"},
}

// drawParam draws a parameter that may depend on those drawn before.
func drawParam(t *rapid.T, p *schemes.Param, drawn map[string]string) string {
	values := telling[p.Name]
	switch {
	case p.Name == "k":
		return fmt.Sprint(rapid.IntRange(1, 12).Draw(t, "k"))
	case p.Name == "m":
		k, _ := strconv.Atoi(drawn["k"])
		return fmt.Sprint(rapid.IntRange(1, max(1, k)).Draw(t, "m"))
	case values != nil:
	case p.Kind == schemes.KindChoice:
		values = p.Choices
	case p.Kind == schemes.KindSpan:
		values = []string{"", "0.0625RTT", "1RTT"}
	case p.Kind == schemes.KindRate:
		values = []string{"", "10Gbps", "100Mbps"}
	default:
		return ""
	}
	return rapid.SampledFrom(values).Draw(t, p.Name)
}
