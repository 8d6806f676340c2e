/* SPDX-License-Identifier: BSD-3-Clause */
/* planted-jobs.c - jobs whose best order is known, in shuffled racks */
/*
 * Racks of equal hosts with 8 slots each, a job of four kinds of communicator laid over them, and
 * the hosts shuffled. The kinds of a nested job want the same order, with every rack consecutive:
 * that one is planted, and without noise no order is better. Those of a crossing job do not:
 * experts exchange their data within half a rack, and copies of the model across racks. Printed in
 * terms of the planted order: the given order, the best that an order of one kind alone does, the
 * hosts rack by rack (racks), what Scotch makes of the traffic between hosts, what was found for
 * all, and its bound; then exchanges a second, and how many of them take as long as one computation
 * of the whole cost.
 */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "bench/job-scotch.h"
#include "bench/options.h"
#include "order/job/solve.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8

static const char help[] =
	"usage: planted-jobs [OPTION]...\n"
	"Jobs whose best order is known, in racks that are shuffled: what is found, and\n"
	"how fast.\n"
	"\n"
	"  --most=N    hosts of the largest (default 1024)\n"
	"  --effort=N  times the default moves (default 1)\n"
	"  --seed=N    (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 1 a search failed, 2 usage.\n";

static const struct {
	size_t hosts, rack;
} cells[] = {{16, 4}, {32, 8}, {64, 8}, {128, 16}, {256, 32}, {256, 8}, {1024, 64}};

struct problem {
	size_t n, rack;
	double *c, *per_byte; /* [n * n] seconds */
	size_t *planted, *seat_of, *given;
	size_t *by_rack; /* as they are given, the first host's rack first */
	struct pl_job job;
	bool crossing;
};

static int make_job(struct problem *p)
{
	char text[600];
	struct pl_text input;
	struct pl_err err = {0};
	const size_t racks = p->n / p->rack;
	int len, rc;

	if (p->crossing)
		len = snprintf(text, sizeof(text),
			       "# plink-job 1\nranks %zu\nlibrary nccl\n"
			       "mesh tp=%d ep=%zu dp=%zu pp=2\n"
			       "kind tensor allreduce 16MiB calls=96 along=tp\n"
			       "kind expert allgather 4MiB calls=24 along=ep\n"
			       "kind data allreduce 256MiB along=dp\n"
			       "kind stages pipeline 8MiB along=pp microbatches=8\n",
			       SLOTS * p->n, SLOTS, p->rack / 2, racks);
	else
		len = snprintf(text, sizeof(text),
			       "# plink-job 1\nranks %zu\nlibrary nccl\n"
			       "mesh tp=%d ep=%zu pair=2 rest=%zu\n"
			       "kind tensor allreduce 16MiB calls=96 along=tp\n"
			       "kind expert allgather 4MiB calls=24 along=ep\n"
			       "kind shard reduce-scatter 256MiB along=ep,pair\n"
			       "kind data allreduce 64MiB along=ep,pair,rest\n",
			       SLOTS * p->n, SLOTS, p->rack, racks / 2);

	if (pl_text_copy(&input, "planted", text, (size_t)len, &err))
		return -1;
	rc = pl_job_parse(&p->job, &input, &err);
	if (rc)
		fprintf(stderr, "%s: %s\n", err.file, err.text);
	pl_text_fini(&input);
	return rc;
}

/* DLRover's rule: hosts of a switch stay together. */
static int sort_by_rack(struct problem *p, const size_t *place)
{
	bool *taken = pl_array_create(p->n / p->rack, sizeof(*taken));
	size_t k = 0;

	for (size_t first = 0; taken && first < p->n; first++) {
		const size_t rack = place[first] / p->rack;

		for (size_t h = first; !taken[rack] && h < p->n; h++)
			if (place[h] / p->rack == rack)
				p->by_rack[k++] = h;
		taken[rack] = true;
	}
	free(taken);
	return k == p->n ? 0 : -1;
}

/* Host h is in rack place[h] / rack. */
static int make(struct problem *p, double noise, uint64_t seed)
{
	const size_t n = p->n;
	size_t *place = pl_array_create(n, sizeof(*place));
	struct pl_rng rng;

	p->c = pl_array_create(n * n, sizeof(double));
	p->per_byte = pl_array_create(n * n, sizeof(double));
	p->planted = pl_array_create(n, sizeof(size_t));
	p->given = pl_array_create(n, sizeof(size_t));
	p->by_rack = pl_array_create(n, sizeof(size_t));
	p->seat_of = pl_array_create(n * SLOTS, sizeof(size_t));
	if (!place || !p->c || !p->per_byte || !p->planted || !p->given || !p->by_rack ||
	    !p->seat_of)
		return -1;
	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < n; i++)
		place[i] = p->given[i] = i;
	pl_rng_shuffle(&rng, place, n);
	/* of a crossing job a half of each rack for each stage */
	for (size_t h = 0; h < n; h++) {
		const size_t in = place[h] % p->rack, half = p->rack / 2;

		p->planted[p->crossing ? in / half * (n / 2) + place[h] / p->rack * half + in % half
				       : place[h]] = h;
	}
	for (size_t r = 0; r < n * SLOTS; r++)
		p->seat_of[r] = r / SLOTS;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const bool near = place[i] / p->rack == place[j] / p->rack;
			const double f = 1 + noise * (pl_rng_double(&rng) - .5);

			p->c[i * n + j] = p->c[j * n + i] = f * (near ? 20e-6 : 60e-6);
			p->per_byte[i * n + j] = p->per_byte[j * n + i] =
				f * (near ? 8 / 100e9 : 8 / 25e9);
		}
	if (sort_by_rack(p, place))
		return -1;
	free(place);
	return make_job(p);
}

static void problem_fini(struct problem *p)
{
	free(p->c);
	free(p->per_byte);
	free(p->planted);
	free(p->given);
	free(p->by_rack);
	free(p->seat_of);
	pl_job_fini(&p->job);
}

/* Full computations, then exchanges: seconds of one each. */
static void time_moves(struct pl_job_cost *c, const size_t *host_at, size_t n, double *full_s,
		       double *move_s)
{
	const size_t n_moves = 20000;
	struct pl_rng rng;
	int64_t t0 = pl_clock_ns(), t1, t2;

	pl_rng_init(&rng, 1, 1);
	for (size_t i = 0; i < 20; i++)
		pl_job_cost_set(c, host_at);
	t1 = pl_clock_ns();
	for (size_t i = 0; i < n_moves; i++)
		pl_job_cost_exchange(c, pl_rng_below(&rng, n), pl_rng_below(&rng, n));
	t2 = pl_clock_ns();
	*full_s = (double)(t1 - t0) * 1e-9 / 20;
	*move_s = (double)(t2 - t1) * 1e-9 / (double)n_moves;
}

static int run(size_t hosts, size_t rack, bool crossing, double noise, uint64_t seed,
	       uint64_t effort)
{
	struct problem p = {.n = hosts, .rack = rack, .crossing = crossing};
	struct pl_job_cost_options cost = {.only = SIZE_MAX};
	struct pl_job_search_options o = {
		.seed = seed, .moves = effort * pl_job_search_moves(hosts), .threads = 1};
	struct pl_job_search_result r;
	struct pl_job_cost *c;
	struct pl_err err = {0};
	double planted, bound, full_s, move_s, seconds, alone = 0, scotch = NAN;
	int64_t begin;
	size_t *found, *start;

	if (make(&p, noise, seed))
		return -1;
	cost.job = &p.job;
	cost.seats = (struct pl_job_seats){hosts, p.seat_of};
	cost.costs = (struct pl_costs){.n = hosts, .c = p.c, .per_byte = p.per_byte};
	c = pl_job_cost_create(&cost, &err);
	found = pl_array_create(hosts, sizeof(*found));
	start = pl_array_create(hosts, sizeof(*start));
	if (!c || !found || !start) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	planted = pl_job_cost_set(c, p.planted);
	memcpy(start, p.given, hosts * sizeof(*start));
	if (pl_job_bound(c, p.given, &bound))
		return -1;
	/* the best order of each kind alone, judged by all */
	for (size_t k = 0; k < p.job.n_kinds; k++) {
		double x;

		cost.only = k;
		memcpy(found, p.given, hosts * sizeof(*found));
		if (pl_job_search(&cost, &o, found, &r, &err))
			return -1;
		x = pl_job_cost_set(c, found);
		if (alone == 0 || x < alone) {
			alone = x;
			memcpy(start, found, hosts * sizeof(*start));
		}
	}
	cost.only = SIZE_MAX;
	found[0] = SIZE_MAX;
	if (job_scotch(&cost, rack, p.by_rack, found, &err))
		return -1;
	if (found[0] != SIZE_MAX)
		scotch = pl_job_cost_set(c, found);
	/* as pl_job_order: no dearer than these */
	memcpy(found, start, hosts * sizeof(*found));
	begin = pl_clock_ns();
	if (pl_job_search(&cost, &o, found, &r, &err))
		return -1;
	seconds = (double)(pl_clock_ns() - begin) * 1e-9;
	time_moves(c, p.given, hosts, &full_s, &move_s);
	printf("%-8s %5zu %4zu %5.2f | %6.3f %6.3f %6.3f %6.3f %7.4f %6.3f | %6.2f s %9.0f %6.0f\n",
	       crossing ? "crossing" : "nested", hosts, rack, noise,
	       pl_job_cost_set(c, p.given) / planted, alone / planted,
	       pl_job_cost_set(c, p.by_rack) / planted, scotch / planted, r.cost / planted,
	       bound / planted, seconds, 1 / move_s, full_s / move_s);
	fflush(stdout);
	free(found);
	free(start);
	pl_job_cost_destroy(c);
	problem_fini(&p);
	return 0;
}

int main(int argc, char **argv)
{
	int64_t most = 1024, effort = 1, seed = 1;
	const struct bench_option options[] = {
		{.name = "most", .whole = &most, .least = 16, .most = 1024},
		{.name = "effort", .whole = &effort, .least = 1, .most = 1000},
		{.name = "seed", .whole = &seed, .least = 0, .most = INT64_MAX},
	};
	const int status = bench_options("planted-jobs", help, options,
					 sizeof(options) / sizeof(*options), argc, argv);

	if (status >= 0)
		return status;
	puts("job      hosts rack noise |  given  alone  racks Scotch   found  bound |     time   "
	     "moves/s  full/move");
	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++)
		for (int k = 0; k < 4 && cells[i].hosts <= (size_t)most; k++)
			if (run(cells[i].hosts, cells[i].rack, k / 2, k % 2 * .1, (uint64_t)seed,
				(uint64_t)effort))
				return 1;
	return 0;
}
