/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-change.c - plink-testbed change: other delays and rates for a running testbed */
#include "config.h"

#include "base/matrix/matrix.h"
#include "src/common/tool.h"
#include "tests/testbed/change.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/network/topology.h"
#include "tests/testbed/options.h"
#include "tests/testbed/running.h"

#include <getopt.h>
#include <stddef.h>

static const struct option longs[] = {
	{"matrix", required_argument, NULL, 'm'},
	{"nic", required_argument, NULL, 'n'},
	{"uplink", required_argument, NULL, 'u'},
	{"prefix", required_argument, NULL, 'p'},
	{0},
};

struct change_options {
	const char *matrix, *prefix;
	struct tb_default_rates rates;
};

static int change(const struct change_options *opt, struct pl_err *err)
{
	const struct pl_matrix_options read_opt = {.unit = PL_US};
	struct pl_matrix *m = pl_matrix_read(opt->matrix, &read_opt, err);
	struct tb_running r = {.state.dirfd = -1};
	struct tb_topology t = {0};
	int ret = -1;

	if (!m || tb_topology_init(&t, m, err) || tb_running_open(&r, opt->prefix, err) ||
	    tb_running_fit(&r, &t, m, err) || tb_topology_default_rates(&t, opt->rates, err) ||
	    tb_change_ask(&r.state, &t, err))
		goto out;
	pl_tool_say(TB_TOOL, "delays of %zu hosts have changed, prefix \"%s\"", t.n, opt->prefix);
	if (t.n_missing)
		pl_tool_say(TB_TOOL, "%zu pairs have no value: packets are dropped", t.n_missing);
	ret = 0;
out:
	tb_running_close(&r);
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
	return ret;
}

static int take_option(int c, struct change_options *opt, struct pl_err *err)
{
	switch (c) {
	case 'm':
		opt->matrix = optarg;
		return 0;
	case 'n':
		return tb_option_rate("--nic", optarg, &opt->rates.nic_bps, err);
	case 'u':
		return tb_option_rate("--uplink", optarg, &opt->rates.uplink_bps, err);
	case 'p':
		return tb_option_prefix(optarg, &opt->prefix, err);
	default:
		return pl_err_set(err, PL_EUSAGE, "change: unknown option");
	}
}

int tb_change_main(int argc, char **argv)
{
	struct change_options opt = {.prefix = TB_DEFAULT_PREFIX};
	struct pl_err err = {0};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1)
		if (take_option(c, &opt, &err))
			return pl_tool_fail(TB_TOOL, &err);
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "change takes no \"%s\"", argv[optind]);
	if (!opt.matrix)
		return pl_tool_usage(TB_TOOL, "change needs --matrix");
	return change(&opt, &err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}
