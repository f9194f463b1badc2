//go:build js

package main

import (
	"context"
	"encoding/json"
	"syscall/js"
	"time"

	"sdrsim/internal/explore"
)

func main() {
	js.Global().Set("sdrsimAnswer", js.FuncOf(answer))
	select {}
}

// answer is sdrsimAnswer.
func answer(_ js.Value, args []js.Value) any {
	base, ask, take := args[0].String(), args[1].String(), args[2]
	promise := js.Global().Get("Promise")
	var start js.Func
	start = js.FuncOf(func(_ js.Value, ends []js.Value) any {
		resolve := ends[0]
		go func() {
			defer start.Release()
			if err := run(base, ask, take); err != nil {
				send(take, explore.Part{Fault: err.Error()})
			}
			resolve.Invoke()
		}()
		return nil
	})
	return promise.New(start)
}

func run(base, ask string, take js.Value) error {
	var b explore.Base
	var a explore.Ask
	if err := json.Unmarshal([]byte(base), &b); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(ask), &a); err != nil {
		return err
	}
	return b.Answer(context.Background(), &a, 1, func(p explore.Part) error {
		send(take, p)
		time.Sleep(0) // lets the part leave before the next round
		return nil
	})
}

func send(take js.Value, p explore.Part) {
	text, err := json.Marshal(p)
	if err != nil {
		text = []byte(`{"fault": "an answer that cannot be written"}`)
	}
	take.Invoke(string(text))
}
