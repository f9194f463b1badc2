// Package sdr is the SDK of software-defined reliability: partial message completion on top of
// unreliable RDMA writes. arXiv:2505.05366 §2-3.
package sdr
