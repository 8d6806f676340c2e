/* SPDX-License-Identifier: BSD-3-Clause */
/* tour.c - a ring that changes: reversals and exchanges that can be undone */
#include "config.h"

#include "solver/ring/tour.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int pl_tour_init(struct pl_tour *tour, size_t n)
{
	memset(tour, 0, sizeof(*tour));
	tour->n = (uint32_t)n;
	tour->at = pl_array_create(n, sizeof(*tour->at));
	tour->pos = pl_array_create(n, sizeof(*tour->pos));
	if (!tour->at || !tour->pos) {
		pl_tour_fini(tour);
		return -1;
	}
	for (uint32_t k = 0; k < n; k++)
		tour->at[k] = tour->pos[k] = k;
	return 0;
}

void pl_tour_fini(struct pl_tour *tour)
{
	free(tour->at);
	free(tour->pos);
	free(tour->log);
	memset(tour, 0, sizeof(*tour));
}

void pl_tour_set(struct pl_tour *tour, const size_t *host_at)
{
	for (uint32_t k = 0; k < tour->n; k++) {
		tour->at[k] = (uint32_t)host_at[k];
		tour->pos[host_at[k]] = k;
	}
	tour->n_log = 0;
}

void pl_tour_get(const struct pl_tour *tour, size_t *host_at)
{
	for (uint32_t k = 0; k < tour->n; k++)
		host_at[k] = tour->at[k];
}

/* Reverses @len positions from @from on, around the end if need be. */
static void flip(struct pl_tour *t, uint32_t from, uint32_t len)
{
	uint32_t i = from;
	uint32_t j = from + len - 1 >= t->n ? from + len - 1 - t->n : from + len - 1;

	for (uint32_t k = 0; k < len / 2; k++) {
		const uint32_t a = t->at[i], b = t->at[j];

		t->at[i] = b;
		t->pos[b] = i;
		t->at[j] = a;
		t->pos[a] = j;
		i = i + 1 == t->n ? 0 : i + 1;
		j = j == 0 ? t->n - 1 : j - 1;
	}
}

static void flip_logged(struct pl_tour *t, uint32_t from, uint32_t len)
{
	if (len < 2)
		return;
	if (pl_array_grow((void **)&t->log, &t->log_room, t->n_log, sizeof(*t->log)))
		t->lost = true;
	else
		t->log[t->n_log++] = (struct pl_reversal){from, len};
	flip(t, from, len);
}

/* Reverses exactly the way from @first to @last. */
static void turn(struct pl_tour *tour, uint32_t first, uint32_t last)
{
	flip_logged(tour, tour->pos[first], pl_tour_span(tour, first, last));
}

void pl_tour_reverse(struct pl_tour *tour, uint32_t first, uint32_t last)
{
	const uint32_t len = pl_tour_span(tour, first, last);

	if (2 * (uint64_t)len <= tour->n)
		turn(tour, first, last);
	else if (len < tour->n)
		turn(tour, pl_tour_next(tour, last), pl_tour_prev(tour, first));
}

void pl_tour_exchange(struct pl_tour *tour, uint32_t first, uint32_t middle, uint32_t last)
{
	const uint32_t n = tour->n;
	uint32_t from = tour->pos[first];
	uint32_t a = pl_tour_span(tour, first, middle);
	uint32_t b = pl_tour_span(tour, first, last) - a;
	const uint32_t rest = n - a - b;

	if (b == 0)
		return;
	if (a >= b && a >= rest) { /* leave the first part in its place */
		from = (from + a) % n;
		a = b;
		b = rest;
	} else if (b >= a && b >= rest) { /* leave the second */
		from = (from + a + b) % n;
		b = a;
		a = rest;
	}
	flip_logged(tour, from, a);
	flip_logged(tour, (from + a) % n, b);
	flip_logged(tour, from, a + b);
}

void pl_tour_undo(struct pl_tour *tour)
{
	while (tour->n_log > 0) {
		const struct pl_reversal r = tour->log[--tour->n_log];

		flip(tour, r.from, r.len);
	}
}

void pl_tour_keep(struct pl_tour *tour)
{
	tour->n_log = 0;
}
