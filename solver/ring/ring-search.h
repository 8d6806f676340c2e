/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-search.h - the cheapest ring that an iterated local search finds */
#ifndef PLINK_SOLVER_RING_RING_SEARCH_H
#define PLINK_SOLVER_RING_RING_SEARCH_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/restarts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No limit except pl_ring_options.stop. */
#define PL_RING_MOVES_MAX UINT64_MAX

/* A move is one kick of a few hops and the local search that follows it; other work counts as a
 * number of moves (ring-cross.h). */
struct pl_ring_options {
	uint64_t seed;
	uint64_t moves;             /* in total, over all restarts */
	unsigned threads;           /* >= 1 */
	double target;              /* end when a ring costs this or less: a lower bound; 0:
				       none */
	const double *weight;       /* [n] multipliers of a bound, or NULL: hints */
	const struct pl_stop *stop; /* NULL: never */
	/* called after a restart, by any of the threads, one at a time */
	void (*progress)(void *arg, const struct pl_restarts_progress *now);
	void *progress_arg;
};

struct pl_ring_result {
	double cost_given, cost;
	uint64_t moves, restarts; /* up to the one that reached the target */
	bool stopped;             /* before the moves were used up */
};

/* The default number of moves for n hosts: more of them gain little. */
uint64_t pl_ring_moves(size_t n);

/*
 * Improves the ring host_at[n] (in: the given order, a permutation; out: the best ring found) over
 * c[n * n] (no NaN, >= 0, finite sums; directed if it is not symmetric) by restarts. Each restart
 * consists of short iterated local searches whose rings are then crossed (ring-cross.h). host_at[0]
 * keeps its place, since a ring may start anywhere. The result is never dearer: host_at stays as it
 * was unless something cheaper was found.
 *
 * Restarts are numbered; each draws from its own random streams and is given
 * its share of the moves beforehand; results are compared by (cost, number),
 * and the first restart that reaches the target ends the search. So the same
 * seed and moves give the same order for any number of threads, unless *stop
 * came first.
 * Lourenco, Martin, Stuetzle, Iterated local search (2003); kicks by Martin,
 * Otto, Felten, Complex Systems 5 (1991).
 * 0, or -1 with @err set and host_at as it was: out of memory, no thread.
 */
int pl_ring_search(const double *c, size_t n, const struct pl_ring_options *options,
		   size_t *host_at, struct pl_ring_result *result, struct pl_err *err);

/* Rotates the ring so that @host, which must be on it, comes first. */
void pl_ring_rotate(size_t *host_at, size_t n, size_t host);

#endif
