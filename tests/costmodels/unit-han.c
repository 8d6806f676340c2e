/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-han.c - Open MPI's coll/han: when it runs, who sends between hosts */
#include "config.h"

#include "costmodels/catalogue.h"
#include "tests/tap.h"

static const struct pl_algorithm *find(enum pl_collective collective, const char *name)
{
	return pl_catalogue_named(collective, PL_OPENMPI, name);
}

/* Is it what a library takes that asks coll/han first? */
static bool is_taken(enum pl_collective collective, size_t n, size_t slots)
{
	const struct pl_call call = {
		.n_pos = n, .bytes = 1 << 20, .element_bytes = 4, .slots = slots, .han = true};
	struct pl_call decided;

	return pl_algorithm_decide(find(collective, "default"), &call, &decided) ==
	       find(collective, "han");
}

static void test_taken(void)
{
	static const enum pl_collective equal[] = {PL_BROADCAST, PL_REDUCE, PL_ALLGATHER},
					any[] = {PL_ALLREDUCE, PL_BARRIER};
	struct pl_call call = {.n_pos = 8, .bytes = 64, .slots = 2}, decided;

	for (size_t i = 0; i < 3; i++)
		ok(is_taken(equal[i], 8, 2) && !is_taken(equal[i], 7, 2) &&
			   !is_taken(equal[i], 8, 1) && !is_taken(equal[i], 8, 8),
		   "%s: on hosts of equally many ranks", pl_collective_name(equal[i]));
	for (size_t i = 0; i < 2; i++)
		ok(is_taken(any[i], 8, 2) && is_taken(any[i], 7, 2) && !is_taken(any[i], 8, 1) &&
			   !is_taken(any[i], 8, 8),
		   "%s: on hosts of several ranks", pl_collective_name(any[i]));
	ok(pl_algorithm_decide(find(PL_ALLREDUCE, "default"), &call, &decided) !=
		   find(PL_ALLREDUCE, "han"),
	   "not if it comes behind coll/tuned");
}

/* Messages between hosts of three by others than the ranks @leader of each. */
static size_t by_others(enum pl_collective collective, const char *name, size_t root, size_t leader)
{
	const struct pl_call call = {.n_pos = 18, .bytes = 198000, .root = root, .slots = 3};
	size_t n_between = 0, others = 0;
	struct pl_pattern p;

	if (pl_algorithm_pattern(find(collective, name), &call, &p, NULL))
		return SIZE_MAX;
	for (size_t i = 0; i < p.n_messages; i++) {
		const struct pl_message *m = &p.message[i];
		const bool between = m->src / 3 != m->dst / 3;

		n_between += between;
		others += between && (m->src % 3 != leader || m->dst % 3 != leader);
	}
	pl_pattern_fini(&p);
	return n_between ? others : SIZE_MAX;
}

static void test_leaders(void)
{
	static const char *const names[] = {"han", "han-simple"};

	for (size_t i = 0; i < 2; i++) {
		is_int((int64_t)by_others(PL_ALLREDUCE, names[i], 0, 0), 0,
		       "all-reduce: first ranks send between hosts");
		is_int((int64_t)by_others(PL_BROADCAST, names[i], 7, 1), 0,
		       "broadcast: those that stand as the root does");
		is_int((int64_t)by_others(PL_REDUCE, names[i], 17, 2), 0, "reduce: the same");
	}
	is_int((int64_t)by_others(PL_ALLGATHER, "han", 0, 0), 0, "all-gather: first ranks");
	is_int((int64_t)by_others(PL_BARRIER, "han", 0, 0), 0, "barrier: first ranks");
}

/* The cost of hops between all hosts is one. */
static double cost(uint64_t bytes, uint64_t segment_bytes)
{
	const struct pl_call call = {
		.n_pos = 8, .bytes = bytes, .segment_bytes = segment_bytes, .slots = 2};
	struct pl_shape shape;
	double sum = 0;

	if (pl_algorithm_shape(find(PL_ALLREDUCE, "han"), &call, &shape, NULL))
		return -1;
	for (size_t i = 0; i < shape.n_hops; i++)
		sum += shape.hop[i].times;
	pl_shape_fini(&shape);
	return sum;
}

static void test_segments(void)
{
	struct pl_pattern p;
	struct pl_err err = {0};
	const struct pl_call call = {
		.n_pos = 8, .bytes = (uint64_t)1 << 30, .segment_bytes = 64, .slots = 2};

	ok(cost(1 << 16, 0) > 0 && cost(7 << 16, 0) == 7 * cost(1 << 16, 0),
	   "seven segments take seven times as long");
	ok(cost(1 << 16, 1 << 14) == 4 * cost(1 << 14, 0), "of the length that is asked for");
	ok(pl_algorithm_pattern(find(PL_ALLREDUCE, "han"), &call, &p, &err) &&
		   err.code == PL_EUSAGE,
	   "too many of them: %s", err.text);
}

int main(void)
{
	test_taken();
	test_leaders();
	test_segments();
	return done_testing();
}
