/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-matrix.c - plink-testbed matrix: prints the matrix of a cluster of racks */
#include "config.h"

#include "src/number.h"
#include "src/outfile.h"
#include "src/tool.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/generate.h"
#include "tests/testbed/options.h"
#include "tests/testbed/topology.h"

#include <getopt.h>
#include <string.h>

#define DELAY_MAX_US 60e6

static const struct option longs[] = {
	{"racks", required_argument, NULL, 'r'},
	{"intra-us", required_argument, NULL, 'a'},
	{"inter-us", required_argument, NULL, 'e'},
	{"noise", required_argument, NULL, 'n'},
	{"shuffle", no_argument, NULL, 's'},
	{"seed", required_argument, NULL, 'S'},
	{0},
};

/* "4x4": racks, hosts in each */
static int parse_racks(const char *value, struct tb_generate_options *opt,
		       struct pl_err *err)
{
	const size_t len = strcspn(value, "x");
	int64_t racks, hosts;

	if (value[len] != 'x' ||
	    pl_int_parse(value, len, 1, TB_HOSTS_MAX, &racks) ||
	    pl_int_parse(value + len + 1, strlen(value + len + 1), 1,
			 TB_HOSTS_MAX, &hosts) ||
	    racks * hosts > TB_HOSTS_MAX)
		return pl_err_set(
			err, PL_EUSAGE,
			"--racks wants racks x hosts as 4x4, %d hosts "
			"at most, not \"%s\"",
			TB_HOSTS_MAX, value);
	opt->n_racks = (size_t)racks;
	opt->rack_hosts = (size_t)hosts;
	return 0;
}

static int take_option(int c, struct tb_generate_options *opt,
		       struct pl_err *err)
{
	const struct tb_range delay = {0, DELAY_MAX_US};
	const struct tb_range noise = {0, 0.999};

	switch (c) {
	case 'r':
		return parse_racks(optarg, opt, err);
	case 'a':
		return tb_option_number("--intra-us", optarg, delay,
					&opt->intra_us, err);
	case 'e':
		return tb_option_number("--inter-us", optarg, delay,
					&opt->inter_us, err);
	case 'n':
		return tb_option_number("--noise", optarg, noise, &opt->noise,
					err);
	case 's':
		opt->dealing = TB_SHUFFLED;
		return 0;
	case 'S':
		return tb_option_seed(optarg, &opt->seed, err);
	default:
		return pl_err_set(err, PL_EUSAGE, "matrix: see --help");
	}
}

static int print(const struct pl_matrix *m, struct pl_err *err)
{
	struct pl_outfile out = {0};

	if (pl_outfile_open(&out, NULL, err))
		return -1;
	if (pl_matrix_write(m, out.f, err)) {
		pl_outfile_abort(&out);
		return -1;
	}
	return pl_outfile_commit(&out, err);
}

int tb_matrix_main(int argc, char **argv)
{
	struct tb_generate_options opt = {
		.intra_us = -1, .inter_us = -1, .seed = 1};
	struct pl_err err = {0};
	struct pl_matrix *m;
	int c, ret = PL_EXIT_DONE;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1)
		if (take_option(c, &opt, &err))
			return pl_tool_fail(TB_TOOL, &err);
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "matrix takes no \"%s\"",
				     argv[optind]);
	if (!opt.n_racks || opt.intra_us < 0 || opt.inter_us < 0)
		return pl_tool_usage(
			TB_TOOL,
			"matrix needs --racks, --intra-us and --inter-us");
	m = tb_generate(&opt, &err);
	if (!m || print(m, &err))
		ret = pl_tool_fail(TB_TOOL, &err);
	else
		pl_tool_say(TB_TOOL, "%zu hosts, seed %llu", m->hosts.n,
			    (unsigned long long)opt.seed);
	pl_matrix_destroy(m);
	return ret;
}
