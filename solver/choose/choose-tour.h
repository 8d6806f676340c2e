/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-tour.h - a ring of some of the hosts, which others may join */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_TOUR_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_TOUR_H

#include "base/err.h"
#include "solver/choose/choice.h"

#include <stdbool.h>
#include <stddef.h>

/* For one thread at a time. */
struct pl_choose_tour {
	const struct pl_host_choice *choice;
	size_t count, n_leaders;       /* on the ring; of these, may lead */
	size_t *next, *prev;           /* [n] by host; SIZE_MAX: not on the ring */
	struct pl_choose_place *place; /* [3 * n] scratch, by host */
};

/* Where a host may join: behind which one, and how much the ring costs more. */
struct pl_choose_place {
	double cost;
	size_t behind;
};

/* 0, or -1 with @err set and nothing to release: out of memory. */
int pl_choose_tour_init(struct pl_choose_tour *t, const struct pl_host_choice *choice,
			struct pl_err *err);
void pl_choose_tour_fini(struct pl_choose_tour *t);

/* Makes @t the ring of these @count hosts, at least one. */
void pl_choose_tour_set(struct pl_choose_tour *t, const size_t *host_at, size_t count);
/* Writes host_at[n]: the ring, beginning with its lowest host, then the
 * others. */
void pl_choose_tour_get(const struct pl_choose_tour *t, size_t *host_at);

void pl_choose_tour_remove(struct pl_choose_tour *t, size_t host);

/* Adds hosts, each time the one that costs least, until there are k; at least one of the k may
 * lead. Hosts with barred[n] set join only if no others are left. */
void pl_choose_tour_grow(struct pl_choose_tour *t, bool *barred);
/* Removes hosts, each time the one that saves most, until there are k. */
void pl_choose_tour_shrink(struct pl_choose_tour *t);
/* Exchanges one host on the ring for one that is not, placed anywhere on the ring: the exchange
 * that gains most. False: no exchange gains anything. */
bool pl_choose_tour_exchange(struct pl_choose_tour *t);

#endif
