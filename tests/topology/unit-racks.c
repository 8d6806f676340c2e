/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-racks.c - average linkage against its definition; racks planted and found */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/linkage.h"
#include "topology/racks.h"

#include <math.h>
#include <stdlib.h>

enum { SMALL = 9, FEW = 18, HOSTS = 64, CELLS = HOSTS * HOSTS, MATRICES = 4 };

/* Mean of what there is between two groups, INFINITY where that is nothing. */
static double between(const float *d, size_t n, const size_t *group, size_t a, size_t b)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (group[i] == a && group[j] == b && !isnan(d[i * n + j])) {
				sum += (double)d[i * n + j];
				count++;
			}
	return count > 0 ? sum / count : INFINITY;
}

/* The two nearest groups become one; how far apart they were. */
static double join_nearest(const float *d, size_t n, size_t *group)
{
	double least = INFINITY;
	size_t a = 0, b = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (group[i] != group[j] &&
			    (a == b || between(d, n, group, group[i], group[j]) < least)) {
				a = group[i];
				b = group[j];
				least = between(d, n, group, a, b);
			}
	for (size_t i = 0; i < n; i++)
		if (group[i] == b)
			group[i] = a;
	return least;
}

static bool same_groups(const size_t *a, const size_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if ((a[i] == a[j]) != (b[i] == b[j]))
				return false;
	return true;
}

static bool links_as_defined(uint64_t trial)
{
	float d[SMALL * SMALL], copy[SMALL * SMALL];
	size_t group[SMALL], cut[SMALL], map[SMALL], n;
	struct pl_cluster_merge merge[SMALL];
	struct pl_rng rng;

	pl_rng_init(&rng, 8, trial);
	n = 2 + pl_rng_below(&rng, SMALL - 1);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			d[i * n + j] = (float)pl_rng_double(&rng);
			if (trial % 3 == 0 && pl_rng_below(&rng, 8) == 0)
				d[i * n + j] = NAN;
			d[j * n + i] = d[i * n + j];
		}
	memcpy(copy, d, n * n * sizeof(*d));
	if (pl_linkage(copy, n, merge))
		return false;
	for (size_t i = 0; i < n; i++)
		group[i] = i;
	for (size_t m = 1; m < n; m++) {
		const double height = join_nearest(d, n, group);
		const double it = (double)merge[m - 1].height;

		if (isinf(height)) /* any two of those left may be joined */
			return isinf(it);
		if (!(fabs(it - height) < 1e-5) || pl_linkage_cut(merge, m, n, cut, map) != n - m ||
		    !same_groups(cut, group, n))
			return false;
	}
	return true;
}

static double normal(struct pl_rng *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += pl_rng_double(rng);
	return sum;
}

struct tiers {
	size_t in_rack, racks_in_row;
	double rack_us, row_us, far_us;
	double noise;             /* of the logarithm */
	size_t missing, outliers; /* one cell in so many; 0: none */
};

/* Hosts shuffled; both directions differ. */
static void make(const struct tiers *t, uint64_t seed, double *cell, size_t *rack)
{
	struct pl_rng rng;

	pl_rng_init(&rng, seed, 4);
	for (size_t i = 0; i < HOSTS; i++)
		rack[i] = i / t->in_rack;
	pl_rng_shuffle(&rng, rack, HOSTS);
	for (size_t p = 0; p < CELLS; p++) {
		const size_t a = rack[p / HOSTS], b = rack[p % HOSTS];
		double us = a == b ? t->rack_us : t->far_us;

		if (a != b && a / t->racks_in_row == b / t->racks_in_row)
			us = t->row_us;
		us *= exp(t->noise * normal(&rng));
		if (t->outliers && pl_rng_below(&rng, t->outliers) == 0)
			us *= 10;
		if (t->missing && pl_rng_below(&rng, t->missing) == 0)
			us = NAN;
		cell[p] = p / HOSTS == p % HOSTS ? 0 : us;
	}
}

/* All MATRICES without a mistake? */
static void finds(const struct tiers *t, const char *what)
{
	double cell[CELLS];
	size_t rack[HOSTS], found[HOSTS], n_racks;
	int64_t n_right = 0;

	for (uint64_t seed = 0; seed < MATRICES; seed++) {
		make(t, seed, cell, rack);
		if (!pl_racks(cell, HOSTS, found, &n_racks, NULL))
			n_right += same_groups(found, rack, HOSTS) &&
				   n_racks == HOSTS / t->in_rack && found[0] == 0;
	}
	is_int(n_right, MATRICES, what);
}

static void planted(void)
{
	finds(&(struct tiers){16, 1, 500, 5000, 5000, 0.3, 0, 0}, "4 racks, as in the testbed");
	finds(&(struct tiers){4, 1, 500, 5000, 5000, 0.3, 0, 0}, "16 racks, as in the testbed");
	finds(&(struct tiers){8, 1, 100, 250, 250, 0.2, 0, 0}, "8 racks, little farther apart");
	finds(&(struct tiers){8, 4, 100, 250, 600, 0.2, 0, 0}, "8 racks in 2 rows");
	finds(&(struct tiers){4, 4, 100, 300, 900, 0.2, 0, 0}, "16 racks in 4 rows");
	finds(&(struct tiers){8, 4, 100, 130, 180, 0.1, 0, 0},
	      "8 racks in 2 rows, hardly farther apart, little noise");
	finds(&(struct tiers){8, 1, 500, 5000, 5000, 0.3, 3, 0}, "a third of the cells missing");
	finds(&(struct tiers){8, 4, 100, 300, 900, 0.1, 0, 50},
	      "one cell in fifty ten times too large");
	finds(&(struct tiers){4, 4, 100, 130, 180, 0.1, 0, 0}, "16 racks in 4 rows, the same");
	finds(&(struct tiers){8, 8, 100, 130, 130, 0.2, 0, 0},
	      "8 racks in a row, hardly farther apart, some noise");
	finds(&(struct tiers){4, 4, 100, 130, 180, 0.05, 0, 10},
	      "16 racks in 4 rows, a cell in ten ten times too large");
	finds(&(struct tiers){64, 1, 100, 100, 100, 0.1, 0, 0},
	      "one rack is not split for little noise");
	finds(&(struct tiers){64, 1, 100, 100, 100, 0.3, 0, 0}, "nor for much");
}

static void few(void)
{
	static const double two[4] = {0, 5, 5, 0}, zero[9];
	static const double three[9] = {0, 1, 50, 1, 0, 50, 50, 50, 0};
	static const double none[9] = {0, NAN, NAN, NAN, 0, NAN, NAN, NAN, 0};
	size_t rack[3] = {9, 9, 9}, n = 9;

	ok(!pl_racks(zero, 1, rack, &n, NULL) && n == 1 && rack[0] == 0, "one host is one rack");
	ok(!pl_racks(two, 2, rack, &n, NULL) && n == 1, "so are two");
	ok(!pl_racks(zero, 3, rack, &n, NULL) && n == 1, "all in one place");
	ok(!pl_racks(none, 3, rack, &n, NULL) && n == 1, "nothing is known");
	ok(!pl_racks(three, 3, rack, &n, NULL) && n == 1 && !pl_racks_can_tell(three, 3),
	   "three hosts have too few pairs");
}

/* Racks of two hosts each, of which @n_cells cells are measured. */
static size_t seen_by(size_t n_cells, size_t *rack, bool *can_tell)
{
	static const size_t order[] = {1, 11, 2, 7, 9, 12};
	size_t n = 0;
	double cell[16];

	for (size_t at = 0; at < 16; at++)
		cell[at] = at % 5 == 0 ? 0 : NAN;
	for (size_t k = 0; k < n_cells; k++)
		cell[order[k]] = k < 2 ? 100 : 3000;
	*can_tell = pl_racks_can_tell(cell, 4);
	return pl_racks(cell, 4, rack, &n, NULL) ? 0 : n;
}

static void evidence(void)
{
	size_t rack[4];
	bool can_tell, right = true;

	for (size_t n = 0; n < PL_RACKS_PAIRS; n++)
		right = right && seen_by(n, rack, &can_tell) == 1 && !can_tell;
	ok(right, "no racks are told from two cells, or from three");
	ok(seen_by(4, rack, &can_tell) > 0 && can_tell, "four might tell some");
	ok(seen_by(5, rack, &can_tell) == 2 && can_tell && rack[1] == 0 && rack[2] == 1 &&
		   rack[3] == 1,
	   "five do");
}

/* From 2 to 8 racks of two hosts, 20 times each, little noise. */
static void pairs(void)
{
	size_t rack[2 * 8], found[2 * 8], n_racks;
	double cell[2 * 8 * 2 * 8];
	int64_t n_right = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 5, 4);
	for (int trial = 0; trial < 140; trial++) {
		const size_t n = 2 * (2 + (size_t)trial % 7);

		for (size_t i = 0; i < n; i++)
			rack[i] = i / 2;
		pl_rng_shuffle(&rng, rack, n);
		for (size_t p = 0; p < n * n; p++)
			cell[p] =
				(rack[p / n] == rack[p % n] ? 100 : 300) * exp(0.03 * normal(&rng));
		n_right += !pl_racks(cell, n, found, &n_racks, NULL) && n_racks == n / 2 &&
			   same_groups(found, rack, n);
	}
	is_int(n_right, 140, "racks of two hosts, and few of them");
}

static void without_memory(void)
{
	double cell[CELLS];
	size_t rack[HOSTS], n, live;
	bool failed = true, told = true, freed = true;

	make(&(struct tiers){16, 2, 100, 250, 600, 0.2, 0, 0}, 1, cell, rack);
	for (size_t i = 0; i < FEW; i++)
		memmove(cell + i * FEW, cell + i * HOSTS, FEW * sizeof(*cell));
	for (size_t k = 0; failed; k++) {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = pl_racks(cell, FEW, rack, &n, &err);
		failed = failalloc_end(&live);
		freed = freed && live == 0;
		told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
}

int main(void)
{
	int64_t n_right = 0;

	for (uint64_t trial = 0; trial < 300; trial++)
		n_right += links_as_defined(trial);
	is_int(n_right, 300, "average linkage as defined, 300 times");
	planted();
	few();
	evidence();
	pairs();
	without_memory();
	return done_testing();
}
