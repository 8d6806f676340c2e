/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-chosen.c - how many pairs, in how many rounds, a chooser will want */
#include "config.h"

#include "probes/run/forecast-chosen.h"

#include "probes/run/rounds.h"
#include "src/mem.h"
#include "src/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A network that is made up: racks in rows, and what hosts add of their own. */
struct network {
	size_t rack, row; /* hosts of each */
	double own;       /* of the widest distance, at most */
};

static const struct network networks[] = {
	{.rack = 16, .row = 128},
	{.rack = 5, .row = 20, .own = 0.5},
	{.rack = 1, .row = 1},
};

#define N_NETWORKS (sizeof(networks) / sizeof(networks[0]))
#define WIDEST_NS 160e3
#define NOISE 0.05

static double by_chance(size_t a, size_t b)
{
	struct pl_rng rng;

	pl_rng_init(&rng, a, b);
	return pl_rng_double(&rng);
}

static double made_up(const struct network *net, size_t a, size_t b)
{
	const size_t low = a < b ? a : b, high = a < b ? b : a;
	double share = 1;

	if (a / net->rack == b / net->rack)
		share = 0.25;
	else if (a / net->row == b / net->row)
		share = 0.5;
	share += net->own * (by_chance(low, low) + by_chance(high, high)) / 2;
	return WIDEST_NS * share * (1 + NOISE * by_chance(low, high));
}

/* Rounds of the pairs of one step that are missing; those become made up. */
static int take_step(struct pl_matrix *m, const struct pl_probe_pair *pair,
		     size_t n_pairs, const struct network *net, size_t *n,
		     size_t *n_rounds, struct pl_err *err)
{
	const size_t hosts = m->hosts.n;
	double *cell = m->layer[0].cell;
	struct pl_meet *v = pl_array_create(n_pairs, sizeof(*v));
	int status;

	*n = 0;
	if (!v)
		return pl_err_nomem(err);
	for (size_t k = 0; k < n_pairs; k++) {
		const size_t a = pair[k].a < pair[k].b ? pair[k].a : pair[k].b;
		const size_t b = pair[k].a < pair[k].b ? pair[k].b : pair[k].a;

		if (!isnan(cell[a * hosts + b]) && !isnan(cell[b * hosts + a]))
			continue;
		v[(*n)++] = (struct pl_meet){.a = (uint32_t)a,
					     .b = (uint32_t)b,
					     .ways = PL_MEET_BOTH};
		cell[a * hosts + b] = cell[b * hosts + a] = made_up(net, a, b);
	}
	status = pl_rounds_assign(v, *n, hosts, n_rounds, err);
	free(v);
	return status;
}

/* One step after another, as a run would take them. */
static int play(struct pl_matrix *m, const struct pl_probe_chooser *chooser,
		const struct network *net, size_t *n_pairs, size_t *n_rounds,
		struct pl_err *err)
{
	bool *lost = pl_array_create(m->hosts.n, sizeof(*lost));
	const struct pl_probe_pair *pair;
	size_t n, n_step, rounds;
	int status = -1;

	*n_pairs = *n_rounds = 0;
	if (!lost)
		return pl_err_nomem(err);
	do {
		if (chooser->next(chooser->arg, m, lost, &pair, &n, err) ||
		    take_step(m, pair, n, net, &n_step, &rounds, err))
			goto out;
		*n_pairs += n_step;
		*n_rounds += rounds;
	} while (n > 0 && chooser->most > 0);
	status = 0;
out:
	free(lost);
	return status;
}

static void widen(struct pl_probe_forecast *f, size_t n_pairs, size_t n_rounds)
{
	const bool first = f->n_pairs_most == 0;

	if (first || n_pairs < f->n_pairs)
		f->n_pairs = n_pairs;
	if (first || n_rounds < f->n_rounds)
		f->n_rounds = n_rounds;
	if (n_pairs > f->n_pairs_most)
		f->n_pairs_most = n_pairs;
	if (n_rounds > f->n_rounds_most)
		f->n_rounds_most = n_rounds;
}

int pl_forecast_chosen(struct pl_matrix *m,
		       const struct pl_probe_chooser *chooser,
		       struct pl_probe_forecast *f, struct pl_err *err)
{
	const size_t n_cells = m->hosts.n * m->hosts.n;
	const size_t n_plays = chooser->most > 0 ? N_NETWORKS : 1;
	double *cell = m->layer[0].cell;
	double *before = pl_array_create(n_cells, sizeof(*before));
	size_t n_pairs, n_rounds;
	int status = 0;

	if (!before)
		return pl_err_nomem(err);
	memcpy(before, cell, n_cells * sizeof(*cell));
	for (size_t k = 0; status == 0 && k < n_plays; k++) {
		if (k > 0)
			chooser->rewind(chooser->arg);
		memcpy(cell, before, n_cells * sizeof(*cell));
		status = play(m, chooser, &networks[k], &n_pairs, &n_rounds,
			      err);
		if (status == 0)
			widen(f, n_pairs, n_rounds);
	}
	free(before);
	return status;
}
