/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-openmpi-rooted.c - Open MPI's broadcast, reduce, all-gather: they end,
 * and bring what they should; rounds and shapes agree with what waits for
 * what */
#include "config.h"

#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-run.h"
#include "tests/costmodels/shape-cost.h"
#include "tests/tap.h"

#include <limits.h>
#include <stdlib.h>

#define RANKS_MAX 40

static const struct pl_algorithm *find(enum pl_collective collective, const char *name)
{
	size_t radix;

	return pl_catalogue_find(collective, PL_OPENMPI, name, &radix, NULL);
}

/* Whether all come to know what they must. */
static bool informed(const struct pl_algorithm *a, const struct pl_call *call,
		     const uint64_t *knows)
{
	const uint64_t all = UINT64_MAX >> (64 - call->n_pos);

	for (size_t rank = 0; rank < call->n_pos; rank++)
		if ((a->collective == PL_ALLGATHER && knows[rank] != all) ||
		    (a->collective == PL_BROADCAST && !(knows[rank] >> call->root & 1)))
			return false;
	return a->collective != PL_REDUCE || knows[call->root] == all;
}

/* Whether each rank is sent enough: the buffer, or the others' blocks. */
static bool supplied(const struct pl_algorithm *a, const struct pl_call *call,
		     const struct pl_pattern *p)
{
	const uint64_t want = a->collective == PL_BROADCAST ? 1
			      : a->collective == PL_REDUCE  ? 0
							    : call->n_pos - 1;

	for (size_t rank = 0; rank < call->n_pos; rank++) {
		uint64_t got = 0;

		for (size_t i = p->into[rank]; i < p->into[rank + 1]; i++)
			got += p->message[p->received[i]].bytes;
		if (got < want * call->bytes &&
		    (a->collective != PL_BROADCAST || rank != call->root))
			return false;
	}
	return true;
}

/* Is each message in a later round than all that its sender waits for first? */
static bool rounds_rise(const struct pl_pattern *p)
{
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct pl_message *m = &p->message[i];

		for (size_t k = p->into[m->src]; k < p->into[m->src + 1]; k++) {
			const struct pl_message *in = &p->message[p->received[k]];

			if (in->received_step < m->send_step && in->round >= m->round)
				return false;
		}
	}
	return true;
}

static bool good(const struct pl_algorithm *a, const struct pl_call *call)
{
	struct pl_pattern p;
	uint64_t knows[64];
	bool fine;

	if (pl_algorithm_pattern(a, call, &p, NULL))
		return false;
	fine = pattern_run(&p, knows) && rounds_rise(&p);
	if (call->bytes == 0 || call->n_pos == 1)
		fine = fine && p.n_messages == 0;
	else
		fine = fine && informed(a, call, knows) && supplied(a, call, &p);
	pl_pattern_fini(&p);
	return fine;
}

static size_t bad_sizes(const struct pl_algorithm *a, struct pl_call call)
{
	const uint64_t n = call.n_pos;
	const uint64_t counts[] = {0, 1, n - 1, n, 2 * n + 3};
	size_t bad = 0;

	for (size_t i = 0; i < 5; i++)
		for (size_t segment = 0; segment <= 12; segment += 12) {
			call.bytes = 4 * counts[i];
			call.segment_bytes = segment;
			bad += !good(a, &call);
		}
	return bad;
}

static void test_runs(const struct pl_algorithm *a)
{
	const bool two = strcmp(a->name, "two-proc") == 0;
	size_t bad = 0;

	for (size_t n = 1; n <= (two ? 2 : RANKS_MAX); n++) {
		bad += bad_sizes(a, (struct pl_call){.n_pos = n});
		bad += bad_sizes(a, (struct pl_call){.n_pos = n, .root = 1 % n, .radix = 2});
		bad += bad_sizes(a, (struct pl_call){.n_pos = n, .root = n * 7 / 11, .radix = 3});
		bad += bad_sizes(a, (struct pl_call){.n_pos = n, .root = n - 1, .radix = n + 1});
	}
	ok(bad == 0, "%s %s: ends and informs, and rounds rise", pl_collective_name(a->collective),
	   a->name);
}

/* Random costs of hops; the rate of bytes is left out. */
static void fill_costs(double *c, size_t n, struct pl_rng *rng)
{
	for (size_t i = 0; i < n * n; i++)
		c[i] = i % (n + 1) ? 1 + (double)pl_rng_below(rng, 1000) : 0;
}

/* When the last rank is done, if each message takes what its hop costs from its being posted and
 * sends are done at once; ranks wait in the order of steps. */
static double eager_end(const struct pl_pattern *p, const double *c)
{
	double *arrives = calloc(p->n_messages + 1, sizeof(*arrives)), end = 0;
	bool changed = true;

	while (arrives && changed) {
		changed = false;
		for (size_t i = 0; i < p->n_messages; i++) {
			const struct pl_message *m = &p->message[i];
			double at = 0;

			for (size_t k = p->into[m->src]; k < p->into[m->src + 1]; k++) {
				const uint32_t in = p->received[k];

				if (p->message[in].received_step < m->send_step && arrives[in] > at)
					at = arrives[in];
			}
			at += c[m->src * p->n_pos + m->dst];
			changed = changed || at > arrives[i];
			arrives[i] = at;
			end = at > end ? at : end;
		}
	}
	free(arrives);
	return end;
}

static double shape_cost(const struct pl_shape *shape, const double *c)
{
	double *none = calloc(shape->n_pos * shape->n_pos, sizeof(*none));
	const struct net net = {shape->n_pos, c, none};
	const double cost = shape->kind == PL_LONGEST_PATH ? longest_path(shape, &net)
							   : sum_of_maxima(shape, &net);

	free(none);
	return cost;
}

/* The time of eager messages is the longest path, and at most the sum of the rounds. Returns
 * whether the shape of this call keeps to that. */
static bool shape_holds(const struct pl_algorithm *a, const struct pl_call *call,
			struct pl_rng *rng)
{
	static double c[RANKS_MAX * RANKS_MAX];
	struct pl_pattern p;
	struct pl_shape shape;
	double end, cost;
	bool holds;

	fill_costs(c, call->n_pos, rng);
	if (pl_algorithm_pattern(a, call, &p, NULL) || pl_algorithm_shape(a, call, &shape, NULL))
		return false;
	end = eager_end(&p, c);
	cost = shape.kind == PL_SUM ? end : shape_cost(&shape, c);
	holds = shape.kind == PL_LONGEST_PATH ? cost == end : cost >= end;
	pl_shape_fini(&shape);
	pl_pattern_fini(&p);
	return holds;
}

static void test_shape(const struct pl_algorithm *a, struct pl_rng *rng)
{
	size_t bad = 0;

	for (size_t n = 2; n <= 16; n++)
		for (size_t root = 0; root < n; root += 1 + n / 3)
			for (uint64_t segment = 0; segment <= 40; segment += 20)
				bad += !shape_holds(a,
						    &(struct pl_call){.n_pos = n,
								      .bytes = 4 * 25,
								      .segment_bytes = segment,
								      .root = root},
						    rng);
	ok(bad == 0, "%s %s: the shape says when eager messages end",
	   pl_collective_name(a->collective), a->name);
}

static void test_slowest(void)
{
	const struct pl_algorithm *a = find(PL_BROADCAST, "pipeline");
	struct pl_call call = {.n_pos = 5, .bytes = 1000000, .segment_bytes = 100000};
	struct pl_shape shape;

	ok(pl_algorithm_shape(a, &call, &shape, NULL) == 0 && shape.kind == PL_SLOWEST &&
		   shape.n_hops == 4 && shape.hop[0].times == 10 && shape.hop[0].bytes == 100000,
	   "ten segments with a handshake each: the slowest hop");
	pl_shape_fini(&shape);
	call.segment_bytes = 65536;
	ok(pl_algorithm_shape(a, &call, &shape, NULL) == 0 && shape.kind == PL_SLOWEST,
	   "segments of 64 KiB are no eager messages");
	pl_shape_fini(&shape);
	call.segment_bytes = 50000;
	ok(pl_algorithm_shape(a, &call, &shape, NULL) == 0 && shape.kind == PL_LONGEST_PATH,
	   "twenty eager ones: the path");
	pl_shape_fini(&shape);
	call.segment_bytes = 500000;
	ok(pl_algorithm_shape(a, &call, &shape, NULL) == 0 && shape.kind == PL_LONGEST_PATH,
	   "two: the path");
	pl_shape_fini(&shape);
}

/* A ring is summed, whatever its blocks. */
static void test_rings(void)
{
	struct pl_call call = {.n_pos = 5, .bytes = 65532};
	struct pl_shape shape;

	ok(pl_algorithm_shape(find(PL_ALLGATHER, "ring"), &call, &shape, NULL) == 0 &&
		   shape.kind == PL_SUM && shape.hop[4].times == 1,
	   "eager blocks: the sum");
	pl_shape_fini(&shape);
	call.bytes = 65536;
	ok(pl_algorithm_shape(find(PL_ALLGATHER, "ring"), &call, &shape, NULL) == 0 &&
		   shape.kind == PL_SUM && shape.hop[4].times == 1,
	   "blocks of 64 KiB: the same");
	pl_shape_fini(&shape);
	call.bytes *= 5;
	ok(pl_algorithm_shape(find(PL_BROADCAST, "scatter-allgather-ring"), &call, &shape, NULL) ==
			   0 &&
		   shape.kind == PL_SUM_OF_MAXIMA && shape.n_groups == 3 + 1,
	   "behind a scatter they are not: its rounds and one group more");
	pl_shape_fini(&shape);
}

/* Messages and rounds of a call. */
static void counts(enum pl_collective collective, const char *name, struct pl_call call,
		   size_t messages, size_t rounds)
{
	struct pl_pattern p;

	if (!ok(pl_algorithm_pattern(find(collective, name), &call, &p, NULL) == 0, "%s %s of %zu",
		pl_collective_name(collective), name, call.n_pos))
		return;
	is_int((int64_t)p.n_messages, (int64_t)messages, "messages");
	is_int((int64_t)p.n_rounds, (int64_t)rounds, "rounds");
	pl_pattern_fini(&p);
}

static void test_counts(void)
{
	counts(PL_BROADCAST, "linear", (struct pl_call){.n_pos = 9, .bytes = 400}, 8, 1);
	counts(PL_BROADCAST, "pipeline",
	       (struct pl_call){.n_pos = 9, .bytes = 400, .segment_bytes = 32}, 8 * 13, 8 + 12);
	counts(PL_BROADCAST, "binomial", (struct pl_call){.n_pos = 9, .bytes = 400}, 8, 3);
	counts(PL_BROADCAST, "split-binary", (struct pl_call){.n_pos = 7, .bytes = 400}, 6 + 6,
	       2 + 1);
	counts(PL_BROADCAST, "scatter-allgather", (struct pl_call){.n_pos = 8, .bytes = 400},
	       7 + 24, 6);
	counts(PL_BROADCAST, "scatter-allgather-ring", (struct pl_call){.n_pos = 8, .bytes = 400},
	       7 + 56, 10);
	counts(PL_REDUCE, "binary",
	       (struct pl_call){.n_pos = 7, .bytes = 400, .segment_bytes = 200}, 12, 3);
	counts(PL_REDUCE, "in-order-binary", (struct pl_call){.n_pos = 9, .bytes = 400, .root = 8},
	       8, 3);
	counts(PL_REDUCE, "in-order-binary", (struct pl_call){.n_pos = 9, .bytes = 400}, 9, 4);
	counts(PL_REDUCE, "rabenseifner", (struct pl_call){.n_pos = 8, .bytes = 400}, 24 + 7, 6);
	counts(PL_REDUCE, "rabenseifner", (struct pl_call){.n_pos = 9, .bytes = 400, .root = 1},
	       3 + 24 + 1 + 7, 9);
	counts(PL_ALLGATHER, "bruck", (struct pl_call){.n_pos = 9, .bytes = 400}, 36, 4);
	counts(PL_ALLGATHER, "neighbor", (struct pl_call){.n_pos = 8, .bytes = 400}, 32, 4);
}

static void refused(enum pl_collective collective, const char *name, struct pl_call call,
		    const char *part, const char *what)
{
	struct pl_err err = {0};
	struct pl_pattern p;
	struct pl_shape shape;

	ok(pl_algorithm_pattern(find(collective, name), &call, &p, &err) == -1, "%s: no pattern",
	   what);
	has_str(err.text, part, "and why");
	ok(pl_algorithm_shape(find(collective, name), &call, &shape, NULL) == -1, "nor a shape");
}

/* 8 GB to 64 ranks in segments of 4 bytes: said at once, not after all 10^11 messages. */
static void refused_pattern(enum pl_collective collective, const char *name, const char *part)
{
	const struct pl_call call = {
		.n_pos = 64, .bytes = (uint64_t)INT_MAX * 4, .segment_bytes = 4};
	struct pl_err err = {0};
	struct pl_pattern p;

	ok(pl_algorithm_pattern(find(collective, name), &call, &p, &err) == -1,
	   "%s: 2^31 segments make no pattern", name);
	has_str(err.text, part, "and why");
}

static void test_refusals(void)
{
	const uint64_t most = (uint64_t)INT_MAX * 4;

	refused(PL_BROADCAST, "binomial", (struct pl_call){.n_pos = 4, .bytes = most + 4},
		"in an int", "2^31 elements");
	refused(PL_REDUCE, "chain", (struct pl_call){.n_pos = 4, .bytes = most + 4}, "in an int",
		"2^31 elements up chains");
	refused(PL_ALLGATHER, "ring", (struct pl_call){.n_pos = 4, .bytes = most + 4}, "in an int",
		"2^31 elements of each");
	refused(PL_BROADCAST, "chain",
		(struct pl_call){.n_pos = 4, .bytes = 400, .segment_bytes = (uint64_t)1 << 31},
		"segments of 2147483648 bytes", "segments of 2 GiB");
	refused(PL_BROADCAST, "knomial", (struct pl_call){.n_pos = 4, .bytes = 400, .radix = 1},
		"at least 2, not 1", "1-nomial");
	refused(PL_ALLGATHER, "two-proc", (struct pl_call){.n_pos = 3, .bytes = 400}, "two ranks",
		"two-proc of three");
	refused(PL_ALLGATHER, "bruck", (struct pl_call){.n_pos = 4, .bytes = most / 8 * 4 + 4},
		"too many for Bruck", "half a message beyond an int");
	refused_pattern(PL_BROADCAST, "pipeline", "more than 8388608 messages");
	refused_pattern(PL_BROADCAST, "split-binary", "more than 8388608 messages");
	refused_pattern(PL_REDUCE, "binomial", "more than 8388608 messages");
	refused(PL_ALLGATHER, "linear", (struct pl_call){.n_pos = 8, .bytes = (uint64_t)1 << 32},
		"binomial gather", "a subtree beyond an int");
}

/* The default's chain is one chain, whatever is asked for. */
static void test_decided(void)
{
	struct pl_call call = {.n_pos = 6,
			       .bytes = 1 << 20,
			       .element_bytes = 4,
			       .segment_bytes = 1024,
			       .radix = 4},
		       decided;
	const struct pl_algorithm *a =
		pl_algorithm_decide(find(PL_BROADCAST, "default"), &call, &decided);

	is_str(a->name, "chain", "a MiB to 6 ranks goes down chains");
	ok(decided.radix == 1 && decided.segment_bytes == 0, "one of them, in one piece");
	call.bytes = 100000;
	call.n_pos = 50;
	a = pl_algorithm_decide(find(PL_BROADCAST, "default"), &call, &decided);
	is_str(a->name, "knomial", "100 kB to 50 ranks down a k-nomial tree");
	is_int((int64_t)decided.radix, 0, "of the library's radix");
	call.n_pos = 600;
	a = pl_algorithm_decide(find(PL_ALLGATHER, "default"), &call, &decided);
	is_str(a->name, "neighbor", "600 ranks gather from their neighbours");
}

int main(void)
{
	const struct pl_algorithm *a;
	struct pl_rng rng;

	pl_rng_init(&rng, 1, 1);
	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		if (a->impl != PL_OPENMPI ||
		    (a->collective != PL_BROADCAST && a->collective != PL_REDUCE &&
		     a->collective != PL_ALLGATHER))
			continue;
		test_runs(a);
		if (strcmp(a->name, "two-proc"))
			test_shape(a, &rng);
	}
	test_slowest();
	test_rings();
	test_counts();
	test_refusals();
	test_decided();
	return done_testing();
}
