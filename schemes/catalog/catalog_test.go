package catalog

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sdrsim/schemes"
	"sdrsim/schemes/ec/code"
	"sdrsim/schemes/sr"
	"sdrsim/sdr"
	"sdrsim/units"
	"sdrsim/wire"
)

// defaults are the values of a scheme's parameters where the user gives none.
func defaults(t *testing.T, e Entry) schemes.Values {
	t.Helper()
	v := schemes.Values{}
	for _, p := range e.Params {
		value, err := parse(p)
		if err != nil {
			t.Errorf("%s: default of %s: %v", e.Name, p.Name, err)
		}
		v[p.Name] = value
	}
	return v
}

// parse reads the default of a parameter.
func parse(p schemes.Param) (v schemes.Value, err error) {
	if p.Default == "" {
		return v, nil
	}
	switch p.Kind {
	case schemes.KindSpan:
		v.Span, err = units.ParseSpan(p.Default)
	case schemes.KindBytes:
		var b units.Bytes
		b, err = units.ParseBytes(p.Default)
		v.Number = float64(b)
	case schemes.KindRate:
		var r units.Rate
		r, err = units.ParseRate(p.Default)
		v.Number = float64(r)
	case schemes.KindChoice:
		v.Word = p.Default
		if !slices.Contains(p.Choices, v.Word) {
			err = errors.New("not among the choices")
		}
	default:
		v.Number, err = strconv.ParseFloat(p.Default, 64)
	}
	return v, err
}

func lookup(t *testing.T, name string) Entry {
	t.Helper()
	e, ok := Lookup(name)
	if !ok {
		t.Fatalf("no scheme %q", name)
	}
	return e
}

func TestSchemesAreFoundByName(t *testing.T) {
	for _, e := range Entries() {
		if got := lookup(t, e.Name); got.Doc != e.Doc {
			t.Errorf("%s is found as %s", e.Name, got.Name)
		}
	}
	if _, ok := Lookup("go-back-n"); ok {
		t.Error("a scheme that is not there is found")
	}
	if _, err := Build("go-back-n", nil); err == nil || !strings.Contains(err.Error(), "go-back-n") {
		t.Errorf("building a scheme that is not there: %v", err)
	}
}

// Listings and the loader of scenarios rely on what parameters say of themselves.
func TestParametersDescribeThemselves(t *testing.T) {
	names, looks := map[string]bool{}, map[int]string{}
	for _, e := range Entries() {
		if other, taken := looks[e.Look]; taken && e.Look > 0 {
			t.Errorf("%s has the colour of %s", e.Name, other)
		}
		looks[e.Look] = e.Name
		if names[e.Name] || e.Doc == "" {
			t.Errorf("%q is there twice, or without a line about it", e.Name)
		}
		names[e.Name] = true
		params := map[string]bool{}
		for _, p := range e.Params {
			if params[p.Name] || p.Doc == "" || strings.Contains(p.Doc, "\n") {
				t.Errorf("%s: %q is there twice, or without one line about it", e.Name, p.Name)
			}
			params[p.Name] = true
			if (p.Kind == schemes.KindChoice) != (len(p.Choices) > 0) {
				t.Errorf("%s: %s is a %s with %d choices", e.Name, p.Name, p.Kind, len(p.Choices))
			}
			if v, _ := parse(p); p.Default != "" && p.Max > 0 && (v.Number < p.Min || v.Number > p.Max) {
				t.Errorf("%s: default %s of %s is out of range", e.Name, p.Default, p.Name)
			}
		}
	}
}

// The paper's defaults: alpha 2, so RTO = 3 RTT; beta 1; (k, m) = (32, 8).
// Reference: arXiv:2505.05366 sections 4.1 and 5.
func TestDefaultsAreThePapers(t *testing.T) {
	v := defaults(t, lookup(t, "ec-mds"))
	if v["k"].Number != 32 || v["m"].Number != 8 || v["beta"].Number != 1 {
		t.Errorf("%+v", v)
	}
	if cfg := sr.ConfigOf(v); cfg.RTO != units.RTTs(3*units.RTTUnit) || cfg.Nack {
		t.Errorf("%+v", cfg)
	}
	if v["fallback"].Word != "submessage" || v["order"].Word != "parity-last" {
		t.Errorf("%+v", v)
	}
}

// The timeout is RTT + alpha*RTT unless it is given.
func TestTimeoutIsGivenOrDerivedFromAlpha(t *testing.T) {
	v := defaults(t, lookup(t, "sr-rto"))
	v["alpha"] = schemes.Value{Given: true, Number: 0.25}
	if got := sr.ConfigOf(v).RTO; got != units.RTTs(1_250_000) {
		t.Errorf("RTO %v for alpha 0.25", got)
	}
	v["rto"] = schemes.Value{Given: true, Span: units.Span{Fixed: 7 * units.Millisecond}}
	if got := sr.ConfigOf(v).RTO; got != (units.Span{Fixed: 7 * units.Millisecond}) {
		t.Errorf("RTO %v, given 7ms", got)
	}
}

func TestParametersReachTheScheme(t *testing.T) {
	v := defaults(t, lookup(t, "sr-nack"))
	v["retries"] = schemes.Value{Number: 9}
	v["ack.interval"] = schemes.Value{Span: units.RTTs(5)}
	v["ack.repeat"] = schemes.Value{Number: 4}
	v["ack.size"] = schemes.Value{Number: 100}
	cfg := sr.ConfigOf(v)
	want := sr.AckConfig{Interval: units.RTTs(5), Repeat: 4, Size: 100}
	if cfg.Retries != 9 || cfg.Ack != want {
		t.Errorf("%+v", cfg)
	}
}

// Every scheme makes both sides with its defaults, and posts as many SDR messages as it says.
func TestSchemesPostAsManyMessagesAsTheySay(t *testing.T) {
	for _, e := range Entries() {
		f, err := Build(e.Name, defaults(t, e))
		if err != nil {
			t.Fatal(err)
		}
		sender, err := f.NewSender()
		if err != nil {
			t.Fatal(err)
		}
		receiver, err := f.NewReceiver()
		if err != nil {
			t.Fatal(err)
		}
		from, to := connect(t)
		if err := receiver.Open(to); err != nil {
			t.Fatal(err)
		}
		if n := to.QP.Posted(); n != int64(e.Sends) {
			t.Errorf("%s posts %d receives, says %d", e.Name, n, e.Sends)
		}
		from.QP.HandleCTS(int64(e.Sends) - 1)
		if err := sender.Open(from); !errors.Is(err, sdr.ErrNoCTS) {
			t.Errorf("%s: opened with a receive too few: %v", e.Name, err)
		}
		from.QP.HandleCTS(int64(e.Sends))
		if err := sender.Open(from); err != nil {
			t.Errorf("%s: %v once the receives are announced", e.Name, err)
		}
	}
}

// connect makes both ends of a message of a megabyte.
func connect(t *testing.T) (from, to schemes.Transfer) {
	t.Helper()
	var ends [2]schemes.Transfer
	for i := range ends {
		ctx, err := sdr.NewContext(sdr.DeviceConfig{})
		if err != nil {
			t.Fatal(err)
		}
		qp, err := ctx.CreateQP(sdr.QPConfig{MTU: 4096, Chunk: 4096, Split: wire.DefaultSplit,
			Channels: 8, Generations: 4})
		if err != nil {
			t.Fatal(err)
		}
		mr, err := ctx.RegisterMR(units.MiB, nil)
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = schemes.Transfer{QP: qp, Context: ctx, MR: mr, Size: units.MiB,
			Path: schemes.Path{RTT: units.Millisecond, PacketTime: units.Microsecond}}
	}
	if err := ends[0].QP.Connect(ends[1].QP.Info()); err != nil {
		t.Fatal(err)
	}
	if err := ends[1].QP.Connect(ends[0].QP.Info()); err != nil {
		t.Fatal(err)
	}
	return ends[0], ends[1]
}

// A code that cannot be is an error of its constructor, which the loader of scenarios has excluded.
func TestImpossibleCodesAreErrors(t *testing.T) {
	e := lookup(t, "ec-xor")
	v := defaults(t, e)
	v["m"] = schemes.Value{Number: 33}
	f, err := Build(e.Name, v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.NewSender(); !errors.Is(err, code.ErrEmptyGroup) {
		t.Errorf("XOR with more parity than data: %v", err)
	}
	if _, err := f.NewReceiver(); !errors.Is(err, code.ErrEmptyGroup) {
		t.Errorf("XOR with more parity than data: %v", err)
	}
}
