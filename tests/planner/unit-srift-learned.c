/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-learned.c - learned bandwidths against a truth that is known */
#include "config.h"

#include "bench/made-grid.h"
#include "planner/folds.h"
#include "planner/srift/learned/learned.h"
#include "planner/srift/learned/parts.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static const struct made_grid made = {
	.seed = 1,
	.noise = 0.1,
	.n_machines = 4,
	.n_repeats = 3,
	.bytes_max = 512 << 20,
	.ranks_max = 64,
	.async_max = 2,
};

static const struct pl_boost_search small_search = {
	.depth = {{4, 6}, 2},
	.rate = {{0.2}, 1},
	.min_weight = {{5}, 1},
	.slope = {{1}, 1},
	.n_trees = 80,
	.every = 40,
	.n_folds = 3,
};

static void make(const struct made_grid *m, struct pl_grid *g)
{
	char *s = NULL;
	size_t len = 0;
	struct pl_text text;
	FILE *f = open_memstream(&s, &len);

	*g = (struct pl_grid){0};
	made_grid_write(m, f);
	fclose(f);
	if (pl_text_copy(&text, "made", s, len, NULL) == 0) {
		pl_grid_parse(g, &text, NULL);
		pl_text_fini(&text);
	}
	free(s);
}

/* A model and, if wanted, what it is as a file. */
static int train(struct pl_learned *m, const struct made_grid *from,
		 const struct pl_boost_search *search, uint64_t mtu, char **file,
		 struct pl_err *err)
{
	const struct pl_learned_options o = {.mtu_bytes = mtu, .seed = 7, .search = *search};
	struct pl_grid g;
	size_t len;
	FILE *f;
	int rc;

	*m = (struct pl_learned){0};
	make(from, &g);
	rc = pl_learned_train(m, &g, &o, err);
	pl_grid_fini(&g);
	if (rc || !file)
		return rc;
	f = open_memstream(file, &len);
	rc = pl_learned_write(m, f, err);
	fclose(f);
	return rc;
}

static int read_back(struct pl_learned *m, const char *s, size_t len, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*err = (struct pl_err){0};
	*m = (struct pl_learned){0};
	if (pl_text_copy(&text, "model", s, len, err))
		return -1;
	rc = pl_learned_parse(m, &text, err);
	pl_text_fini(&text);
	return rc;
}

/* Rows of one half that no tree has seen, other noise on the same truth: by how much the model
 * misses them, and by how much the truth itself does. */
static void misses(const struct pl_learned *m, const struct pl_grid *g, bool is_small,
		   double *model, double *floor)
{
	double told, sum = 0, least = 0;
	size_t n = 0;

	for (size_t i = 0; i < g->n_rows; i++) {
		const struct pl_grid_row *row = &g->row[i];
		const struct pl_learned_query q = {row->machine, row->bytes, row->ranks,
						   row->async};
		const double seen = row->bytes_per_s;

		if ((row->bytes <= PL_LEARNED_MTU) != is_small)
			continue;
		if (pl_learned_predict(m, &q, 1, &told, NULL))
			told = NAN;
		sum += fabs(told / seen - 1);
		least += fabs(made_bandwidth((int64_t)row->machine, (double)row->bytes,
					     (int64_t)row->ranks, (int64_t)row->async) /
				      seen -
			      1);
		n++;
	}
	*model = sum / (double)n;
	*floor = least / (double)n;
}

static void test_error(const struct pl_learned *m)
{
	struct made_grid other = made;
	struct pl_grid g;
	double model, floor;

	other.seed = 99;
	other.n_repeats = 1;
	make(&other, &g);
	for (int i = 0; i < PL_HALVES; i++) {
		misses(m, &g, i == PL_HALF_SMALL, &model, &floor);
		if (!ok(model < floor + 0.02 && floor > 0.07 && floor < 0.09,
			"%s: within two points of the noise", pl_half_name[i]))
			printf("# MAPE %g, of the truth itself %g\n", model, floor);
		/* of cells not seen, which is more than of rows not seen */
		ok(m->half[i].mape > floor - 0.02 && m->half[i].mape < floor + 0.05 &&
			   m->half[i].fit.mape_least <= m->half[i].fit.mape &&
			   m->half[i].fit.mape <= m->half[i].fit.mape_most,
		   "%s: it says so itself (%.2f %%)", pl_half_name[i], 100 * m->half[i].mape);
	}
	pl_grid_fini(&g);
}

/* Whatever is asked within the ranks known. */
static void test_positive(const struct pl_learned *m)
{
	static const size_t both[] = {0, 3};
	struct pl_learned_net net;
	struct pl_comm comm;
	struct pl_err err;
	bool good = pl_learned_net_init(&net, m, both, 2) == 0;
	double b, cap;

	comm = pl_learned_comm(&net);
	for (size_t n = 2; n <= 64; n++) {
		good &= comm.cap(comm.model, n, &cap, &err) == 0 && cap > 0;
		for (double s = 0.5; s < 1e13; s *= 1.7) {
			if (comm.bandwidth(comm.model, s, n, &b, &err))
				b = NAN;
			good &= b > 0 && b < 1e11;
		}
	}
	ok(good, "no size and number of ranks has a bandwidth of 0 or less");
	is_int(comm.bandwidth(comm.model, 64, 65, &b, &err), -1, "65 ranks");
	has_str(err.text, "learned from 2 to 64 ranks, not for 65", "are beyond what was measured");
	is_int(comm.cap(comm.model, 1, &cap, &err), -1, "so is one");
	is_int(err.code, PL_EUSAGE, "which is the asker's fault");
	pl_learned_net_fini(&net);
}

/* Bandwidth as the comm of one machine has it. */
static double comm_of(const struct pl_learned *m, const size_t *machine, size_t n_machines,
		      double bytes)
{
	struct pl_learned_net net;
	struct pl_comm comm;
	double b = NAN;

	if (pl_learned_net_init(&net, m, machine, n_machines))
		return NAN;
	comm = pl_learned_comm(&net);
	comm.bandwidth(comm.model, bytes, 8, &b, NULL);
	pl_learned_net_fini(&net);
	return b;
}

static double tell(const struct pl_learned *m, size_t machine, uint64_t bytes, size_t async)
{
	const struct pl_learned_query q = {machine, bytes, 8, async};
	double b = NAN;

	pl_learned_predict(m, &q, 1, &b, NULL);
	return b;
}

static void test_rules(const struct pl_learned *m)
{
	static const size_t machine[] = {1, 0};
	struct pl_learned_net net;
	struct pl_comm comm;
	double cap = NAN, best = 0;

	ok(comm_of(m, machine, 1, 1048575) == tell(m, 1, 1048576, 1) &&
		   comm_of(m, machine, 1, 1048576) == tell(m, 1, 1048576, 1) &&
		   comm_of(m, machine, 1, 1048577) == tell(m, 1, 2097152, 1),
	   "sizes are rounded up to powers of two");
	ok(comm_of(m, machine, 1, 2) == tell(m, 1, 4, 1) / 2, "below the least size: its time");
	ok(comm_of(m, machine, 1, 1e12) == tell(m, 1, 512 << 20, 1),
	   "above the largest: its bandwidth");
	ok(comm_of(m, machine, 2, 1 << 26) == fmin(tell(m, 0, 1 << 26, 1), tell(m, 1, 1 << 26, 1)),
	   "mixed types: the slowest");
	if (pl_learned_net_init(&net, m, machine, 1) == 0) {
		comm = pl_learned_comm(&net);
		comm.cap(comm.model, 8, &cap, NULL);
		pl_learned_net_fini(&net);
	}
	for (uint64_t s = 4; s <= 512 << 20; s *= 2)
		best = fmax(best, fmax(tell(m, 1, s, 1), 2 * tell(m, 1, s, 2)));
	ok(cap == best, "the cap: the best of all together");
}

/* Twelve ranks were not measured: half way from 8 to 16 in s / b. */
static void test_between(const struct pl_learned *m)
{
	const struct pl_learned_query q[] = {{1, 1 << 20, 8, 1},
					     {1, 1 << 20, 12, 1},
					     {1, 1 << 20, 16, 1},
					     {1, 1 << 20, 64, 1},
					     {1, 1 << 20, 99, 1}};
	double b[5] = {0};

	pl_learned_predict(m, q, 5, b, NULL);
	ok(b[0] != b[2] && fabs(b[1] * (1 / b[0] + 1 / b[2]) / 2 - 1) < 1e-12,
	   "numbers of ranks between those measured");
	ok(b[3] == b[4], "and beyond");
}

static void test_find(const struct pl_learned *m)
{
	struct pl_err err;
	size_t at = 9;

	is_int(pl_learned_find(m, "p3.8xlarge", NULL, &at, &err), 0, "a type");
	is_int((int64_t)at, 2, "by its name");
	is_int(pl_learned_find(m, "g3.8xlarge", NULL, &at, &err), -1, "one in two places");
	has_str(err.text, "which g3.8xlarge?", "is asked for");
	has_str(err.text, "aws/us-east-1/us-east-1a/g3.8xlarge", "with places");
	is_int(pl_learned_find(m, "g3.8xlarge", "us-east-1", &at, &err), 0, "by region");
	is_int((int64_t)at, 3, "is found");
	is_int(pl_learned_find(m, "g3.8xlarge", "us-west-2a", &at, &err), 0, "by zone");
	is_int((int64_t)at, 0, "as well");
	is_int(pl_learned_find(m, "g3.8xlarge", "aws", &at, &err), -1, "the cloud has both");
	is_int(pl_learned_find(m, "p4", NULL, &at, &err), -1, "no such type");
	has_str(err.text, "the model has no p4: it has aws/", "is told");
}

/* The file with @from changed into @to, under a checksum that is right
 * again. */
static char *forge(const char *file, const char *from, const char *to)
{
	const char *rest = strchr(file, '\n') + 1;
	const char *at = strstr(rest, from);
	const size_t len = strlen(rest) + strlen(to) + 1;
	char *body = malloc(len), *all = malloc(len + 200);
	struct pl_model_piece piece = {body, 0};
	char sum[PL_MODEL_DIGEST_CHARS];

	if (!body || !all || !at)
		abort();
	snprintf(body, len, "%.*s%s%s", (int)(at - rest), rest, to, at + strlen(from));
	piece.len = strlen(body);
	pl_model_digest(sum, &piece, 1, NULL);
	snprintf(all, len + 200, PL_MODEL_MAGIC " 1 %s\n%s", sum, body);
	free(body);
	return all;
}

static const struct {
	const char *from, *to, *part;
} forged[] = {
	{"\"zone\",\"gpu\"", "\"zone\",\"tpu\"", "trained on other features: it has tpu where gpu"},
	{",\"async\"]", "]", "other features: it has no more where async"},
	{",\"async\"]", ",\"async\",\"age\"]", "it has age where no more is wanted"},
	{"\"gpu\":[\"M60\"", "\"gpu\":[\"A60\"",
	 "\"categories\": they are not those of its machines"},
	{"\"ranks\":[2,4,", "\"ranks\":[4,2,", "\"ranks\""},
	{"\"mtu_bytes\":9000", "\"mtu_bytes\":0", "mtu_bytes"},
	{"\"left_children\":[1,", "\"left_children\":[7777,",
	 "these are not trees: one lacks numbers, or has some that cannot be"},
	{"\"left_children\":[1,", "\"left_children\":[2,",
	 "these are not trees: nodes of one are not below its root"},
	{"\"split_indices\":[", "\"split_indices\":[99,", "these are not trees"},
	{"\"id\":1,", "\"id\":0,", "these are not trees: what one of them says"},
	{"\"name\":\"gbtree\"", "\"name\":\"dart\"", "these are not trees"},
	{"\"num_feature\":\"11\"", "\"num_feature\":\"12\"", "these are not trees"},
	{"reg:pseudohubererror", "reg:none", "XGBoost: "},
	{"{\"learner\"", "{\"learner", "these are not trees: no JSON"},
};

static void test_forged(const char *file)
{
	struct pl_learned m;
	struct pl_err err;

	for (size_t i = 0; i < sizeof(forged) / sizeof(*forged); i++) {
		char *s = forge(file, forged[i].from, forged[i].to);
		const int rc = read_back(&m, s, strlen(s), &err);
		const bool good = rc == -1 && err.code == PL_EINPUT && !m.machine &&
				  strstr(err.text, forged[i].part);

		if (!good)
			printf("# rc %d, %d: %s\n", rc, (int)err.code, err.text);
		ok(good, "%s for %s: refused", forged[i].to, forged[i].from);
		free(s);
		if (rc == 0)
			pl_learned_fini(&m);
	}
}

static void test_damage(const char *file)
{
	const size_t len = strlen(file);
	size_t n_refused = 0, n = 0;
	char *copy = malloc(len + 1);
	struct pl_learned m;
	struct pl_err err;

	memcpy(copy, file, len + 1);
	for (size_t cut = 0; cut < len; cut += cut < 200 ? 1 : len / 40, n++)
		n_refused += read_back(&m, file, cut, &err) == -1 && err.code == PL_EINPUT;
	for (size_t at = 0; at < len; at += at < 100 ? 1 : len / 40, n++) {
		copy[at] ^= 1;
		n_refused += read_back(&m, copy, len, &err) == -1 && err.code == PL_EINPUT;
		copy[at] ^= 1;
	}
	is_int((int64_t)n_refused, (int64_t)n, "cut off or a bit changed");
	read_back(&m, file, len - 1, &err);
	has_str(err.text, "damaged: it was cut off or changed", "is told");
	memcpy(copy, "plink-srift-model 2", 19);
	read_back(&m, copy, len, &err);
	has_str(err.text, "version 2: this plink knows version 1", "so is another version");
	free(copy);
}

static void test_file(const struct pl_learned *m, const char *file)
{
	struct pl_learned back;
	struct pl_err err;
	char *again = NULL;
	bool same = true;
	size_t len;
	FILE *f;

	if (!is_int(read_back(&back, file, strlen(file), &err), 0, "a model is read back")) {
		printf("# %s\n", err.text);
		return;
	}
	for (uint64_t s = 4; s <= 512 << 20; s *= 2)
		for (size_t i = 0; i < m->n_machines; i++)
			same &= tell(m, i, s, 1) == tell(&back, i, s, 1);
	ok(same, "and tells the same");
	f = open_memstream(&again, &len);
	pl_learned_write(&back, f, &err);
	fclose(f);
	is_str(again, file, "and is written as it was");
	free(again);
	pl_learned_fini(&back);
}

static void test_halves(void)
{
	struct made_grid few = made;
	struct pl_learned m;
	struct pl_err err;
	char *file = NULL;

	few.n_machines = 2;
	few.bytes_max = 8192;
	is_int(train(&m, &few, &small_search, 9000, &file, &err), 0, "small sizes only");
	ok(m.half[PL_HALF_SMALL].boost && !m.half[PL_HALF_LARGE].boost, "teach one half");
	test_file(&m, file);
	free(file);
	pl_learned_fini(&m);
	is_int(train(&m, &few, &small_search, 4096, NULL, &err), 0, "an MTU that is a size");
	is_int((int64_t)(m.half[0].n_rows + m.half[0].n_test), 11 * 6 * 2 * 6,
	       "belongs to the small");
	is_int((int64_t)(m.half[1].n_rows + m.half[1].n_test), 2 * 6 * 2 * 6,
	       "and to the large half");
	pl_learned_fini(&m);
	few.bytes_max = 4;
	few.ranks_max = 4;
	few.n_machines = 1;
	is_int(train(&m, &few, &small_search, 9000, NULL, &err), -1, "twelve rows");
	has_str(err.text, "12 rows of at most 9000 bytes: at least 20", "are too few");
	few.bytes_max = 8;
	is_int(train(&m, &few, &small_search, 9000, NULL, &err), -1, "24 rows");
	has_str(err.text, "have 4 combinations of machine, ranks and size: at least 10",
		"of four cells are too few");
}

/* Of each ten cells that follow each other one is withheld, and not always the same; cells have
 * one, two or three rows. */
static void test_cells(void)
{
	size_t part[2000], cell[2000], place[10] = {0}, n = 0;
	bool good = true;
	struct pl_rng rng;

	for (size_t c = 0; c < 1000; c++)
		for (size_t i = 0; i <= c % 3 && n < 2000; i++)
			cell[n++] = c;
	pl_rng_init(&rng, 3, 0);
	good &= pl_folds_deal(cell, n, 10, &rng, part) == 0;
	for (size_t i = 0, seen = 0; i < n; i++) {
		if (i > 0 && cell[i] == cell[i - 1]) {
			good &= part[i] == part[i - 1];
			continue;
		}
		seen |= (size_t)1 << part[i];
		place[cell[i] % 10] += part[i] == 0;
		if (cell[i] % 10 < 9)
			continue;
		good &= seen == 1023;
		seen = 0;
	}
	for (size_t j = 0; j < 10; j++)
		good &= place[j] > 0 && place[j] < 40;
	ok(good, "each ten cells in a row are dealt to ten parts, whole");
}

/* Each cell is off by up to half, the same in all its rows: rows of a cell that was seen would tell
 * by how much. */
static void test_unseen(void)
{
	struct made_grid from = made;
	const struct pl_learned_options o = {.mtu_bytes = 9000, .seed = 7, .search = small_search};
	struct pl_learned m = {0};
	struct pl_grid g;
	struct pl_err err;
	struct pl_rng rng;

	from.noise = 0;
	make(&from, &g);
	for (size_t i = 0; i < g.n_rows; i++) {
		struct pl_grid_row *row = &g.row[i];

		pl_rng_init(&rng, row->bytes, row->machine * 1000 + row->ranks);
		row->bytes_per_s *= 0.5 + pl_rng_double(&rng);
	}
	is_int(pl_learned_train(&m, &g, &o, &err), 0, "cells that differ");
	for (int i = 0; i < PL_HALVES; i++)
		ok(m.half[i].mape > 0.25 && m.half[i].fit.mape > 0.25,
		   "%s: errors are those of cells not seen (%.1f %%, %.1f %%)", pl_half_name[i],
		   100 * m.half[i].mape, 100 * m.half[i].fit.mape);
	pl_learned_fini(&m);
	pl_grid_fini(&g);
}

static void test_mape(void)
{
	const float told[] = {0, 1, 2}, label[] = {0, 0, 2};
	const float none[] = {0, NAN, 0};

	ok(fabs(pl_mape(told, label, 3, -9, 9) - (exp(1) - 1) / 3) < 1e-12,
	   "MAPE: mean of |exp(told - label) - 1|");
	ok(pl_mape(told, label, 2, 0, 0) == 0, "within the labels known");
	ok(isinf(pl_mape(none, label, 3, -9, 9)), "no number is no answer");
}

int main(void)
{
	struct pl_learned m, again;
	struct pl_err err = {0};
	char *file = NULL, *same = NULL;

	test_cells();
	test_mape();
	if (!pl_boost_version()) {
		is_int(train(&m, &made, &small_search, 9000, NULL, &err), -1,
		       "XGBoost is not built in");
		is_int(err.code, PL_EUSAGE, "which is told");
		return done_testing();
	}
	is_int(train(&m, &made, &small_search, 9000, &file, &err), 0, "a grid is learned");
	test_error(&m);
	test_positive(&m);
	test_rules(&m);
	test_between(&m);
	test_find(&m);
	test_file(&m, file);
	is_int(train(&again, &made, &small_search, 9000, &same, &err), 0, "and again");
	is_str(same, file, "same grid and seed: same bytes");
	test_unseen();
	test_damage(file);
	test_forged(file);
	test_halves();
	free(file);
	free(same);
	pl_learned_fini(&m);
	pl_learned_fini(&again);
	return done_testing();
}
