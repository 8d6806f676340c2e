/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-testbed-topology.c - from a matrix to delays and racks; generated
 * ones */
#include "config.h"

#include "base/matrix/matrix.h"
#include "tests/tap.h"
#include "tests/testbed/network/generate.h"
#include "tests/testbed/network/ledger.h"
#include "tests/testbed/network/topology.h"

#include <string.h>

static struct pl_matrix *parse(const char *s)
{
	const struct pl_matrix_options opt = {.unit = PL_US};
	struct pl_matrix *m;
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "test", s, strlen(s), &err))
		return NULL;
	m = pl_matrix_parse(&text, &opt, &err);
	if (!m)
		printf("# %ld:%ld: %s\n", err.line, err.col, err.text);
	pl_text_fini(&text);
	return m;
}

static void refuses(const char *s, const char *part, const char *what)
{
	struct pl_matrix *m = parse(s);
	struct tb_topology t = {0};
	struct pl_err err = {0};

	ok(m && tb_topology_init(&t, m, &err) && err.code == PL_EINPUT && strstr(err.text, part),
	   "%s: %s", what, err.text);
	ok(t.n == 0 && !t.delay_ns, "%s: nothing to release", what);
	pl_matrix_destroy(m);
}

#define HEAD "# plink-matrix 1\n# statistic value\n"
#define US HEAD "# quantity one-way\n# unit us\n"

static void test_refused(void)
{
	refuses(HEAD "# quantity bandwidth\n# unit bytes-per-s\n"
		     "a 0 1\nb 1 0\n",
		"no delays", "bandwidths");
	refuses(US "a 0 1e9\nb 1 0\n", "within", "too long a delay");
	refuses(US "a 0 1\nlocalhost 1 0\n", "cannot name", "localhost");
	refuses(US "# rack c 0\na 0 1\nb 1 0\n", "rack", "rack of nobody");
	refuses(US "# rack a\na 0 1\nb 1 0\n", "rack", "rack without number");
	refuses(US "# rack a -1\na 0 1\nb 1 0\n", "rack", "negative rack");
	refuses(US "# rack a 1 2\na 0 1\nb 1 0\n", "rack", "two racks");
	refuses(US "# rack a 99999\na 0 1\nb 1 0\n", "rack", "huge rack");
	refuses(US "# rack b 2\na 0 1\nb 1 0\n", "no rack", "half the racks");
	refuses(US "# rack a 0\n# rack b 0\n# within 0 1\n# within 1 2\n"
		   "# within 2 3\n# within 3 4\n# within 4 5\n# within 5 6\n"
		   "# within 6 7\n# within 7 8\na 0 1\nb 1 0\n",
		"9 groups around one another", "too deep");
	refuses(US "# card a 1Gbit\na 0 1\nb 1 0\n", "two rates", "a card");
}

static void test_delays(void)
{
	struct pl_matrix *m = parse(US "a 0 1.5\nb nan 0\n");
	struct tb_topology t = {0};

	ok(m && !tb_topology_init(&t, m, NULL), "one-way delays are taken");
	is_int(t.delay_ns[1], 1500, "in ns");
	is_int(t.delay_ns[2], TB_NO_PATH, "a missing cell is no path");
	is_int((int64_t)t.n_missing, 1, "and is counted");
	is_str(t.name[1], "b", "names are kept");
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
	m = parse(HEAD "# quantity rtt\n# unit ms\na 0 3\nb 5 0\n");
	ok(m && !tb_topology_init(&t, m, NULL), "round trips are taken");
	is_int(t.delay_ns[1], 1500000, "half of each is one way");
	is_int(t.delay_ns[2], 2500000, "in its own direction");
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
}

static void test_racks(void)
{
	struct pl_matrix *m;
	struct tb_topology t = {0};

	m = parse(US "# rack a 3\n# rack b 7\n# within 7 9\n"
		     "# uplink 9 1Gbit -\na 0 9\nb 9 0\n");
	ok(m && !tb_topology_init(&t, m, NULL), "racks by header");
	is_int((int64_t)tb_topology_racks(&t), 2, "numbers may have gaps");
	ok(t.tiers.n_groups == 3 && t.tiers.rack[0] == 0 && t.tiers.rack[1] == 1 &&
		   t.tiers.within[1] == 2 && t.tiers.uplink[2].out_bps == 1e9,
	   "with what is around them");
	tb_topology_fini(&t);
	pl_matrix_destroy(m);

	m = parse(US "a 0 90 11 95\nb 95 0 90 9\nc 10 95 0 90\nd 90 10 95 0\n");
	ok(m && !tb_topology_init(&t, m, NULL), "racks by delay");
	is_int((int64_t)tb_topology_racks(&t), 2, "the widest gap splits");
	ok(t.tiers.rack[0] == t.tiers.rack[2] && t.tiers.rack[1] == t.tiers.rack[3] &&
		   t.tiers.rack[0] != t.tiers.rack[1],
	   "near hosts share a rack");
	tb_topology_fini(&t);
	pl_matrix_destroy(m);

	m = parse(US "a 0 10 11\nb 12 0 13\nc 14 15 0\n");
	ok(m && !tb_topology_init(&t, m, NULL), "delays without a gap");
	is_int((int64_t)tb_topology_racks(&t), 1, "make no racks");
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
}

/* The options' rates hold where the matrix has none. */
static void test_default_rates(void)
{
	const struct tb_default_rates rates = {8e6, 4e6};
	struct pl_matrix *m;
	struct tb_topology t = {0};
	struct pl_err err = {0};

	m = parse(US "# rack a 0\n# rack b 1\n# within 0 2\n"
		     "# card a 1Gbit -\n# uplink 1 2Gbit 3Gbit\n"
		     "a 0 9\nb 9 0\n");
	ok(m && !tb_topology_init(&t, m, NULL) && !tb_topology_default_rates(&t, rates, NULL),
	   "rates of the matrix and of options");
	ok(t.tiers.card[0].out_bps == 1e9 && t.tiers.uplink[1].in_bps == 3e9, "the matrix's stay");
	ok(t.tiers.card[0].in_bps == 8e6 && t.tiers.card[1].out_bps == 8e6 &&
		   t.tiers.uplink[0].out_bps == 4e6,
	   "the others are the options'");
	ok(t.tiers.uplink[2].in_bps == 0, "no wider group gets an uplink's");
	tb_topology_fini(&t);
	pl_matrix_destroy(m);

	m = parse(US "a 0 9\nb 9 0\n");
	ok(m && !tb_topology_init(&t, m, NULL) && tb_topology_default_rates(&t, rates, &err) &&
		   err.code == PL_EINPUT,
	   "uplinks without racks: %s", err.text);
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
}

/* What is generated is read back as it was meant, and its racks are those that the delays show. */
static void test_generated(void)
{
	struct tb_generate_options opt = {.n_racks = 4,
					  .rack_hosts = {8, 8, 8, 8},
					  .intra_us = 500,
					  .inter_us = 5000,
					  .noise = 0.2,
					  .dealing = TB_SHUFFLED,
					  .seed = 3};
	struct pl_matrix *m = tb_generate(&opt, NULL);
	struct tb_topology told = {0}, shown = {0};
	int wrong = 0, scattered = 0;

	ok(m && !tb_topology_init(&told, m, NULL), "told racks");
	for (size_t i = 0; i < m->n_headers; i++)
		m->header[i].key[0] = 'x';
	ok(!tb_topology_init(&shown, m, NULL), "shown racks");
	is_int((int64_t)tb_topology_racks(&told), 4, "told: all");
	is_int((int64_t)tb_topology_racks(&shown), 4, "shown: all");
	for (size_t i = 0; i < 32; i++)
		for (size_t j = 0; j < 32; j++)
			wrong += (told.tiers.rack[i] == told.tiers.rack[j]) !=
				 (shown.tiers.rack[i] == shown.tiers.rack[j]);
	is_int(wrong, 0, "both agree on every pair");
	for (size_t i = 1; i < 32; i++)
		scattered += told.tiers.rack[i] != told.tiers.rack[i - 1];
	ok(scattered > 16, "the given order is scattered over racks");
	tb_topology_fini(&told);
	tb_topology_fini(&shown);
	pl_matrix_destroy(m);
}

/* Two rows of two racks, of 1, 2, 3 and 4 hosts, with rates that go round. */
static void test_generated_rows(void)
{
	const struct tb_generate_options opt = {.n_racks = 4,
						.rack_hosts = {1, 2, 3, 4},
						.row_racks = 2,
						.intra_us = 1,
						.inter_us = 20,
						.far_us = 300,
						.nic = {{1e9, 2e9, 3e9}, 3},
						.uplink = {{4e9, 5e9}, 2},
						.row_uplink = {{6e9}, 1},
						.seed = 3};
	struct pl_matrix *m = tb_generate(&opt, NULL);
	struct tb_topology t = {0};

	ok(m && !tb_topology_init(&t, m, NULL), "rows of unequal racks");
	is_int((int64_t)t.n, 10, "all hosts");
	is_int((int64_t)tb_topology_racks(&t), 4, "in racks");
	ok(t.tiers.rack[0] == 0 && t.tiers.rack[2] == 1 && t.tiers.rack[3] == 2 &&
		   t.tiers.rack[9] == 3,
	   "of the sizes asked for");
	ok(t.tiers.n_groups == 6 && t.tiers.within[1] == 4 && t.tiers.within[2] == 5 &&
		   t.tiers.within[5] == PL_NO_GROUP,
	   "in rows");
	ok(t.delay_ns[1 * 10 + 2] == 1000 && t.delay_ns[0 * 10 + 2] == 20000 &&
		   t.delay_ns[2 * 10 + 3] == 300000,
	   "delays of each tier");
	ok(t.tiers.card[3].in_bps == 1e9 && t.tiers.card[8].out_bps == 3e9 &&
		   t.tiers.uplink[3].in_bps == 5e9 && t.tiers.uplink[5].out_bps == 6e9,
	   "rates go round");
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
}

int main(void)
{
	test_refused();
	test_delays();
	test_racks();
	test_default_rates();
	test_generated();
	test_generated_rows();
	return done_testing();
}
