package schemestest

import (
	"testing"

	"sdrsim/schemes"
)

// A scheme that implements nothing optional keeps the contract, whether it hands out packets one by
// one or in blocks.
func TestPlainSchemesKeepTheContract(t *testing.T) {
	for _, block := range []int64{1, 7} {
		s := Plain(block)
		tx, _ := s.NewSender()
		rx, _ := s.NewReceiver()
		if _, runs := tx.(schemes.RunSender); runs {
			t.Error("the plain sender handles runs")
		}
		if _, runs := rx.(schemes.RunReceiver); runs {
			t.Error("the plain receiver handles runs")
		}
		Run(t, s)
	}
}
