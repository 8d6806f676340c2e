/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-looks.c - which of several looks at a flow holds, and whether it can be trusted */
#include "config.h"

#include "probes/bandwidth/looks.h"
#include "tests/tap.h"

static void add(struct pl_looks *looks, uint64_t rate, uint64_t resent)
{
	const struct pl_way way = {
		.src = 2,
		.dst = 5,
		.state = PL_WAY_DONE,
		.flow = {.bytes = 1448000, .bytes_per_s = rate, .resent = resent},
	};

	pl_looks_add(looks, &way);
}

static void add_failure(struct pl_looks *looks, const char *why)
{
	struct pl_way way = {.src = 2, .dst = 5, .state = PL_WAY_FAILED};

	snprintf(way.why, sizeof(way.why), "%s", why);
	pl_looks_add(looks, &way);
}

static uint64_t best(const struct pl_looks *looks, enum pl_bandwidth_way kind)
{
	return pl_looks_best(looks, kind)->bytes_per_s;
}

static void test_one(void)
{
	struct pl_looks looks = {0};
	char text[PL_LOOKS_TEXT];

	add_failure(&looks, "no answer");
	ok(looks.tried && looks.n == 0 && looks.src == 2 && looks.dst == 5,
	   "a look that failed is none");
	is_str(looks.why, "no answer", "its reason is kept");
	add(&looks, 100, 0);
	ok(best(&looks, PL_BANDWIDTH_ALONE) == 100 && best(&looks, PL_BANDWIDTH_TOGETHER) == 100,
	   "the rate of one look");
	ok(!pl_looks_doubt(&looks, PL_BANDWIDTH_ALONE, text) &&
		   !pl_looks_doubt(&looks, PL_BANDWIDTH_TOGETHER, text),
	   "which stands where nothing was lost");
}

static void test_alone(void)
{
	struct pl_looks looks = {0};
	char text[PL_LOOKS_TEXT];

	add(&looks, 40, 3);
	add(&looks, 100, 3);
	ok(!pl_looks_doubt(&looks, PL_BANDWIDTH_ALONE, text),
	   "alone: a second look without losses would have been the last");
	add(&looks, 96, 3);
	is_int((int64_t)best(&looks, PL_BANDWIDTH_ALONE), 100, "alone: the fastest look");
	ok(!pl_looks_doubt(&looks, PL_BANDWIDTH_ALONE, text), "alone: two that agree are trusted");
	looks.v[2].bytes_per_s = 95;
	ok(pl_looks_doubt(&looks, PL_BANDWIDTH_ALONE, text), "alone: else the rate is doubted");
	is_str(text,
	       "not reliable: 3 looks gave 40 to 100 bytes per second, 9 segments sent again: "
	       "losses determined the rate",
	       "with the reason");
}

static void test_lossy(void)
{
	struct pl_flow_figures flow = {.bytes = 2895999, .resent = 10};

	ok(pl_looks_lossy(&flow), "ten segments of 2000 were lost");
	flow.bytes = 2896001;
	ok(!pl_looks_lossy(&flow), "that is one in 200, less does not count");
	flow = (struct pl_flow_figures){.bytes = 1448, .resent = 9};
	ok(!pl_looks_lossy(&flow), "nor do fewer");
}

static void test_together(void)
{
	struct pl_looks looks = {0};
	char text[PL_LOOKS_TEXT];

	add(&looks, 112, 0);
	add(&looks, 88, 0);
	is_int((int64_t)best(&looks, PL_BANDWIDTH_TOGETHER), 88,
	       "together: the lower median of two");
	add(&looks, 100, 0);
	is_int((int64_t)best(&looks, PL_BANDWIDTH_TOGETHER), 100, "together: the median of three");
	ok(!pl_looks_doubt(&looks, PL_BANDWIDTH_TOGETHER, text),
	   "together: looks that differ by less than a fourth");
	looks.v[0].bytes_per_s = 113;
	ok(pl_looks_doubt(&looks, PL_BANDWIDTH_TOGETHER, text),
	   "together: or by that, which another's loss will do");
	looks.v[0].bytes_per_s = 100;
	looks.v[1].resent = 14;
	ok(!pl_looks_doubt(&looks, PL_BANDWIDTH_TOGETHER, text),
	   "together: 14 of 3000 segments were lost");
	looks.v[1].resent = 15;
	ok(pl_looks_doubt(&looks, PL_BANDWIDTH_TOGETHER, text), "together: one in 200 is too many");
	ok(!pl_looks_doubt(&looks, PL_BANDWIDTH_ALONE, text), "but not alone, where looks agree");
}

int main(void)
{
	test_one();
	test_lossy();
	test_alone();
	test_together();
	return done_testing();
}
