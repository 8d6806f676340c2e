/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-pace.c - rates that are off, by how much and how often */
#include "config.h"

#include "base/pace.h"
#include "tests/tap.h"

#include <math.h>

static const struct pl_pace_rule fixed = {
	.slower = 0.067, .faster = INFINITY, .lasts = 2, .follows = 0};
static const struct pl_pace_rule follows = {
	.slower = 0.2, .faster = 0.2, .lasts = 2, .follows = 0.5};

static void test_fixed(void)
{
	struct pl_pace p = {.expected = 100};

	is_int(pl_pace_see(&p, &fixed, 93), PL_PACE_USUAL, "off, once");
	is_int(pl_pace_see(&p, &fixed, 93.4), PL_PACE_USUAL, "6.6 % off");
	is_int(pl_pace_see(&p, &fixed, 93), PL_PACE_USUAL, "off, for the first time in a row");
	is_int(pl_pace_see(&p, &fixed, 93), PL_PACE_SLOWER, "twice");
	is_int(pl_pace_see(&p, &fixed, 90), PL_PACE_SLOWER, "and on");
	is_int(pl_pace_see(&p, &fixed, 1e9), PL_PACE_USUAL, "never too fast");
	ok(p.expected == 100, "what is expected stays");
}

static void test_follows(void)
{
	struct pl_pace p = {.expected = 100};

	is_int(pl_pace_see(&p, &follows, 110), PL_PACE_USUAL, "10 %% above");
	ok(p.expected == 105, "is followed half of the way");
	pl_pace_see(&p, &follows, 130);
	is_int(pl_pace_see(&p, &follows, 130), PL_PACE_FASTER, "24 %% above, twice");
	ok(p.expected == 105, "is not");
}

int main(void)
{
	test_fixed();
	test_follows();
	return done_testing();
}
