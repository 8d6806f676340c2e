/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-shadow.c - which order of a plan a collective call takes */
#include "config.h"

#include "base/rng.h"
#include "shim/mpi/shadow/choose.h"
#include "tests/tap.h"

#include <stdlib.h>

#define START "# plink-plan 1\nhost 0 a\nhost 1 b\nhost 2 c\n"

static void parse(struct pl_plan *plan, const char *s)
{
	struct pl_text text;
	struct pl_err err = {0};

	*plan = (struct pl_plan){0};
	if (pl_text_copy(&text, "plan", s, strlen(s), &err) || pl_plan_parse(plan, &text, &err)) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
	pl_text_fini(&text);
}

static struct pl_plan plan;
static struct pl_shadow_choice choice;

static void begin(const char *s)
{
	parse(&plan, s);
	if (pl_shadow_choice_init(&choice, &plan, NULL))
		exit(1);
}

static void end(void)
{
	pl_shadow_choice_fini(&choice);
	pl_plan_fini(&plan);
}

/* The order for a call without root. */
static int choose(enum pl_shadow_kind kind, uint64_t bytes)
{
	return (int)pl_shadow_choose(&choice.of[kind], bytes, -1, NULL);
}

static void test_sizes(void)
{
	begin(START "order reduce binomial openmpi 0- : 2 1 0\n"
		    "order allreduce recursive-doubling openmpi 0-99 : 0 2 1\n"
		    "order allreduce ring thesis 100-199 : 1 0 2\n"
		    "order allreduce ring openmpi 150-300 : 1 2 0\n");
	is_int(choose(PL_SHADOW_ALLREDUCE, 0), 1, "the first byte");
	is_int(choose(PL_SHADOW_ALLREDUCE, 99), 1, "the last of a line");
	is_int(choose(PL_SHADOW_ALLREDUCE, 100), 2, "the first of another");
	is_int(choose(PL_SHADOW_ALLREDUCE, 150), 2, "of two lines for a size the first");
	is_int(choose(PL_SHADOW_ALLREDUCE, 200), 3, "then the other");
	is_int(choose(PL_SHADOW_ALLREDUCE, 301), 0, "a size of no line: the plan's first order");
	is_int(choose(PL_SHADOW_BARRIER, 0), 0, "a collective of no line: the plan's first order");
	ok(choice.of[PL_SHADOW_ALLREDUCE].sized, "bytes matter");
	ok(!choice.of[PL_SHADOW_REDUCE].sized && !choice.of[PL_SHADOW_BARRIER].sized,
	   "bytes that nothing depends on need not be known");
	end();
}

static void test_others(void)
{
	begin(START "order allreduce double-binary-tree nccl 0- : 2 1 0\n"
		    "order allreduce ring gloo 0- : 0 2 1\n"
		    "order barrier x lightgbm 0- : 1 0 2\n"
		    "order broadcast binomial openmpi 0- : 1 2 0\n"
		    "order reduce-scatter ring openmpi 0- : 2 0 1\n");
	is_int(choose(PL_SHADOW_ALLREDUCE, 8), 0,
	       "another library's order only as the plan's first one");
	is_int(choose(PL_SHADOW_BROADCAST, 8), 3, "one of MPI's");
	ok(!pl_shadow_is_used(&choice, 1) && !pl_shadow_is_used(&choice, 2) &&
		   !pl_shadow_is_used(&choice, 4),
	   "orders that no call takes");
	ok(pl_shadow_is_used(&choice, 0) && pl_shadow_is_used(&choice, 3),
	   "and those that some do");
	end();
}

static void test_equal(void)
{
	begin(START "order allreduce ring openmpi 0- : 2 1 0\n"
		    "order barrier tree openmpi 0- : 0 1 2\n"
		    "order broadcast chain openmpi 0- : 2 1 0\n"
		    "order allgather ring openmpi 0- : 0 1 2\n");
	is_int(choose(PL_SHADOW_BROADCAST, 1), 0, "orders that are equal are one");
	is_int(choose(PL_SHADOW_ALLGATHER, 1), 1, "others not");
	ok(!pl_shadow_is_used(&choice, 2), "it stands for both");
	is_int((int)choice.of[PL_SHADOW_BROADCAST].line[0].at, 2, "which line it was is known");
	end();
}

static void test_roots(void)
{
	/* by the program's rank: 0 1 2 on hosts a b c */
	int second[] = {2, 1, 0}, third[] = {1, 2, 0};
	int *rank_in[] = {NULL, second, third};
	const struct pl_shadow_lines *lines;

	begin(START "order allreduce ring openmpi 0- : 0 1 2\n"
		    "order broadcast binomial openmpi 0- root=1 : 2 1 0\n"
		    "order broadcast binomial openmpi 0-9 : 2 0 1\n"
		    "order reduce binomial openmpi 10- root=2 : 0 1 2\n");
	lines = &choice.of[PL_SHADOW_BROADCAST];
	is_int((int)pl_shadow_choose(lines, 5, 1, rank_in), 1,
	       "the line in which the root stands where it should");
	is_int((int)pl_shadow_choose(lines, 5, 2, rank_in), 2, "though it is not the first");
	is_int((int)pl_shadow_choose(lines, 5, 0, rank_in), 1,
	       "where it stands right in none: the first");
	is_int((int)pl_shadow_choose(lines, 10, 2, rank_in), 1, "never one of another size");
	lines = &choice.of[PL_SHADOW_REDUCE];
	is_int((int)pl_shadow_choose(lines, 10, 2, rank_in), 0, "an order that changes nothing");
	is_int((int)pl_shadow_choose(lines, 9, 2, rank_in), 0, "and the plan's first");
	end();
}

/* A plan of random lines, and what each call would take, by looking. */
static size_t look(uint64_t bytes)
{
	for (size_t at = 0; at < plan.n_orders; at++) {
		const struct pl_order *o = &plan.order[at];
		size_t like = 0;

		if (strcmp(o->collective, "allgather") != 0 || strcmp(o->impl, "openmpi") != 0 ||
		    bytes < o->size_min || bytes > o->size_max)
			continue;
		while (memcmp(plan.order[like].host_at, o->host_at, 3 * sizeof(*o->host_at)) != 0)
			like++;
		return like;
	}
	return 0;
}

static void make_plan(struct pl_rng *rng)
{
	static const char *const names[] = {"allgather", "barrier"};
	static const char *const impls[] = {"openmpi", "nccl"};
	char text[2048] = START;

	for (int i = 0; i < 6; i++) {
		const size_t len = strlen(text);
		const unsigned from = (unsigned)pl_rng_below(rng, 40);
		size_t order[] = {0, 1, 2};

		pl_rng_shuffle(rng, order, 3);
		snprintf(text + len, sizeof(text) - len, "order %s ring %s %u-%u : %zu %zu %zu\n",
			 names[pl_rng_below(rng, 2)], impls[pl_rng_below(rng, 2)], from,
			 from + (unsigned)pl_rng_below(rng, 40), order[0], order[1], order[2]);
	}
	begin(text);
}

static void test_random(void)
{
	struct pl_rng rng;
	int n_wrong = 0;

	pl_rng_init(&rng, 1, 0);
	for (int i = 0; i < 300; i++) {
		make_plan(&rng);
		for (uint64_t bytes = 0; bytes < 90; bytes++)
			n_wrong += choose(PL_SHADOW_ALLGATHER, bytes) != (int)look(bytes);
		end();
	}
	is_int(n_wrong, 0, "random plans, every size");
}

int main(void)
{
	test_sizes();
	test_others();
	test_equal();
	test_roots();
	test_random();
	return done_testing();
}
