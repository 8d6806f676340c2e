/* SPDX-License-Identifier: BSD-3-Clause */
/* qap.c - quadratic assignment problems as jobs that only send: how near the
 * best known value the search comes */
/*
 * Reads files of QAPLIB's form, with the optimum (or minus a bound) and the
 * best known value in the first line: n, these two, then two matrices. The
 * first is taken for the costs between hosts, the second for the messages
 * between ranks. Printed: the best known value, how far above it the middle of
 * three seeds is, and how far one descent from the same start is.
 */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "order/job/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 3

struct problem {
	size_t n;
	double best; /* known */
	double *c;   /* [n * n] */
	size_t *seat_of;
	struct pl_job job;
};

static bool next_number(struct pl_text *text, struct pl_line *line, double *x)
{
	struct pl_word word;

	while (!pl_line_next(line, &word))
		if (!pl_text_next(text, line))
			return false;
	return pl_double_parse(word.s, word.len, x) == 0;
}

static int read_traffic(struct problem *p, struct pl_text *text,
			struct pl_line *line)
{
	const struct pl_job_kind like = {.name = (char *)"traffic",
					 .form = PL_JOB_TRAFFIC,
					 .calls = 1,
					 .exposed = 1,
					 .microbatches = 1};
	struct pl_job_kind *kind = pl_job_add(&p->job, &like);
	double x;

	p->job.n_ranks = p->n;
	for (size_t i = 0; kind && i < p->n * p->n; i++) {
		if (!next_number(text, line, &x))
			return -1;
		if (x > 0 && i / p->n != i % p->n &&
		    pl_job_add_send(kind, (struct pl_job_send){
						  .src = (uint32_t)(i / p->n),
						  .dst = (uint32_t)(i % p->n),
						  .messages = (uint64_t)x}))
			return -1;
	}
	return kind ? 0 : -1;
}

static int read_problem(struct problem *p, const char *path)
{
	struct pl_text text;
	struct pl_line line = {0};
	struct pl_err err = {0};
	double n, optimum;
	int rc = -1;

	if (pl_text_load(&text, path, (size_t)1 << 26, &err)) {
		fprintf(stderr, "qap: %s\n", err.text);
		return -1;
	}
	if (pl_text_next(&text, &line) && next_number(&text, &line, &n) &&
	    next_number(&text, &line, &optimum) &&
	    next_number(&text, &line, &p->best) && n >= 2 && n <= 256) {
		p->n = (size_t)n;
		p->c = pl_array_create(p->n * p->n, sizeof(*p->c));
		p->seat_of = pl_array_create(p->n, sizeof(*p->seat_of));
		rc = p->c && p->seat_of ? 0 : -1;
	}
	for (size_t i = 0; rc == 0 && i < p->n * p->n; i++)
		rc = next_number(&text, &line, &p->c[i]) ? 0 : -1;
	if (rc == 0)
		rc = read_traffic(p, &text, &line);
	for (size_t i = 0; rc == 0 && i < p->n; i++)
		p->seat_of[i] = i;
	pl_text_fini(&text);
	if (rc)
		fprintf(stderr, "qap: %s: not a problem of this form\n", path);
	return rc;
}

/* The sum of a search, in the file's terms. */
static double search(const struct problem *p, uint64_t seed, double seconds)
{
	const struct pl_job_cost_options cost = {
		.job = &p->job,
		.seats = {p->n, p->seat_of},
		.costs = {.n = p->n, .c = p->c},
		.only = SIZE_MAX};
	const struct pl_stop stop = {.deadline_ns = pl_clock_ns() +
						    (int64_t)(seconds * 1e9)};
	const struct pl_job_search_options o = {.seed = seed,
						.moves = (uint64_t)1 << 60,
						.threads = 1,
						.stop = &stop};
	size_t *host_at = pl_array_create(p->n, sizeof(*host_at));
	struct pl_job_search_result r = {0};
	struct pl_rng rng;
	struct pl_err err = {0};

	if (!host_at)
		return -1;
	pl_rng_init(&rng, seed, 99);
	for (size_t i = 0; i < p->n; i++)
		host_at[i] = i;
	pl_rng_shuffle(&rng, host_at, p->n);
	if (pl_job_search(&cost, &o, host_at, &r, &err))
		fprintf(stderr, "qap: %s\n", err.text);
	free(host_at);
	return r.cost * (double)p->n;
}

/* Exchanges that make a random order cheaper, until there is none. */
static double descend(const struct problem *p, uint64_t seed)
{
	const struct pl_job_cost_options cost = {
		.job = &p->job,
		.seats = {p->n, p->seat_of},
		.costs = {.n = p->n, .c = p->c},
		.only = SIZE_MAX};
	struct pl_err err = {0};
	struct pl_job_cost *c = pl_job_cost_create(&cost, &err);
	size_t *host_at = pl_array_create(p->n, sizeof(*host_at));
	struct pl_rng rng;
	bool better = true;
	double now;

	if (!c || !host_at)
		return -1;
	pl_rng_init(&rng, seed, 99);
	for (size_t i = 0; i < p->n; i++)
		host_at[i] = i;
	pl_rng_shuffle(&rng, host_at, p->n);
	now = pl_job_cost_set(c, host_at);
	while (better) {
		better = false;
		for (size_t a = 0; a < p->n; a++)
			for (size_t b = 0; b < a; b++)
				if (pl_job_cost_exchange(c, a, b) <
				    now * (1 - 1e-12)) {
					now = pl_job_cost_now(c);
					better = true;
				} else {
					pl_job_cost_exchange(c, a, b);
				}
	}
	pl_job_cost_destroy(c);
	free(host_at);
	return now * (double)p->n;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static int run(const char *path, double seconds)
{
	struct problem p = {0};
	double found[SEEDS], plain[SEEDS];
	const char *slash = strrchr(path, '/');
	int rc = read_problem(&p, path);

	for (uint64_t s = 0; rc == 0 && s < SEEDS; s++) {
		found[s] = search(&p, s + 1, seconds);
		plain[s] = descend(&p, s + 1);
	}
	if (rc == 0) {
		qsort(found, SEEDS, sizeof(*found), by_size);
		qsort(plain, SEEDS, sizeof(*plain), by_size);
		printf("%-14s %4zu %12.0f %8.3f %% %8.2f %%\n",
		       slash ? slash + 1 : path, p.n, p.best,
		       100 * (found[SEEDS / 2] / p.best - 1),
		       100 * (plain[SEEDS / 2] / p.best - 1));
		fflush(stdout);
	}
	free(p.c);
	free(p.seat_of);
	pl_job_fini(&p.job);
	return rc;
}

int main(int argc, char **argv)
{
	double seconds = 5;
	int first = 1, rc = 0;

	if (argc > 1 && strncmp(argv[1], "--seconds=", 10) == 0) {
		seconds = atof(argv[1] + 10);
		first = 2;
	}
	if (first >= argc || strcmp(argv[first], "--help") == 0) {
		puts("usage: qap [--seconds=S] FILE...\n"
		     "Problems of QAPLIB's form: how far above the best known "
		     "value the middle of\n"
		     "three searches of S seconds (5) is, and one descent.");
		return first >= argc ? 2 : 0;
	}
	printf("%-14s %4s %12s %10s %10s\n", "problem", "n", "best known",
	       "found", "descent");
	for (int i = first; i < argc; i++)
		rc |= run(argv[i], seconds);
	return rc ? 1 : 0;
}
