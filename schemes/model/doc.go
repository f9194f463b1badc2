// Package model is the closed form of completion times: what Selective Repeat and erasure coding
// take in the mean, and in distribution, when chunks are lost independently (arXiv:2505.05366 §4.2
// and appendices). It imports no scheme, so that it can judge them.
//
// M is the number of chunks, T_inj the time a chunk occupies the link, P its loss probability.
//
//	SR   X_i = i*T_inj + (RTO + T_inj)(Y_i - 1),  Y_i ~ Geom(1-P),  T_SR = max_i X_i + RTT
//	     E[T_SR] = integral_0^inf { 1 - prod_i [1 - P(X_i >= q)] } dq + RTT
//	EC   P_MDS = sum_{i<=m} C(k+m,i) P^i (1-P)^(k+m-i)
//	     P_XOR = [ (1-P)^n + n P (1-P)^(n-1) ]^m,  n = k/m + 1
//	     P_fallback = 1 - P_EC^L
//	     E[T_EC] = (M + ceil(M/R)) T_inj + P_fallback (1+beta) RTT + E[T_SR(failed*k)]
//	     F(s m + j) = A^s R(j) W^(L-1-s),  of a receiver that does not wait for all parity
//	Ring T(i,r) = max(T(i-1,r-1), T(i,r-1)) + t(i,r),  E >= (2N-2) E[t]
//
// The product over the chunks is a staircase in q. It is integrated step by step without visiting
// chunks: those with equal numbers of attempts are counted, and between the phases at which counts
// change the steps are geometric series. The result is that of the definition to 13 digits for P
// from 1e-12 to 1/2 and M to 2^31, in 1 to 300 us.
//
// Every time comes with its validity. T_SR is exact while M*T_inj <= RTO and a lower bound beyond,
// where repetitions meet first transmissions on the link. Two readings differ from the paper:
// the expectation over failed submessages is taken outside of T_SR (PaperMean keeps the printed
// form, which is not a bound), and packets of a chunk may accumulate over attempts (SR.Packets).
//
// A Sampler draws from the same formulas with random numbers: a third opinion beside the closed
// form and the simulator, and the yardstick for the simulator's speed.
//
// Limitations: losses are independent and acknowledgements are not lost and cost nothing; there is
// no congestion, reordering, clear-to-send, coding or endpoint cost; EC with fallback of missing
// chunks only, and quantiles of EC under the paper's receiver, have no closed form here.
package model
