/* SPDX-License-Identifier: BSD-3-Clause */
/* order-descent.c - an order found from large blocks of hosts down to single ones */
#include "config.h"

#include "solver/order/order-descent.h"

#include "base/mem.h"
#include "solver/order/order-blocks.h"

#include <stdlib.h>
#include <string.h>

/* The level of blocks of PL_ORDER_BLOCK; what those above it get of the moves of a fine descent;
 * and how hot that is for hosts, against another one. */
#define FINE_LEVEL 4
#define FINE_SHARE 8
#define FINE_HEAT 0.3

_Static_assert(PL_ORDER_BLOCK == 1 << FINE_LEVEL, "the level of blocks");

int pl_order_descent_init(struct pl_order_descent *d, const struct pl_levels *levels,
			  struct pl_err *err)
{
	const size_t n = levels->level[0].n;

	memset(d, 0, sizeof(*d));
	d->levels = levels;
	d->order = pl_array_create(n, sizeof(*d->order));
	d->above = pl_array_create(n, sizeof(*d->above));
	if (!d->order || !d->above) {
		pl_err_nomem(err);
		goto fail;
	}
	for (size_t k = 0; k < levels->n; k++)
		if (pl_smooth_init(&d->smooth[k], &levels->level[k].shape, &levels->level[k].costs,
				   err))
			goto fail;
	return 0;
fail:
	pl_order_descent_fini(d);
	return -1;
}

void pl_order_descent_fini(struct pl_order_descent *d)
{
	for (size_t k = 0; d->levels && k < d->levels->n; k++)
		pl_smooth_fini(&d->smooth[k]);
	free(d->order);
	free(d->above);
	memset(d, 0, sizeof(*d));
}

/* The order of blocks becomes one of their halves: of n. */
static void halve(struct pl_order_descent *d, size_t n)
{
	const size_t n_above = (n + 1) / 2;
	size_t seat = 0;

	memcpy(d->above, d->order, n_above * sizeof(*d->order));
	for (size_t i = 0; i < n_above; i++) {
		d->order[seat++] = 2 * d->above[i];
		if (2 * d->above[i] + 1 < n)
			d->order[seat++] = 2 * d->above[i] + 1;
	}
}

/* Of a fine descent, levels of smaller blocks are left out. */
static uint64_t moves_of_fine(const struct pl_order_descent *d, uint64_t moves, size_t level)
{
	const size_t n = d->levels->n;
	const uint64_t above = n > FINE_LEVEL ? moves / FINE_SHARE : 0;

	if (level == 0)
		return moves - above;
	return level < FINE_LEVEL ? 0 : above / (n - FINE_LEVEL);
}

static uint64_t moves_of(const struct pl_order_descent *d, const struct pl_order_descent_job *job,
			 size_t level)
{
	const uint64_t half = job->moves / 2;

	if (job->fine)
		return moves_of_fine(d, job->moves, level);
	return level == 0 ? half : half / (d->levels->n - 1);
}

uint64_t pl_order_descent_run(struct pl_order_descent *d, const struct pl_order_descent_job *job,
			      struct pl_rng *rng)
{
	const struct pl_levels *levels = d->levels;
	uint64_t moves = 0;

	for (size_t i = 0; i < levels->level[levels->n - 1].n; i++)
		d->order[i] = i;
	for (size_t k = levels->n; k-- > 0;) {
		const struct pl_level *level = &levels->level[k];
		const bool fine = job->fine && k == 0;
		const struct pl_smooth_job here = {
			.start = d->order,
			.first = job->keep_first,
			.end = level->n_full,
			.moves = moves_of(d, job, k),
			.heat = job->heat * (fine ? FINE_HEAT : 1),
			.level = !fine,
			.fine = fine,
			.stop = job->stop,
			.arg = job->arg,
		};

		moves += pl_smooth_run(&d->smooth[k], &here, rng);
		memcpy(d->order, d->smooth[k].best, level->n * sizeof(*d->order));
		if (k > 0)
			halve(d, level[-1].n);
	}
	return moves;
}
