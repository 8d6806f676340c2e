/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-tour.h - a ring of some of the hosts, that others may join */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_TOUR_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_TOUR_H

#include "base/err.h"
#include "solver/choose/choice.h"

#include <stdbool.h>
#include <stddef.h>

/* One thread's. */
struct pl_choose_tour {
	const struct pl_host_choice *choice;
	size_t count, n_leaders;       /* on the ring */
	size_t *next, *prev;           /* [n] by host; SIZE_MAX: not on it */
	struct pl_choose_place *place; /* [3 * n] scratch, by host */
};

/* Behind which host one may join, and what the ring costs more then. */
struct pl_choose_place {
	double cost;
	size_t behind;
};

/* 0, or -1 with @err set and nothing to release: out of memory. */
int pl_choose_tour_init(struct pl_choose_tour *t,
			const struct pl_host_choice *choice,
			struct pl_err *err);
void pl_choose_tour_fini(struct pl_choose_tour *t);

/* Makes it the ring of these hosts, one at least. */
void pl_choose_tour_set(struct pl_choose_tour *t, const size_t *host_at,
			size_t count);
/* Writes host_at[n]: the ring from its lowest host on, the others behind it. */
void pl_choose_tour_get(const struct pl_choose_tour *t, size_t *host_at);

void pl_choose_tour_remove(struct pl_choose_tour *t, size_t host);

/* Hosts join, always the one that costs least, until there are k; at least one
 * that may lead. Those barred[n] only where there are no others. */
void pl_choose_tour_grow(struct pl_choose_tour *t, bool *barred);
/* Hosts leave, always the one that saves most, until there are k. */
void pl_choose_tour_shrink(struct pl_choose_tour *t);
/* The exchange of one on the ring for one that is not, anywhere on it, that
 * gains most; false: none gains anything. */
bool pl_choose_tour_exchange(struct pl_choose_tour *t);

#endif
