/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - the matrix of what was measured on all rails */
#include "config.h"

#include "src/nccl-bw/nccl-bw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct source {
	const struct nccl_bw_job *job;
	const double *figure;
	double bytes; /* of a transfer */
};

/* A value of a pair on one rail. */
typedef double value_of(const struct source *s, const double *figure);

static double p10_of(const struct source *s, const double *figure)
{
	(void)s;
	return figure[NCCL_BW_P10];
}

static double p50_of(const struct source *s, const double *figure)
{
	(void)s;
	return figure[NCCL_BW_P50];
}

/* NaN: a transfer took no longer than a round trip. */
static double rate_of(const struct source *s, const double *figure)
{
	const double ns = figure[NCCL_BW_TRANSFER] - figure[NCCL_BW_P10] / 2;

	return ns > 0 ? s->bytes * 1e9 / ns : NAN;
}

static double on_rail(const struct source *s, value_of *value, size_t rail, size_t pair)
{
	const size_t n = s->job->hosts.n;

	return value(s, &s->figure[(rail * n * n + pair) * NCCL_BW_FIGURES]);
}

/* A time is that of the slowest rail; a rate that of the slowest for each of them, because a
 * collective gives all rails as much to carry. */
static double of_all(const struct source *s, value_of *value, size_t pair)
{
	const bool is_rate = value == rate_of;
	double worst = on_rail(s, value, 0, pair);

	for (size_t rail = 1; rail < s->job->n_rails; rail++) {
		const double v = on_rail(s, value, rail, pair);

		if (isnan(v) || (is_rate ? v < worst : v > worst))
			worst = v;
	}
	return is_rate ? worst * (double)s->job->n_rails : worst;
}

static void fill(const struct source *s, struct pl_layer *layer, value_of *value, size_t rail)
{
	const size_t n = s->job->hosts.n;

	for (size_t pair = 0; pair < n * n; pair++)
		if (pair % (n + 1) != 0)
			layer->cell[pair] =
				round(rail < s->job->n_rails ? on_rail(s, value, rail, pair)
							     : of_all(s, value, pair));
}

static int add(const struct source *s, struct pl_matrix *m, const char *name, value_of *value,
	       size_t rail)
{
	const bool is_rate = value == rate_of;
	struct pl_layer *layer = pl_matrix_add_layer(m, name, is_rate ? PL_BANDWIDTH : PL_RTT,
						     is_rate ? PL_BYTES_PER_S : PL_NS);

	if (!layer)
		return -1;
	fill(s, layer, value, rail);
	return 0;
}

static int add_rails(const struct source *s, struct pl_matrix *m)
{
	char name[40];

	for (size_t rail = 0; rail < s->job->n_rails; rail++) {
		snprintf(name, sizeof(name), "p10-rail%zu", rail);
		if (add(s, m, name, p10_of, rail))
			return -1;
		snprintf(name, sizeof(name), "p10-time-rail%zu", rail);
		if (s->bytes > 0 && add(s, m, name, rate_of, rail))
			return -1;
	}
	return 0;
}

static int build(const struct source *s, struct pl_matrix *m, const struct nccl_bw_options *o,
		 const char *version)
{
	static const char *const statistic[] = {"p10", "p50"};
	const size_t all = s->job->n_rails;

	if (pl_matrix_describe(m, "nccl", statistic, 2, 2) ||
	    pl_matrix_add_header(m, "nccl", version) ||
	    pl_matrix_print_header(m, "bytes", "ping=1 transfer=%" PRIu64, o->bytes))
		return -1;
	fill(s, &m->layer[0], p10_of, all);
	fill(s, &m->layer[1], p50_of, all);
	if (s->bytes > 0 && add(s, m, "p10-time", rate_of, all))
		return -1;
	return all > 1 ? add_rails(s, m) : 0;
}

struct pl_matrix *nccl_bw_matrix(const struct nccl_bw_job *job, const struct nccl_bw_options *o,
				 const double *figure, const char *version, struct pl_err *err)
{
	const struct source s = {.job = job, .figure = figure, .bytes = (double)o->bytes};
	struct pl_matrix *m = pl_matrix_create(&job->hosts, err);

	if (m && build(&s, m, o, version)) {
		pl_err_nomem(err);
		pl_matrix_destroy(m);
		m = NULL;
	}
	return m;
}
