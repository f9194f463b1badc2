// Package storage has what a file-system client on a DPU takes for an operation: service times as
// they were measured, and the pages that bound how many operations are under way.
//
//	host --virtio queue, 64 pages--> DPU: client --network--> server
//
// Source: DPFS, the published results of its measurements (SYSTOR 2023).
//
// Limitations: one host, one DPU, one network; a service time is drawn for each operation by
// itself, and does not depend on the load but for the part that takes one at a time.
package storage
