/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-plan.c - bandwidths predicted for a plan's orders: a ring by hand, memory */
#include "config.h"

#include "planner/srift/comm/busbw-plan.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define N 4
#define RATE 1e9

/* Hosts 0 and 2 are near each other, 1 and 3 are: 10 us; else 100 us. A fifth one is not in the
 * plan. */
static double latency_s[25];
static size_t rack[5] = {PL_NO_GROUP, PL_NO_GROUP, PL_NO_GROUP, PL_NO_GROUP, PL_NO_GROUP};
static struct pl_link_rate card[5];
static const struct pl_network net = {
	.n = 5, .latency_s = latency_s, .tiers = {.n = 5, .card = card, .rack = rack}};
static const size_t host_of[N] = {0, 1, 2, 3};

static void fill(void)
{
	for (size_t i = 0; i < 5; i++) {
		card[i] = (struct pl_link_rate){8 * RATE, 8 * RATE};
		for (size_t j = 0; j < 5; j++)
			latency_s[i * 5 + j] = i == j ? 0 : i % 2 == j % 2 ? 10e-6 : 100e-6;
	}
}

static int read_plan(struct pl_plan *plan, const char *order)
{
	char s[400];
	struct pl_err err;
	struct pl_text text;
	int rc;

	snprintf(s, sizeof(s), "# plink-plan 1\nhost 0 a\nhost 1 b\nhost 2 c\nhost 3 d\n%s\n",
		 order);
	*plan = (struct pl_plan){0};
	pl_text_copy(&text, "plan", s, strlen(s), &err);
	rc = pl_plan_parse(plan, &text, &err);
	pl_text_fini(&text);
	return rc;
}

/* Seconds of an all-reduce by the table. */
static double seconds(const struct pl_busbw *t, double bytes)
{
	const struct pl_comm comm = pl_busbw_comm(t);
	struct pl_err err;
	double b;

	if (comm.bandwidth(comm.model, bytes, N, &b, &err))
		return NAN;
	return pl_bus_bytes(bytes, N) / b;
}

static void near(double got, double want, const char *what)
{
	if (!ok(fabs(got - want) <= 1e-9 * want, "%s", what))
		printf("# got %.12g, want %.12g\n", got, want);
}

/* The thesis' ring on links that do nothing but pass bytes: 2 (n - 1) steps of the slowest hop and
 * a part of the buffer, each rank behind its neighbour. */
static void test_ring(void)
{
	struct pl_plan plan;
	struct pl_busbw given = {0}, found = {0};
	const struct pl_placed placed = {&plan, &net, host_of};
	struct pl_err err = {0};

	is_int(read_plan(&plan, "order broadcast chain openmpi 0- : 0 1 2 3\n"
				"order allreduce ring thesis 0- : 0 2 1 3"),
	       0, "a plan of two orders");
	is_int(pl_busbw_predict(&given, &placed, PL_ORDER_GIVEN, 1, &err), 0, "the given order");
	is_int(pl_busbw_predict(&found, &placed, PL_ORDER_FOUND, (uint64_t)100 << 20, &err), 0,
	       "the found order");
	ok(given.n_worlds == 1 && given.world[0].n_ranks == N && given.world[0].n == 17 &&
		   found.world[0].n == 18 && found.world[0].point[17].bytes == 128 << 20,
	   "from 1 KiB to 64 MiB, and beyond the largest layer");
	near(seconds(&given, 1 << 20), 6 * (100e-6 + (1 << 20) / (double)N / RATE),
	     "given: every hop is a long one");
	ok(seconds(&found, 1 << 10) < 0.8 * seconds(&given, 1 << 10),
	   "found: two of four are short");
	ok(fabs(seconds(&found, 1 << 27) / seconds(&given, 1 << 27) - 1) < 0.1,
	   "which hardly matters where there is much to send");
	is_int(pl_busbw_predict(&found, &placed, PL_ORDER_FOUND, 1, &err), -1,
	       "the same ranks again");
	has_str(err.text, "4 ranks are given twice", "are refused");
	pl_busbw_fini(&given);
	pl_busbw_fini(&found);
	pl_plan_fini(&plan);
}

static void test_nonsense(void)
{
	static const struct {
		const char *order, *part;
	} bad[] = {
		{"order broadcast chain openmpi 0- : 0 1 2 3", "no order for"},
		{"order allreduce ring thesis 0-65536 : 0 1 2 3", "of 131072 bytes"},
		{"order allreduce ring elsewhere 0- : 0 1 2 3", "elsewhere"},
		{"order allreduce square thesis 0- : 0 1 2 3", "square"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_plan plan;
		struct pl_busbw t = {0};
		struct pl_err err = {0};
		const struct pl_placed placed = {&plan, &net, host_of};

		if (read_plan(&plan, bad[i].order))
			printf("# no plan\n");
		ok(pl_busbw_predict(&t, &placed, PL_ORDER_FOUND, 1, &err) == -1 &&
			   strstr(err.text, bad[i].part) && t.n_worlds == 0,
		   "refused: %s", bad[i].part);
		pl_plan_fini(&plan);
	}
}

static void test_memory(void)
{
	struct pl_plan plan;
	const struct pl_placed placed = {&plan, &net, host_of};
	bool failed = true, clean = true;
	size_t n = 0;

	read_plan(&plan, "order allreduce ring thesis 0- : 0 2 1 3");
	/* every size does the same: later ones now and then */
	for (size_t k = 0; failed; k += k < 40 ? 1 : 1 + k / 4) {
		struct pl_busbw t = {0};
		struct pl_err err = {0};
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = pl_busbw_predict(&t, &placed, PL_ORDER_FOUND, 1, &err);
		pl_busbw_fini(&t);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed && (rc == 0 || err.code == PL_ESYSTEM);
		n++;
	}
	ok(clean && n > 40, "no memory: told, nothing left (%zu places)", n);
	pl_plan_fini(&plan);
}

int main(void)
{
	fill();
	test_ring();
	test_nonsense();
	test_memory();
	return done_testing();
}
