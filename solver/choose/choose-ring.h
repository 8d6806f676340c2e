/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-ring.h - the cheapest ring of some of the hosts that a search finds */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_RING_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_RING_H

#include "base/err.h"
#include "solver/choose/choice.h"
#include "solver/ring/ring-search.h"

#include <stddef.h>
#include <stdint.h>

/* The number of moves that is worth its time. */
uint64_t pl_choose_ring_moves(const struct pl_host_choice *choice);

/*
 * Improves host_at[n] (in: an order of which one of the first k may lead; out:
 * the best found) by restarts of a search that exchanges hosts on the ring
 * for others, and improves the ring of those on it by pl_ring_search, in turns;
 * then takes a few neighbours off it, lets others join where they cost least,
 * and goes on. Restarts start from the given ring, from one of all hosts that
 * the dearest left, or grow one from a random host.
 * As pl_ring_search about moves (some are worth several exchanges), threads and
 * stop; no weights. Never a dearer ring: host_at stays as it was unless
 * something cheaper was found; then the ring begins with its lowest host.
 * 0, or -1 with @err set and host_at as it was: memory, threads.
 */
int pl_choose_ring(const struct pl_host_choice *choice,
		   const struct pl_ring_options *options, size_t *host_at,
		   struct pl_ring_result *result, struct pl_err *err);

#endif
