package scenarios

import (
	"reflect"
	"strings"
	"testing"

	"sdrsim/internal/spec"
)

func TestTracesAreReplayedFromFiles(t *testing.T) {
	s := load(t, lossOf("{model: trace, file: testdata/losses.csv}"))
	want := []spec.LostPackets{{First: 3, Last: 7}, {First: 20, Last: 20}, {First: 100, Last: 163}}
	l := s.At(0).Link
	if !reflect.DeepEqual(l.Loss.Trace.Packets, want) || l.AckLoss.Model != spec.LossNone {
		t.Errorf("%+v, and of control packets %+v", l.Loss.Trace, l.AckLoss)
	}
	if len(s.Files) != 1 || s.Files[0].Name != "testdata/losses.csv" {
		t.Errorf("the scenario keeps %+v", s.Files)
	}
	_, err := Load("f.yaml", []byte(lossOf("{model: trace, file: testdata/none.csv}")), nil)
	if err == nil || !strings.Contains(err.Error(), "f.yaml:5:30: link.loss.file: "+
		`"testdata/none.csv": cannot be read`) {
		t.Errorf("a file that is not there: %v", err)
	}
}
