/* SPDX-License-Identifier: BSD-3-Clause */
/* embed.c - what an embedding makes of noisy distances: PAIA, racks, seconds */
#include "config.h"

#include "bench/noisy.h"
#include "bench/options.h"
#include "base/mem.h"
#include "src/common/tool.h"
#include "topology/affinity.h"
#include "topology/embed.h"
#include "topology/racks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOOL "embed"

static const char help[] =
	"usage: embed [OPTION]...\n"
	"Hosts in racks in rows, measured with noise of several kinds: the share of\n"
	"triplets told right (PAIA, in per cent) as measured and by embeddings: as the\n"
	"thesis has them, with alpha 1 and 2, without and with heights, in 3\n"
	"dimensions; by plink's defaults, and with alpha 2; half measured, half by\n"
	"the defaults. How many of the matrices had all racks found without a mistake.\n"
	"Seconds of the processor for an embedding by the defaults, and for racks.\n"
	"\n"
	"  --seeds=N     matrices of each kind (default 10)\n"
	"  --hosts=N     leave out kinds of more hosts (default 1000)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

#define LITTLE                                                                                     \
	{                                                                                          \
		100, 130, 180                                                                      \
	}
#define SOME                                                                                       \
	{                                                                                          \
		100, 200, 400                                                                      \
	}

static const struct noisy_kind kinds[] = {
	{"2 tiers, testbed", 32, 8, 1, {500, 5000, 5000}, 0.2, 0, 0, true},
	{"2 tiers, 4 racks", 64, 16, 1, {100, 200, 200}, 0.2, 0, 0, true},
	{"2 tiers, 16 racks", 64, 4, 1, {100, 300, 300}, 0.3, 0, 0, true},
	{"2 tiers, outliers", 64, 8, 1, {100, 200, 200}, 0.1, 0.1, 0, true},
	{"3 tiers, 0.1", 64, 4, 4, LITTLE, 0.1, 0, 0, true},
	{"3 tiers, 0.2", 64, 4, 4, LITTLE, 0.2, 0, 0, true},
	{"3 tiers, 0.3", 64, 4, 4, LITTLE, 0.3, 0, 0, true},
	{"3 tiers, 0.3 even", 64, 4, 4, LITTLE, 0.3, 0, 0, false},
	{"3 tiers, outliers", 64, 4, 4, LITTLE, 0.1, 0.1, 0, true},
	{"3 tiers, own share", 64, 4, 4, LITTLE, 0.1, 0, 50, true},
	{"3 tiers, far, 0.3", 64, 4, 4, SOME, 0.3, 0, 0, true},
	{"3 tiers, racks of 2", 64, 2, 8, LITTLE, 0.2, 0, 0, true},
	{"3 tiers, 256", 256, 8, 4, LITTLE, 0.3, 0, 0, true},
	{"2 tiers, 64 racks", 256, 4, 1, {100, 300, 300}, 0.4, 0, 0, true},
	{"3 tiers, 1000", 1000, 20, 5, LITTLE, 0.3, 0, 0, true},
};

enum { RAW, A1, A2, A1H, A2H, OURS, OURS_A2, HALF, COLUMNS };

static const char *const columns[COLUMNS] = {"raw",  "a1",    "a2",    "a1 h",
					     "a2 h", "plink", "p. a2", "half"};

struct row {
	double score[COLUMNS];
	double embed_seconds, racks_seconds;
	size_t n_right;
};

/* One matrix. */
struct field {
	size_t n;
	double *cell, *other;
	unsigned char *apart, *column;
	size_t *rack, *found;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int score(const struct field *f, const double *cell, double *sum, struct pl_err *err)
{
	struct pl_affinity a = {0};

	for (size_t c = 0; c < f->n; c++) {
		for (size_t i = 0; i < f->n; i++)
			f->column[i] = f->apart[i * f->n + c];
		if (pl_affinity_add(&a, cell, f->n, c, f->column, err))
			return -1;
	}
	*sum += 100 * pl_affinity_score(&a);
	return 0;
}

/* An embedding's distances to f->other. */
static int embed(struct field *f, const struct pl_embed_options *o, enum pl_pair_weight weight,
		 struct pl_err *err)
{
	struct pl_embedding e = {0};
	size_t n_pairs = 0;
	struct pl_measured_pair *pair = pl_pairs_of(f->cell, f->n, weight, &n_pairs);
	int rc;

	if (!pair)
		return pl_err_nomem(err);
	rc = pl_embed(&e, f->n, pair, n_pairs, o, err);
	for (size_t p = 0; rc == 0 && p < f->n * f->n; p++)
		f->other[p] = pl_embedding_distance(&e, p / f->n, p % f->n);
	pl_embedding_fini(&e);
	free(pair);
	return rc;
}

static int try_thesis(struct field *f, struct row *r, struct pl_err *err)
{
	for (int column = A1; column <= A2H; column++) {
		struct pl_embed_options o = PL_EMBED_DEFAULTS;

		o.alpha = column == A1 || column == A1H ? 1 : 2;
		o.heights = column >= A1H;
		o.dimensions = 3;
		o.bend = 0;
		o.reweigh = false;
		o.starts = 2;
		if (embed(f, &o, PL_WEIGHT_EQUAL, err) ||
		    score(f, f->other, &r->score[column], err))
			return -1;
	}
	return 0;
}

static int try_ours(struct field *f, struct row *r, struct pl_err *err)
{
	struct pl_embed_options o = PL_EMBED_DEFAULTS;
	double then;

	o.alpha = 2;
	if (embed(f, &o, PL_WEIGHT_RELATIVE, err) || score(f, f->other, &r->score[OURS_A2], err))
		return -1;
	o.alpha = 1;
	then = seconds();
	if (embed(f, &o, PL_WEIGHT_RELATIVE, err))
		return -1;
	r->embed_seconds += seconds() - then;
	if (score(f, f->other, &r->score[OURS], err))
		return -1;
	for (size_t p = 0; p < f->n * f->n; p++)
		f->other[p] = (f->other[p] + f->cell[p]) / 2;
	return score(f, f->other, &r->score[HALF], err);
}

static bool same_groups(const struct field *f)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t j = 0; j < i; j++)
			if ((f->rack[i] == f->rack[j]) != (f->found[i] == f->found[j]))
				return false;
	return true;
}

static int try_racks(struct field *f, struct row *r, struct pl_err *err)
{
	const double then = seconds();
	size_t n_racks;

	if (pl_racks(f->cell, f->n, f->found, &n_racks, err))
		return -1;
	r->racks_seconds += seconds() - then;
	r->n_right += same_groups(f);
	return 0;
}

static int try_all(const struct noisy_kind *kind, size_t n_seeds, struct field *f, struct row *r,
		   struct pl_err *err)
{
	for (size_t seed = 1; seed <= n_seeds; seed++) {
		if (noisy_fill(kind, seed, f->cell, NULL, f->apart, f->rack))
			return pl_err_nomem(err);
		for (size_t i = 0; i < f->n; i++)
			f->cell[i * f->n + i] = 0;
		if (score(f, f->cell, &r->score[RAW], err) || try_thesis(f, r, err) ||
		    try_ours(f, r, err) || try_racks(f, r, err))
			return -1;
	}
	return 0;
}

static void print_row(const struct noisy_kind *kind, size_t n_seeds, const struct row *r)
{
	printf("%-20s %5zu", kind->name, kind->n);
	for (int column = 0; column < COLUMNS; column++)
		printf(" %6.2f", r->score[column] / (double)n_seeds);
	printf(" %4zu/%zu %7.2f %7.2f\n", r->n_right, n_seeds, r->embed_seconds / (double)n_seeds,
	       r->racks_seconds / (double)n_seeds);
	fflush(stdout);
}

static int measure(const struct noisy_kind *kind, size_t n_seeds, struct pl_err *err)
{
	const size_t n = kind->n;
	struct field f = {.n = n};
	struct row r = {{0}, 0, 0, 0};
	int rc = -1;

	f.cell = pl_array_create(n, n * sizeof(*f.cell));
	f.other = pl_array_create(n, n * sizeof(*f.other));
	f.apart = pl_array_create(n, n);
	f.column = pl_array_create(n, 1);
	f.rack = pl_array_create(n, sizeof(*f.rack));
	f.found = pl_array_create(n, sizeof(*f.found));
	if (f.cell && f.other && f.apart && f.column && f.rack && f.found)
		rc = try_all(kind, n_seeds, &f, &r, err);
	else
		pl_err_nomem(err);
	if (rc == 0)
		print_row(kind, n_seeds, &r);
	free(f.cell);
	free(f.other);
	free(f.apart);
	free(f.column);
	free(f.rack);
	free(f.found);
	return rc;
}

int main(int argc, char **argv)
{
	int64_t seeds = 10, hosts = 1000;
	const struct bench_option options[] = {
		{"seeds", .whole = &seeds, .least = 1, .most = 1000},
		{"hosts", .whole = &hosts, .least = 1, .most = 100000},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	printf("%-20s %5s", "network, noise", "hosts");
	for (int column = 0; column < COLUMNS; column++)
		printf(" %6s", columns[column]);
	printf(" %7s %7s %7s\n", "racks", "embed s", "racks s");
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		if (kinds[k].n <= (size_t)hosts && measure(&kinds[k], (size_t)seeds, &err))
			return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
