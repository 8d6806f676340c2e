/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-ring.h - the cheapest ring of some of the hosts that a search finds */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_RING_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_RING_H

#include "base/err.h"
#include "solver/choose/choice.h"
#include "solver/ring/ring-search.h"

#include <stddef.h>
#include <stdint.h>

/* The default number of moves: more of them gain little. */
uint64_t pl_choose_ring_moves(const struct pl_host_choice *choice);

/*
 * Improves host_at[n] (in: an order in which one of the first k hosts may lead;
 * out: the best order found) by restarts of a search. The search alternates
 * between exchanging hosts on the ring for hosts that are not, and improving
 * the ring of the chosen hosts with pl_ring_search. Then it takes a few
 * neighbours off the ring, inserts hosts where they cost least, and goes on.
 * The first restart starts from the given ring, the second from a ring of all
 * hosts from which the dearest are removed, and the others from a ring grown
 * from a random host.
 * Moves (some count as several exchanges), threads and stop are as in
 * pl_ring_search; weights are not used. The result is never dearer: host_at
 * stays as it was unless something cheaper was found; then the ring begins with
 * its lowest host.
 * 0, or -1 with @err set and host_at as it was: out of memory, no thread.
 */
int pl_choose_ring(const struct pl_host_choice *choice, const struct pl_ring_options *options,
		   size_t *host_at, struct pl_ring_result *result, struct pl_err *err);

#endif
