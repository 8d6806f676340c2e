/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-rates.c - racks, cards and uplinks of made-up networks, found by their flows */
#include "config.h"

#include "src/schedule.h"
#include "tests/fair.h"
#include "tests/tap.h"
#include "topology/rates.h"

#include <inttypes.h>

enum { HOSTS_MAX = 64, SEED = 7 };

/* racks[k] hosts in rack k, rows[k] racks in row k (NULL: no rows); 0 ends either. */
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
		t->card[h] =
			(struct pl_link_rate){out_mbit * 1e6, in_mbit * 1e6};
}

static void set_uplinks(struct pl_tiers *t, double out_mbit, double in_mbit)
{
	for (size_t g = 0; g < t->n_groups; g++)
		t->uplink[g] =
			(struct pl_link_rate){out_mbit * 1e6, in_mbit * 1e6};
}

static bool is_lost(const struct fair_net *net, size_t host)
{
	return net->n_lost > 0 && host == net->lost;
}

/* Times by how many groups are left and entered, give or take a hundredth. */
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

static void measure_alone(struct pl_matrix *m, const struct fair_net *net)
{
	struct pl_layer *l =
		pl_matrix_add_layer(m, "alone", PL_BANDWIDTH, PL_BYTES_PER_S);
	const size_t n = net->t->n;

	for (size_t at = 0; at < n * n; at++) {
		struct fair_flow flow = {.src = at / n, .dst = at % n};

		if (flow.src == flow.dst || is_lost(net, flow.src) ||
		    is_lost(net, flow.dst))
			continue;
		fair_share(net, &flow, 1);
		l->cell[at] = flow.bytes_per_s;
	}
}

static void measure_together(struct pl_matrix *m, const struct fair_net *net)
{
	struct pl_layer *l = pl_matrix_add_layer(m, "together", PL_BANDWIDTH,
						 PL_BYTES_PER_S);
	const size_t n = net->t->n;
	struct fair_flow flow[HOSTS_MAX];

	for (size_t round = 0; round < pl_schedule_rounds(n); round++) {
		size_t n_flows = 0;

		for (size_t i = 0; i < n; i++) {
			const size_t j = pl_schedule_peer(n, round, i);

			if (j != PL_SCHEDULE_REST && !is_lost(net, i) &&
			    !is_lost(net, j))
				flow[n_flows++] =
					(struct fair_flow){.src = i, .dst = j};
		}
		fair_share(net, flow, n_flows);
		for (size_t k = 0; k < n_flows; k++)
			l->cell[flow[k].src * n + flow[k].dst] =
				flow[k].bytes_per_s;
	}
}

static struct pl_matrix *measure(const struct fair_net *net)
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
	measure_alone(m, net);
	measure_together(m, net);
	pl_matrix_add_header(m, "bandwidth", "method=tcp streams=1");
	return m;
}

static bool near(double found, double planted)
{
	return fabs(found / planted - 1) < 0.05;
}

static void show(const struct pl_tiers *t, const struct pl_tiers *found)
{
	for (size_t h = 0; h < t->n; h++)
		printf("# card %zu: %.4g %.4g, found %.4g %.4g\n", h,
		       t->card[h].out_bps, t->card[h].in_bps,
		       found->card[h].out_bps, found->card[h].in_bps);
	for (size_t g = 0; g < t->n_groups && g < found->n_groups; g++)
		printf("# uplink %zu: %.4g %.4g, found %.4g %.4g\n", g,
		       t->uplink[g].out_bps, t->uplink[g].in_bps,
		       found->uplink[g].out_bps, found->uplink[g].in_bps);
}

/* What no flow could tell is not told; planted rates of 0 stand for that. */
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
		       is_told(found->uplink[g].out_bps,
			       t->uplink[g].out_bps) &&
		       is_told(found->uplink[g].in_bps, t->uplink[g].in_bps);
	return same;
}

/* Where @net is what was measured, is @want what is told of it? */
static void tells(struct fair_net net, const struct pl_tiers *want,
		  const char *what)
{
	struct pl_rng rng;
	struct pl_matrix *m;
	struct pl_tiers found;
	char text[PL_RATES_TEXT];

	pl_rng_init(&rng, SEED, 1);
	net.rng = &rng;
	m = measure(&net);
	ok(pl_rates_complete(m, text, NULL) == 0 && text[0], "%s: %s", what,
	   text);
	pl_tiers_read(&found, m, NULL);
	if (!ok(are_alike(want, &found), "%s: as planted", what))
		show(want, &found);
	pl_tiers_fini(&found);
	pl_matrix_destroy(m);
}

static void finds(const struct pl_tiers *t, double noise, const char *what)
{
	tells((struct fair_net){.t = t, .noise = noise}, t, what);
}

static void test_equal(void)
{
	static const size_t four[] = {4, 4, 4, 4, 0};
	struct pl_tiers t, want;

	plant(&t, four, NULL);
	plant(&want, four, NULL);
	set_cards(&t, 400, 400);
	set_uplinks(&t, 200, 200);
	finds(&t, 0, "equal");
	finds(&t, 0.03, "equal, noisy");
	set_uplinks(&t, 900, 600);
	set_cards(&want, 400, 400);
	set_uplinks(&want, 0, 600);
	tells((struct fair_net){.t = &t}, &want, "what is never full");
	set_uplinks(&t, 2000, 2000);
	set_uplinks(&want, 0, 0);
	tells((struct fair_net){.t = &t, .flow_bps = 1e8}, &want,
	      "flows limited one by one");
	pl_tiers_fini(&t);
	pl_tiers_fini(&want);
}

static void test_unequal(void)
{
	static const size_t racks[] = {3, 5, 4, 4, 0}, rows[] = {3, 3, 0};
	static const size_t six[] = {4, 4, 4, 4, 4, 4, 0}, one[] = {6, 0};
	struct pl_tiers t;

	plant(&t, racks, NULL);
	set_cards(&t, 400, 400);
	t.card[1] = t.card[9] = (struct pl_link_rate){100e6, 200e6};
	set_uplinks(&t, 200, 300);
	t.uplink[2] = (struct pl_link_rate){400e6, 120e6};
	finds(&t, 0.02, "unequal");
	pl_tiers_fini(&t);
	plant(&t, six, rows);
	set_cards(&t, 1000, 1000);
	set_uplinks(&t, 600, 600);
	t.uplink[6] = t.uplink[7] = (struct pl_link_rate){900e6, 900e6};
	finds(&t, 0.02, "racks in rows");
	pl_tiers_fini(&t);
	plant(&t, one, NULL);
	set_cards(&t, 400, 400);
	set_uplinks(&t, 0, 0);
	finds(&t, 0.02, "one rack");
	pl_tiers_fini(&t);
}

/* The matrix is as it was where nothing can be told, or it is there already. */
static void test_nothing(void)
{
	static const size_t two[] = {3, 3, 0};
	struct pl_tiers t;
	struct pl_rng rng;
	struct fair_net net = {.t = &t, .rng = &rng};
	struct pl_matrix *m;
	char text[PL_RATES_TEXT];
	size_t n_headers;

	pl_rng_init(&rng, SEED, 3);
	plant(&t, two, NULL);
	set_cards(&t, 400, 400);
	m = measure(&net);
	pl_matrix_drop_headers(m, "bandwidth");
	ok(pl_rates_complete(m, text, NULL) == 0 && !text[0] &&
		   m->n_headers == 0,
	   "not by TCP: nothing is told");
	pl_matrix_add_header(m, "bandwidth", "method=tcp streams=1");
	pl_matrix_add_header(m, "card", "h0 1G 1G");
	ok(pl_rates_complete(m, text, NULL) == 0 && !text[0] &&
		   m->n_headers == 2,
	   "a card is told already");
	pl_matrix_drop_headers(m, "card");
	pl_matrix_add_header(m, "rack", "h0 0");
	ok(pl_rates_complete(m, text, NULL) < 0, "racks of some hosts only");
	for (int h = 1; h < 6; h++) {
		char line[16];

		snprintf(line, sizeof(line), "h%d %d", h, h % 2);
		pl_matrix_add_header(m, "rack", line);
	}
	ok(pl_rates_complete(m, text, NULL) == 0, "racks that are told");
	has_str(text, "2 racks of 3 hosts; cards 400", "are kept");
	n_headers = m->n_headers;
	ok(pl_rates_complete(m, text, NULL) == 0 && !text[0] &&
		   m->n_headers == n_headers,
	   "a second time changes nothing");
	pl_matrix_destroy(m);
	pl_tiers_fini(&t);
}

/* A host of which nothing is known, and rounds that say nothing. */
static void test_losses(void)
{
	static const size_t racks[] = {4, 4, 4, 0};
	struct pl_tiers t, found;
	struct pl_rng rng;
	struct fair_net net = {.t = &t, .rng = &rng, .n_lost = 1, .lost = 5};
	struct pl_matrix *m;
	char text[PL_RATES_TEXT];

	pl_rng_init(&rng, SEED, 4);
	plant(&t, racks, NULL);
	set_cards(&t, 400, 400);
	set_uplinks(&t, 200, 200);
	m = measure(&net);
	pl_rates_complete(m, text, NULL);
	pl_tiers_read(&found, m, NULL);
	ok(found.n_groups == 4 && found.rack[5] != found.rack[4] &&
		   found.rack[5] != found.rack[0] && found.card[5].out_bps == 0,
	   "a lost host is in no other's rack, its card not known");
	ok(near(found.uplink[found.rack[4]].out_bps, 200e6),
	   "the uplink of its rack is told by the others");
	pl_tiers_fini(&found);
	pl_matrix_drop_headers(m, "card");
	pl_matrix_drop_headers(m, "uplink");
	for (size_t at = 0; at < 144; at++)
		pl_matrix_add_note(m, at / 12, at % 12,
				   "together: not reliable: 3 looks");
	pl_rates_complete(m, text, NULL);
	has_str(text, "uplinks of racks not known out, not known in",
		"what is not reliable tells no uplink");
	has_str(text, "cards 400 Mbit/s out", "but cards, by flows alone");
	pl_matrix_destroy(m);
	pl_tiers_fini(&t);
}

/* Rates of links by chance, those of a kind alike or each its own. */
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
		t->uplink[g].in_bps = pl_rng_below(rng, 2)
					      ? t->uplink[g].out_bps
					      : chance_rate(rng) * share * 2;
	}
}

/* Of flows from each host to another one by chance: how many get another rate by
 * @found than in truth? */
static size_t count_off(const struct pl_tiers *t, const struct pl_tiers *found,
			struct pl_rng *rng, size_t *n_flows)
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

/* How many networks, of some that are made by chance, are told wrongly? */
struct chances {
	size_t n_groups_wrong;
	size_t n_flows, n_off;         /* by what is told */
	size_t n_links, n_low, n_high; /* uplinks that are told */
};

static void judge_link(struct chances *c, double found, double planted)
{
	c->n_links += found > 0;
	c->n_high += found > 1.05 * planted;
	c->n_low += found > 0 && found < 0.95 * planted;
}

/* Of two racks nothing tells the uplinks of one from those of the other. */
static void judge(struct chances *c, const struct pl_tiers *t,
		  const struct pl_tiers *found, struct pl_rng *rng)
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

static void test_chance(void)
{
	struct chances c = {0};
	struct pl_rng rng;

	pl_rng_init(&rng, SEED, 2);
	for (int k = 0; k < 200; k++) {
		struct pl_tiers t, found;
		struct fair_net net = {.t = &t, .noise = 0.02, .rng = &rng};
		struct pl_matrix *m;
		char text[PL_RATES_TEXT];

		plant_by_chance(&t, &rng);
		m = measure(&net);
		if (pl_rates_complete(m, text, NULL) ||
		    pl_tiers_read(&found, m, NULL))
			abort();
		judge(&c, &t, &found, &rng);
		pl_tiers_fini(&found);
		pl_tiers_fini(&t);
		pl_matrix_destroy(m);
	}
	printf("# %zu of %zu flows off; of %zu uplinks told %zu too low, %zu "
	       "too high\n",
	       c.n_off, c.n_flows, c.n_links, c.n_low, c.n_high);
	is_int((int64_t)c.n_groups_wrong, 0, "groups as planted");
	ok(c.n_off * 100 < c.n_flows,
	   "99 of 100 flows get what is told, within a tenth");
	ok(c.n_links > 1000 && c.n_high == 0 && c.n_low * 20 < c.n_links,
	   "19 of 20 uplinks that are told are right, none is too high");
}

int main(void)
{
	printf("# seed %d\n", SEED);
	test_equal();
	test_unequal();
	test_nothing();
	test_losses();
	test_chance();
	return done_testing();
}
