// Package axes reads the sweep of a scenario, and puts the values of its points into drafts.
//
//	sweep:
//	  message.size: [128KiB, 1GiB]                                  # a list
//	  link.loss.p: {from: 1e-8, to: 1e-1, points: 15, scale: log}   # a range
//	  zip: [{link.rtt: [1ms, 25ms], message.count: [1, 4]}]         # paths that move together
//	  points: {metro: {link.rtt: 1ms}, ocean: {link.rtt: 60ms}}     # points by name
//	  exclude: [{link.loss.p: 1e-1, message.size: 1GiB}]            # combinations left out
//
// Points are the product of the axes, the first slowest, without those that are left out. They are
// counted from 0 and named by their values.
//
// Limitations: at most a million points, and ten thousand values of an axis. The points that are
// left out are counted in the product.
package axes
