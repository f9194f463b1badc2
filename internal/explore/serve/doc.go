// Package serve answers what a page in a browser of this machine asks, over HTTP.
//
//	GET  /TOKEN/      the page
//	POST /TOKEN/ask   an explore.Ask as JSON; the answer is a line of JSON for each explore.Part
//
// It listens on 127.0.0.1 alone. Whoever does not know the token, which is drawn for each server,
// gets nothing. Nor does a page of somebody else in the same browser: the name of the host
// must be that of the server, lest a foreign name is pointed at it (DNS rebinding); an origin,
// where the browser says it, must be the server's own; and an ask must be JSON, which no form of
// another page can send. What is asked is bounded in size. Nothing is written, and no file is read:
// the scenario was before.
//
// An ask ends when its page goes away or calls it off.
package serve
