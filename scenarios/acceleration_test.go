package scenarios

import (
	"slices"
	"strings"
	"testing"
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
	for _, c := range [][]Override{
		{{"link.loss.model", "gilbert-elliott"}, {"link.loss.mean", "0.01"}, {"link.loss.burst", "3"}},
		{{"link.loss.model", "iid"}, {"link.loss.p", "0.6"}},
		{{"link.loss.model", "iid"}, {"link.loss.p", "0.1"}, {"message.count", "2"}},
	} {
		_, err := Load("f.yaml", []byte(base), append(c, Override{"acceleration.tilt", "4"}))
		if err == nil || !strings.Contains(err.Error(), "acceleration of the tail goes with iid") {
			t.Errorf("%v: %v", c, err)
		}
	}
}
