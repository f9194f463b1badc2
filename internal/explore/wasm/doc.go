//go:build js

// Command wasm answers what a page asks, inside of the page: it is built for GOOS=js and
// GOARCH=wasm by sdrsim explore --export, and run by a worker of the page.
//
// It sets one function, sdrsimAnswer(base, ask, take), of an explore.Base and an explore.Ask as
// JSON, and calls take with each explore.Part as JSON; the function returns a promise. Then it
// waits. A worker has one thread, so that an ask is called off by ending its worker.
package main
