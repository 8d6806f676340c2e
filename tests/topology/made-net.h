/* SPDX-License-Identifier: BSD-3-Clause */
/* made-net.h - made-up networks: racks and rates planted, and compared with those found */
#ifndef PLINK_TESTS_TOPOLOGY_MADE_NET_H
#define PLINK_TESTS_TOPOLOGY_MADE_NET_H

#include "base/matrix/matrix.h"
#include "tests/tap.h"
#include "tests/topology/fair.h"

enum { HOSTS_MAX = 64, SEED = 7 };

/* Makes racks[k] hosts in rack k, and rows[k] racks in row k (NULL: no rows); a 0 ends each
 * list. */
static void plant(struct pl_tiers *t, const size_t *racks, const size_t *rows)
{
	size_t n = 0, h = 0, rack = 0;

	for (const size_t *r = racks; *r; r++)
		n += *r;
	pl_tiers_init(t, n, NULL);
	for (const size_t *r = racks; *r; r++) {
		const size_t g = pl_tiers_add_group(t);

		for (size_t i = 0; i < *r; i++)
			t->rack[h++] = g;
	}
	for (const size_t *r = rows; r && *r; r++) {
		const size_t g = pl_tiers_add_group(t);

		for (size_t i = 0; i < *r; i++)
			t->within[rack++] = g;
	}
}

static void set_cards(struct pl_tiers *t, double out_mbit, double in_mbit)
{
	for (size_t h = 0; h < t->n; h++)
		t->card[h] = (struct pl_link_rate){out_mbit * 1e6, in_mbit * 1e6};
}

static void set_uplinks(struct pl_tiers *t, double out_mbit, double in_mbit)
{
	for (size_t g = 0; g < t->n_groups; g++)
		t->uplink[g] = (struct pl_link_rate){out_mbit * 1e6, in_mbit * 1e6};
}

static bool is_lost(const struct fair_net *net, size_t host)
{
	return net->n_lost > 0 && host == net->lost;
}

/* Fills in times that depend on the number of groups left, up to 2 % longer at random. */
static void time_pairs(struct pl_matrix *m, const struct fair_net *net)
{
	const struct pl_tiers *t = net->t;
	size_t leave[HOSTS_MAX], enter[HOSTS_MAX];
	struct pl_tiers_way way = {.leave = leave, .enter = enter};

	for (size_t i = 0; i < t->n; i++)
		for (size_t j = 0; j < t->n; j++) {
			double ns = 1e5 * (1 + 0.02 * pl_rng_double(net->rng));

			if (is_lost(net, i) || is_lost(net, j))
				continue;
			pl_tiers_cross(t, i, j, &way);
			for (size_t k = way.n_leave; k > 0; k--)
				ns *= 5;
			if (i != j)
				m->layer[0].cell[i * t->n + j] = ns;
		}
}

static bool near(double found, double planted)
{
	return fabs(found / planted - 1) < 0.05;
}

static void show(const struct pl_tiers *t, const struct pl_tiers *found)
{
	for (size_t h = 0; h < t->n; h++)
		printf("# card %zu: %.4g %.4g, found %.4g %.4g\n", h, t->card[h].out_bps,
		       t->card[h].in_bps, found->card[h].out_bps, found->card[h].in_bps);
	for (size_t g = 0; g < t->n_groups && g < found->n_groups; g++)
		printf("# uplink %zu: %.4g %.4g, found %.4g %.4g\n", g, t->uplink[g].out_bps,
		       t->uplink[g].in_bps, found->uplink[g].out_bps, found->uplink[g].in_bps);
}

/* A planted rate of 0 stands for one that no flow could show: nothing must be found then. */
static bool is_told(double found, double planted)
{
	return planted > 0 ? near(found, planted) : found == 0;
}

static bool are_alike(const struct pl_tiers *t, const struct pl_tiers *found)
{
	bool same = t->n_groups == found->n_groups;

	for (size_t h = 0; same && h < t->n; h++)
		same = t->rack[h] == found->rack[h] &&
		       is_told(found->card[h].out_bps, t->card[h].out_bps) &&
		       is_told(found->card[h].in_bps, t->card[h].in_bps);
	for (size_t g = 0; same && g < t->n_groups; g++)
		same = t->within[g] == found->within[g] &&
		       is_told(found->uplink[g].out_bps, t->uplink[g].out_bps) &&
		       is_told(found->uplink[g].in_bps, t->uplink[g].in_bps);
	return same;
}

/* A random rate of a link. */
static double chance_rate(struct pl_rng *rng)
{
	static const double mbit[] = {100, 200, 400, 1000};

	return 1e6 * mbit[pl_rng_below(rng, 4)];
}

static void plant_by_chance(struct pl_tiers *t, struct pl_rng *rng)
{
	size_t racks[7] = {0};
	static const size_t rows[] = {3, 3, 0};
	const size_t n_racks = 2 + pl_rng_below(rng, 5);
	const bool wide = n_racks == 6 && pl_rng_below(rng, 2);
	const bool equal = pl_rng_below(rng, 2);
	double card = chance_rate(rng);

	for (size_t r = 0; r < n_racks; r++)
		racks[r] = 3 + pl_rng_below(rng, 4);
	plant(t, racks, wide ? rows : NULL);
	for (size_t h = 0; h < t->n; h++) {
		if (!equal)
			card = chance_rate(rng);
		t->card[h] = (struct pl_link_rate){card, card};
	}
	for (size_t g = 0; g < t->n_groups; g++) {
		const double share = 0.2 + 0.8 * pl_rng_double(rng);

		t->uplink[g].out_bps = chance_rate(rng) * share * 2;
		t->uplink[g].in_bps =
			pl_rng_below(rng, 2) ? t->uplink[g].out_bps : chance_rate(rng) * share * 2;
	}
}

/* Of flows from each host to another at random: how many get another rate with the rates found than
 * with the true ones? */
static size_t count_off(const struct pl_tiers *t, const struct pl_tiers *found, struct pl_rng *rng,
			size_t *n_flows)
{
	const struct fair_net truth = {.t = t}, told = {.t = found};
	struct fair_flow a[HOSTS_MAX] = {0}, b[HOSTS_MAX];
	size_t to[HOSTS_MAX], n = 0, n_off = 0;

	for (size_t i = 0; i < t->n; i++)
		to[i] = i;
	pl_rng_shuffle(rng, to, t->n);
	for (size_t i = 0; i < t->n; i++)
		if (to[i] != i)
			a[n++] = (struct fair_flow){.src = i, .dst = to[i]};
	memcpy(b, a, sizeof(a));
	fair_share(&truth, a, n);
	fair_share(&told, b, n);
	for (size_t k = 0; k < n; k++)
		n_off += fabs(b[k].bytes_per_s / a[k].bytes_per_s - 1) > 0.1;
	*n_flows += n;
	return n_off;
}

/* How many of some random networks are found wrong, and what was found in the rest. */
struct chances {
	size_t n_groups_wrong;
	size_t n_flows, n_off;         /* with the rates found */
	size_t n_links, n_low, n_high; /* uplinks whose rate was found */
};

static void judge_link(struct chances *c, double found, double planted)
{
	c->n_links += found > 0;
	c->n_high += found > 1.05 * planted;
	c->n_low += found > 0 && found < 0.95 * planted;
}

/* Counts what is wrong in @found. With two racks, the uplinks of one cannot be told from those of
 * the other: they are not judged. */
static void judge(struct chances *c, const struct pl_tiers *t, const struct pl_tiers *found,
		  struct pl_rng *rng)
{
	if (found->n_groups != t->n_groups) {
		c->n_groups_wrong++;
		return;
	}
	c->n_off += count_off(t, found, rng, &c->n_flows);
	for (size_t g = 0; t->n_groups > 2 && g < t->n_groups; g++) {
		const struct pl_link_rate *f = &found->uplink[g];

		judge_link(c, f->out_bps, t->uplink[g].out_bps);
		judge_link(c, f->in_bps, t->uplink[g].in_bps);
	}
}

/* Checks that fewer than @percent of 100 flows are wrong. */
static void judge_all(const struct chances *c, size_t percent)
{
	printf("# %zu of %zu flows off; of %zu uplinks told %zu too low, %zu too high\n", c->n_off,
	       c->n_flows, c->n_links, c->n_low, c->n_high);
	is_int((int64_t)c->n_groups_wrong, 0, "groups as planted");
	ok(c->n_off * 100 < percent * c->n_flows,
	   "all but %zu of 100 flows get what is told, within a tenth", percent);
	ok(c->n_links > 1000 && c->n_high == 0 && c->n_low * 20 < c->n_links,
	   "19 of 20 uplinks that are told are right, none is too high");
}

/* Round trips between the hosts, named h0, h1, ... */
static struct pl_matrix *make_times(const struct fair_net *net)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m;
	char name[32];

	for (size_t i = 0; i < net->t->n; i++) {
		snprintf(name, sizeof(name), "h%zu", i);
		pl_hosts_add(&hosts, &(struct pl_host){.name = name});
	}
	m = pl_matrix_create(&hosts, NULL);
	pl_hosts_fini(&hosts);
	time_pairs(m, net);
	return m;
}

#endif
