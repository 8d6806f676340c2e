/* SPDX-License-Identifier: BSD-3-Clause */
/* tour.h - a ring that is changed by reversals and exchanges, with undo */
#ifndef PLINK_SOLVER_RING_TOUR_H
#define PLINK_SOLVER_RING_TOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A reversal that was done: of @len positions, beginning with @from. */
struct pl_reversal {
	uint32_t from, len;
};

/* The ring as an array: at[] by pos, pos[] by host. Positions count modulo n. Every change is done
 * as reversals and written to the log, so that undo is exact. */
struct pl_tour {
	uint32_t n;
	uint32_t *at, *pos;
	struct pl_reversal *log;
	size_t n_log, log_room;
	bool lost; /* out of memory: the log is incomplete */
};

/* Allocates a tour of n hosts, in the order 0..n-1. 0, or -1: out of memory. */
int pl_tour_init(struct pl_tour *tour, size_t n);
void pl_tour_fini(struct pl_tour *tour);

/* Copies an order (a permutation of 0..n-1) and empties the log. */
void pl_tour_set(struct pl_tour *tour, const size_t *host_at);
void pl_tour_get(const struct pl_tour *tour, size_t *host_at);

static inline uint32_t pl_tour_next(const struct pl_tour *t, uint32_t host)
{
	const uint32_t p = t->pos[host] + 1;

	return t->at[p == t->n ? 0 : p];
}

static inline uint32_t pl_tour_prev(const struct pl_tour *t, uint32_t host)
{
	const uint32_t p = t->pos[host];

	return t->at[p == 0 ? t->n - 1 : p - 1];
}

/* Number of hosts on the way from @first to @last, both included. */
static inline uint32_t pl_tour_span(const struct pl_tour *t, uint32_t first, uint32_t last)
{
	const uint32_t a = t->pos[first], b = t->pos[last];

	return (b >= a ? b - a : b + t->n - a) + 1;
}

/* Reverses the way from @first to @last, or the rest of the ring if that is shorter: the same ring
 * except for its direction. For symmetric costs. */
void pl_tour_reverse(struct pl_tour *tour, uint32_t first, uint32_t last);

/* Exchanges two neighbouring ways: first..middle, and the way that follows it up to last. All
 * directions are kept. Moves whichever two of the three parts of the ring are shortest, which gives
 * the same ring. */
void pl_tour_exchange(struct pl_tour *tour, uint32_t first, uint32_t middle, uint32_t last);

/* Reverts all changes since the log was last empty. */
void pl_tour_undo(struct pl_tour *tour);

/* Keeps all changes: empties the log. */
void pl_tour_keep(struct pl_tour *tour);

#endif
