package scenarios

import (
	"math"
	"reflect"
	"testing"

	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"

	"pgregory.net/rapid"
)

func TestControlPacketsAreLostAsDataIsUnlessTheFileSaysOtherwise(t *testing.T) {
	iid := spec.Loss{Model: spec.LossIID, Per: spec.PerPacket, P: 1e-3}
	// T / (25/26 * -ln 0.74), and T is the time of 16 packets of 4198 B.
	ge := spec.Loss{Model: spec.LossGilbertElliott, Per: spec.PerPacket, GoodBad: 0.01, BadGood: 0.25,
		Burst: 4639890, Share: 0.01 / 0.26, LossGood: 0.125, LossBad: 0.5}
	timed := spec.Loss{Model: spec.LossGilbertElliott, Per: spec.PerPacket,
		Burst: 200 * units.Microsecond,
		Share: 200.0 / 20200, LossBad: 1}
	for _, c := range []struct {
		loss string
		want spec.Loss
	}{
		{"{model: iid, per: chunk, p: 1e-3}", iid},
		{"{model: gilbert-elliott, per: chunk, p: 0.01, r: 0.25, h: 0.5, k: 0.875}", ge},
		{"{model: gilbert-elliott, burst: 200us, gap: 20ms}", timed},
		{"{model: script, drops: [{first: 3}]}", spec.Loss{Model: spec.LossNone, Per: spec.PerPacket}},
		{"none", spec.Loss{Model: spec.LossNone, Per: spec.PerPacket}},
	} {
		if got := load(t, lossOf(c.loss)).At(0).Link.AckLoss; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: control packets have %+v; want %+v", c.loss, got, c.want)
		}
	}
	for override, want := range map[string]spec.Loss{
		"link.ack_loss=none":                   {Model: spec.LossNone, Per: spec.PerPacket},
		"link.ack_loss={model: iid, p: 0.001}": iid,
		"link.ack_loss={model: script, drops: [{first: 1, last: 2}]}": {Model: spec.LossScript,
			Per: spec.PerPacket, Drops: []spec.Drop{{First: 1, Last: 2, Transmission: 1}}},
	} {
		p := load(t, base, override).At(0)
		if !reflect.DeepEqual(p.Link.AckLoss, want) {
			t.Errorf("%s: got %+v; want %+v", override, p.Link.AckLoss, want)
		}
		if p.Link.Loss.P != 1e-5 {
			t.Errorf("%s: changes the loss of data to %+v", override, p.Link.Loss)
		}
	}
}

// The stationary distribution of a Gilbert-Elliott chain is p/(p+r) in the bad state, and a visit
// there lasts 1/r on average.
func TestMeanAndBurstGiveThatMeanAndBurst(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		burst := rapid.Float64Range(1, 1e4).Draw(rt, "burst")
		mean := rapid.Float64Range(1e-9, 0.5).Draw(rt, "mean")
		l := load(t, lossOf("{model: gilbert-elliott, mean: "+keys.FormatNumber(mean)+
			", burst: "+keys.FormatNumber(burst)+"}")).At(0).Link.Loss
		if l.LossGood != 0 || l.LossBad != 1 || l.GoodBad > 1 {
			rt.Fatalf("got %+v", l)
		}
		gotMean, gotBurst := l.GoodBad/(l.GoodBad+l.BadGood), 1/l.BadGood
		if math.Abs(gotMean/mean-1) > 1e-12 || math.Abs(gotBurst/burst-1) > 1e-12 {
			rt.Fatalf("got a mean of %g in bursts of %g; want %g and %g", gotMean, gotBurst,
				mean, burst)
		}
	})
}

func TestScriptNamesWhatIsDropped(t *testing.T) {
	s := load(t, lossOf("{model: script, per: chunk, drops: [{first: 3}, "+
		"{message: 1, first: 0, last: 7, transmission: 2}, {first: 5, transmission: every}]}"))
	want := []spec.Drop{
		{First: 3, Last: 3, Transmission: 1},
		{Message: 1, First: 0, Last: 7, Transmission: 2},
		{First: 5, Last: 5, Transmission: 0},
	}
	got := s.At(0).Link.Loss
	if got.Per != spec.PerChunk || !reflect.DeepEqual(got.Drops, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func TestSweepOverModelsKeepsTheParametersOfEach(t *testing.T) {
	s := load(t, lossOf("{p: 1e-3, mean: 1e-3, burst: 10}")+
		"sweep: {link.loss.model: [none, iid, gilbert-elliott]}\n")
	for i, want := range []spec.Loss{
		{Model: spec.LossNone, Per: spec.PerPacket},
		{Model: spec.LossIID, Per: spec.PerPacket, P: 1e-3},
		{Model: spec.LossGilbertElliott, Per: spec.PerPacket, BadGood: 0.1, LossBad: 1,
			GoodBad: 1e-3 / (10 * (1 - 1e-3)), Burst: 796839, Share: 1e-3},
	} {
		if got := s.At(i).Link.Loss; !reflect.DeepEqual(got, want) {
			t.Errorf("point %d has %+v; want %+v", i, got, want)
		}
	}
}

func TestMeanLossIsThatOfTheModel(t *testing.T) {
	for _, c := range []struct {
		loss spec.Loss
		want float64
	}{
		{spec.Loss{Model: spec.LossIID, P: 0.25}, 0.25},
		{spec.Loss{Model: spec.LossGilbertElliott,
			GoodBad: 0.1, BadGood: 0.3, LossBad: 1}, 0.25},
		{spec.Loss{Model: spec.LossGilbertElliott, LossGood: 0.5}, 0.5},
		{spec.Loss{Model: spec.LossGilbertElliott, Burst: 1, Share: 0.5, LossBad: 0.5}, 0.25},
		{spec.Loss{Model: spec.LossNone}, 0},
	} {
		if got := c.loss.Mean(); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%+v: %v, want %v", c.loss, got, c.want)
		}
	}
}

// A chain that is counted in packets passes in time, and over the time of a packet changes as the
// chain that was counted does.
func TestCountedBurstsPassInTime(t *testing.T) {
	for loss, want := range map[string]struct{ p, r float64 }{
		"{model: gilbert-elliott, mean: 1%, burst: 1000}":            {1e-3 * 0.01 / 0.99, 1e-3},
		"{model: gilbert-elliott, mean: 1%, burst: 100, per: chunk}": {1e-2 * 0.01 / 0.99, 1e-2},
		"{model: gilbert-elliott, burst: 10, gap: 90}":               {1. / 90, 0.1},
		"{model: gilbert-elliott, p: 1e-5, r: 1e-3, h: 0.5, k: 0.9}": {1e-5, 1e-3},
		"{model: gilbert-elliott, p: 0.3, r: 0.6}":                   {0.3, 0.6},
	} {
		p := load(t, lossOf(loss)).At(0)
		l := p.Link.Loss
		unit := p.Link.Bandwidth.TransmitTime(p.Link.MTU + p.Link.Overhead)
		if l.Per == spec.PerChunk {
			unit *= units.Duration(p.Message.Chunk / p.Link.MTU)
		}
		bad := float64(l.Burst)
		good := bad * (1 - l.Share) / l.Share
		memory := math.Exp(-(1/bad + 1/good) * float64(unit))
		if math.Abs(memory-(1-want.p-want.r)) > 1e-3*(want.p+want.r) ||
			math.Abs(l.Share-want.p/(want.p+want.r)) > 1e-9 {
			t.Errorf("%s: stays of %v, share %v: %v is remembered after a packet, want %v", loss, l.Burst,
				l.Share, memory, 1-want.p-want.r)
		}
	}
	t.Log("# a chain without memory stays as it is")
	l := load(t, lossOf("{model: gilbert-elliott, mean: 1%, burst: 1}")).At(0).Link
	if l.Loss.Burst != 0 || l.AckLoss.Model != spec.LossIID || math.Abs(l.AckLoss.P-0.01) > 1e-9 {
		t.Errorf("%+v, %+v", l.Loss, l.AckLoss)
	}
}

// TestLossMayBeAProbability writes losses in short and at length.
func TestLossMayBeAProbability(t *testing.T) {
	at := func(p float64) spec.Loss {
		return spec.Loss{Model: spec.LossIID, Per: spec.PerPacket, P: p}
	}
	for _, text := range []string{"1e-3", "0.1%", " .001"} {
		l := load(t, lossOf(text)).At(0).Link
		if !reflect.DeepEqual(l.Loss, at(1e-3)) || !reflect.DeepEqual(l.AckLoss, at(1e-3)) {
			t.Errorf("loss: %s is %+v and %+v", text, l.Loss, l.AckLoss)
		}
	}
	set := func(text string) Override { o, _ := ParseOverride(text); return o }
	for _, c := range []struct {
		file string
		set  []Override
		want spec.Loss
	}{
		{lossOf("none"), []Override{set("link.loss=1e-4")}, at(1e-4)},
		{lossOf("1e-3"), []Override{set("link.loss.p=1e-2")}, at(1e-2)},
		{lossOf("1e-3"), []Override{set("link.loss.per=chunk")},
			spec.Loss{Model: spec.LossIID, Per: spec.PerChunk, P: 1e-3}},
	} {
		s, err := Load("a.yaml", []byte(c.file), c.set)
		if err != nil {
			t.Fatalf("%v: %v", c.set, err)
		}
		if got := s.At(0).Link.Loss; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, want %+v", c.set, got, c.want)
		}
	}
	t.Log("# of a path, by an override, and why one is refused")
	paths := lossOf("none\n  paths: [{delay: 1ms}, {delay: 2ms}]")
	s, err := Load("a.yaml", []byte(paths), []Override{set("link.paths.1.loss=1")})
	if err != nil || !reflect.DeepEqual(s.At(0).Link.Paths[1].Loss, at(1)) {
		t.Errorf("a path that loses all: %v", err)
	}
	_, err = Load("a.yaml", []byte(paths), []Override{set("link.paths.1.loss=2")})
	want := `--set link.paths.1.loss=2: link.paths.1.loss.p: "2": must be a probability between 0 ` +
		`and 1 such as 1e-5 or 0.1%`
	if err == nil || err.Error() != want {
		t.Errorf("says %v, want %s", err, want)
	}
}
