/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-rates-plan.c - few flows tell the cards and uplinks of made-up
 * networks */
#include "config.h"

#include "tests/failalloc.h"
#include "tests/topology/made-net.h"
#include "topology/rates-plan.h"

/* What a set must be: no host in two pairs, none that is lost. */
static bool is_sound(const struct fair_net *net, const struct pl_probe_flow *v, size_t n)
{
	size_t peer[HOSTS_MAX];

	for (size_t h = 0; h < net->t->n; h++)
		peer[h] = HOSTS_MAX;
	for (size_t k = 0; k < n; k++) {
		const size_t a = v[k].src, b = v[k].dst;

		if (a == b || is_lost(net, a) || is_lost(net, b) ||
		    (peer[a] != HOSTS_MAX && peer[a] != b) ||
		    (peer[b] != HOSTS_MAX && peer[b] != a))
			return false;
		peer[a] = b;
		peer[b] = a;
	}
	return true;
}

static void measure_set(const struct fair_net *net, struct pl_probe_flow *v, size_t n)
{
	struct fair_flow flow[2 * HOSTS_MAX];

	for (size_t k = 0; k < n; k++)
		flow[k] = (struct fair_flow){.src = v[k].src, .dst = v[k].dst};
	fair_share(net, flow, n);
	for (size_t k = 0; k < n; k++)
		v[k].bytes_per_s = flow[k].bytes_per_s;
}

/* All sets of the plan, then its lines into the matrix. How many sets; 0: one was not sound, or
 * something failed. */
static size_t run(const struct fair_net *net, struct pl_matrix *m, char text[PL_RATES_TEXT])
{
	struct pl_rates_plan p = {0};
	struct pl_probe_flow *v;
	bool lost[HOSTS_MAX] = {false}, apart, sound = true;
	size_t n, n_sets = 0, n_flows = 0;

	if (net->n_lost)
		lost[net->lost] = true;
	pl_rates_plan_init(&p, net->t->n);
	while (sound && p.chooser.next(p.chooser.arg, m, lost, &v, &n, &apart, NULL) == 0) {
		if (n == 0)
			break;
		sound = is_sound(net, v, n);
		measure_set(net, v, n);
		n_sets++;
		n_flows += n;
	}
	sound = sound && pl_rates_plan_finish(&p, m, text, NULL) == 0 &&
		n_flows <= p.chooser.flows_most;
	pl_rates_plan_fini(&p);
	return sound ? n_sets : 0;
}

/* Is @want what few flows tell of @net, in so many sets? */
static void tells(struct fair_net net, const struct pl_tiers *want, size_t n_sets, const char *what)
{
	struct pl_rng rng;
	struct pl_matrix *m;
	struct pl_tiers found;
	char text[PL_RATES_TEXT];

	pl_rng_init(&rng, SEED, 1);
	net.rng = &rng;
	m = make_times(&net);
	is_int((int64_t)run(&net, m, text), (int64_t)n_sets, what);
	pl_tiers_read(&found, m, NULL);
	if (!ok(are_alike(want, &found), "%s: %s", what, text))
		show(want, &found);
	pl_tiers_fini(&found);
	pl_matrix_destroy(m);
}

static void test_equal(void)
{
	static const size_t four[] = {4, 4, 4, 4, 0}, one[] = {7, 0};
	struct pl_tiers t, want;

	plant(&t, four, NULL);
	plant(&want, four, NULL);
	set_cards(&t, 400, 400);
	set_cards(&want, 400, 400);
	set_uplinks(&t, 200, 200);
	tells((struct fair_net){.t = &t, .noise = 0.02}, &t, 8, "equal");
	set_uplinks(&t, 900, 2000);
	set_uplinks(&want, 900, 0);
	tells((struct fair_net){.t = &t}, &want, 8, "what is never full");
	set_uplinks(&t, 2000, 2000);
	set_uplinks(&want, 0, 0);
	tells((struct fair_net){.t = &t, .flow_bps = 1e8}, &want, 8, "flows limited one by one");
	pl_tiers_fini(&t);
	pl_tiers_fini(&want);
	plant(&t, one, NULL);
	set_cards(&t, 400, 400);
	tells((struct fair_net){.t = &t}, &t, 2, "one rack");
	pl_tiers_fini(&t);
}

static void test_unequal(void)
{
	static const size_t racks[] = {3, 5, 4, 4, 0}, rows[] = {3, 3, 0};
	static const size_t six[] = {4, 4, 4, 4, 4, 4, 0}, large[] = {30, 30, 0};
	struct pl_tiers t;

	plant(&t, racks, NULL);
	set_cards(&t, 400, 400);
	t.card[1] = t.card[9] = (struct pl_link_rate){100e6, 200e6};
	set_uplinks(&t, 200, 300);
	t.uplink[2] = (struct pl_link_rate){400e6, 120e6};
	tells((struct fair_net){.t = &t, .noise = 0.02}, &t, 13, "unequal");
	pl_tiers_fini(&t);
	plant(&t, six, rows);
	set_cards(&t, 1000, 1000);
	set_uplinks(&t, 600, 600);
	t.uplink[6] = t.uplink[7] = (struct pl_link_rate){900e6, 900e6};
	tells((struct fair_net){.t = &t, .noise = 0.02}, &t, 9, "racks in rows");
	pl_tiers_fini(&t);
	plant(&t, large, NULL);
	set_cards(&t, 100, 100);
	for (size_t h = 0; h < t.n; h += 2)
		t.card[h] = (struct pl_link_rate){400e6, 400e6};
	set_uplinks(&t, 1000, 1000);
	tells((struct fair_net){.t = &t}, &t, 8, "large racks, half of it slow");
	pl_tiers_fini(&t);
}

static void test_chance(void)
{
	struct chances c = {0};
	size_t n_sound = 0;

	for (uint64_t k = 0; k < 400; k++) {
		struct pl_tiers t, found;
		struct pl_rng rng, noise;
		struct fair_net net = {.t = &t, .noise = 0.02, .rng = &noise};
		struct pl_matrix *m;
		char text[PL_RATES_TEXT];

		/* the same networks, whatever flows the plan measures */
		pl_rng_init(&rng, SEED, 100 + k);
		pl_rng_init(&noise, SEED, 1000 + k);
		plant_by_chance(&t, &rng);
		m = make_times(&net);
		n_sound += run(&net, m, text) > 0;
		if (pl_tiers_read(&found, m, NULL))
			abort();
		judge(&c, &t, &found, &rng);
		pl_tiers_fini(&found);
		pl_tiers_fini(&t);
		pl_matrix_destroy(m);
	}
	is_int((int64_t)n_sound, 400, "all plans are sound");
	judge_all(&c, 3);
}

static void without_memory(void)
{
	static const size_t racks[] = {3, 4, 0};
	struct pl_tiers t;
	struct pl_rng rng;
	struct fair_net net = {.t = &t, .rng = &rng};
	const bool lost[HOSTS_MAX] = {false};
	struct pl_matrix *m;
	bool failed = true, told = true, freed = true;

	pl_rng_init(&rng, SEED, 5);
	plant(&t, racks, NULL);
	m = make_times(&net);
	for (size_t k = 0; failed; k++) {
		struct pl_rates_plan p = {0};
		struct pl_err err = {0};
		struct pl_probe_flow *v;
		size_t n = 1, live;
		bool apart;
		int rc = 0;

		failalloc_begin(k);
		pl_rates_plan_init(&p, t.n);
		while (rc == 0 && n > 0)
			rc = p.chooser.next(p.chooser.arg, m, lost, &v, &n, &apart, &err);
		pl_rates_plan_fini(&p);
		failed = failalloc_end(&live);
		freed = freed && live == 0;
		told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
	pl_matrix_destroy(m);
	pl_tiers_fini(&t);
}

/* A host that goes down is in no further set; the others' uplinks are told. */
static void test_lost(void)
{
	static const size_t four[] = {4, 4, 4, 0};
	struct pl_tiers t;
	struct pl_rng rng;
	struct fair_net net = {.t = &t, .rng = &rng, .n_lost = 1, .lost = 5};
	struct pl_matrix *m;
	char text[PL_RATES_TEXT];

	pl_rng_init(&rng, SEED, 6);
	plant(&t, four, NULL);
	set_cards(&t, 400, 400);
	set_uplinks(&t, 200, 200);
	m = make_times(&net);
	ok(run(&net, m, text) > 0, "a host is lost: sets are sound");
	has_str(text,
		"3 racks of 3 to 4 hosts, 1 host not measured; cards 400 Mbit/s out (1 of 12 not "
		"known), 400 Mbit/s in (1 of 12 not known); uplinks of racks 200 Mbit/s out, 200 "
		"Mbit/s in",
		"the others are told");
	pl_matrix_destroy(m);
	pl_tiers_fini(&t);
}

int main(void)
{
	printf("# seed %d\n", SEED);
	test_equal();
	test_unequal();
	test_lost();
	test_chance();
	without_memory();
	return done_testing();
}
