package scenarios

import (
	"slices"
	"strings"
	"testing"

	"sdrsim/internal/spec"
)

func TestAccelerationGivesTiltsToLossyPoints(t *testing.T) {
	more := []string{"link.loss.model=iid", "link.loss.p=[0, 1e-5]", "acceleration.tilt=4"}
	s := load(t, base, more...)
	if got := s.At(0).Tilts; got != nil {
		t.Errorf("without loss: %v", got)
	}
	if got := s.At(1).Tilts; !slices.Equal(got, []float64{1, 4, 16}) {
		t.Errorf("got %v; want 1, 4, 16", got)
	}
	if got := load(t, base).At(0).Tilts; got != nil {
		t.Errorf("by default: %v", got)
	}
}

func TestAccelerationIsRefusedWhereWeightsHaveNoMeaning(t *testing.T) {
	for _, c := range [][]string{
		{"link.loss.model=gilbert-elliott", "link.loss.mean=0.01", "link.loss.burst=3"},
		{"link.loss.model=iid", "link.loss.p=0.6"},
		{"link.loss.model=iid", "link.loss.p=0.1", "message.count=2"},
	} {
		_, err := Load("f.yaml", []byte(base), set(t, append(c, "acceleration.tilt=4")...))
		if err == nil || !strings.Contains(err.Error(), "acceleration.tilt=4: goes with ") {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A word is short for the way of sampling; a factor goes with tilt only.
func TestSamplingIsAWordOrAFactor(t *testing.T) {
	lossy := []string{"link.loss.model=iid", "link.loss.p=1e-5"}
	for word, want := range map[string]string{
		"": spec.SamplingAuto, "auto": spec.SamplingAuto, "strata": spec.SamplingStrata,
		"none": spec.SamplingNone,
		"tilt": spec.SamplingTilt, "{sampling: strata}": spec.SamplingStrata, "{tilt: 4}": "",
		"{sampling: tilt, tilt: 4}": "",
	} {
		more := lossy
		if word != "" {
			more = append(slices.Clone(lossy), "acceleration="+word)
		}
		if got := load(t, base, more...).At(0).Sampling; got != want {
			t.Errorf("acceleration: %s is %q, want %q", word, got, want)
		}
	}
	for _, word := range []string{"fast", "{sampling: none, tilt: 4}", "{sampling: strata, tilt: 4}"} {
		over := []string{"link.loss.model=iid", "link.loss.p=1e-5", "acceleration=" + word}
		if _, err := Load("f.yaml", []byte(base), set(t, over...)); err == nil {
			t.Errorf("acceleration: %s is accepted", word)
		}
	}
}

// What stands in the way is named.
func TestStrataAreRefusedWhereLossesAreNoDraws(t *testing.T) {
	iid := []string{"link.loss.model=iid", "link.loss.p=0.1"}
	for want, c := range map[string][]string{
		"link.loss is gilbert-elliott": {"link.loss.model=gilbert-elliott",
			"link.loss.mean=0.01", "link.loss.burst=3"},
		"not with a stream of 2": append(slices.Clone(iid), "message.count=2"),
		"link.ack_loss is gilbert-elliott": append(slices.Clone(iid),
			"link.ack_loss={model: gilbert-elliott, mean: 0.01, burst: 3}"),
		"without outages and changes": append(slices.Clone(iid),
			"link.outages=[{at: 1ms, for: 1ms}]"),
		"a loss of at most 0.5": {"link.loss.model=iid", "link.loss.p=0.6"},
	} {
		_, err := Load("f.yaml", []byte(base), set(t, append(c, "acceleration=strata")...))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", c, err, want)
		}
	}
}
