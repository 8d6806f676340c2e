/* SPDX-License-Identifier: BSD-3-Clause */
/* qap-baselines.h - what else places traffic on hosts: exchanges, a greedy one, Scotch */
#ifndef PLINK_BENCH_QAP_BASELINES_H
#define PLINK_BENCH_QAP_BASELINES_H

#include "base/err.h"
#include "bench/qap-instances.h"

#include <signal.h>
#include <stddef.h>

/* Each of them improves or fills in host_at[n_pos]; 0, or -1 with @err set. */

/* Exchanges any two positions if that pays, until none does or *over. */
int qap_exchange(const struct qap_instance *in, size_t *host_at, const volatile sig_atomic_t *over,
		 struct pl_err *err);

/* The pairs of positions by what they exchange, most first: a pair goes to one host or the two
 * nearest that have room, the other of a pair to the host with room that is nearest to the
 * first. */
int qap_greedy(const struct qap_instance *in, size_t *host_at, struct pl_err *err);

/*
 * Scotch's scotch_gmap-int64, told the hosts' network as a tree if they are in one, or else as a
 * graph that amk_grf-int64 compiles: the cheaper of its default and strict balance. Positions
 * beyond the slots of a host, which it allows, go to the nearest with room. host_at stays as it was
 * where the programs are missing or end by a signal.
 */
int qap_scotch(const struct qap_instance *in, size_t *host_at, struct pl_err *err);

#endif
