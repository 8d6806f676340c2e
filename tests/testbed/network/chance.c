/* SPDX-License-Identifier: BSD-3-Clause */
/* chance.c - what the network does to packets at random */
#include "config.h"

#include "tests/testbed/network/chance.h"

void tb_chance_init(struct tb_chance *chance, const struct tb_odds *odds)
{
	chance->odds = *odds;
	pl_rng_init(&chance->rng, odds->seed, 0);
}

static bool happens(struct tb_chance *chance, double odds)
{
	return odds > 0 && pl_rng_double(&chance->rng) < odds;
}

bool tb_chance_loses(struct tb_chance *chance)
{
	return happens(chance, chance->odds.loss);
}

int64_t tb_chance_jitter(struct tb_chance *chance)
{
	if (chance->odds.jitter_ns == 0)
		return 0;
	return (int64_t)pl_rng_below(&chance->rng, (uint64_t)chance->odds.jitter_ns + 1);
}

static int64_t behind(struct tb_chance *chance, double odds)
{
	if (!happens(chance, odds))
		return 0;
	return 1 + (int64_t)pl_rng_below(&chance->rng, (uint64_t)chance->odds.behind_ns);
}

int64_t tb_chance_holds_up(struct tb_chance *chance)
{
	return behind(chance, chance->odds.reorder);
}

int64_t tb_chance_copies(struct tb_chance *chance)
{
	return behind(chance, chance->odds.duplicate);
}
