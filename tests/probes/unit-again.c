/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-again.c - which pairs look disturbed, which value holds, what has drifted */
#include "config.h"

#include "base/rng.h"
#include "probes/run/again.h"
#include "probes/run/suspect.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define N 16
#define PAIRS (N * (N - 1) / 2)
#define US 1000.0

/* Four racks of four: 100 us in a rack, 400 us across, noise within 1 %. */
struct net {
	double p10[N * N], p50[N * N], sent[N * N], lost[N * N], late[N * N];
	uint8_t fresh[N * N];
	struct pl_layer layer[5]; /* of these cells */
	struct pl_suspect_input in;
};

static void make(struct net *net, uint64_t seed)
{
	struct pl_rng rng;

	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			const size_t at = i * N + j;
			const double base = i % 4 == j % 4 ? 100 * US : 400 * US;

			net->p10[at] = base * (1 + 0.01 * pl_rng_double(&rng));
			net->p50[at] = net->p10[at] + 5 * US;
			net->sent[at] = 40;
			net->lost[at] = net->late[at] = 0;
			net->fresh[at] = 1;
			if (i == j)
				net->p10[at] = net->p50[at] = 0;
		}
	double *const cell[] = {net->p10, net->p50, net->sent, net->lost, net->late};

	for (size_t k = 0; k < 5; k++)
		net->layer[k] = (struct pl_layer){.n = N, .cell = cell[k]};
	net->in = (struct pl_suspect_input){
		.n = N,
		.p10 = &net->layer[0],
		.p50 = &net->layer[1],
		.sent = &net->layer[2],
		.lost = &net->layer[3],
		.late = &net->layer[4],
		.fresh = net->fresh,
		.tolerance = {.share = 0.02, .ns = 10000},
		.most = PAIRS,
	};
}

static size_t suspects(const struct net *net, struct pl_meet out[PAIRS])
{
	size_t n = PAIRS + 1;

	pl_suspect(&net->in, out, &n, NULL);
	return n;
}

/* Is pair 3-8 the one that is suspected? */
static bool only_3_8(const struct net *net)
{
	struct pl_meet out[PAIRS];

	return suspects(net, out) == 1 && out[0].a == 3 && out[0].b == 8;
}

static void slow(struct net *net, size_t i, size_t j, double ns)
{
	net->p10[i * N + j] += ns;
	net->p50[i * N + j] += ns;
}

static void test_suspect(void)
{
	static struct net net;
	struct pl_meet out[PAIRS];
	size_t clean = 0;

	for (uint64_t seed = 0; seed < 50; seed++) {
		make(&net, seed);
		clean += suspects(&net, out);
	}
	is_int((int64_t)clean, 0, "noise within the tolerance: none, 50 times");
	make(&net, 1);
	slow(&net, 3, 8, 100 * US);
	ok(only_3_8(&net), "one direction slower than the other");
	make(&net, 1);
	slow(&net, 3, 8, 200 * US);
	slow(&net, 8, 3, 200 * US);
	ok(only_3_8(&net), "both slower than the neighbourhood says");
	make(&net, 1);
	slow(&net, 3, 8, -200 * US);
	slow(&net, 8, 3, -200 * US);
	is_int((int64_t)suspects(&net, out), 0, "faster is no fault");
	make(&net, 1);
	net.p50[8 * N + 3] += 300 * US;
	ok(only_3_8(&net), "a long way from p10 to p50");
	make(&net, 1);
	net.lost[3 * N + 8] = 10;
	ok(only_3_8(&net), "losses");
	make(&net, 1);
	net.late[8 * N + 3] = 8;
	ok(only_3_8(&net), "late replies");
	for (size_t at = 0; at < N * N; at++)
		net.lost[at] = 8;
	net.late[8 * N + 3] = 0;
	is_int((int64_t)suspects(&net, out), 0, "losses that all have are no reason");
}

static void test_worst_first(void)
{
	static struct net net;
	struct pl_meet out[PAIRS];

	make(&net, 1);
	slow(&net, 1, 2, 90 * US);
	slow(&net, 5, 6, 900 * US);
	slow(&net, 9, 15, 300 * US);
	net.in.most = 2;
	is_int((int64_t)suspects(&net, out), 2, "no more than asked");
	ok(out[0].a == 5 && out[1].a == 9 && out[0].ways == PL_MEET_BOTH, "the worst first");
	net.fresh[5 * N + 6] = 0;
	suspects(&net, out);
	ok(out[0].a == 5 && out[0].ways == PL_MEET_BACK,
	   "what was not measured now is not measured again");
	net.fresh[6 * N + 5] = 0;
	suspects(&net, out);
	ok(out[0].a == 9 && out[1].a == 1, "nor are such pairs");
	for (size_t at = 0; at < N * N; at++)
		net.p10[at] = net.p50[at] = NAN;
	is_int((int64_t)suspects(&net, out), 0, "nothing measured: none");
}

/* A whole second look: @slow_ns on 3-8 at first, all slower by @drift later. */
struct look {
	struct pl_collect c;
	struct pl_again again;
	struct pl_probe_options o;
	struct pl_probe_report report;
	struct pl_meet first[N / 2];
	struct pl_hosts hosts;
};

static struct pl_probed_pair pair_of(double ns)
{
	const int64_t v = (int64_t)ns;

	return (struct pl_probed_pair){.sent = 40,
				       .answered = 40,
				       .packets = 41,
				       .rtt = {v, v, v + 5000, v + 6000, v + 7000, 0, v}};
}

static double base(size_t i, size_t j)
{
	return i % 4 == j % 4 ? 100 * US : 400 * US;
}

static int look(struct look *l, double slow_ns, double drift)
{
	memset(l, 0, sizeof(*l));
	pl_probe_defaults(&l->o);
	for (size_t i = 0; i < N; i++) {
		char name[8];
		const struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%zu", i);
		if (pl_hosts_add(&l->hosts, &host))
			return -1;
	}
	if (pl_collect_init(&l->c, &l->hosts, false, NULL))
		return -1;
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			const bool bad = i == 3 && j == 8;
			const struct pl_probed_pair p = pair_of(base(i, j) + (bad ? slow_ns : 0));

			if (i != j && pl_collect_pair(&l->c, i, j, &p, ""))
				return -1;
		}
	for (uint32_t i = 0; i < N / 2; i++)
		l->first[i] = (struct pl_meet){.a = i, .b = N - 1 - i, .ways = PL_MEET_BOTH};
	l->again.collect = &l->c;
	l->again.options = &l->o;
	if (pl_again_choose(&l->again, l->first, N / 2, NULL))
		return -1;
	for (size_t k = 0; k < l->again.n; k++) {
		const struct pl_meet *m = &l->again.v[k];
		const struct pl_probed_pair p = pair_of(base(m->a, m->b) * (1 + drift));

		if (pl_again_take(&l->again, m->a, m->b, &p) ||
		    pl_again_take(&l->again, m->b, m->a, &p))
			return -1;
	}
	return pl_again_report(&l->again, &l->report);
}

static void look_away(struct look *l)
{
	pl_again_fini(&l->again);
	pl_collect_fini(&l->c);
	pl_hosts_fini(&l->hosts);
}

static double value(const struct look *l, size_t i, size_t j)
{
	return l->c.matrix->layer[0].cell[i * N + j];
}

static void test_look(void)
{
	static struct look l;

	is_int(look(&l, 0, 0), 0, "a second look");
	ok(l.report.drift_ways == N && l.report.drift_beyond == 0 && l.report.drift_share == 0 &&
		   l.report.pairs_again == 0,
	   "a steady network has neither drift nor suspects");
	look_away(&l);
	look(&l, 200 * US, 0);
	ok(l.report.pairs_again == 1 && l.report.ways_replaced == 1,
	   "one pair was disturbed, in one direction");
	is_int((int64_t)value(&l, 3, 8), 400000, "its second value holds");
	is_int((int64_t)value(&l, 8, 3), 400000, "the other direction's first");
	look_away(&l);
	look(&l, 200 * US, 0.8);
	is_int(l.report.ways_replaced, 0, "a second value that is worse");
	is_int((int64_t)value(&l, 3, 8), 600000, "is dropped");
	ok(l.report.drift_beyond == N && fabs(l.report.drift_share - 0.8) < 1e-6,
	   "all have shifted by 80 %%");
	ok(value(&l, 0, 15) == 400 * US, "first values stay");
	has_str(l.c.matrix->header[0].value, "ways=16 median-percent=80.00",
		"which the matrix says");
	look_away(&l);
	look(&l, 0, -0.03);
	ok(l.report.drift_beyond == 0 && l.report.drift_share < 0,
	   "a shift within twice the precision is none");
	look_away(&l);
}

/* Too few replies are no better value. */
static void test_few(void)
{
	static struct look l;
	struct pl_probed_pair p = pair_of(1);

	look(&l, 200 * US, 0.8);
	p.answered = 39;
	pl_again_take(&l.again, 3, 8, &p);
	is_int((int64_t)value(&l, 3, 8), 600000, "too few replies: dropped");
	p.answered = 40;
	pl_again_take(&l.again, 3, 9, &p);
	ok(value(&l, 3, 9) > 1, "a pair that was not asked for: dropped");
	pl_again_take(&l.again, 3, 8, &p);
	is_int((int64_t)value(&l, 3, 8), 1, "else taken");
	look_away(&l);
}

static void test_memory(void)
{
	static struct look l;
	size_t live, k = 0;
	int wrong = 0;
	bool refused;

	do {
		int status;

		failalloc_begin(k++);
		status = look(&l, 200 * US, 0);
		look_away(&l);
		refused = failalloc_end(&live);
		wrong += live != 0 || refused != (status != 0);
	} while (refused);
	ok(k > 20, "each of %zu allocations refused in turn", k - 1);
	is_int(wrong, 0, "an error each time, and nothing leaks");
}

int main(void)
{
	test_suspect();
	test_worst_first();
	test_look();
	test_few();
	test_memory();
	return done_testing();
}
