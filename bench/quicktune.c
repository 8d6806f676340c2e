/* SPDX-License-Identifier: BSD-3-Clause */
/* quicktune.c - masters by rates, against the best that an integer program finds */
/*
 * Two levels; C chunks, each with a master in every group, one of which is
 * master of all. A card that is a group's master y times and master of all z
 * times, in a group of n and with G groups, sends and receives
 * C + y (n - 1) + z (G - 2) chunks, an uplink whose group has Z masters of all
 * C + Z (G - 2). Counts of the y and z that add up to C can always be dealt out
 * to the chunks, so that the program has no other variables.
 */
#include "config.h"

#include "base/mem.h"
#include "base/rng.h"
#include "bench/options.h"
#include "engine/levels.h"
#include "engine/shares.h"
#include "engine/tune/traffic.h"
#include "src/common/tool.h"

#include <glpk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TOOL "quicktune"
#define HOSTS_MAX 8

static const char help[] =
	"usage: quicktune [OPTION]...\n"
	"Random jobs of 3 to 8 hosts in 2 to 4 groups, with cards and uplinks of rates\n"
	"from 1 to 10: how many times as long as with the masters that an integer\n"
	"program (GLPK) gives to the chunks an all-reduce takes with plink's, by the\n"
	"thesis' rule, and with as many for each rank. Then how long a change of masters\n"
	"takes in large jobs, from what all ranks have sent to all others: rates, shares,\n"
	"masters and their time, together; then the slices of all ranks.\n"
	"\n"
	"  --jobs=N      random jobs (default 100)\n"
	"  --chunks=N    of a job (default 48)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct job {
	size_t n, n_groups;
	uint32_t parent[2 * HOSTS_MAX];
	double rate[2 * HOSTS_MAX]; /* of cards, then of uplinks */
	size_t n_in[HOSTS_MAX];     /* by group */
};

static void draw(struct job *job, struct pl_rng *rng)
{
	*job = (struct job){.n = 3 + pl_rng_below(rng, HOSTS_MAX - 2)};
	job->n_groups = 2 + pl_rng_below(rng, job->n < 4 ? job->n - 1 : 3);
	for (size_t i = 0; i < job->n; i++) {
		const size_t g = i < job->n_groups ? i : pl_rng_below(rng, job->n_groups);

		job->parent[i] = (uint32_t)(job->n + g);
		job->rate[i] = 1 + 9 * pl_rng_double(rng);
		job->n_in[g]++;
	}
	for (size_t g = 0; g < job->n_groups; g++) {
		job->parent[job->n + g] = (uint32_t)(job->n + job->n_groups);
		job->rate[job->n + g] = 1 + 9 * pl_rng_double(rng);
	}
}

/* Whose masters. */
enum way { PLINK, THESIS, EVEN, N_WAYS };

static const char *const names[N_WAYS] = {[PLINK] = "by rates, plink's",
					  [THESIS] = "by Quicktune's rule",
					  [EVEN] = "as many for each rank"};

/* from[n * n]: from rank to rank, as fast as the slowest card or uplink on the way; sum[n]: of each
 * rank to all others. */
static void pair_rates(const struct job *job, double *from, double *sum)
{
	const double *rate = job->rate;

	for (size_t i = 0; i < job->n; i++) {
		sum[i] = 0;
		for (size_t k = 0; k < job->n; k++) {
			double least = fmin(rate[i], rate[k]);

			if (job->parent[i] != job->parent[k])
				least = fmin(least,
					     fmin(rate[job->parent[i]], rate[job->parent[k]]));
			from[i * job->n + k] = least;
			sum[i] += i == k ? 0 : least;
		}
	}
}

/* Seconds of a buffer of one byte by such masters; -1: failed. */
static double seconds_of(const struct job *job, size_t chunks, enum way way)
{
	double share[2 * HOSTS_MAX + 1];
	double from[HOSTS_MAX * HOSTS_MAX], sum[HOSTS_MAX];
	struct pl_rank_tree t = {.n_ranks = job->n,
				 .n_nodes = job->n + job->n_groups + 1,
				 .parent = job->parent,
				 .slices_max = chunks};
	struct pl_slices slices = {0};
	double seconds = -1;

	if (way == PLINK && pl_uplink_shares(&t, job->rate, share))
		return -1;
	pair_rates(job, from, sum);
	if (way == THESIS)
		pl_bandwidth_shares(&t, from, share);
	if (way != EVEN) {
		t.share = share;
		t.rate = way == PLINK ? job->rate : sum;
	}
	if (pl_levels_slices(&slices, &t, NULL) == 0)
		seconds = pl_slices_seconds(&slices, &t, job->rate);
	pl_slices_fini(&slices);
	return seconds;
}

/* The program's columns: seconds, then y and z of each host, from 1 on. */
#define SECONDS 1
#define Y(i) (2 + 2 * (int)(i))
#define Z(i) (3 + 2 * (int)(i))

/* row: coefficient of each column that is in it */
struct row {
	int at[2 * HOSTS_MAX + 2];
	double v[2 * HOSTS_MAX + 2];
	int n;
};

static void put(struct row *row, int column, double value)
{
	row->n++;
	row->at[row->n] = column;
	row->v[row->n] = value;
}

static void add_row(glp_prob *p, const struct row *row, int type, double bound)
{
	const int i = glp_add_rows(p, 1);

	glp_set_row_bnds(p, i, type, bound, bound);
	glp_set_mat_row(p, i, row->n, row->at, row->v);
}

/* Cards and uplinks have at least the time that they need. */
static void add_times(glp_prob *p, const struct job *job, double chunks)
{
	const double more = (double)job->n_groups - 2;

	for (size_t i = 0; i < job->n; i++) {
		const size_t g = job->parent[i] - job->n;
		struct row row = {.n = 0};

		put(&row, SECONDS, chunks * job->rate[i]);
		put(&row, Y(i), -((double)job->n_in[g] - 1));
		put(&row, Z(i), -more);
		add_row(p, &row, GLP_LO, chunks);
	}
	for (size_t g = 0; g < job->n_groups; g++) {
		struct row row = {.n = 0};

		put(&row, SECONDS, chunks * job->rate[job->n + g]);
		for (size_t i = 0; i < job->n; i++)
			if (job->parent[i] == job->n + g)
				put(&row, Z(i), -more);
		add_row(p, &row, GLP_LO, chunks);
	}
}

static void add_counts(glp_prob *p, const struct job *job, double chunks)
{
	struct row all = {.n = 0};

	for (size_t g = 0; g < job->n_groups; g++) {
		struct row row = {.n = 0};

		for (size_t i = 0; i < job->n; i++)
			if (job->parent[i] == job->n + g)
				put(&row, Y(i), 1);
		add_row(p, &row, GLP_FX, chunks);
	}
	for (size_t i = 0; i < job->n; i++) {
		struct row row = {.n = 0};

		put(&row, Y(i), 1);
		put(&row, Z(i), -1);
		add_row(p, &row, GLP_LO, 0);
		put(&all, Z(i), 1);
	}
	add_row(p, &all, GLP_FX, chunks);
}

/* The least seconds of any counts; -1: GLPK has failed. */
static double least_seconds(const struct job *job, size_t chunks)
{
	glp_prob *p = glp_create_prob();
	glp_iocp how;
	double seconds = -1;

	glp_set_obj_dir(p, GLP_MIN);
	glp_add_cols(p, 1 + 2 * (int)job->n);
	glp_set_obj_coef(p, SECONDS, 1);
	glp_set_col_bnds(p, SECONDS, GLP_LO, 0, 0);
	for (int c = SECONDS + 1; c <= 1 + 2 * (int)job->n; c++) {
		glp_set_col_kind(p, c, GLP_IV);
		glp_set_col_bnds(p, c, GLP_DB, 0, (double)chunks);
	}
	add_times(p, job, (double)chunks);
	add_counts(p, job, (double)chunks);
	glp_init_iocp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.presolve = GLP_ON;
	how.mip_gap = 1e-3;
	how.tm_lim = 10000;
	if (glp_intopt(p, &how) == 0 && glp_mip_status(p) == GLP_OPT)
		seconds = glp_mip_obj_val(p);
	glp_delete_prob(p);
	return seconds;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_row(const char *name, double *factor, size_t n)
{
	double sum = 0;

	qsort(factor, n, sizeof(*factor), by_value);
	for (size_t i = 0; i < n; i++)
		sum += factor[i];
	printf("%-24s %8.3f %8.3f %8.3f %8.3f %8.3f\n", name, factor[0], factor[n / 2],
	       sum / (double)n, factor[n * 95 / 100], factor[n - 1]);
}

static int compare(size_t n_jobs, size_t chunks, struct pl_rng *rng)
{
	double *factor = pl_array_create(N_WAYS * n_jobs, sizeof(*factor));
	size_t n = 0;

	if (!factor)
		return -1;
	for (size_t k = 0; k < n_jobs; k++) {
		struct job job;
		double least;

		draw(&job, rng);
		least = least_seconds(&job, chunks);
		for (int w = 0; least > 0 && w < N_WAYS; w++)
			factor[(size_t)w * n_jobs + n] =
				seconds_of(&job, chunks, (enum way)w) / least;
		n += least > 0;
	}
	printf("%zu jobs, %zu chunks: times the seconds of the best masters\n", n, chunks);
	printf("%-24s %8s %8s %8s %8s %8s\n", "masters", "least", "median", "mean", "95 of 100",
	       "most");
	for (size_t w = 0; n > 0 && w < N_WAYS; w++)
		print_row(names[w], factor + w * n_jobs, n);
	if (n < n_jobs)
		printf("%zu jobs without an optimum in 10 s\n", n_jobs - n);
	free(factor);
	return 0;
}

/* The steps of a change of masters. */
enum step { RATES, SHARES, MASTERS, SLICES, N_STEPS };

/* A large job, and what its ranks have sent. */
struct large {
	struct pl_rank_tree t;
	struct pl_traffic traffic;
	uint32_t *parent;
	double *share, *rate;
	double *bytes, *busy_s;
};

static void large_fini(struct large *l)
{
	free(l->parent);
	free(l->share);
	free(l->rate);
	free(l->bytes);
	free(l->busy_s);
}

static int large_init(struct large *l, size_t n, size_t n_groups, struct pl_rng *rng)
{
	const size_t n_nodes = n + n_groups + 1;

	*l = (struct large){.parent = pl_array_create(n_nodes, sizeof(*l->parent)),
			    .share = pl_array_create(n_nodes, sizeof(*l->share)),
			    .rate = pl_array_create(n_nodes, sizeof(*l->rate)),
			    .bytes = pl_array_create(n * n, sizeof(*l->bytes)),
			    .busy_s = pl_array_create(n * n, sizeof(*l->busy_s))};
	if (!l->parent || !l->share || !l->rate || !l->bytes || !l->busy_s)
		return -1;
	for (size_t v = 0; v + 1 < n_nodes; v++)
		l->parent[v] = (uint32_t)(v < n ? n + v * n_groups / n : n_nodes - 1);
	for (size_t i = 0; i < n * n; i++)
		if (i % (n + 1) != 0) {
			l->bytes[i] = 1 + 9 * pl_rng_double(rng);
			l->busy_s[i] = 1 + 9 * pl_rng_double(rng);
		}
	l->t = (struct pl_rank_tree){.n_ranks = n,
				     .n_nodes = n_nodes,
				     .parent = l->parent,
				     .share = l->share,
				     .rate = l->rate};
	l->traffic = (struct pl_traffic){n, l->bytes, l->busy_s};
	return 0;
}

/* Milliseconds of processor time since @since, which becomes the present. */
static double lap(struct timespec *since)
{
	const struct timespec before = *since;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, since);
	return 1e3 * (double)(since->tv_sec - before.tv_sec) +
	       1e-6 * (double)(since->tv_nsec - before.tv_nsec);
}

static int change_masters(struct large *l, struct pl_slices *slices, double ms[N_STEPS])
{
	struct pl_level_masters m = {0};
	struct timespec since;
	int rc;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &since);
	if (pl_traffic_uplinks(&l->traffic, &l->t, l->rate))
		return -1;
	ms[RATES] = lap(&since);
	if (pl_uplink_shares(&l->t, l->rate, l->share))
		return -1;
	ms[SHARES] = lap(&since);
	if (pl_level_masters_init(&m, &l->t, NULL))
		return -1;
	rc = pl_level_masters_seconds(&m, &l->t, l->rate) < 0 ? -1 : 0;
	ms[MASTERS] = lap(&since);
	pl_level_masters_fini(&m);
	if (rc == 0)
		rc = pl_levels_slices(slices, &l->t, NULL);
	ms[SLICES] = lap(&since);
	return rc;
}

static int time_large(size_t n, size_t n_groups, size_t slices_max, struct pl_rng *rng)
{
	struct pl_slices slices = {0};
	double ms[N_STEPS];
	struct large l;
	int rc = large_init(&l, n, n_groups, rng);

	l.t.slices_max = slices_max;
	if (rc == 0)
		rc = change_masters(&l, &slices, ms);
	if (rc == 0)
		printf("%6zu %6zu %7zu %8.2f %8.2f %8.2f %8.2f %8.2f\n", n, n_groups, slices.n,
		       ms[RATES], ms[SHARES], ms[MASTERS], ms[RATES] + ms[SHARES] + ms[MASTERS],
		       ms[SLICES]);
	pl_slices_fini(&slices);
	large_fini(&l);
	return rc;
}

int main(int argc, char **argv)
{
	int64_t n_jobs = 100, chunks = 48, seed = 1;
	const struct bench_option options[] = {
		{.name = "jobs", .whole = &n_jobs, .least = 1, .most = 100000},
		{.name = "chunks", .whole = &chunks, .least = 1, .most = 4096},
		{.name = "seed", .whole = &seed, .least = 0, .most = INT64_MAX},
	};
	const int status = bench_options(TOOL, help, options, 3, argc, argv);
	struct pl_rng rng;

	if (status >= 0)
		return status;
	pl_rng_init(&rng, (uint64_t)seed, 0);
	if (compare((size_t)n_jobs, (size_t)chunks, &rng))
		return PL_EXIT_SYSTEM;
	printf("\n%6s %6s %7s %8s %8s %8s %8s %8s   ms\n", "hosts", "groups", "slices", "rates",
	       "shares", "masters", "together", "slices");
	if (time_large(128, 8, 128, &rng) || time_large(1024, 32, 64, &rng) ||
	    time_large(1024, 32, 4096, &rng) || time_large(1024, 1024, 4096, &rng))
		return PL_EXIT_SYSTEM;
	printf("seed %lld\n", (long long)seed);
	return PL_EXIT_DONE;
}
