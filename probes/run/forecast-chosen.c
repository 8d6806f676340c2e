/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-chosen.c - how many pairs, in how many rounds, a chooser will
 * want */
#include "config.h"

#include "probes/run/forecast-parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "probes/run/rounds.h"

#include <math.h>
#include <stdlib.h>

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

/* Is the pair there in both directions? */
static bool is_there(const struct pl_matrix *m, size_t a, size_t b)
{
	const size_t n = m->hosts.n;

	return !isnan(pl_layer_get(&m->layer[0], a * n + b)) &&
	       !isnan(pl_layer_get(&m->layer[0], b * n + a));
}

static int set_pair(struct pl_matrix *m, size_t a, size_t b, double value)
{
	const size_t n = m->hosts.n;

	return pl_layer_set(&m->layer[0], a * n + b, value) ||
			       pl_layer_set(&m->layer[0], b * n + a, value)
		       ? -1
		       : 0;
}

/* Rounds of the pairs of one step that are missing; those become made up. */
static int take_step(struct pl_matrix *m, const struct pl_probe_pair *pair, size_t n_pairs,
		     const struct network *net, size_t *n, size_t *n_rounds, struct pl_err *err)
{
	struct pl_meet *v = pl_array_create(n_pairs, sizeof(*v));
	int status = v ? 0 : pl_err_nomem(err);

	*n = 0;
	for (size_t k = 0; !status && k < n_pairs; k++) {
		const size_t a = pair[k].a < pair[k].b ? pair[k].a : pair[k].b;
		const size_t b = pair[k].a < pair[k].b ? pair[k].b : pair[k].a;

		if (is_there(m, a, b))
			continue;
		v[(*n)++] =
			(struct pl_meet){.a = (uint32_t)a, .b = (uint32_t)b, .ways = PL_MEET_BOTH};
		if (set_pair(m, a, b, made_up(net, a, b)))
			status = pl_err_nomem(err);
	}
	if (!status)
		status = pl_rounds_assign(v, *n, m->hosts.n, n_rounds, err);
	free(v);
	return status;
}

/* One step after another, as a run would take them. */
static int play(struct pl_matrix *m, const struct pl_probe_chooser *chooser,
		const struct network *net, size_t *n_pairs, size_t *n_rounds, struct pl_err *err)
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

/* With what is there before anything is measured. NULL with @err set. */
static struct pl_matrix *begin(const struct pl_hosts *hosts, const struct pl_matrix *resumed,
			       struct pl_err *err)
{
	const size_t n = hosts->n;
	struct pl_matrix *m = pl_matrix_create_few(hosts, err);
	const double *from = resumed ? resumed->layer[0].cell : NULL;
	int status = 0;

	for (size_t at = 0; m && from && !status && at < n * n; at++)
		if (!isnan(from[at]) && at % (n + 1) != 0)
			status = pl_layer_set(&m->layer[0], at, from[at]);
	if (!status)
		return m;
	pl_err_nomem(err);
	pl_matrix_destroy(m);
	return NULL;
}

int pl_forecast_chosen(const struct pl_hosts *hosts, const struct pl_matrix *resumed,
		       const struct pl_probe_chooser *chooser, struct pl_probe_forecast *f,
		       struct pl_err *err)
{
	const size_t n_plays = chooser->most > 0 ? N_NETWORKS : 1;
	size_t n_pairs, n_rounds;
	int status = 0;

	for (size_t k = 0; status == 0 && k < n_plays; k++) {
		struct pl_matrix *m = begin(hosts, resumed, err);

		if (!m)
			return -1;
		if (k > 0)
			chooser->rewind(chooser->arg);
		status = play(m, chooser, &networks[k], &n_pairs, &n_rounds, err);
		if (status == 0)
			widen(f, n_pairs, n_rounds);
		pl_matrix_destroy(m);
	}
	return status;
}
