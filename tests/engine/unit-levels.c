/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-levels.c - hierarchical aggregation: every contribution once, few bytes across groups,
 * masters as the shares and cards say */
#include "config.h"

#include "base/rng.h"
#include "engine/levels.h"
#include "engine/tune/traffic.h"
#include "tests/engine/two-level.h"
#include "tests/tap.h"

#include <math.h>

#define N_MAX 33
#define NODES_MAX 80

/* A tree whose ranks are in racks, and the racks in rows. */
struct drawn {
	struct pl_rank_tree t;
	uint32_t parent[NODES_MAX];
	double share[NODES_MAX], rate[NODES_MAX];
	uint32_t rack[N_MAX], row[N_MAX]; /* of each rank: nodes */
	size_t n_racks, n_rows;
};

static void add_level(struct drawn *d, const size_t *n_in, size_t n_groups)
{
	size_t below = d->t.n_nodes;

	for (size_t g = n_groups; g-- > 0;)
		below -= n_in[g];
	for (size_t g = 0; g < n_groups; g++)
		for (size_t i = 0; i < n_in[g]; i++)
			d->parent[below++] = (uint32_t)(d->t.n_nodes + g);
	d->t.n_nodes += n_groups;
}

/* Cuts @n children into groups of drawn sizes, or all into one. */
static size_t draw_groups(struct pl_rng *rng, size_t n, size_t *n_in, bool one)
{
	size_t n_groups = 0;

	while (n > 0) {
		n_in[n_groups] = one ? n : 1 + pl_rng_below(rng, n);
		n -= n_in[n_groups++];
	}
	return n_groups;
}

static void draw(struct drawn *d, struct pl_rng *rng, size_t n, int levels)
{
	size_t n_in[N_MAX];

	*d = (struct drawn){.t = {.n_ranks = n, .n_nodes = n}};
	d->t.parent = d->parent;
	d->n_racks = d->n_rows = 1;
	if (levels > 0) {
		d->n_racks = draw_groups(rng, n, n_in, false);
		add_level(d, n_in, d->n_racks);
	}
	if (levels > 1) {
		d->n_rows = draw_groups(rng, d->n_racks, n_in, false);
		add_level(d, n_in, d->n_rows);
	}
	n_in[0] = levels > 1 ? d->n_rows : levels > 0 ? d->n_racks : n;
	add_level(d, n_in, 1);
	for (size_t r = 0; r < n; r++) {
		d->rack[r] = d->parent[r];
		d->row[r] = levels > 1 ? d->parent[d->rack[r]] : d->rack[r];
	}
	for (size_t v = 0; v < d->t.n_nodes; v++) {
		d->share[v] = 0.1 + pl_rng_double(rng);
		d->rate[v] = 1 + pl_rng_double(rng);
	}
	if (pl_rng_below(rng, 2))
		d->t.share = d->share;
	if (pl_rng_below(rng, 2))
		d->t.rate = d->rate;
}

/* Transfers between ranks of which @group differs. */
static size_t crossing(const struct pl_slice *s, const uint32_t *group)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_transfers; i++)
		n += group[s->transfer[i].src] != group[s->transfer[i].dst];
	return n;
}

/* Do masters take as long as the slices that they make? */
static bool takes_as_long(const struct drawn *d, const struct pl_slices *s)
{
	struct pl_level_masters m = {0};
	double by_masters = -1, by_slices;

	if (pl_level_masters_init(&m, &d->t, NULL) == 0)
		by_masters = pl_level_masters_seconds(&m, &d->t, d->rate);
	by_slices = pl_slices_seconds(s, &d->t, d->rate);
	pl_level_masters_fini(&m);
	return by_masters >= 0 && fabs(by_masters - by_slices) < 1e-9;
}

static bool is_right(const struct drawn *d, int levels, struct pl_err *err)
{
	struct pl_slices s = {0};
	bool good = pl_levels_slices(&s, &d->t, err) == 0 && s.n > 0 && s.n <= 8 * d->t.n_ranks;

	for (size_t i = 0; good && i < s.n; i++) {
		good = pl_slice_check(&s.slice[i], d->t.n_ranks, 0, PL_SLICE_ALL, err) == 0 &&
		       s.slice[i].n_transfers == 2 * (d->t.n_ranks - 1);
		if (levels > 0)
			good &= crossing(&s.slice[i], d->rack) == 2 * (d->n_racks - 1);
		if (levels > 1)
			good &= crossing(&s.slice[i], d->row) == 2 * (d->n_rows - 1);
	}
	good = good && takes_as_long(d, &s);
	pl_slices_fini(&s);
	return good;
}

/* The bytes of the thesis' table 4.1, whatever the sizes of groups. */
static void check_drawn(void)
{
	static const char *const names[] = {"sharded", "two levels", "three levels"};
	struct pl_rng rng;

	pl_rng_init(&rng, 20261124, 1);
	for (int levels = 0; levels <= 2; levels++) {
		struct pl_err err = {0};
		struct drawn d;
		bool good = true;

		for (size_t i = 0; good && i < 400; i++) {
			draw(&d, &rng, 1 + i % N_MAX, levels);
			good = is_right(&d, levels, &err);
		}
		ok(good, "%s: each contribution once, no byte too many%s", names[levels], err.text);
	}
}

/* What each rank sends, in buffers; the master of all is who sends the first transfer that stores:
 * gm[n_ranks]. */
static void weigh(const struct pl_slices *s, size_t n, double *load, double *gm)
{
	double all = 0;

	for (size_t r = 0; r < n; r++)
		load[r] = gm[r] = 0;
	for (size_t i = 0; i < s->n; i++)
		all += (double)s->slice[i].weight;
	for (size_t i = 0; i < s->n; i++) {
		const struct pl_slice *slice = &s->slice[i];
		const double part = (double)slice->weight / all;
		bool first = true;

		for (size_t k = 0; k < slice->n_transfers; k++) {
			load[slice->transfer[k].src] += part;
			if (!slice->transfer[k].adds && first) {
				gm[slice->transfer[k].src] += part;
				first = false;
			}
		}
	}
}

/* Racks of 3, 5 and 8, and what each has of the global masters. */
static const uint32_t rack[16] = {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2};
static const size_t rack_size[3] = {3, 5, 8};

static void sum_racks(const double *gm, double *of)
{
	of[0] = of[1] = of[2] = 0;
	for (size_t r = 0; r < 16; r++)
		of[rack[r]] += gm[r];
}

static void range(const double *load, uint32_t of, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (size_t r = 0; r < 16; r++)
		if (rack[r] == of) {
			*least = fmin(*least, load[r]);
			*most = fmax(*most, load[r]);
		}
}

static void check_cardinality(void)
{
	const struct pl_two_level two = {.n_ranks = 16, .n_groups = 3, .group = rack};
	struct pl_slices s = {0};
	double load[16], gm[16], of[3], least, most;

	ok(pl_two_level_slices(&s, &two, NULL) == 0, "racks of 3, 5 and 8");
	weigh(&s, 16, load, gm);
	sum_racks(gm, of);
	ok(fabs(of[0] - 3.0 / 16) < 1e-9 && fabs(of[1] - 5.0 / 16) < 1e-9 &&
		   fabs(of[2] - 8.0 / 16) < 1e-9,
	   "masters by cardinality: 3, 5 and 8 of 16");
	for (uint32_t g = 0; g < 3; g++) {
		range(load, g, &least, &most);
		ok(most - least <= (double)(rack_size[g] + 2) / (double)s.n + 1e-9,
		   "rack %u: loads from %.3f to %.3f, within a slice", g, least, most);
	}
	pl_slices_fini(&s);
}

static void check_shares(void)
{
	static const double share[3] = {0.2, 0.7, 0.1};
	const struct pl_two_level two = {
		.n_ranks = 16, .n_groups = 3, .group = rack, .share = share};
	struct pl_slices s = {0};
	double load[16], gm[16], of[3];

	ok(pl_two_level_slices(&s, &two, NULL) == 0, "given shares");
	weigh(&s, 16, load, gm);
	sum_racks(gm, of);
	for (size_t g = 0; g < 3; g++)
		ok(fabs(of[g] - share[g]) < 0.01, "rack %zu has %.3f of the masters, of %.3f", g,
		   of[g], share[g]);
	pl_slices_fini(&s);
}

/* A card of a quarter of the others' rate: it moves what every rank has to and is no master; and
 * one of 0.8: it is a master less often. */
static void check_rates(void)
{
	double rate[16], load[16], gm[16], slowest = 0;
	struct pl_two_level two = {.n_ranks = 16, .n_groups = 3, .group = rack, .rate = rate};
	struct pl_slices s = {0};

	for (size_t r = 0; r < 16; r++)
		rate[r] = r == 8 ? 0.25 : r == 9 ? 0.8 : 1;
	ok(pl_two_level_slices(&s, &two, NULL) == 0, "unequal cards");
	weigh(&s, 16, load, gm);
	ok(fabs(load[8] - 1) < 1e-9, "the slow one is no master");
	for (size_t r = 9; r < 16; r++)
		slowest = fmax(slowest, load[r] / rate[r]);
	ok(load[9] < 0.85 * load[10] && slowest < 1.03 * load[10],
	   "the others take equally long: %.3f and %.3f, %.3f at most", load[9] / rate[9], load[10],
	   slowest);
	pl_slices_fini(&s);
}

/* A parameter server on every rank: all owners of as much, or by rate. */
static void check_sharded(void)
{
	static const uint32_t parent[5] = {4, 4, 4, 4, 0};
	static const double rate[4] = {1, 1, 1, 0.5};
	struct pl_rank_tree t = {.n_ranks = 4, .n_nodes = 5, .parent = parent};
	struct pl_slices s = {0};
	double load[4], gm[4];

	ok(pl_levels_slices(&s, &t, NULL) == 0 && s.n == 4, "four shards");
	weigh(&s, 4, load, gm);
	for (size_t r = 0; r < 4; r++)
		ok(fabs(gm[r] - 0.25) < 1e-9 && fabs(load[r] - 1.5) < 1e-9,
		   "rank %zu owns a quarter", r);
	pl_slices_fini(&s);
	t.rate = rate;
	ok(pl_levels_slices(&s, &t, NULL) == 0 && s.n == 3, "with a card of half the rate");
	weigh(&s, 4, load, gm);
	ok(gm[3] == 0 && fabs(gm[0] - 1.0 / 3) < 0.04,
	   "it owns nothing, others a third: %.3f %.3f %.3f", gm[0], gm[1], gm[2]);
	pl_slices_fini(&s);
}

static void refuses(const struct pl_two_level *two, const char *text)
{
	struct pl_slices s = {0};
	struct pl_err err = {0};

	ok(pl_two_level_slices(&s, two, &err) == -1 && err.code == PL_EUSAGE && s.n == 0,
	   "refused");
	has_str(err.text, text, "and named");
}

static void check_refused(void)
{
	static const uint32_t hole[4] = {0, 0, 2, 2}, pairs[4] = {0, 0, 1, 1};
	static const double none[2] = {0, 0}, bad[2] = {1, -1};
	static const double rate[4] = {1, 1, 0, 1};
	struct pl_two_level two = {.n_ranks = 4, .n_groups = 3, .group = hole};

	refuses(&two, "group 1 has no member");
	two = (struct pl_two_level){.n_ranks = 4, .n_groups = 2, .group = pairs, .share = none};
	refuses(&two, "no group has a share of masters");
	two.share = bad;
	refuses(&two, "is -1");
	two.share = NULL;
	two.rate = rate;
	refuses(&two, "the card of rank 2 has rate 0");
}

int main(void)
{
	check_drawn();
	check_cardinality();
	check_shares();
	check_rates();
	check_sharded();
	check_refused();
	return done_testing();
}
