/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-predict-network.c - networks from matrices; predictions without
 * memory */
#include "config.h"

#include "costmodels/script.h"
#include "predict/predict.h"
#include "tests/base/matrix-text.h"
#include "tests/failalloc.h"

#include <math.h>

static int network_from(const char *s, struct pl_network *net, struct pl_err *err)
{
	struct pl_matrix *m = matrix_from(s, strlen(s), err);
	int rc = -1;

	if (m)
		rc = pl_network_init(net, m, err);
	else
		printf("# %s\n", err->text);
	pl_matrix_destroy(m);
	return rc;
}

static bool near(double got, double want)
{
	return fabs(got - want) < 1e-12;
}

static void test_times(void)
{
	struct pl_network net;
	struct pl_err err;

	ok(network_from("# plink-matrix 1\n# quantity rtt\n# unit us\n"
			"a 0 300\nb 100 0\n",
			&net, &err) == 0,
	   "round trips");
	ok(near(net.latency_s[1], 150e-6) && near(net.latency_s[2], 50e-6), "are halved");
	ok(!net.bytes_per_s && net.tiers.n_groups == 0 && !pl_tiers_have_rates(&net.tiers),
	   "rates and racks are not known");
	pl_network_fini(&net);
	ok(network_from("# plink-matrix 1\n# quantity one-way\n# unit ms\n"
			"a 0 3\nb 1 0\n",
			&net, &err) == 0 &&
		   near(net.latency_s[1], 3e-3),
	   "one-way times are not");
	pl_network_fini(&net);
}

static void test_racks_and_rates(void)
{
	struct pl_network net;
	struct pl_err err;

	ok(network_from("# plink-matrix 1\n# quantity rtt\n# unit us\n"
			"# rack a 1\n# rack b 0\n# card b - 8kbit\n"
			"a 0 300\nb 100 0\n"
			"# layer p50 bandwidth bytes-per-s\n"
			"a 0 1000\nb nan 0\n",
			&net, &err) == 0,
	   "racks and a layer of bandwidths");
	ok(net.tiers.rack[0] == 1 && near(net.tiers.card[1].in_bps, 8000),
	   "racks and cards are those of the headers");
	ok(near(net.bytes_per_s[1], 1000) && isinf(net.bytes_per_s[2]),
	   "rates are those of the layer, where it has one");
	ok(pl_network_set_rates(&net, 1e6, 0, &err) == 0 && near(net.tiers.card[1].in_bps, 1e6) &&
		   near(net.tiers.card[0].out_bps, 1e6) && net.tiers.uplink[0].in_bps <= 0,
	   "a rate of all cards goes before theirs");
	ok(pl_network_set_rates(&net, 0, 2e6, &err) == 0 && near(net.tiers.card[1].in_bps, 1e6) &&
		   near(net.tiers.uplink[0].in_bps, 2e6),
	   "so does one of all uplinks");
	pl_network_fini(&net);
	ok(network_from("# plink-matrix 1\n# quantity rtt\n# unit us\n"
			"a 0 1\nb 1 0\n",
			&net, &err) == 0 &&
		   pl_network_set_rates(&net, 1e6, 1e6, &err) < 0 && err.code == PL_EINPUT &&
		   !pl_tiers_have_rates(&net.tiers),
	   "uplinks without racks are refused");
	pl_network_fini(&net);
}

#define FOUR                                                                                       \
	"# plink-matrix 1\n# quantity rtt\n# unit us\n"                                            \
	"# rack a 0\n# rack b 0\n# rack c 1\n# rack d 1\n"                                         \
	"# card a 8k 8k\n# card b 8k 8k\n# card c 8k 8k\n"
#define TIMES "a 0 1 9 9\nb 1 0 9 9\nc 9 9 0 1\nd 9 9 1 0\n"

/* Of which links is nothing known? */
static void test_unknown(void)
{
	struct pl_network net;
	struct pl_err err;

	network_from(FOUR "# card d 8k 8k\n" TIMES, &net, &err);
	ok(!pl_network_suppose(&net, 1e9) && !(net.tiers.uplink[1].out_bps > 0),
	   "all cards known, no flow failed: uplinks were no limit");
	pl_network_fini(&net);
	network_from(FOUR TIMES, &net, &err);
	ok(pl_network_suppose(&net, 1e9) && near(net.tiers.card[3].in_bps, 1e9) &&
		   near(net.tiers.card[2].in_bps, 8000) && !(net.tiers.uplink[1].out_bps > 0),
	   "a card is supposed to have that rate, the others keep theirs");
	ok(!pl_network_suppose(&net, 1e6), "after which all are known");
	pl_network_fini(&net);
	network_from(FOUR "# card d 8k 8k\n# cell a c few: refused\n" TIMES, &net, &err);
	ok(pl_network_suppose(&net, 1e9) && near(net.tiers.uplink[0].out_bps, 1e9) &&
		   near(net.tiers.uplink[1].in_bps, 1e9),
	   "and so are uplinks through which a flow failed");
	pl_network_fini(&net);
	network_from(FOUR "# card d 8k 8k\n# cell a b few: refused\n" TIMES, &net, &err);
	ok(!pl_network_suppose(&net, 1e9), "but not one within a rack");
	ok(near(pl_network_least_bps(&net), 1e10), "round trips of 9 us: 10 Gbit/s at least");
	net.latency_s[1] = 26e-6;
	ok(near(pl_network_least_bps(&net), 1e9), "one of 52 us: 1 Gbit/s");
	pl_network_fini(&net);
}

static void refuses(const char *s, const char *part)
{
	struct pl_network net;
	struct pl_err err;

	ok(network_from(s, &net, &err) < 0 && err.code == PL_EINPUT && !net.latency_s,
	   "refused, nothing left");
	has_str(err.text, part, part);
}

static void test_refusals(void)
{
	refuses("# plink-matrix 1\n# quantity rtt\n# unit us\n"
		"a 0 nan\nb 100 0\n",
		"missing or negative time from a to b");
	refuses("# plink-matrix 1\n# quantity bandwidth\n# unit bytes-per-s\n"
		"a 0 1\nb 1 0\n",
		"has no times");
	refuses("# plink-matrix 1\n# quantity rtt\n# unit us\n# rack a 0\n"
		"a 0 1\nb 1 0\n",
		"no rack for host b: \"# rack b NUMBER\" is missing");
	refuses("# plink-matrix 1\n# quantity rtt\n# unit s\n"
		"a 0 1\nb 1e300 0\n",
		"more than a million seconds from b to a");
	refuses("# plink-matrix 1\n# quantity rtt\n# unit us\n"
		"a 0 1\nb 1 0\n# layer p50 bandwidth bytes-per-s\n"
		"a 0 1e-320\nb 1 0\n",
		"less than a byte a second from a to b");
}

/* Two that exchange, limited by their cards. */
static int predict_once(struct pl_prediction *out, struct pl_err *err)
{
	static double latency_s[] = {0, 1, 1, 0};
	static const size_t host_at[] = {0, 1};
	struct pl_link_rate card[] = {{80, 80}, {80, 80}};
	size_t rack[] = {PL_NO_GROUP, PL_NO_GROUP};
	const struct pl_network net = {
		.n = 2, .latency_s = latency_s, .tiers = {.n = 2, .card = card, .rack = rack}};
	const struct pl_predict_options options = {.path_max = 5};
	struct pl_protocol protocol;
	struct pl_pattern pattern;
	struct pl_script s;
	int rc;

	if (pl_protocol_find("openmpi-tcp", &protocol, err) || pl_script_init(&s, 2, err))
		return -1;
	for (size_t rank = 0; rank < 2; rank++) {
		pl_script_rank(&s, rank);
		pl_script_sendrecv(&s, (struct pl_exchange){1 - rank, 1 - rank, 10, 10});
	}
	rc = pl_script_finish(&s, &pattern, err);
	pl_script_fini(&s);
	if (rc == 0) {
		rc = pl_predict(&pattern, host_at, &net, &protocol, &options, out, err);
		pl_pattern_fini(&pattern);
	}
	return rc;
}

static void test_memory(void)
{
	struct pl_prediction out;
	struct pl_err err;
	bool failed = true, told = true, clean = true;
	size_t k, live;

	for (k = 0; failed; k++) {
		int rc;

		memset(&err, 0, sizeof(err));
		memset(&out, 0, sizeof(out));
		failalloc_begin(k);
		rc = predict_once(&out, &err);
		pl_prediction_fini(&out);
		failed = failalloc_end(&live);
		told = told && (failed ? rc < 0 && err.code == PL_ESYSTEM : rc == 0);
		clean = clean && live == 0;
	}
	ok(told, "memory that runs out is told");
	ok(clean, "nothing is left behind");
	ok(k > 20, "at each of %zu allocations", k - 1);
}

int main(void)
{
	test_times();
	test_racks_and_rates();
	test_unknown();
	test_refusals();
	test_memory();
	return done_testing();
}
