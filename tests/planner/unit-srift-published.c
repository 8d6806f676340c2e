/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-published.c - the numbers of Srift's paper that can be
 * recomputed */
/*
 * Luo et al., Srift, section 5. Its predicted iteration times need layer profiles and measurements
 * that were not published; prices, costs, batches and ratios do not. What contradicts itself there
 * is in plink-srift(1), and not here.
 */
#include "config.h"

#include "planner/srift/iteration/selection.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

/* Table 4: largest batches of ShuffleNet and Vgg19, prices of an hour. Times do not matter here. */
static double p3_batch[] = {1, 1024}, g3_batch[] = {1, 256}, t_s[] = {1, 2};
static double vgg_g3_batch[] = {1, 64}, vgg_g4_batch[] = {1, 128};
static double no_finish[] = {1};

#define INSTANCE(type, batches)                                                                    \
	{                                                                                          \
		.name = (char *)(uintptr_t)(type), .ranks = 1, .forward = {2, batches, t_s},       \
		.backward = {2, batches, t_s}, .finish = no_finish                                 \
	}
static struct pl_profile_instance shufflenet[] = {INSTANCE("p3.8xlarge", p3_batch),
						  INSTANCE("g3.8xlarge", g3_batch),
						  INSTANCE("g4dn.8xlarge", g3_batch)};
static struct pl_profile_instance vgg19[] = {INSTANCE("g3.8xlarge", vgg_g3_batch),
					     INSTANCE("g4dn.8xlarge", vgg_g4_batch)};
static const char table4[] = "p3.8xlarge=3.68,g3.8xlarge=0.69,g4dn.8xlarge=0.72";

static struct pl_selection choose(struct pl_profile_instance *instance, size_t n,
				  const char *machines)
{
	struct pl_profile p = {.instance = instance, .n_instances = n};
	struct pl_selection sel = {0};
	struct pl_err err;

	if (pl_selection_parse(&sel, machines, 0, &p, &err) ||
	    pl_selection_prices(&sel, table4, &err)) {
		printf("# %s\n", err.text);
		pl_selection_fini(&sel);
	}
	return sel;
}

static void near(double got, double want, double within, const char *what)
{
	if (!ok(fabs(got - want) <= within, "%s", what))
		printf("# got %.9g, want %.9g\n", got, want);
}

/* Case 3: seconds of 1000 iterations, as predicted and as measured, and dollars as printed. Prices
 * there had more decimals than Table 4 shows: 1.2 cents. */
static const struct {
	const char *who, *machines;
	double per_hour;
	double predicted_s, predicted_cost, actual_s, actual_cost;
} case3[] = {
	{"Srift", "4xp3.8xlarge@1024,8xg3.8xlarge@128,8xg4dn.8xlarge@128", 26.00, 378, 2.72, 381,
	 2.74},
	{"CAP", "2xp3.8xlarge@1024,8xg3.8xlarge@256,8xg4dn.8xlarge@256", 18.64, 751, 3.88, 761,
	 3.93},
	{"TAP", "4xp3.8xlarge@1024,8xg4dn.8xlarge@256", 20.48, 742, 4.22, 759, 4.31},
};

static void test_case3(void)
{
	double cost[3];

	for (size_t i = 0; i < 3; i++) {
		struct pl_selection sel = choose(shufflenet, 3, case3[i].machines);

		printf("# case 3, %s\n", case3[i].who);
		is_int((int64_t)pl_selection_batch(&sel), 6144, "Case 3: the global batch, \"6K\"");
		near(pl_selection_per_hour(&sel), case3[i].per_hour, 1e-9,
		     "Case 3: dollars an hour from Table 4");
		cost[i] = pl_selection_cost(&sel, case3[i].predicted_s);
		near(cost[i], case3[i].predicted_cost, 0.0105,
		     "Case 3: predicted cost, within a cent");
		near(pl_selection_cost(&sel, case3[i].actual_s), case3[i].actual_cost, 0.0125,
		     "Case 3: actual cost, within 1.2 cents");
		pl_selection_fini(&sel);
	}
	near(case3[1].predicted_s / case3[0].predicted_s, 1.99, 0.005,
	     "Case 3: 1.99 times CAP's throughput");
	near(cost[1] / cost[0], 1.42, 0.0065, "Case 3: CAP costs 1.42 times");
	near(case3[2].predicted_s / case3[0].predicted_s, 1.96, 0.005,
	     "Case 3: 1.96 times TAP's throughput");
	near(cost[2] / cost[0], 1.55, 0.005, "Case 3: TAP costs 1.55 times");
}

/* Case 2: cents of an iteration give the iteration's time, and back. */
static void test_case2(void)
{
	static const struct {
		const char *machines;
		double cents, seconds;
	} v[] = {{"8xg4dn.8xlarge@128", 0.321, 2.006},
		 {"8xg4dn.8xlarge@128", 0.332, 2.075},
		 {"16xg3.8xlarge@64", 0.393, 1.282},
		 {"16xg3.8xlarge@64", 0.396, 1.291}};

	for (size_t i = 0; i < 4; i++) {
		struct pl_selection sel = choose(vgg19, 2, v[i].machines);

		is_int((int64_t)pl_selection_batch(&sel), 1024, "Case 2: the global batch");
		near(v[i].cents / 100 / pl_selection_per_hour(&sel) * 3600, v[i].seconds, 0.0005,
		     "Case 2: seconds of an iteration");
		near(100 * pl_selection_cost(&sel, v[i].seconds), v[i].cents, 0.0005,
		     "Case 2: and its cost");
		pl_selection_fini(&sel);
	}
}

/* Table 4 says what fits: Case 2's g3 with one sample more does not. */
static void test_table4(void)
{
	struct pl_selection sel = choose(vgg19, 2, "16xg3.8xlarge@65");

	is_int((int64_t)sel.n_parts, 0, "Table 4: 65 samples do not fit g3");
	pl_selection_fini(&sel);
}

static const struct {
	const char *machines;
	uint64_t global;
	const char *part;
} bad[] = {
	{"", 0, "is not like 4xNAME@64"},
	{"4", 0, "is not like"},
	{"4x", 0, "is not like"},
	{"4x@64", 0, "is not like"},
	{"xg3.8xlarge@64", 0, "is not like"},
	{"0xg3.8xlarge@64", 0, "is not like"},
	{"-1xg3.8xlarge@64", 0, "is not like"},
	{"1000001xg3.8xlarge@64", 0, "is not like"},
	{"4xg3.8xlarge", 0, "is not like"},
	{"4xg3.8xlarge@", 0, "is not like"},
	{"4xg3.8xlarge@0", 0, "is not like"},
	{"4xg3.8xlarge@64,", 0, "is not like"},
	{"4xg3.8xlarge@64", 256, "is not like 4xNAME: machines, instance, and"},
	{"4xg5@64", 0, "no instance \"g5\" in the profile; it has p3.8xlarge, g"},
	{"4xg3.8xlarge@6,1xg3.8xlarge@6", 0, "\"g3.8xlarge\" comes twice"},
	{"4xg3.8xlarge@257", 0, "257 samples are more than the 256"},
	{"3xg3.8xlarge", 256, "256 samples cannot be split evenly over 3"},
	{"2xg3.8xlarge,1xp3.8xlarge", 3072, "g3.8xlarge: 1024 samples are more"},
	{"900000xg3.8xlarge@6,900000xp3.8xlarge@6", 0, "more than 1000000"},
};

static void test_nonsense(void)
{
	const struct pl_profile p = {.instance = shufflenet, .n_instances = 3};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_selection sel = {0};
		struct pl_err err = {0};
		const int rc = pl_selection_parse(&sel, bad[i].machines, bad[i].global, &p, &err);

		if (!ok(rc == -1 && err.code == PL_EUSAGE && !sel.part &&
				strstr(err.text, bad[i].part),
			"refused: %s", bad[i].machines))
			printf("# %d %s\n", rc, err.text);
		pl_selection_fini(&sel);
	}
}

static void test_accelerators(void)
{
	struct pl_profile p = {.instance = shufflenet, .n_instances = 3};
	struct pl_selection sel = {0};
	struct pl_err err = {0};

	shufflenet[0].ranks = 4;
	shufflenet[0].forward.batch[0] = 8;
	is_int(pl_selection_parse(&sel, "2xp3.8xlarge@1023", 0, &p, &err), -1,
	       "1023 samples of four accelerators");
	has_str(err.text, "over its 4 accelerators", "are refused");
	is_int(pl_selection_parse(&sel, "2xp3.8xlarge@4", 0, &p, &err), -1,
	       "fewer samples than were measured");
	has_str(err.text, "fewer than the least batch of the profile, 8", "are refused");
	is_int(pl_selection_parse(&sel, "2xp3.8xlarge,3xg3.8xlarge", 160, &p, &err), 0,
	       "a global batch over five machines");
	ok(pl_selection_ranks(&sel) == 11 && pl_selection_machines(&sel) == 5 &&
		   sel.part[1].batch == 32 && pl_selection_batch(&sel) == 160,
	   "each gets the same");
	ok(isnan(pl_selection_per_hour(&sel)), "no price is known");
	is_int(pl_selection_prices(&sel, "p3.8xlarge=1", &err), -1, "nor all");
	has_str(err.text, "no hourly price is given for g3.8xlarge", "are told");
	is_int(pl_selection_prices(&sel, "p3.8xlarge=-1", &err), -1, "a negative price");
	is_int(pl_selection_prices(&sel, "p3.8xlarge", &err), -1, "no price");
	is_int(pl_selection_prices(&sel, "p3.8xlarge=nan", &err), -1, "nan");
	has_str(err.text, "hourly price from 0", "are refused");
	pl_selection_fini(&sel);
	shufflenet[0].ranks = 1;
	shufflenet[0].forward.batch[0] = 1;
}

int main(void)
{
	test_case3();
	test_case2();
	test_table4();
	test_nonsense();
	test_accelerators();
	return done_testing();
}
