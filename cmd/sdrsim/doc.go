// Command sdrsim simulates reliability schemes for RDMA between datacenters: Selective Repeat and
// Erasure Coding over the SDR bitmap (arXiv:2505.05366), on links given by drop rate, distance and
// bandwidth.
//
//	sdrsim run FILE.yaml        simulate, and write results and figures
//	sdrsim plot DIR             draw the figures again from the results
//	sdrsim model FILE.yaml      the closed form for the same points, without simulating
//	sdrsim validate FILE.yaml   only check a scenario
//	sdrsim list                 scenarios, schemes with their parameters, loss models, figures
//	sdrsim bench codec          measure the erasure codes on this machine
//	sdrsim check FILE.yaml      compare with a committed baseline, and with bounds
//	sdrsim schema               the JSON Schema of scenario files
//
// Exit status: 0 done; 1 the run failed, results that were there before are untouched; 2 wrong
// usage or an invalid scenario, nothing was written; 130 interrupted, nothing was written. A check
// ends with 1 for a regression and with 3 where it could not check all.
//
// The command is thin: package scenarios reads, internal/sweep runs, internal/report writes and
// draws.
package main
