/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-estimate.c - what was not measured, by the tree of hosts or by an embedding */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/estimate.h"
#include "topology/linkage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 60, RACK = 5, ROW = 20, FEW = 12, CELLS = HOSTS * HOSTS };

/* Racks in rows, hosts with shares of their own, shuffled. */
struct net {
	size_t place[HOSTS];
	double own[HOSTS];
};

static void make_net(struct net *net, uint64_t seed, double own)
{
	struct pl_rng rng;

	pl_rng_init(&rng, seed, 1);
	for (size_t i = 0; i < HOSTS; i++) {
		net->place[i] = i;
		net->own[i] = own * pl_rng_double(&rng);
	}
	pl_rng_shuffle(&rng, net->place, HOSTS);
}

static double truth(const struct net *net, size_t a, size_t b)
{
	const size_t x = net->place[a], y = net->place[b];
	double us = 400;

	if (x / RACK == y / RACK)
		us = 100;
	else if (x / ROW == y / ROW)
		us = 200;
	return a == b ? 0 : us + net->own[a] + net->own[b];
}

/*
 * All pairs of racks, and of a host with those that follow it, each a few percent beside the truth;
 * the rest is missing. Returns how many pairs are there.
 */
static size_t measure(const struct net *net, double *cell, double noise, size_t one_in)
{
	struct pl_rng rng;
	size_t n = 0;

	pl_rng_init(&rng, 3, 1);
	for (size_t p = 0; p < CELLS; p++)
		cell[p] = p % (HOSTS + 1) ? NAN : 0;
	for (size_t a = 0; a < HOSTS; a++)
		for (size_t b = 0; b < a; b++) {
			const bool near = net->place[a] / RACK == net->place[b] / RACK;

			if (!near && pl_rng_below(&rng, one_in) != 0)
				continue;
			cell[a * HOSTS + b] = truth(net, a, b) * (1 + noise * pl_rng_double(&rng));
			if (pl_rng_below(&rng, 2))
				cell[b * HOSTS + a] = cell[a * HOSTS + b];
			n++;
		}
	return n;
}

/* The most that any distance of the tree is off by. */
static double worst(const struct net *net, const struct pl_tree *t)
{
	double most = 0;

	for (size_t p = 0; p < CELLS; p++) {
		const size_t a = p / HOSTS, b = p % HOSTS;

		if (a != b)
			most = fmax(most, fabs(pl_tree_distance(t, a, b) / truth(net, a, b) - 1));
	}
	return most;
}

/* The tree of those cells. 0, or -1: no memory. */
static int grow(struct pl_tree *t, const double *cell, size_t n)
{
	struct pl_known known;
	int rc = pl_known_of(&known, cell, n);

	*t = (struct pl_tree){0};
	if (rc == 0)
		rc = pl_tree(t, &known);
	pl_known_fini(&known);
	return rc;
}

/* The same of one more network; INFINITY without memory. */
static double grown(uint64_t seed, double noise, double own)
{
	double cell[CELLS], off = INFINITY;
	struct net net;
	struct pl_tree t;

	make_net(&net, seed, own);
	measure(&net, cell, noise, 6);
	if (!grow(&t, cell, HOSTS))
		off = worst(&net, &t);
	pl_tree_fini(&t);
	return off;
}

static void trees(void)
{
	double exact = 0, noisy = 0, shares = 0;

	for (uint64_t seed = 0; seed < 20; seed++) {
		exact = fmax(exact, grown(seed, 0, 0));
		noisy = fmax(noisy, grown(seed, 0.1, 0));
		shares = fmax(shares, grown(seed, 0, 40));
	}
	ok(exact < 1e-5, "racks in rows: every pair, of a fifth of them");
	ok(noisy < 0.2, "up to a tenth too slow: none is off by much more");
	ok(shares < 0.1, "hosts with shares of their own");
	printf("# off by %g, %g, %g\n", exact, noisy, shares);
}

/* Hosts in no tree: on a line, each measured with one in three. */
static void line(double *cell)
{
	struct pl_rng rng;

	pl_rng_init(&rng, 4, 1);
	for (size_t a = 0; a < HOSTS; a++)
		for (size_t b = 0; b < HOSTS; b++) {
			cell[a * HOSTS + b] = 100 + 10 * fabs((double)a - (double)b);
			if (pl_rng_below(&rng, 3) != 0)
				cell[a * HOSTS + b] = NAN;
		}
	for (size_t a = 0; a < HOSTS; a++)
		cell[a * HOSTS + a] = 0;
}

static void chooses(void)
{
	struct pl_estimate e = {0};
	double cell[CELLS];
	struct net net;

	make_net(&net, 1, 0);
	measure(&net, cell, 0.1, 6);
	ok(!pl_estimate(&e, cell, HOSTS, NULL) && e.by == PL_BY_TREE && e.n_withheld > 0 &&
		   e.off[PL_BY_TREE] < e.off[PL_BY_EMBEDDING],
	   "racks in rows: the tree");
	ok(pl_estimate_distance(&e, 3, 3) == 0 &&
		   pl_estimate_distance(&e, 3, 4) == pl_estimate_distance(&e, 4, 3),
	   "a distance");
	pl_estimate_fini(&e);
	line(cell);
	ok(!pl_estimate(&e, cell, HOSTS, NULL) && e.by == PL_BY_EMBEDDING &&
		   e.off[PL_BY_EMBEDDING] < 0.1,
	   "hosts on a line: the embedding");
	pl_estimate_fini(&e);
}

static void few(void)
{
	static const double two[4] = {0, 5, NAN, 0};
	static const double apart[9] = {0, 5, NAN, 5, 0, NAN, NAN, NAN, 0};
	struct pl_estimate e = {0};
	struct pl_err err = {0};
	struct pl_tree t;

	ok(!pl_estimate(&e, two, 2, NULL) && e.n_withheld == 0 && isnan(e.off[0]) &&
		   fabs(pl_estimate_distance(&e, 0, 1) - 5) < 0.5,
	   "two hosts: nothing is withheld");
	pl_estimate_fini(&e);
	ok(pl_estimate(&e, apart, 3, &err) && err.code == PL_EINPUT, "a host without any pair");
	pl_estimate_fini(&e);
	ok(!grow(&t, apart, 3) && isinf(pl_tree_distance(&t, 0, 2)) &&
		   fabs(pl_tree_distance(&t, 0, 1) - 5) < 1e-5,
	   "the tree says that it does not know");
	pl_tree_fini(&t);
	ok(!grow(&t, two, 1) && pl_tree_distance(&t, 0, 0) == 0, "one host");
	pl_tree_fini(&t);
}

/* Cells by chance, many alike, symmetric; NaN where missing. */
static size_t scatter(struct pl_rng *rng, size_t n, float *square, struct pl_linkage_pair *pair)
{
	const uint32_t one_in = 1 + pl_rng_below(rng, 12);
	size_t n_pairs = 0;

	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < a; b++) {
			const float x = -1 / (float)(1 + pl_rng_below(rng, 9));
			const bool there = pl_rng_below(rng, one_in) == 0;

			square[a * n + b] = square[b * n + a] = there ? x : NAN;
			if (there)
				pair[n_pairs++] =
					(struct pl_linkage_pair){(uint32_t)b, (uint32_t)a, x};
		}
	return n_pairs;
}

/* Of a square and of a list of its cells. */
static void linkages(void)
{
	static float square[CELLS];
	static struct pl_linkage_pair pair[CELLS / 2];
	struct pl_cluster_merge merge[2][HOSTS];
	size_t wrong = 0, apart = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 8, 1);
	for (int i = 0; i < 3000; i++) {
		const size_t n = 1 + pl_rng_below(&rng, HOSTS);
		const size_t n_pairs = scatter(&rng, n, square, pair);

		if (pl_linkage_few(pair, n_pairs, n, merge[1]) || pl_linkage(square, n, merge[0]))
			wrong++;
		for (size_t k = 0; k + 1 < n; k++)
			wrong += merge[0][k].a != merge[1][k].a || merge[0][k].b != merge[1][k].b ||
				 merge[0][k].height != merge[1][k].height;
		apart += n > 1 && isinf(merge[0][n - 2].height);
	}
	ok(wrong == 0 && apart > 100,
	   "linkage by the pairs that are there: the same, %zu in pieces", apart);
}

/* Both ways to make the links, of cells that come in any order. */
static void known_alike(void)
{
	static struct pl_known_cell v[CELLS];
	struct pl_known by_square, by_list;
	static double cell[CELLS];
	size_t n_cells = 0, wrong = 0;
	struct net net;

	make_net(&net, 1, 40);
	measure(&net, cell, 0.1, 6);
	for (size_t p = 0; p < CELLS; p++) {
		const size_t at = p * 7 % CELLS, a = at / HOSTS, b = at % HOSTS;

		if (a != b && !isnan(cell[at]))
			v[n_cells++] = (struct pl_known_cell){(uint32_t)a, (uint32_t)b, cell[at]};
	}
	if (!ok(!pl_known_of(&by_square, cell, HOSTS) &&
			!pl_known_make(&by_list, HOSTS, v, n_cells),
		"what is known of %zu cells", n_cells))
		return;
	for (size_t a = 0; a <= HOSTS; a++)
		wrong += by_square.begin[a] != by_list.begin[a];
	for (size_t k = 0; wrong == 0 && k < by_list.begin[HOSTS]; k++) {
		const struct pl_known_pair *x = &by_square.pair[k];
		const struct pl_known_pair *y = &by_list.pair[k];

		wrong += x->to != y->to ||
			 !(x->there == y->there || (isnan(x->there) && isnan(y->there))) ||
			 !(x->back == y->back || (isnan(x->back) && isnan(y->back)));
	}
	is_int((int64_t)wrong, 0, "by a square and by a list: the same");
	pl_known_fini(&by_square);
	pl_known_fini(&by_list);
}

static void without_memory(void)
{
	bool failed = true, told = true, freed = true;
	double cell[CELLS];
	struct net net;
	size_t live;

	make_net(&net, 1, 0);
	measure(&net, cell, 0.1, 2);
	for (size_t i = 0; i < FEW; i++)
		memmove(cell + i * FEW, cell + i * HOSTS, FEW * sizeof(*cell));
	for (size_t k = 0; failed; k++) {
		struct pl_estimate e = {0};
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = pl_estimate(&e, cell, FEW, &err);
		pl_estimate_fini(&e);
		failed = failalloc_end(&live);
		freed = freed && live == 0;
		told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
}

int main(void)
{
	trees();
	chooses();
	few();
	linkages();
	known_alike();
	without_memory();
	return done_testing();
}
