/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-embed.c - embeddings: gradients, planted places, holes, outliers,
 * memory */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/embed-gradient.h"

#include <math.h>
#include <stdlib.h>

enum { HOSTS = 40, CELLS = HOSTS * HOSTS };

static const struct pl_embed_options defaults = PL_EMBED_DEFAULTS;

/* Hosts in a plane, 0 to 10 each way. */
static void plane(double *cell, uint64_t seed)
{
	double x[HOSTS], y[HOSTS];
	struct pl_rng rng;

	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < HOSTS; i++) {
		x[i] = 10 * pl_rng_double(&rng);
		y[i] = 10 * pl_rng_double(&rng);
	}
	for (size_t i = 0; i < HOSTS; i++)
		for (size_t j = 0; j < HOSTS; j++)
			cell[i * HOSTS + j] = hypot(x[i] - x[j], y[i] - y[j]);
}

/* The largest difference between the embedding and the truth. */
static double worst(const struct pl_embedding *e, const double *truth)
{
	double most = 0;

	for (size_t i = 0; i < CELLS; i++)
		most = fmax(most, fabs(pl_embedding_distance(e, i / HOSTS, i % HOSTS) - truth[i]));
	return most;
}

static int embed(struct pl_embedding *e, const double *cell, const struct pl_embed_options *o,
		 struct pl_err *err)
{
	size_t n_pairs = 0;
	struct pl_measured_pair *pair = pl_pairs_of(cell, HOSTS, PL_WEIGHT_EQUAL, &n_pairs);
	const int rc = pl_embed(e, HOSTS, pair, n_pairs, o, err);

	free(pair);
	return rc;
}

/* The slope by every number against a small change of it. */
static bool slope_is_right(struct pl_embed_fit *f, double bend, uint64_t seed)
{
	enum { NUMBERS = 4 * 64 };
	double x[NUMBERS] = {0}, slope[NUMBERS], spare[NUMBERS];
	const double change = 1e-6;
	struct pl_rng rng;

	pl_rng_init(&rng, seed, 1);
	f->bend = bend;
	for (size_t h = 0; h < HOSTS; h++)
		for (size_t d = 0; d < 4; d++)
			x[d * f->room + h] = pl_rng_double(&rng);
	pl_fit_gradient(f, x, slope);
	for (size_t d = 0; d < 4; d++)
		for (size_t h = 0; h < HOSTS; h++) {
			const size_t k = d * f->room + h;
			double up, down;

			x[k] += change;
			up = pl_fit_gradient(f, x, spare);
			x[k] -= 2 * change;
			down = pl_fit_gradient(f, x, spare);
			x[k] += change;
			if (fabs((up - down) / (2 * change) - slope[k]) >
			    1e-4 * (1 + fabs(slope[k])))
				return false;
		}
	return true;
}

/* As rows and as a list, for every alpha, squared and bent. */
static void slopes(void)
{
	double cell[CELLS];
	size_t n_pairs = 0, n_right = 0, n_rows = 0;
	struct pl_measured_pair *pair;

	plane(cell, 3);
	pair = pl_pairs_of(cell, HOSTS, PL_WEIGHT_RELATIVE, &n_pairs);
	for (unsigned eighths = 8; eighths <= 16; eighths++)
		for (size_t part = 1; part <= 10; part += 9) {
			struct pl_embed_fit f = {.dimensions = 3, .eighths = eighths};

			if (pl_fit_init(&f, HOSTS, pair, n_pairs / part, NULL))
				break;
			n_rows += f.row != NULL;
			n_right += slope_is_right(&f, INFINITY, eighths);
			n_right += slope_is_right(&f, 0.3, eighths);
			pl_fit_fini(&f);
		}
	free(pair);
	is_int((int64_t)n_rows, 9, "many pairs lie in rows, few in a list");
	is_int((int64_t)n_right, 36, "slopes are those of the loss");
}

static void powers(void)
{
	bool same = true;

	for (unsigned eighths = 8; eighths <= 16; eighths++)
		for (double d = 0.125; d < 20; d *= 1.5)
			same = same && fabs(pl_fit_power(d * d, eighths) / pow(d, eighths / 8.0) -
					    1) < 1e-14;
	ok(same, "powers of the distance, by eighths");
}

/* What lies in a plane is found in a plane, whatever alpha its distances have; also from a fifth of
 * the pairs, and with heights on top. */
static void planted(double alpha, size_t one_of, bool heights)
{
	struct pl_embed_options o = defaults;
	double truth[CELLS], cell[CELLS];
	struct pl_embedding e = {0};
	struct pl_rng rng;
	double off;

	pl_rng_init(&rng, 1, 2);
	plane(truth, 7);
	for (size_t i = 0; i < CELLS; i++) {
		const size_t a = i / HOSTS, b = i % HOSTS;

		truth[i] = a == b ? 0 : pow(truth[i], alpha);
		if (heights && a != b)
			truth[i] += (double)(a % 4) + (double)(b % 4);
		cell[i] = pl_rng_below(&rng, one_of) ? NAN : truth[i];
	}
	o.alpha = alpha;
	o.heights = heights;
	o.dimensions = 2;
	o.bend = 0;
	o.starts = 8;
	o.steps = 1500;
	off = embed(&e, cell, &o, NULL) ? INFINITY : worst(&e, truth);
	if (!ok(off < 0.5, "alpha %g, one of %zu pairs%s: distances are found", alpha, one_of,
		heights ? ", heights" : ""))
		printf("# off by %g\n", off);
	pl_embedding_fini(&e);
}

static double mean_off(const struct pl_embedding *e, const double *truth)
{
	double sum = 0;

	for (size_t i = 0; i < CELLS; i++)
		sum += fabs(pl_embedding_distance(e, i / HOSTS, i % HOSTS) - truth[i]);
	return sum / CELLS;
}

/* A cell in ten ten times too large. */
static void outliers(void)
{
	double truth[CELLS], cell[CELLS];
	struct pl_embed_options o = defaults;
	struct pl_embedding e = {0};
	struct pl_rng rng;
	double bent = INFINITY, squared = 0;

	pl_rng_init(&rng, 1, 3);
	plane(truth, 9);
	o.dimensions = 2;
	o.heights = false;
	o.starts = 4;
	o.steps = 600;
	for (size_t i = 0; i < CELLS; i++)
		cell[i] = truth[i] * (pl_rng_below(&rng, 10) ? 1 : 10);
	if (!embed(&e, cell, &o, NULL))
		bent = mean_off(&e, truth);
	pl_embedding_fini(&e);
	o.bend = 0;
	if (!embed(&e, cell, &o, NULL))
		squared = mean_off(&e, truth);
	pl_embedding_fini(&e);
	ok(bent < 1 && squared > 3 * bent,
	   "outliers: off by %.2f, and by %.2f where all is squared", bent, squared);
}

static void same_bytes(void)
{
	double cell[CELLS];
	struct pl_embed_options o = defaults;
	struct pl_embedding e[3] = {{0}};
	const size_t bytes = HOSTS * 3 * sizeof(double);
	int rc = 0;

	plane(cell, 11);
	for (size_t i = 0; i < 3; i++) {
		o.seed = i / 2;
		rc |= embed(&e[i], cell, &o, NULL);
	}
	ok(!rc && !memcmp(e[0].at, e[1].at, bytes) &&
		   !memcmp(e[0].height, e[1].height, HOSTS * sizeof(double)),
	   "same seed, same bytes");
	ok(!rc && memcmp(e[0].at, e[2].at, bytes), "another seed, others");
	for (size_t i = 0; i < 3; i++)
		pl_embedding_fini(&e[i]);
	o.starts = 1;
	rc = embed(&e[0], cell, &o, NULL);
	o.starts = 6;
	rc |= embed(&e[1], cell, &o, NULL);
	ok(!rc && e[1].loss <= e[0].loss, "more starts, no larger a loss");
	pl_embedding_fini(&e[0]);
	pl_embedding_fini(&e[1]);
}

/* What is measured below what the embedding has counts for less, and for no less than a limit; the
 * rest as before. */
static void weights(void)
{
	double cell[CELLS], x[4 * 64];
	size_t n_pairs = 0, n_right = 0, n_less = 0;
	struct pl_measured_pair *pair;
	struct pl_rng rng;

	plane(cell, 5);
	pl_rng_init(&rng, 1, 4);
	for (size_t k = 0; k < 4 * 64; k++)
		x[k] = pl_rng_double(&rng);
	pair = pl_pairs_of(cell, HOSTS, PL_WEIGHT_RELATIVE, &n_pairs);
	for (size_t part = 1; part <= 10; part += 9) {
		struct pl_embed_fit f = {.dimensions = 3, .eighths = 8};
		double sum = 0;

		if (pl_fit_init(&f, HOSTS, pair, n_pairs / part, NULL))
			break;
		pl_fit_reweigh(&f, x);
		for (size_t p = 0; p < f.n_pairs; p++) {
			const double now = f.pair[p].weight;
			const double share = now / pair[p].weight;

			n_right += share <= 1 && share > 0.444;
			n_less += share < 1;
			sum += now;
		}
		n_right += f.row || fabs(sum / f.weight_sum - 1) < 1e-12;
		for (size_t c = 0; f.row && c < f.row[HOSTS]; c++)
			sum += (double)f.weight[c];
		n_right += !f.row || fabs(sum / f.weight_sum - 1) < 1e-6;
		pl_fit_fini(&f);
	}
	ok(n_right == n_pairs / 10 + 4 && n_less > 0 && n_less < n_pairs / 10,
	   "weights by what is estimated: %zu of %zu less", n_less, n_pairs / 10);
	free(pair);
}

static void dimensions(void)
{
	enum { MANY = PL_EMBED_HOSTS_MANY };
	struct pl_measured_pair pair[MANY - 1];
	struct pl_embed_options o = defaults;
	size_t found[2] = {0};

	for (uint32_t p = 0; p < MANY - 1; p++)
		pair[p] = (struct pl_measured_pair){1, 1, p, p + 1};
	o.steps = 1;
	for (size_t few = 0; few < 2; few++) {
		struct pl_embedding e;

		if (!pl_embed(&e, MANY - few, pair, MANY - 1 - few, &o, NULL))
			found[few] = e.dimensions;
		pl_embedding_fini(&e);
	}
	ok(found[0] == 4 && found[1] == 3, "more dimensions for many hosts");
}

/* refuses WHAT: an option out of range */
static void refuses(struct pl_embed_options o, const char *what)
{
	double cell[CELLS];
	struct pl_embedding e;
	struct pl_err err = {0};

	plane(cell, 1);
	ok(embed(&e, cell, &o, &err) && err.code == PL_EUSAGE && !e.at, "refused: %s", what);
}

static void nonsense(void)
{
	double cell[CELLS];
	struct pl_embed_options o = defaults;
	struct pl_embedding e;
	struct pl_err err = {0};

	o.alpha = 1.3;
	refuses(o, "alpha that is no eighth");
	o.alpha = 0.5;
	refuses(o, "alpha below 1");
	o.alpha = NAN;
	refuses(o, "alpha that is no number");
	o = defaults;
	o.dimensions = PL_EMBED_DIMENSIONS_MAX + 1;
	refuses(o, "too many");
	o = defaults;
	o.starts = 0;
	refuses(o, "no start");
	plane(cell, 1);
	for (size_t i = 0; i < CELLS; i++) /* two parts that never met */
		if ((i / HOSTS < 5) != (i % HOSTS < 5))
			cell[i] = NAN;
	ok(embed(&e, cell, &defaults, &err) && err.code == PL_EINPUT, "parts");
	has_str(err.text, "links hosts 0 and 5", "which two are not linked");
	for (size_t i = 0; i < CELLS; i++)
		cell[i] = 0;
	ok(!embed(&e, cell, &defaults, &err) && e.loss < 1e-4, "all in one place");
	pl_embedding_fini(&e);
}

static void without_memory(void)
{
	double cell[CELLS];
	struct pl_embed_options o = defaults;
	bool told = true, freed = true;

	plane(cell, 1);
	o.steps = 2;
	for (size_t part = 1; part <= 10; part += 9) {
		size_t n_pairs = 0, live;
		struct pl_measured_pair *pair = pl_pairs_of(cell, HOSTS, PL_WEIGHT_EQUAL, &n_pairs);
		bool failed = true;

		for (size_t p = 0; p < n_pairs; p++)
			if (part > 1 && p >= HOSTS) /* the first row links all */
				pair[p].weight = 0;
		for (size_t k = 0; failed; k++) {
			struct pl_embedding e;
			struct pl_err err = {0};
			int rc;

			failalloc_begin(k);
			rc = pl_embed(&e, HOSTS, pair, n_pairs / part, &o, &err);
			pl_embedding_fini(&e);
			failed = failalloc_end(&live);
			freed = freed && live == 0;
			told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
		}
		free(pair);
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
}

int main(void)
{
	powers();
	slopes();
	planted(1, 1, false);
	planted(2, 1, false);
	planted(1.5, 1, false);
	planted(1, 5, false);
	planted(1, 1, true);
	outliers();
	same_bytes();
	weights();
	dimensions();
	nonsense();
	without_memory();
	return done_testing();
}
