package experiment

import (
	"math"

	"sdrsim/internal/ring"
	"sdrsim/internal/spec"
	"sdrsim/internal/storage"
	"sdrsim/sim"
	"sdrsim/units"
)

// files is the workload of a host whose file system is on a DPU. A request of an operation takes a
// place in a virtio queue, the client one at a time, the network, the server, and the network:
//
//	host --> queue --> client --> hop 0 --> server --> hop 1 --> host
//	         places    station              rest of the service
//
// Where the client reads ahead, an operation takes a place, waits until the client has its data,
// and takes the service of the DPU alone; what goes over the network are units of the client.
type files struct {
	spec    spec.Storage
	calls   *stream // requests
	replies *stream
	engine  *sim.Engine
	traffic traffic
	arrive  sim.Timer

	// services are drawn for every request before the sample, with the part of the station, and local
	// ones for every operation where the client reads ahead: all schemes meet the same.
	services, stations, locals []units.Duration
	stream                     sim.Stream

	ops    []fileOp
	issued int // operations that the application has posted
	done   int

	queues []fileQueue
	// free is when the client takes another request; leaving are those that it has taken, asked those
	// whose requests were sent, answered those whose replies were, in order.
	free            units.Time
	leaving         sim.Lane
	asked, answered []int
	places          []place // at the server, as many as requests are under way
	vacant          []int

	// fetched are the units of the client that have come, wanted is how many were asked for, and
	// held the operations that wait for each.
	fetched []bool
	wanted  int
	held    []int
	locally []place
	idle    []int

	run *progress
}

// fileOp is an operation: when it was posted, when its first request took a place, when the last of
// those that are left was done.
type fileOp struct {
	posted, begun, ended units.Time // units.Never: not yet
	left                 int
}

// fileQueue is a virtio queue: the requests that wait for a place, and how many have one.
type fileQueue struct {
	waiting ring.Ring[int]
	taken   int
}

// place is where a request is served, or an operation by the DPU alone.
type place struct {
	files  *files
	number int
	what   int // request or operation
	timer  sim.Timer
	local  bool
}

// Fire is the end of a service.
func (p *place) Fire(now units.Time) {
	if p.local {
		p.files.localDone(now, p)
	} else {
		p.files.served(now, p)
	}
}

// buildStorage builds the way of requests and that of replies.
func (r *Runner) buildStorage(p *spec.Point, b build) error {
	f := &files{spec: p.Storage, engine: r.engine, run: &r.progress}
	requests := f.spec.Requests(p.Message.Count)
	request, reply := f.spec.Ways()
	for i, size := range []units.Bytes{request, reply} {
		hop := *p
		hop.Message.Size, hop.Message.Count = size, requests
		hop.Message.Arrival = nil
		if i == 1 {
			hop.Link = p.Link.Back()
		}
		if err := r.addHop(&hop, b.entry, b.factory); err != nil {
			return err
		}
	}
	f.calls, f.replies = r.hops[0], r.hops[1]
	f.calls.onDelivery, f.replies.onDelivery = f.serve, f.replied
	f.traffic.message = p.Message
	f.arrive.Init(r.engine, fire(f.fireArrivals))
	f.leaving.Init(r.engine, (*client)(f))
	f.queues = make([]fileQueue, f.spec.Queues)
	f.places = f.newPlaces(min(requests, p.Message.InFlight))
	f.services, f.stations = make([]units.Duration, requests), make([]units.Duration, requests)
	f.ops = make([]fileOp, p.Message.Count)
	if f.spec.Ahead() {
		f.fetched = make([]bool, requests)
		f.locals = make([]units.Duration, len(f.ops))
		f.locally = f.newPlaces(min(len(f.ops), f.spec.Queues*f.spec.Places()))
		for i := range f.locally {
			f.locally[i].local = true
		}
	}
	r.files = f
	r.ideal = f.leastTime()
	return nil
}

func (f *files) newPlaces(n int) []place {
	list := make([]place, n)
	for i := range list {
		list[i].files, list[i].number = f, i
		list[i].timer.Init(f.engine, &list[i])
	}
	return list
}

// leastTime is the least that an operation can take: the fastest service, and the network unless
// the data is there.
func (f *files) leastTime() units.Duration {
	if f.spec.Ahead() {
		local := storage.Local(f.spec.Operation, f.spec.Size)
		return local.Least()
	}
	service := storage.Remote(f.spec.Operation, f.spec.Transfer())
	return service.Least() + f.calls.pair.least/2 + f.replies.pair.least/2
}

// begin starts a sample.
func (f *files) begin(seed uint64, sample int) {
	f.run.open += len(f.ops)
	f.traffic.begin(seed, sample)
	f.stream.Seed(seed, "storage", uint64(sample))
	remote := storage.Remote(f.spec.Operation, f.spec.Transfer())
	for i := range f.services {
		f.services[i] = remote.Of(f.stream.Float64())
		station := f.stream.ExpFloat64() * float64(f.spec.Station)
		f.stations[i] = min(f.services[i], units.Duration(math.Round(station)))
	}
	local := storage.Local(f.spec.Operation, f.spec.Size)
	for i := range f.locals {
		f.locals[i] = local.Of(f.stream.Float64())
	}
	for i := range f.ops {
		f.ops[i] = fileOp{units.Never, units.Never, units.Never, 0}
	}
	clear(f.fetched)
	f.issued, f.done, f.free, f.wanted = 0, 0, 0, 0
	f.asked, f.answered, f.held = f.asked[:0], f.answered[:0], f.held[:0]
	for i := range f.queues {
		f.queues[i].waiting.Reset()
		f.queues[i].taken = 0
	}
	f.vacant, f.idle = refill(f.vacant, len(f.places)), refill(f.idle, len(f.locally))
	f.calls.released, f.replies.released = 0, 0
}

// refill lists the numbers below n, the first last.
func refill(list []int, n int) []int {
	list = list[:0]
	for i := n - 1; i >= 0; i-- {
		list = append(list, i)
	}
	return list
}

// start has the application post its first operations.
func (f *files) start() {
	if f.spec.Ahead() {
		f.fetchAhead(0)
	}
	if len(f.traffic.times) > 0 {
		f.arrive.Reset(f.traffic.times[0])
		return
	}
	for range min(f.spec.Depth, len(f.ops)) {
		f.post(0)
	}
}

// fireArrivals posts the operations that come now.
func (f *files) fireArrivals(now units.Time) {
	times := f.traffic.times
	for f.issued < len(times) && times[f.issued] <= now {
		f.post(now)
	}
	if f.issued < len(times) {
		f.arrive.Reset(times[f.issued])
	}
}

// post posts the next operation.
func (f *files) post(now units.Time) {
	i := f.issued
	f.issued++
	q, parts := &f.queues[i%len(f.queues)], storage.Requests(f.spec.Size)
	f.ops[i].posted, f.ops[i].left = now, parts
	for k := range parts {
		q.waiting.Append(i*parts + k)
	}
	f.admit(now, q)
}

// operationOf is the operation of a request of the host.
func (f *files) operationOf(request int) int { return request / storage.Requests(f.spec.Size) }

// admit gives places to what waits.
func (f *files) admit(now units.Time, q *fileQueue) {
	for q.taken < f.spec.Places() && q.waiting.Len() > 0 {
		request := *q.waiting.Head()
		q.waiting.Pop()
		q.taken++
		o := &f.ops[f.operationOf(request)]
		o.begun = min(o.begun, now)
		if f.spec.Ahead() {
			f.seek(now, request)
		} else {
			f.call(now, request)
		}
	}
}

// call has the client take a request, when it is free.
func (f *files) call(now units.Time, request int) {
	f.free = max(now, f.free).Add(f.stations[request])
	f.leaving.Push(f.free, uint64(request))
}

// client is the end of the lane of requests that the client has taken.
type client files

// Receive sends a request.
func (c *client) Receive(now units.Time, request uint64) {
	f := (*files)(c)
	f.asked = append(f.asked, int(request))
	f.calls.released++
	f.calls.postSends(now)
}

// serve is the arrival of a request at the server.
func (f *files) serve(now units.Time, message int) {
	request := f.asked[message]
	p := &f.places[f.vacant[len(f.vacant)-1]]
	f.vacant = f.vacant[:len(f.vacant)-1]
	p.what = request
	p.timer.Reset(now.Add(f.services[request] - f.stations[request]))
}

// served sends the reply.
func (f *files) served(now units.Time, p *place) {
	f.answered = append(f.answered, p.what)
	f.vacant = append(f.vacant, p.number)
	f.replies.released++
	f.replies.postSends(now)
}

// replied is the arrival of a reply at the client.
func (f *files) replied(now units.Time, message int) {
	request := f.answered[message]
	if f.spec.Ahead() {
		f.fetched[request] = true
		f.release(now)
	} else {
		f.partDone(now, request)
	}
}

// partDone ends a request of the host.
func (f *files) partDone(now units.Time, request int) {
	i := f.operationOf(request)
	o, q := &f.ops[i], &f.queues[i%len(f.queues)]
	q.taken--
	if o.left--; o.left == 0 {
		o.ended = now
		f.done++
		f.run.open--
		if len(f.traffic.times) == 0 && f.issued < len(f.ops) {
			f.post(now)
		}
	}
	f.admit(now, q)
}

// finish makes operations of the messages.
func (f *files) finish(into *Sample) {
	into.Completion, into.Delivery = into.Completion[:0], into.Delivery[:0]
	into.Wait, into.PayloadBytes = into.Wait[:0], 0
	into.Failed = len(f.ops) - f.done
	into.FellBack = min(into.FellBack, int64(f.done))
	last := units.Time(0)
	for i := range f.ops {
		o := &f.ops[i]
		if o.ended == units.Never {
			continue
		}
		into.Completion = append(into.Completion, o.ended.Sub(o.begun))
		into.Delivery = append(into.Delivery, o.ended.Sub(o.begun))
		into.Wait = append(into.Wait, o.begun.Sub(o.posted))
		into.PayloadBytes += int64(f.spec.Size)
		last = max(last, o.ended)
	}
	if into.Failed == 0 {
		into.Elapsed = last.Sub(f.ops[0].posted)
	}
}
