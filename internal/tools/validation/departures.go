package validation

import (
	"fmt"
	"strings"

	"sdrsim/schemes/model"
	"sdrsim/units"
)

// slips of the paper, with what the equations give.
const slips = `- "8 GiB is 8 times smaller than the bandwidth-delay product" (fig. 3b): it is seven
  times larger, 8.59 GB against 1.25 GB.
- "Erasure coding is ineffective above 0.1 %": true of XOR(32,8); the equations put the knee of
  MDS(32,8) between 3e-2 and 1e-1.
- "NACK helps up to 4 times": timeouts of 3 RTT and 1 RTT differ by 3 at most.
- The headline speaks of gains of 5 and 12 times, the evaluation of 6.5 and 12.2; the larger ones
  are those that come out here.
- Figure 2, the drop rates measured on a 350 km path, is an input and not simulated: from 1e-4 to
  above 1e-1 by payload, three orders of magnitude apart, and 1e-8 on private optics.
`

// departure is where the simulation does something else than the paper's model, on purpose.
type departure struct {
	title, why string
	cost       func(*book) string // what it amounts to; empty where results are not there
}

var departures = []departure{
	{"Repeats compete with new data", "The model sends a repeat at its time whatever else is on " +
		"the link. Here repeats share the link and go first, so messages longer than a timeout take " +
		"longer than the form, a lower bound, says.", costOfCompetition},
	{"Acknowledgements have a cadence", "The receiver polls its bitmap every RTT/16 and " +
		"acknowledges at once when the message is whole. The completion time feels the poll only " +
		"where a timeout is shorter than RTT + RTT/16.", nil},
	{"Negative acknowledgements are real", "The paper models them as a timeout of 1 RTT. Here the " +
		"receiver reports a hole when the next packet reveals it, and holes at the tail, which " +
		"nothing reveals, by a timer.", costOfNacks},
	{"The receiver of coded messages does not wait for parity", "The paper's base time is " +
		"(M + ceil(M/R)) T_inj + RTT. Here the acknowledgement leaves as soon as everything is " +
		"recoverable: without loss before any parity has arrived.", costOfParity},
	{"Losses are of packets", "`per: chunk` loses a chunk as a whole at every attempt, as the model " +
		"does. `per: packet` is physical: packets that arrived stay arrived, and a chunk needs fewer " +
		"transmissions.", costOfWholeChunks},
	{"Headers take the link", "The paper's bandwidth is that of the payload (`encapsulation: none`)." +
		" RoCEv2 over IPv4, the default, adds 102 B to each packet.", costOfHeaders},
	{"Light is slower in glass", "The paper's 25 ms for 3750 km is light in vacuum (`medium: " +
		"vacuum`). Fiber is the default.", costOfGlass},
	{"The chunk size matters", "The paper does not state the chunk size of its model. 4 KiB, one " +
		"packet, reproduces its figures; at an equal loss of *packets*, chunks of 64 KiB are lost " +
		"sixteen times as often, and the codes give up earlier.", costOfChunks},
	{"Workers wait for each other", "A worker spends 0.68 us on a packet and 0.39 us more on the one" +
		" that completes a chunk. That one is the last handled, hence on the worker furthest behind; " +
		"0.68 us + 0.39 us / N, spread evenly, is the cost on average only.", nil},
}

func costOfCompetition(b *book) string {
	r := b.row("paper/fig9", "sr-rto", on{onSize, 8 << 30}, on{onLoss, 1e-2})
	v := paper.at(r).meanOf("sr-rto").Seconds
	return fmt.Sprintf("8 GiB at 1e-2: %s ms simulated, %s ms by the form.",
		showInterval(meanOf(r), 1e-3), show(1e3*v))
}

func costOfNacks(b *book) string {
	low := b.row("paper/fig10b", "sr-nack", on{onLoss, 1e-5})
	high := b.row("paper/fig10b", "sr-nack", on{onLoss, 1e-2})
	return fmt.Sprintf("128 MiB: %s ms against %s ms at 1e-5, %s ms against %s ms at 1e-2.",
		showInterval(meanOf(low), 1e-3), show(1e3*paper.at(low).meanOf("sr-nack").Seconds),
		showInterval(meanOf(high), 1e-3), show(1e3*paper.at(high).meanOf("sr-nack").Seconds))
}

func costOfParity(b *book) string {
	r := b.row("paper/fig9", "ec-mds", on{onSize, 1 << 30}, on{onLoss, 1e-8})
	lossy := b.row("paper/fig9", "ec-mds", on{onSize, 1 << 30}, on{onLoss, 1e-3})
	return fmt.Sprintf("1 GiB: %s ms at 1e-8 and %s ms at 1e-3, against %s ms.",
		showInterval(meanOf(r), 1e-3), showInterval(meanOf(lossy), 1e-3),
		show(1e3*paper.at(r).meanOf("ec-mds").Seconds))
}

func costOfWholeChunks(*book) string {
	return fmt.Sprintf("Transmissions of a chunk of 16 packets: %.3f against %.3f at 1e-2, %.2f "+
		"against %.2f at 1e-1.", model.AccumulatedTransmissions(1e-2, 16),
		model.Transmissions(1e-2, 16), model.AccumulatedTransmissions(1e-1, 16),
		model.Transmissions(1e-1, 16))
}

func costOfHeaders(*book) string {
	const payload, headers = 4096.0, 102.0
	return fmt.Sprintf("At most %.2f %% of the bandwidth is payload, with an MTU of 4 KiB.",
		100*payload/(payload+headers))
}

func costOfGlass(*book) string {
	s := paper.with(paper.size, 1e-3)
	vacuum, glass := s, s
	vacuum.rtt = 2 * units.Vacuum.Delay(3750*units.Kilometre)
	glass.rtt = 2 * units.Fiber.Delay(3750*units.Kilometre)
	return fmt.Sprintf("3750 km: %.1f ms against %.1f ms there and back; 128 MiB at 1e-3 take SR RTO "+
		"%s ms against %s ms by the form.", 1e3*glass.rtt.Seconds(), 1e3*vacuum.rtt.Seconds(),
		show(1e3*glass.meanOf("sr-rto").Seconds), show(1e3*vacuum.meanOf("sr-rto").Seconds))
}

// costOfChunks tabulates the form for both chunk sizes.
func costOfChunks(*book) string {
	var w strings.Builder
	w.WriteString("Means by the form, 128 MiB, in ms, chunks of 4 KiB / 64 KiB:\n\n" +
		"| loss of packets | SR RTO | MDS(32,8) | XOR(32,8) |\n  |---|---|---|---|\n")
	for _, p := range []float64{1e-5, 1e-4, 1e-3, 1e-2} {
		small, large := paper.with(paper.size, p), paper.with(paper.size, model.ChunkLoss(p, 16))
		large.chunk = 64 * units.KiB
		fmt.Fprintf(&w, "  | %.0e |", p)
		for _, scheme := range []string{"sr-rto", "ec-mds", "ec-xor"} {
			fmt.Fprintf(&w, " %s / %s |", show(1e3*small.meanOf(scheme).Seconds),
				show(1e3*large.meanOf(scheme).Seconds))
		}
		w.WriteString("\n")
	}
	return strings.ReplaceAll(strings.TrimSuffix(w.String(), "\n"), "\n| loss", "\n  | loss")
}

// writeDepartures writes the list of departures with what each amounts to.
func writeDepartures(w *strings.Builder, b *book) {
	for _, d := range departures {
		fmt.Fprintf(w, "- **%s.** %s", d.title, d.why)
		if d.cost != nil {
			b.missing = false
			if text := d.cost(b); !b.missing {
				w.WriteString(" " + text)
			}
		}
		w.WriteString("\n")
	}
}
