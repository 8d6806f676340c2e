/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-rates.c - racks, cards and uplinks of made-up networks, found by their flows */
#include "config.h"

#include "base/tournament.h"
#include "tests/failalloc.h"
#include "tests/topology/made-net.h"
#include "topology/rates.h"

static void measure_alone(struct pl_matrix *m, const struct fair_net *net)
{
	struct pl_layer *l = pl_matrix_add_layer(m, "alone", PL_BANDWIDTH, PL_BYTES_PER_S);
	const size_t n = net->t->n;

	for (size_t at = 0; at < n * n; at++) {
		struct fair_flow flow = {.src = at / n, .dst = at % n};

		if (flow.src == flow.dst || is_lost(net, flow.src) || is_lost(net, flow.dst))
			continue;
		fair_share(net, &flow, 1);
		l->cell[at] = flow.bytes_per_s;
	}
}

static void measure_together(struct pl_matrix *m, const struct fair_net *net)
{
	struct pl_layer *l = pl_matrix_add_layer(m, "together", PL_BANDWIDTH, PL_BYTES_PER_S);
	const size_t n = net->t->n;
	struct fair_flow flow[HOSTS_MAX];

	for (size_t round = 0; round < pl_tournament_rounds(n); round++) {
		size_t n_flows = 0;

		for (size_t i = 0; i < n; i++) {
			const size_t j = pl_tournament_peer(n, round, i);

			if (j != PL_TOURNAMENT_REST && !is_lost(net, i) && !is_lost(net, j))
				flow[n_flows++] = (struct fair_flow){.src = i, .dst = j};
		}
		fair_share(net, flow, n_flows);
		for (size_t k = 0; k < n_flows; k++)
			l->cell[flow[k].src * n + flow[k].dst] = flow[k].bytes_per_s;
	}
}

static struct pl_matrix *measure(const struct fair_net *net)
{
	struct pl_matrix *m = make_times(net);

	measure_alone(m, net);
	measure_together(m, net);
	pl_matrix_add_header(m, "bandwidth", "method=tcp streams=1");
	return m;
}

/* Where @net is what was measured, is @want what is told of it? */
static void tells(struct fair_net net, const struct pl_tiers *want, const char *what)
{
	struct pl_rng rng;
	struct pl_matrix *m;
	struct pl_tiers found;
	char text[PL_RATES_TEXT];

	pl_rng_init(&rng, SEED, 1);
	net.rng = &rng;
	m = measure(&net);
	ok(pl_rates_complete(m, text, NULL) == 0 && text[0], "%s: %s", what, text);
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
	tells((struct fair_net){.t = &t, .flow_bps = 1e8}, &want, "flows limited one by one");
	pl_tiers_fini(&t);
	pl_tiers_fini(&want);
}

static void test_unequal(void)
{
	static const size_t racks[] = {3, 5, 4, 4, 0}, rows[] = {3, 2, 1, 0};
	static const size_t two_rows[] = {3, 2, 0};
	static const size_t six[] = {4, 4, 4, 4, 4, 4, 0}, one[] = {6, 0};
	struct pl_tiers t, want;

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
	t.uplink[6] = t.uplink[7] = t.uplink[8] = (struct pl_link_rate){900e6, 900e6};
	plant(&want, six, two_rows);
	memcpy(want.card, t.card, t.n * sizeof(*t.card));
	memcpy(want.uplink, t.uplink, want.n_groups * sizeof(*t.uplink));
	want.uplink[5] = (struct pl_link_rate){0, 0}; /* those of rows hide it */
	tells((struct fair_net){.t = &t, .noise = 0.02}, &want, "racks in rows, one alone");
	pl_tiers_fini(&t);
	pl_tiers_fini(&want);
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
	ok(pl_rates_complete(m, text, NULL) == 0 && !text[0] && m->n_headers == 0,
	   "not by TCP: nothing is told");
	pl_matrix_add_header(m, "bandwidth", "method=tcp streams=1");
	pl_matrix_add_header(m, "card", "h0 1G 1G");
	ok(pl_rates_complete(m, text, NULL) == 0 && !text[0] && m->n_headers == 2,
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
	ok(pl_rates_complete(m, text, NULL) == 0 && !text[0] && m->n_headers == n_headers,
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
		pl_matrix_add_note(m, at / 12, at % 12, "together: not reliable: 3 looks");
	pl_rates_complete(m, text, NULL);
	has_str(text, "uplinks of racks not known out, not known in",
		"what is not reliable tells no uplink");
	has_str(text, "cards 400 Mbit/s out", "but cards, by flows alone");
	pl_matrix_destroy(m);
	pl_tiers_fini(&t);
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
		if (pl_rates_complete(m, text, NULL) || pl_tiers_read(&found, m, NULL))
			abort();
		judge(&c, &t, &found, &rng);
		pl_tiers_fini(&found);
		pl_tiers_fini(&t);
		pl_matrix_destroy(m);
	}
	judge_all(&c, 1);
}

static void without_memory(void)
{
	static const size_t racks[] = {3, 3, 3, 0}, rows[] = {2, 0};
	struct pl_tiers t, found;
	struct pl_rng rng;
	struct fair_net net = {.t = &t, .rng = &rng};
	struct pl_rate_flows f = {0};
	struct pl_matrix *m;
	bool failed = true, told = true, freed = true;

	pl_rng_init(&rng, SEED, 5);
	plant(&t, racks, rows);
	set_cards(&t, 400, 400);
	set_uplinks(&t, 200, 200);
	m = measure(&net);
	f.alone = pl_matrix_layer(m, "alone")->cell;
	for (size_t k = 0; failed; k++) {
		struct pl_err err = {0};
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = pl_rates_groups(&found, m, &err);
		if (rc == 0) {
			rc = pl_rates_infer(&found, &f, &err);
			pl_tiers_fini(&found);
		}
		failed = failalloc_end(&live);
		freed = freed && live == 0;
		told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
	pl_matrix_destroy(m);
	pl_tiers_fini(&t);
}

/* Rates all the same, but racks neither of three hosts, nor of those that were not measured. */
static void test_few(void)
{
	static const size_t three[] = {3, 0};
	struct pl_tiers t, found;
	struct pl_rng rng;
	struct fair_net net = {.t = &t, .rng = &rng};
	struct pl_matrix *m;
	char text[PL_RATES_TEXT];

	pl_rng_init(&rng, SEED, 6);
	plant(&t, three, NULL);
	set_cards(&t, 400, 400);
	m = measure(&net);
	pl_rates_complete(m, text, NULL);
	has_str(text, "too few measurements to tell racks; cards 400 Mbit/s", "three hosts");
	pl_tiers_read(&found, m, NULL);
	is_int((int64_t)found.n_groups, 0, "are in no rack");
	pl_tiers_fini(&found);
	pl_matrix_destroy(m);
	pl_tiers_fini(&t);
}

int main(void)
{
	printf("# seed %d\n", SEED);
	test_equal();
	test_unequal();
	test_nothing();
	test_losses();
	test_few();
	test_chance();
	without_memory();
	return done_testing();
}
