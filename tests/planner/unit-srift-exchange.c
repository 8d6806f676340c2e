/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-exchange.c - transfers that share bandwidth: closed forms, brute force */
#include "config.h"

#include "base/rng.h"
#include "planner/srift/iteration/exchange-least.h"
#include "planner/srift/iteration/exchange.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define TRANSFERS_MAX 12

static struct pl_exchange_result play(struct pl_transfer *t, size_t n, double cap, size_t at_once)
{
	const struct pl_exchange_options o = {cap, at_once};
	struct pl_exchange_result r;
	struct pl_err err;

	if (pl_exchange(t, n, &o, &r, &err))
		r.end_s = NAN;
	return r;
}

static void near(double got, double want, const char *what)
{
	if (!ok(fabs(got - want) <= 1e-9 * want, "%s", what))
		printf("# got %.15g, want %.15g\n", got, want);
}

static void test_one(void)
{
	struct pl_transfer t = {2, 300, 100, 0, 0};

	near(play(&t, 1, 0, 0).end_s, 5, "one layer: ready + s / b");
	near(play(&t, 1, 150, 0).end_s, 5, "one layer below the cap");
	near(play(&t, 1, 50, 0).end_s, 8, "one layer above the cap");
	near(play(&t, 1, 100, 0).end_s, 5, "one layer that is the cap");
	ok(t.begin_s == 2 && t.end_s == 5, "begins when it is ready");
	is_int((int64_t)play(&t, 0, 1, 1).n_events, 0, "none at all");
}

/* k equal layers that begin together all end when the cap has moved them. */
static void test_equal(void)
{
	for (size_t k = 1; k <= 1024; k *= 4) {
		struct pl_transfer *t = calloc(k, sizeof(*t));
		struct pl_exchange_result r;
		bool all = true;

		for (size_t i = 0; i < k; i++)
			t[i] = (struct pl_transfer){0.25, 7e6, 1e9, 0, 0};
		r = play(t, k, 1e9, 0);
		for (size_t i = 0; i < k; i++)
			all &= t[i].end_s == r.end_s;
		near(r.end_s, 0.25 + (double)k * 7e6 / 1e9, "k equal layers");
		ok(all && r.most_at_once == k && r.n_events == 2 * k, "%zu of them, all at once",
		   k);
		r = play(t, k, 0, 0);
		near(r.end_s, 0.25 + 7e6 / 1e9, "without a cap: as one");
		r = play(t, k, 1e9, 1);
		near(r.end_s, 0.25 + (double)k * 7e6 / 1e9, "one by one");
		ok(r.most_at_once == 1, "is one at a time");
		free(t);
	}
}

/* The first alone until the second comes; then half each until one is done. */
static void test_staggered(void)
{
	struct pl_transfer t[] = {{0, 1000, 100, 0, 0}, {4, 300, 100, 0, 0}};
	struct pl_exchange_result r = play(t, 2, 100, 0);

	near(t[1].end_s, 10, "the second: 300 at half of 100");
	near(t[0].end_s, 13, "the first: 400, 300, and 300 alone");
	ok(r.end_s == t[0].end_s && r.n_events == 4, "four events");
	r = play(t, 2, 100, 1);
	near(t[0].end_s, 10, "one at a time: the first is not disturbed");
	ok(t[1].begin_s == t[0].end_s, "the second begins then");
	near(r.end_s, 13, "and ends last");
}

/* b_agg counts what each would take alone; what the small one leaves is
 * lost. */
static void test_unequal(void)
{
	struct pl_transfer t[] = {{0, 90, 10, 0, 0}, {0, 900, 95, 0, 0}};

	play(t, 2, 100, 0);
	near(t[0].end_s, 9, "min(10, 100 / 2) is 10");
	near(t[1].end_s, 9 + (900 - 9 * 50) / 95., "50, and alone 95");
	play(t, 2, 105, 0);
	near(t[1].end_s, 9 + (900 - 9 * 52.5) / 95., "exactly the cap: shared");
	play(t, 2, 105.5, 0);
	near(t[1].end_s, 900 / 95., "together below the cap: no sharing");
}

/* The rates of eq. (2), as it stands in the paper. */
static void rates(const struct pl_transfer *t, const double *left, size_t n, const bool *begun,
		  double cap, double *rate)
{
	double sum = 0;
	size_t c = 0;

	for (size_t i = 0; i < n; i++)
		if (begun[i] && left[i] > 0) {
			sum += t[i].bytes_per_s;
			c++;
		}
	for (size_t i = 0; i < n; i++) {
		rate[i] = 0;
		if (begun[i] && left[i] > 0)
			rate[i] = sum < cap ? t[i].bytes_per_s
					    : fmin(t[i].bytes_per_s, cap / (double)c);
	}
}

/* In steps of dt. end_s[n] comes out. */
static void small_steps(const struct pl_transfer *t, size_t n, double cap, double dt, double *end_s)
{
	double left[TRANSFERS_MAX], rate[TRANSFERS_MAX];
	bool begun[TRANSFERS_MAX] = {false};
	size_t n_left = n;

	for (size_t i = 0; i < n; i++)
		left[i] = t[i].wire_bytes;
	for (size_t k = 0; n_left; k++) {
		for (size_t i = 0; i < n; i++)
			begun[i] = t[i].ready_s <= (double)k * dt;
		rates(t, left, n, begun, cap, rate);
		for (size_t i = 0; i < n; i++) {
			if (rate[i] == 0)
				continue;
			left[i] -= rate[i] * dt;
			if (left[i] <= 0) {
				end_s[i] = (double)(k + 1) * dt;
				n_left--;
			}
		}
	}
}

/* From event to event, all looked at each time. */
static void event_by_event(const struct pl_transfer *t, size_t n, double cap, double *end_s)
{
	double left[TRANSFERS_MAX], rate[TRANSFERS_MAX], now = 0;
	bool begun[TRANSFERS_MAX] = {false};
	size_t n_left = n;

	for (size_t i = 0; i < n; i++)
		left[i] = t[i].wire_bytes;
	while (n_left) {
		double next = INFINITY;
		size_t who = n;

		rates(t, left, n, begun, cap, rate);
		for (size_t i = 0; i < n; i++) {
			const double at = !begun[i]     ? t[i].ready_s
					  : left[i] > 0 ? now + left[i] / rate[i]
							: INFINITY;

			if (at < next) {
				next = at;
				who = i;
			}
		}
		for (size_t i = 0; i < n; i++)
			if (begun[i] && left[i] > 0)
				left[i] -= rate[i] * (next - now);
		now = next;
		if (begun[who]) {
			left[who] = 0;
			end_s[who] = now;
			n_left--;
		} else {
			begun[who] = true;
		}
	}
}

static size_t random_case(struct pl_rng *rng, struct pl_transfer *t)
{
	const size_t n = 1 + pl_rng_below(rng, TRANSFERS_MAX);

	for (size_t i = 0; i < n; i++)
		t[i] = (struct pl_transfer){
			.ready_s = pl_rng_double(rng),
			.wire_bytes = 1 + 99 * pl_rng_double(rng),
			/* some alike, as sizes of layers are */
			.bytes_per_s = 50. * (double)(1 + pl_rng_below(rng, 6)),
		};
	return n;
}

static void test_random(void)
{
	struct pl_transfer t[TRANSFERS_MAX];
	double slow[TRANSFERS_MAX], exact[TRANSFERS_MAX];
	double worst_exact = 0, worst_slow = 0;
	const double dt = 1e-4;
	struct pl_rng rng;

	pl_rng_init(&rng, 1, 0);
	for (int k = 0; k < 400; k++) {
		const size_t n = random_case(&rng, t);
		const double cap = 50 + 400 * pl_rng_double(&rng);

		play(t, n, cap, 0);
		event_by_event(t, n, cap, exact);
		small_steps(t, n, cap, dt, slow);
		for (size_t i = 0; i < n; i++) {
			worst_exact = fmax(worst_exact, fabs(t[i].end_s - exact[i]));
			worst_slow = fmax(worst_slow, fabs(t[i].end_s - slow[i]));
		}
	}
	printf("# off by %g and %g\n", worst_exact, worst_slow);
	ok(worst_exact < 1e-9, "as event by event, all looked at");
	/* each event is seen up to a step late */
	ok(worst_slow < 2 * TRANSFERS_MAX * dt, "as in small steps");
}

/* With a limit of them: never more under way, in order, none idle
 * needlessly. */
static void test_at_once(void)
{
	struct pl_transfer t[TRANSFERS_MAX];
	struct pl_rng rng;
	bool kept = true, busy = true;

	pl_rng_init(&rng, 2, 0);
	for (int k = 0; k < 400; k++) {
		const size_t n = random_case(&rng, t);
		const size_t limit = 1 + pl_rng_below(&rng, 4);
		const struct pl_exchange_result r = play(t, n, 200, limit);

		kept &= r.most_at_once <= limit;
		for (size_t i = 0; i < n; i++) {
			bool waited_for = t[i].begin_s == t[i].ready_s;

			for (size_t j = 0; j < n; j++)
				waited_for |= t[j].end_s == t[i].begin_s;
			busy &= waited_for;
			for (size_t j = 0; j < n; j++)
				kept &= t[i].ready_s >= t[j].ready_s ||
					t[i].begin_s <= t[j].begin_s;
		}
	}
	ok(kept, "never more than the limit, first ready first begun");
	ok(busy, "each begins when it is ready or another ends");
}

/* Bounds around transfers, of which some may not be known: no end is below. */
static size_t below(struct pl_rng *rng, const struct pl_transfer *t, size_t n, double cap,
		    size_t at_once, double wide, double *least)
{
	struct pl_transfer_range range[TRANSFERS_MAX];
	double scratch[PL_EXCHANGE_LEAST_SCRATCH * TRANSFERS_MAX];
	struct pl_exchange_range x = {
		.cap_bytes_per_s = cap * (1 + wide * pl_rng_double(rng)),
		.at_once = at_once,
		.enough_s = INFINITY,
		.scratch = scratch,
	};
	double last = 0;
	size_t known = 0, n_below = 0, of[TRANSFERS_MAX];

	for (size_t i = 0; i < n; i++) {
		const double early = 1 - wide * pl_rng_double(rng);
		const double late = 1 + wide * pl_rng_double(rng);

		if (wide > 0 && pl_rng_below(rng, 5) == 0)
			continue;
		range[known] = (struct pl_transfer_range){
			.ready_s = {t[i].ready_s * early, t[i].ready_s * late},
			.wire_bytes = t[i].wire_bytes * early,
			.bytes_per_s = {t[i].bytes_per_s * early, t[i].bytes_per_s * late}};
		of[known++] = i;
		last = fmax(last, t[i].end_s);
	}
	*least = pl_exchange_least(range, known, &x);
	for (size_t k = 0; k < known; k++)
		n_below += range[k].end_s > t[of[k]].end_s * (1 + 1e-9);
	return n_below + (*least > last);
}

static void test_least(void)
{
	struct pl_transfer t[TRANSFERS_MAX];
	struct pl_rng rng;
	size_t n_below = 0, n_exact = 0, n_lower = 0;
	double least;

	pl_rng_init(&rng, 3, 0);
	for (int k = 0; k < 3000; k++) {
		const size_t n = random_case(&rng, t);
		const double cap = 50 + 400 * pl_rng_double(&rng);
		const size_t at_once = pl_rng_below(&rng, 3);
		double alone = 0;
		struct pl_exchange_result r = play(t, n, cap, at_once);

		n_below += below(&rng, t, n, cap, at_once, 0.2 * pl_rng_double(&rng), &least);
		r = play(t, n, cap, 0);
		n_below += below(&rng, t, n, cap, 0, 0, &least);
		for (size_t i = 0; i < n; i++)
			alone = fmax(alone, t[i].ready_s + t[i].wire_bytes / t[i].bytes_per_s);
		n_exact += least >= r.end_s * (1 - 1e-4);
		n_lower += alone < r.end_s * (1 - 1e-4);
	}
	is_int((int64_t)n_below, 0, "none ends before it may at the earliest");
	printf("# known exactly: %zu of 3000, %zu where they share\n", n_exact,
	       n_exact + n_lower > 3000 ? n_exact + n_lower - 3000 : 0);
	ok(n_exact > 1500, "of what is known exactly, the end is, mostly");
	ok(n_exact + n_lower > 3000, "not only where all are alone");
}

static void test_memory(void)
{
	const struct pl_exchange_options o = {100, 0};
	struct pl_transfer t[] = {{0, 10, 1, 0, 0}, {0, 10, 2, 0, 0}};
	bool failed = true, clean = true;
	size_t k;

	for (k = 0; failed; k++) {
		struct pl_exchange_result r;
		struct pl_err err = {0};
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = pl_exchange(t, 2, &o, &r, &err);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed && (rc == 0 || err.code == PL_ESYSTEM);
	}
	ok(clean && k > 5, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_one();
	test_equal();
	test_staggered();
	test_unequal();
	test_random();
	test_at_once();
	test_least();
	test_memory();
	return done_testing();
}
