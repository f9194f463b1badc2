// Package training says what a training step computes and sends: the shapes of transformers, how
// long their layers take, what buckets their gradients are sent in, and in which order the stages
// of a pipeline work.
//
//	Shape --> tensors, in the order of registration --> Step --> buckets, each ready at a time
//	Pipeline --> what each stage does, in order
//	DataParallel, Pipeline --> graph of package workload, one rank for each datacenter
//
// Without a network a step is counts and sums, which are here too.
//
// Limitations: dense transformers, of two architectures; a matrix takes as long as its flop do at
// one rate, whatever its shape; optimizer, data loading and what GPUs of one datacenter send to
// each other take no time.
package training
