// Command sdrsim simulates reliability schemes for RDMA between datacenters: Selective Repeat and
// Erasure Coding over the SDR bitmap (arXiv:2505.05366), on links given by drop rate, distance and
// bandwidth.
//
//	sdrsim run FILE.yaml        simulate, and write results and figures; --shard i/n for a part
//	sdrsim merge DIR            join shards to the results of one run
//	sdrsim jobs FILE.yaml       a file by which Slurm, Kubernetes or GNU parallel runs shards
//	sdrsim status DIR           how far runs are
//	sdrsim replay DIR           run one sample again, and tell what happens in it
//	sdrsim plot DIR             draw the figures again from the results
//	sdrsim explore FILE.yaml    change a link by sliders in a browser, and see what comes of it
//	sdrsim model FILE.yaml      the closed form for the same points, without simulating
//	sdrsim validate FILE.yaml   only check a scenario
//	sdrsim list                 scenarios, schemes with their parameters, loss models, figures
//	sdrsim bench codec          measure this machine: erasure codes; scaling: samples; sweep: a file
//	sdrsim check FILE.yaml      compare with a committed baseline, and with bounds
//	sdrsim schema               the JSON Schema of scenario files
//
// Exit status: 0 done; 1 the run failed, results that were there before are untouched; 2 wrong
// usage, an invalid scenario, or results or shards that are damaged or were changed since the run,
// nothing was written; 3 incomplete, shards or points are missing; 130 interrupted, what was done
// is kept and the same command goes on from there. A check ends with 1 for a regression and with 3
// where it could not check all. An exploration goes on until it is
// interrupted, and then ends with 0.
//
// The command is thin: package scenarios reads, internal/sweep runs, internal/report writes and
// draws.
package main
