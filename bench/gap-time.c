/* SPDX-License-Identifier: BSD-3-Clause */
/* gap-time.c - how near to the best ring in how much time, beside the thesis */
#include "config.h"

#include "bench/gap-time.h"

#include "bench/thesis-stages.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/stats.h"
#include "solver/ring/ring-bound.h"
#include "solver/ring/ring-search.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Runs of one length, one a seed. */
struct runs {
	double cost[GAP_SEEDS_MAX], bound[GAP_SEEDS_MAX];
	double annealed[GAP_SEEDS_MAX], refined[GAP_SEEDS_MAX];
	size_t n;
};

struct racing {
	const struct instance *in;
	const struct gap_time_options *o;
	double *weight; /* [n] scratch */
	size_t *at;     /* [n] scratch */
};

void gap_time_head(void)
{
	printf("%-22s %5s %8s | %9s %9s %9s | %9s %9s\n", "instance", "hosts", "seconds", "plink",
	       "worst", "proved", "thesis", "thesis");
	printf("%-22s %5s %8s | %9s %9s %9s | %9s %9s\n", "", "", "", "gap", "seed", "gap",
	       "annealed", "and Z3");
}

/* By plink, bound and all, into cost[seed - 1] and bound[seed - 1]. */
static int search(struct racing *r, double seconds, uint64_t seed, struct runs *runs,
		  struct pl_err *err)
{
	const int64_t now = pl_clock_ns();
	const struct pl_stop stop = {.deadline_ns = now + (int64_t)(seconds * 1e9)};
	const struct pl_stop half = {.deadline_ns = now + (int64_t)(seconds * 5e8)};
	struct pl_ring_options options = {
		.seed = seed,
		.moves = PL_RING_MOVES_MAX,
		.threads = (unsigned)r->o->threads,
		.weight = r->weight,
		.stop = &stop,
	};
	struct pl_ring_bound bound;
	struct pl_ring_result result;

	for (size_t k = 0; k < r->in->n; k++)
		r->at[k] = k;
	if (pl_ring_bound(r->in->c, r->in->n, PL_BOUND_FAST, &half, &bound, r->weight, err))
		return -1;
	options.target = bound.value;
	if (pl_ring_search(r->in->c, r->in->n, &options, r->at, &result, err))
		return -1;
	runs->cost[runs->n] = result.cost;
	runs->bound[runs->n] = bound.value;
	return 0;
}

static int run(struct racing *r, double seconds, struct runs *runs, struct pl_err *err)
{
	for (runs->n = 0; runs->n < (size_t)r->o->n_seeds; runs->n++) {
		const uint64_t seed = runs->n + 1;
		struct thesis_stages thesis;

		if (search(r, seconds, seed, runs, err) ||
		    thesis_stages_ring(r->in->c, r->in->n, seconds, seed, &thesis, err))
			return -1;
		runs->annealed[runs->n] = thesis.annealed;
		runs->refined[runs->n] = thesis.refined;
	}
	return 0;
}

/* Gaps to the optimum, or to the best bound where it is not known. */
static void print_row(const struct racing *r, double seconds, double least, struct runs *runs)
{
	const bool known = !isnan(r->in->optimum);
	const double cost = pl_median(runs->cost, runs->n);
	const double worst = runs->cost[runs->n - 1]; /* sorted now */
	const double bound = pl_median(runs->bound, runs->n);

	printf("%-22s %5zu %8.3g |", r->in->name, r->in->n, seconds);
	printf(" %8.3f%% %8.3f%%%s %8.3f%% |", 100 * (cost / least - 1), 100 * (worst / least - 1),
	       known ? " " : "b", 100 * (cost / bound - 1));
	printf(" %8.2f%% %8.2f%%\n", 100 * (pl_median(runs->annealed, runs->n) / least - 1),
	       100 * (pl_median(runs->refined, runs->n) / least - 1));
	fflush(stdout);
}

static int race(struct racing *r, struct pl_err *err)
{
	static const double shares[] = {1.0 / 16, 1.0 / 4, 1};
	struct pl_ring_bound bound;
	double least = r->in->optimum;
	struct runs runs;

	if (isnan(least)) {
		if (pl_ring_bound(r->in->c, r->in->n, PL_BOUND_FAST, NULL, &bound, r->weight, err))
			return -1;
		least = bound.value;
	}
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		const double seconds = shares[i] * r->o->seconds;

		if (run(r, seconds, &runs, err))
			return -1;
		print_row(r, seconds, least, &runs);
	}
	return 0;
}

int gap_time(const struct instance *in, const struct gap_time_options *options, struct pl_err *err)
{
	struct racing r = {.in = in, .o = options};
	int rc = -1;

	r.weight = pl_array_create(in->n, sizeof(*r.weight));
	r.at = pl_array_create(in->n, sizeof(*r.at));
	if (!r.weight || !r.at)
		pl_err_nomem(err);
	else
		rc = race(&r, err);
	free(r.weight);
	free(r.at);
	return rc;
}
