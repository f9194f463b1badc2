package sweep

import (
	"math"

	"sdrsim/internal/experiment"
	"sdrsim/internal/result"
	"sdrsim/internal/spec"
	"sdrsim/internal/stats"
	"sdrsim/units"
)

// flowRows are what the flows of a network did, over the samples that were delivered. Samples that
// count for more or less than one have none.
func (r *Record) flowRows(p *spec.Point, scheme string) []result.Flow {
	if r.weight != nil || r.numFlows == 0 {
		return nil
	}
	axes, fairness := AxesOf(p), r.fairness()
	list := make([]result.Flow, r.numFlows)
	for f := range list {
		own := r.flow(p, f)
		sorted, _ := stats.Sorted(own.seconds(own.completion))
		row := result.NewRow(axes, scheme)
		addTimes(&row, own, sorted)
		list[f] = result.Flow{
			Axes: axes, Scheme: scheme, Name: p.Flows[f].Name,
			From: p.Flows[f].From.String(), To: p.Flows[f].To.String(), Samples: int64(r.samples),
			Mean: row.CompletionMean, MeanLo: row.CompletionMeanLo, MeanHi: row.CompletionMeanHi,
			P50: row.CompletionP50, P99: row.CompletionP99, P999: row.CompletionP999,
			Slowdown: row.SlowdownMean, Goodput: r.flowGoodput(f),
			Retransmits: r.flowMean(f, func(s *experiment.FlowSample) int64 { return s.Retransmits }),
			Packets:     r.flowMean(f, func(s *experiment.FlowSample) int64 { return s.Packets }),
			Dropped:     r.flowMean(f, func(s *experiment.FlowSample) int64 { return s.Dropped }),
			Lost:        r.flowMean(f, func(s *experiment.FlowSample) int64 { return s.Lost }),
			Marked:      r.flowMean(f, func(s *experiment.FlowSample) int64 { return s.Marked }),
			Fairness:    fairness, Warnings: row.Warnings,
		}
	}
	return list
}

// flow is the record of one flow alone, of samples that were all delivered.
func (r *Record) flow(p *spec.Point, number int) *Record {
	each := r.messages / r.numFlows
	own := &Record{Point: r.Point, Scheme: r.Scheme, samples: r.samples, messages: each,
		ideals: []units.Duration{}, about: r.about}
	own.about.losses = expectedLossesOf(p, p.Flows[number].Size)
	own.grow(r.samples)
	for i := range r.samples {
		at := i*r.messages + number*each
		copy(own.completion[i*each:], r.completion[at:][:each])
		copy(own.delivery[i*each:], r.delivery[at:][:each])
		copy(own.ideals[i*each:], r.ideals[at:][:each])
		s := &r.flows[i*r.numFlows+number]
		own.delivered[i], own.elapsed[i] = int32(each), s.Elapsed
		own.counters[i].Lost, own.counters[i].Retransmits = s.Dropped+s.Lost, s.Retransmits
	}
	for _, d := range own.ideals {
		own.ideal = max(own.ideal, d)
	}
	return own
}

// flowMean is the mean of a count of a flow over samples.
func (r *Record) flowMean(number int, of func(*experiment.FlowSample) int64) float64 {
	sum := int64(0)
	for i := range r.samples {
		sum += of(&r.flows[i*r.numFlows+number])
	}
	return float64(sum) / float64(r.samples)
}

// flowGoodput is the goodput of a flow: bits of its messages over the time that they took.
func (r *Record) flowGoodput(number int) float64 {
	bits, seconds := r.numbers(1, r.samples), r.numbers(2, r.samples)
	for i := range r.samples {
		s := &r.flows[i*r.numFlows+number]
		bits[i], seconds[i] = float64(8*s.PayloadBytes), s.Elapsed.Seconds()
	}
	return ratioOnly(bits, seconds)
}

// fairness is the mean over samples of Jain's index of the goodputs of all flows.
func (r *Record) fairness() float64 {
	indices, goodputs := r.numbers(1, r.samples), r.numbers(2, r.numFlows)
	for i := range indices {
		for f := range goodputs {
			s := &r.flows[i*r.numFlows+f]
			goodputs[f] = float64(8*s.PayloadBytes) / s.Elapsed.Seconds()
		}
		indices[i] = jain(goodputs)
	}
	return stats.Sum(indices) / float64(r.samples)
}

// jain is the index of fairness of what n have got,
//
//	(sum x)^2 / (n sum x^2)
//
// from 1/n, where one has everything, to 1, where all have the same. R. Jain, D. Chiu and W. Hawe,
// A Quantitative Measure of Fairness and Discrimination, DEC-TR-301, 1984.
func jain(x []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += v
		squares += float64(v * v)
	}
	return float64(sum*sum) / float64(float64(len(x))*squares)
}

// queueRows are what the queues of a network did, over the samples that were delivered.
func (r *Record) queueRows(p *spec.Point, scheme string) []result.Queue {
	if r.weight != nil || r.numQueues == 0 {
		return nil
	}
	axes := AxesOf(p)
	list := make([]result.Queue, r.numQueues)
	for q, name := range experiment.QueueNames(p) {
		list[q] = result.Queue{
			Axes: axes, Scheme: scheme, Name: name, Samples: int64(r.samples),
			Mean:     r.queueMean(q, func(s *experiment.QueueSample) float64 { return s.Mean }),
			P99:      r.queueMean(q, func(s *experiment.QueueSample) float64 { return s.P99 }),
			Max:      r.queueMax(q),
			Wait:     r.queueWait(q),
			Marks:    r.queueMean(q, func(s *experiment.QueueSample) float64 { return float64(s.Marked) }),
			Overflow: r.queueMean(q, func(s *experiment.QueueSample) float64 { return float64(s.Dropped) }),
			Link:     r.queueMean(q, func(s *experiment.QueueSample) float64 { return float64(s.Lost) }),
			Utilisation: r.queueMean(q,
				func(s *experiment.QueueSample) float64 { return s.Utilisation }),
		}
	}
	return list
}

// queueMean is the mean of a number of a queue over samples.
func (r *Record) queueMean(number int, of func(*experiment.QueueSample) float64) float64 {
	values := r.numbers(1, r.samples)
	for i := range values {
		values[i] = of(&r.queues[i*r.numQueues+number])
	}
	return stats.Sum(values) / float64(r.samples)
}

// queueMax is the greatest backlog of a queue in any sample, in bytes.
func (r *Record) queueMax(number int) float64 {
	longest := math.NaN()
	for i := range r.samples {
		if v := r.queues[i*r.numQueues+number].Max; i == 0 || v > longest {
			longest = v
		}
	}
	return longest
}

// queueWait is the mean time that a packet waits in a queue, over the packets of all samples.
func (r *Record) queueWait(number int) float64 {
	waits, packets := r.numbers(1, r.samples), r.numbers(2, r.samples)
	for i := range waits {
		s := &r.queues[i*r.numQueues+number]
		packets[i] = float64(s.Accepted)
		waits[i] = float64(s.Wait.Seconds() * packets[i])
	}
	return ratioOnly(waits, packets)
}

// addNetwork fills in what a row says of the network as a whole.
func addNetwork(row *result.Row, r *Record) {
	if r.numFlows == 0 || r.weight != nil {
		return
	}
	row.DroppedMean, row.MarkedMean = 0, 0
	for f := range r.numFlows {
		row.DroppedMean += r.flowMean(f, func(s *experiment.FlowSample) int64 { return s.Dropped })
		row.MarkedMean += r.flowMean(f, func(s *experiment.FlowSample) int64 { return s.Marked })
	}
	row.Fairness = r.fairness()
}

// networkColumns appends what flows and queues counted, a column for each number of theirs.
func (r *Record) networkColumns(list []series) []series {
	if r.numFlows > 0 {
		flows := r.flows[:r.samples*r.numFlows]
		for _, f := range []func(*experiment.FlowSample) *int64{
			func(f *experiment.FlowSample) *int64 { return &f.PayloadBytes },
			func(f *experiment.FlowSample) *int64 { return &f.Packets },
			func(f *experiment.FlowSample) *int64 { return &f.Dropped },
			func(f *experiment.FlowSample) *int64 { return &f.Lost },
			func(f *experiment.FlowSample) *int64 { return &f.Marked },
			func(f *experiment.FlowSample) *int64 { return &f.Retransmits },
			func(f *experiment.FlowSample) *int64 { return (*int64)(&f.Elapsed) },
		} {
			list = append(list, countsOf(flows, f))
		}
	}
	if r.numQueues == 0 {
		return list
	}
	queues := r.queues[:r.samples*r.numQueues]
	for _, f := range []func(*experiment.QueueSample) *int64{
		func(q *experiment.QueueSample) *int64 { return (*int64)(&q.Wait) },
		func(q *experiment.QueueSample) *int64 { return &q.Accepted },
		func(q *experiment.QueueSample) *int64 { return &q.Dropped },
		func(q *experiment.QueueSample) *int64 { return &q.Lost },
		func(q *experiment.QueueSample) *int64 { return &q.Marked },
	} {
		list = append(list, countsOf(queues, f))
	}
	for _, f := range []func(*experiment.QueueSample) *float64{
		func(q *experiment.QueueSample) *float64 { return &q.Mean },
		func(q *experiment.QueueSample) *float64 { return &q.P99 },
		func(q *experiment.QueueSample) *float64 { return &q.Max },
		func(q *experiment.QueueSample) *float64 { return &q.Utilisation },
	} {
		list = append(list, numbersOf(queues, f))
	}
	return list
}

// countsOf are whole numbers from 0 of each of some elements.
func countsOf[T any](s []T, of func(*T) *int64) series {
	return series{n: len(s),
		at:  func(i int) int64 { return *of(&s[i]) },
		set: func(i int, v int64) bool { *of(&s[i]) = v; return v >= 0 }}
}

// numbersOf are numbers of each of some elements, by their bits.
func numbersOf[T any](s []T, of func(*T) *float64) series {
	return series{n: len(s),
		at:  func(i int) int64 { return int64(math.Float64bits(*of(&s[i]))) },
		set: func(i int, v int64) bool { *of(&s[i]) = math.Float64frombits(uint64(v)); return true }}
}
