/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-testbed-chance.c - losses, copies, packets held up: as often as asked for */
#include "config.h"

#include "tests/tap.h"
#include "tests/testbed/network/chance.h"

#define N 10000

static struct tb_chance make(struct tb_odds odds)
{
	struct tb_chance chance;

	tb_chance_init(&chance, &odds);
	return chance;
}

static void test_none(void)
{
	struct tb_chance chance = make((struct tb_odds){.seed = 3});
	struct pl_rng fresh;
	int any = 0;

	for (int i = 0; i < N; i++)
		any += tb_chance_loses(&chance) || tb_chance_jitter(&chance) ||
		       tb_chance_holds_up(&chance) || tb_chance_copies(&chance);
	is_int(any, 0, "without odds nothing happens");
	pl_rng_init(&fresh, 3, 0);
	ok(pl_rng_u64(&chance.rng) == pl_rng_u64(&fresh), "and no random number is taken");
}

static void test_always(void)
{
	struct tb_chance chance = make((struct tb_odds){
		.loss = 1, .duplicate = 1, .reorder = 1, .behind_ns = 1, .seed = 3});
	int all = 0;

	for (int i = 0; i < N; i++)
		all += tb_chance_loses(&chance) && tb_chance_holds_up(&chance) == 1 &&
		       tb_chance_copies(&chance) == 1;
	is_int(all, N, "odds of 1: always, and never by 0 ns");
}

/* How often of N, and whether all are in 0..most; *greatest: the greatest. */
static int count(struct tb_chance *chance, int64_t (*draw)(struct tb_chance *), int64_t most,
		 int64_t *greatest)
{
	int n = 0;

	*greatest = 0;
	for (int i = 0; i < N; i++) {
		const int64_t ns = draw(chance);

		if (ns < 0 || ns > most)
			return -1;
		n += ns > 0;
		if (ns > *greatest)
			*greatest = ns;
	}
	return n;
}

static void test_shares(void)
{
	struct tb_chance chance = make((struct tb_odds){.loss = 0.3,
							.duplicate = 0.1,
							.reorder = 0.2,
							.behind_ns = 5000,
							.jitter_ns = 70,
							.seed = 3});
	int lost = 0, n;
	int64_t most;

	for (int i = 0; i < N; i++)
		lost += tb_chance_loses(&chance);
	ok(lost > 2800 && lost < 3200, "losses are of their share (%d)", lost);
	n = count(&chance, tb_chance_copies, 5000, &most);
	ok(n > 850 && n < 1150, "copies too (%d)", n);
	ok(most > 4900, "... up to as late as may be");
	n = count(&chance, tb_chance_holds_up, 5000, &most);
	ok(n > 1800 && n < 2200, "those held up too (%d)", n);
	n = count(&chance, tb_chance_jitter, 70, &most);
	ok(n > 9700 && most == 70, "jitter is nearly always, and all of it");
}

static void test_seed(void)
{
	const struct tb_odds odds = {.duplicate = 0.5, .behind_ns = 1000, .seed = 9};
	struct tb_chance a = make(odds), b = make(odds), c;
	struct tb_odds other = odds;
	int same = 0, alike = 0;

	other.seed = 10;
	c = make(other);
	for (int i = 0; i < N; i++) {
		const int64_t ns = tb_chance_copies(&a);

		same += ns == tb_chance_copies(&b);
		alike += ns == tb_chance_copies(&c);
	}
	is_int(same, N, "the same seed, the same fate");
	ok(alike < N / 2, "another one, another");
}

int main(void)
{
	test_none();
	test_always();
	test_shares();
	test_seed();
	return done_testing();
}
