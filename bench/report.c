/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - what a page of a report costs and weighs, beside the matrix it shows */
#include "config.h"

#include "bench/options.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "report/report.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOOL "report"
#define REPEATS_MAX 99
#define HOSTS_MAX 4096
#define RACK_HOSTS 16 /* in a rack */

static const char help[] =
	"usage: report [--hosts=N] [--repeats=N] [--seed=N]\n"
	"Gathers and writes the page of a ring over N hosts, in racks of 16 that are given\n"
	"mixed, and beside it, in turns, writes and reads the matrix as text. Prints\n"
	"seconds of the processor (medians), bytes, and the ratios of both. All is in\n"
	"memory.\n"
	"\n"
	"  --hosts=N     2 to 4096 (default: 8, 64, 256, 512 and 1024)\n"
	"  --repeats=N   1 to 99 (default 5)\n"
	"  --seed=N      of the matrix (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	int64_t hosts, repeats, seed;
};

/* Hosts in racks, by chance; rack by rack is the order found. */
struct job {
	struct pl_matrix *m;
	size_t n, *cell_of, *rack, *host_at;
};

static void job_fini(struct job *job)
{
	pl_matrix_destroy(job->m);
	free(job->cell_of);
	free(job->rack);
	free(job->host_at);
}

static struct pl_matrix *matrix_of(size_t n, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;
	char name[32];
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		snprintf(name, sizeof(name), "h%zu", i);
		rc = pl_hosts_add(&hosts, &(struct pl_host){.name = name, .slots = 1});
	}
	if (rc)
		pl_err_nomem(err);
	else
		m = pl_matrix_create(&hosts, err);
	pl_hosts_fini(&hosts);
	return m;
}

static int job_init(struct job *job, size_t n, uint64_t seed, struct pl_err *err)
{
	const size_t n_racks = (n + RACK_HOSTS - 1) / RACK_HOSTS;
	struct pl_rng rng;
	size_t pos = 0;

	*job = (struct job){
		.m = matrix_of(n, err),
		.n = n,
		.cell_of = pl_array_create(n, sizeof(*job->cell_of)),
		.rack = pl_array_create(n, sizeof(*job->rack)),
		.host_at = pl_array_create(n, sizeof(*job->host_at)),
	};
	if (!job->m || !job->cell_of || !job->rack || !job->host_at)
		return pl_err_nomem(err);
	pl_rng_init(&rng, seed, n);
	for (size_t i = 0; i < n; i++) {
		job->cell_of[i] = i;
		job->rack[i] = pl_rng_below(&rng, (uint32_t)n_racks);
	}
	for (size_t a = 0; a < n_racks; a++)
		for (size_t i = 0; i < n; i++)
			if (job->rack[i] == a)
				job->host_at[pos++] = i;
	for (size_t i = 0; i < n * n; i++) {
		const bool near = job->rack[i / n] == job->rack[i % n];
		const double ns = near ? 1e5 : 1e6;

		job->m->layer[0].cell[i] =
			i % (n + 1) == 0 ? 0 : floor(ns * (1 + 0.2 * pl_rng_double(&rng)));
	}
	return 0;
}

/* The page as plink-report writes it; *bytes of it. */
static int write_page(const struct job *job, size_t *bytes, struct pl_err *err)
{
	const struct pl_report_source from = {.matrix = job->m,
					      .hosts = &job->m->hosts,
					      .cell_of = job->cell_of,
					      .c = job->m->layer[0].cell,
					      .tool = TOOL};
	struct pl_shape ring = {.kind = PL_SUM, .n_pos = job->n};
	const struct pl_report_call call = {.title = "allreduce ring (thesis)", .shape = &ring};
	struct pl_report r;
	char *page = NULL;
	FILE *f;
	int rc;

	if (pl_report_init(&r, &from, err))
		return -1;
	f = open_memstream(&page, bytes);
	if (!f)
		rc = pl_err_nomem(err);
	else
		rc = pl_shape_add_ring(&ring, job->n, 1, (struct pl_hop){.times = 1}, err);
	if (rc == 0 && !pl_report_add_order(&r, &call, job->host_at, job->n, err))
		rc = -1;
	if (rc == 0)
		rc = pl_report_write_html(&r, f, err);
	if (f && fclose(f) && rc == 0)
		rc = pl_err_nomem(err);
	free(page);
	pl_shape_fini(&ring);
	pl_report_fini(&r);
	return rc;
}

/* The matrix to text and back; *bytes of it. */
static int copy_matrix(const struct job *job, size_t *bytes, struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_NS};
	struct pl_text text = {0};
	struct pl_matrix *back = NULL;
	char *s = NULL;
	FILE *f = open_memstream(&s, bytes);
	int rc;

	if (!f)
		return pl_err_nomem(err);
	rc = pl_matrix_write(job->m, f, err);
	if (fclose(f) && rc == 0)
		rc = pl_err_nomem(err);
	if (rc == 0)
		rc = pl_text_copy(&text, "matrix", s, *bytes, err);
	if (rc == 0) {
		back = pl_matrix_parse(&text, &options, err);
		rc = back ? 0 : -1;
		pl_text_fini(&text);
	}
	pl_matrix_destroy(back);
	free(s);
	return rc;
}

typedef int step(const struct job *job, size_t *bytes, struct pl_err *err);

static int timed(step *run, const struct job *job, double *seconds, size_t *bytes,
		 struct pl_err *err)
{
	const clock_t start = clock();

	if (run(job, bytes, err))
		return -1;
	*seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	return 0;
}

static int row(size_t n, const struct args *args, struct pl_err *err)
{
	const size_t repeats = (size_t)args->repeats;
	double page[REPEATS_MAX], matrix[REPEATS_MAX];
	size_t page_bytes = 0, matrix_bytes = 1;
	double a, b;
	struct job job;
	int rc = job_init(&job, n, (uint64_t)args->seed, err);

	for (size_t i = 0; rc == 0 && i < repeats; i++)
		if (timed(write_page, &job, &page[i], &page_bytes, err) ||
		    timed(copy_matrix, &job, &matrix[i], &matrix_bytes, err))
			rc = -1;
	job_fini(&job);
	if (rc)
		return -1;
	a = pl_median(page, repeats);
	b = pl_median(matrix, repeats);
	printf("%5zu %9.4f %9.4f %7.2f %10zu %10zu %7.2f\n", n, a, b, b > 0 ? a / b : 0, page_bytes,
	       matrix_bytes, (double)page_bytes / (double)matrix_bytes);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {8, 64, 256, 512, 1024};
	struct args args = {.repeats = 5, .seed = 1};
	const struct bench_option options[] = {
		{"hosts", .whole = &args.hosts, .least = 2, .most = HOSTS_MAX},
		{"repeats", .whole = &args.repeats, .least = 1, .most = REPEATS_MAX},
		{"seed", .whole = &args.seed, .least = 0, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};
	int rc = 0;

	if (status >= 0)
		return status;
	printf("%5s %9s %9s %7s %10s %10s %7s\n", "hosts", "page s", "matrix s", "ratio", "page B",
	       "matrix B", "ratio");
	if (args.hosts)
		rc = row((size_t)args.hosts, &args, &err);
	for (size_t i = 0; !args.hosts && rc == 0 && i < sizeof(sizes) / sizeof(*sizes); i++)
		rc = row(sizes[i], &args, &err);
	return rc ? pl_tool_fail(TOOL, &err) : PL_EXIT_DONE;
}
