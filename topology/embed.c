/* SPDX-License-Identifier: BSD-3-Clause */
/* embed.c - places for hosts whose distances agree with the measured ones */
#include "config.h"

#include "topology/embed.h"

#include "base/mem.h"
#include "base/rng.h"
#include "topology/embed-gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After so many steps pairs that are far off are looked for anew. */
enum { SETTLE = 25 };

/* Sequence of the start for weights; those of the others count from 0. */
#define STREAM_WEIGHTS UINT64_MAX

/* Adam: the decay of past gradients, and the first step in the fit's unit. */
#define KEEP_MEAN 0.9
#define KEEP_SQUARE 0.99
#define FIRST_STEP 0.1
#define TINY 1e-12

/* One start: all arrays are of the shape of pl_fit_gradient(). */
struct search {
	struct pl_embed_fit *fit;
	const struct pl_embed_options *o;
	size_t n_numbers;
	double *x, *gradient, *mean, *square, *best;
	double best_loss;
	double off[PL_FIT_SAMPLE]; /* scratch */
};

static double step_length(size_t step, size_t n_steps)
{
	const double left = 1 - (double)step / (double)n_steps;

	return FIRST_STEP * left * left;
}

/* Moves all numbers against the gradient, each by its own measure. */
static void move(struct search *s, double length, double rest_mean, double rest_square)
{
	for (size_t k = 0; k < s->n_numbers; k++) {
		const double g = s->gradient[k];

		s->mean[k] += (1 - KEEP_MEAN) * (g - s->mean[k]);
		s->square[k] += (1 - KEEP_SQUARE) * (g * g - s->square[k]);
		s->x[k] -= length * (s->mean[k] / (1 - rest_mean)) /
			   (sqrt(s->square[k] / (1 - rest_square)) + TINY);
	}
}

/* Heights are none, or not below 0. */
static void limit_heights(struct search *s)
{
	const size_t first = s->fit->dimensions * s->fit->room;

	for (size_t k = first; k < s->n_numbers; k++)
		if (!s->o->heights || s->x[k] < 0)
			s->x[k] = 0;
}

/* Evenly in a cube in which hosts are about 1 apart. */
static void scatter(struct search *s, struct pl_rng *rng)
{
	const size_t room = s->fit->room, n_dims = s->fit->dimensions;
	const double side = sqrt(6.0 / (double)n_dims);

	memset(s->x, 0, s->n_numbers * sizeof(*s->x));
	for (size_t h = 0; h < s->fit->n; h++)
		for (size_t d = 0; d < n_dims; d++)
			s->x[d * room + h] = side * (pl_rng_double(rng) - 0.5);
}

static void keep(struct search *s)
{
	const double loss = pl_fit_gradient(s->fit, s->x, s->gradient);

	if (!(loss < s->best_loss))
		return;
	s->best_loss = loss;
	memcpy(s->best, s->x, s->n_numbers * sizeof(*s->x));
}

static void descend(struct search *s, struct pl_rng *rng)
{
	double rest_mean = 1, rest_square = 1;

	s->fit->bend = INFINITY;
	scatter(s, rng);
	memset(s->mean, 0, s->n_numbers * sizeof(*s->mean));
	memset(s->square, 0, s->n_numbers * sizeof(*s->square));
	for (size_t step = 0; step < s->o->steps; step++) {
		if (s->o->bend > 0 && step > 0 && step % SETTLE == 0)
			s->fit->bend = s->o->bend * pl_fit_median_off(s->fit, s->x, s->off);
		rest_mean *= KEEP_MEAN;
		rest_square *= KEEP_SQUARE;
		pl_fit_gradient(s->fit, s->x, s->gradient);
		move(s, step_length(step, s->o->steps), rest_mean, rest_square);
		limit_heights(s);
	}
	keep(s);
}

static void start(struct search *s, uint64_t stream)
{
	struct pl_rng rng;

	pl_rng_init(&rng, s->o->seed, stream);
	descend(s, &rng);
}

/* From the fit's shape to ours. */
static int give(struct pl_embedding *e, const struct search *s)
{
	const struct pl_embed_fit *f = s->fit;

	e->at = pl_array_create(f->n * f->dimensions, sizeof(*e->at));
	e->height = pl_array_create(f->n, sizeof(*e->height));
	if (!e->at || !e->height)
		return -1;
	e->n = f->n;
	e->dimensions = f->dimensions;
	e->alpha = (double)f->eighths / 8;
	e->unit = f->unit;
	e->loss = s->best_loss / f->weight_sum;
	for (size_t h = 0; h < f->n; h++) {
		for (size_t d = 0; d < f->dimensions; d++)
			e->at[h * f->dimensions + d] = s->best[d * f->room + h];
		e->height[h] = s->best[f->dimensions * f->room + h];
	}
	return 0;
}

static int run(struct pl_embedding *e, struct pl_embed_fit *f, const struct pl_embed_options *o,
	       struct pl_err *err)
{
	const size_t n_numbers = (f->dimensions + 1) * f->room;
	double *all = pl_array_create(n_numbers, 5 * sizeof(*all));
	struct search *s = pl_array_create(1, sizeof(*s));
	int rc = -1;

	if (!all || !s) {
		pl_err_nomem(err);
		goto out;
	}
	*s = (struct search){
		.fit = f,
		.o = o,
		.n_numbers = n_numbers,
		.x = all,
		.gradient = all + n_numbers,
		.mean = all + 2 * n_numbers,
		.square = all + 3 * n_numbers,
		.best = all + 4 * n_numbers,
		.best_loss = INFINITY,
	};
	if (o->reweigh) {
		start(s, STREAM_WEIGHTS);
		pl_fit_reweigh(f, s->best);
		s->best_loss = INFINITY;
	}
	for (size_t k = 0; k < o->starts; k++)
		start(s, k);
	rc = give(e, s);
	if (rc) {
		pl_embedding_fini(e);
		pl_err_nomem(err);
	}
out:
	free(s);
	free(all);
	return rc;
}

static int check_options(const struct pl_embed_options *o, struct pl_err *err)
{
	const double eighths = o->alpha * 8;

	if (!(o->alpha >= 1 && o->alpha <= 2) || eighths != (double)(unsigned)eighths)
		return pl_err_set(err, PL_EUSAGE, "alpha is from 1 to 2 by eighths, not %g",
				  o->alpha);
	if (o->dimensions > PL_EMBED_DIMENSIONS_MAX)
		return pl_err_set(err, PL_EUSAGE, "at most %d dimensions", PL_EMBED_DIMENSIONS_MAX);
	if (!(o->bend >= 0) || o->starts < 1 || o->steps < 1)
		return pl_err_set(err, PL_EUSAGE,
				  "an embedding needs at least one start and one step");
	return 0;
}

/* Hosts that no chain of measured pairs connects cannot be placed relative to each other. */
static int check_links(size_t n, const struct pl_measured_pair *pair, size_t n_pairs,
		       struct pl_err *err)
{
	size_t apart;

	if (pl_pairs_apart(n, pair, n_pairs, &apart))
		return pl_err_nomem(err);
	if (apart < n)
		return pl_err_set(
			err, PL_EINPUT,
			"no chain of measured pairs links hosts 0 and %zu (counted from 0)", apart);
	return 0;
}

int pl_embed(struct pl_embedding *e, size_t n, const struct pl_measured_pair *pair, size_t n_pairs,
	     const struct pl_embed_options *o, struct pl_err *err)
{
	struct pl_embed_fit fit = {0};
	int rc = -1;

	memset(e, 0, sizeof(*e));
	if (check_options(o, err) || check_links(n, pair, n_pairs, err))
		return -1;
	fit.dimensions = o->dimensions;
	if (fit.dimensions == 0)
		fit.dimensions = n < PL_EMBED_HOSTS_MANY ? 3 : 4;
	fit.eighths = (unsigned)(o->alpha * 8);
	if (!pl_fit_init(&fit, n, pair, n_pairs, err))
		rc = run(e, &fit, o, err);
	pl_fit_fini(&fit);
	return rc;
}

void pl_embedding_fini(struct pl_embedding *e)
{
	free(e->at);
	free(e->height);
	memset(e, 0, sizeof(*e));
}

double pl_embedding_distance(const struct pl_embedding *e, size_t a, size_t b)
{
	const double *from = e->at + a * e->dimensions;
	const double *to = e->at + b * e->dimensions;
	double square = 0;

	if (a == b)
		return 0;
	for (size_t d = 0; d < e->dimensions; d++)
		square += (from[d] - to[d]) * (from[d] - to[d]);
	return e->unit *
	       (pl_fit_power(square, (unsigned)(e->alpha * 8)) + e->height[a] + e->height[b]);
}
