/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-matrix.c - plink-testbed matrix: prints the matrix of a cluster of
 * racks */
#include "config.h"

#include "base/text/number.h"
#include "base/text/outfile.h"
#include "src/common/tool.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/network/generate.h"
#include "tests/testbed/network/topology.h"
#include "tests/testbed/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define DELAY_MAX_US 60e6

static const struct option longs[] = {
	{"racks", required_argument, NULL, 'r'},
	{"intra-us", required_argument, NULL, 'a'},
	{"inter-us", required_argument, NULL, 'e'},
	{"far-us", required_argument, NULL, 'f'},
	{"nic", required_argument, NULL, 'N'},
	{"uplink", required_argument, NULL, 'U'},
	{"row-uplink", required_argument, NULL, 'R'},
	{"noise", required_argument, NULL, 'n'},
	{"shuffle", no_argument, NULL, 's'},
	{"seed", required_argument, NULL, 'S'},
	{0},
};

/* Numbers with @sign between them, @most at most; how many, 0: not that. */
static size_t parse_numbers(const char *s, char sign, size_t *number, size_t most)
{
	const char ends[] = {sign, '\0'};

	for (size_t n = 0; n < most; n++) {
		const size_t len = strcspn(s, ends);
		int64_t value;

		if (pl_int_parse(s, len, 1, TB_HOSTS_MAX, &value))
			return 0;
		number[n] = (size_t)value;
		if (s[len] == '\0')
			return n + 1;
		s += len + 1;
	}
	return 0;
}

/* "3+5": hosts of each; "4x4": racks, hosts in each; "2x2x4": rows of them. */
static int parse_racks(const char *value, struct tb_generate_options *opt, struct pl_err *err)
{
	size_t times[3] = {0}, n_hosts = 0;
	const size_t n = parse_numbers(value, 'x', times, 3);

	opt->row_racks = n == 3 ? times[1] : 0;
	if (n >= 2) {
		opt->n_racks = n == 3 ? times[0] * times[1] : times[0];
		for (size_t r = 0; r < opt->n_racks && r < TB_HOSTS_MAX; r++)
			opt->rack_hosts[r] = times[n - 1];
	} else {
		opt->n_racks = parse_numbers(value, '+', opt->rack_hosts, TB_HOSTS_MAX);
	}
	for (size_t r = 0; r < opt->n_racks && r < TB_HOSTS_MAX; r++)
		n_hosts += opt->rack_hosts[r];
	if (opt->n_racks == 0 || opt->n_racks > TB_HOSTS_MAX || n_hosts > TB_HOSTS_MAX ||
	    (n < 2 && !strchr(value, '+')))
		return pl_err_set(err, PL_EUSAGE,
				  "--racks wants racks x hosts as 4x4, rows x racks x hosts as "
				  "2x2x4 or hosts of each as 3+5, %d hosts at most, not \"%s\"",
				  TB_HOSTS_MAX, value);
	return 0;
}

/* "50Mbit,100Mbit" */
static int parse_rates(const char *option, struct tb_rate_cycle *rates, struct pl_err *err)
{
	const char *s = optarg;

	for (rates->n = 0; rates->n < TB_HOSTS_MAX;) {
		const size_t len = strcspn(s, ",");
		char rate[64];

		snprintf(rate, sizeof(rate), "%.*s", (int)len, s);
		if (tb_option_rate(option, rate, &rates->bps[rates->n], err))
			return -1;
		rates->n++;
		if (s[len] == '\0')
			return 0;
		s += len + 1;
	}
	return pl_err_set(err, PL_EUSAGE, "%s wants %d rates at most", option, TB_HOSTS_MAX);
}

static int take_rates(int c, struct tb_generate_options *opt, struct pl_err *err)
{
	switch (c) {
	case 'N':
		return parse_rates("--nic", &opt->nic, err);
	case 'U':
		return parse_rates("--uplink", &opt->uplink, err);
	case 'R':
		return parse_rates("--row-uplink", &opt->row_uplink, err);
	default:
		return pl_err_set(err, PL_EUSAGE, "matrix: see --help");
	}
}

static int take_option(int c, struct tb_generate_options *opt, struct pl_err *err)
{
	const struct tb_range delay = {0, DELAY_MAX_US};
	const struct tb_range noise = {0, 0.999};

	switch (c) {
	case 'r':
		return parse_racks(optarg, opt, err);
	case 'a':
		return tb_option_number("--intra-us", optarg, delay, &opt->intra_us, err);
	case 'e':
		return tb_option_number("--inter-us", optarg, delay, &opt->inter_us, err);
	case 'f':
		return tb_option_number("--far-us", optarg, delay, &opt->far_us, err);
	case 'n':
		return tb_option_number("--noise", optarg, noise, &opt->noise, err);
	case 's':
		opt->dealing = TB_SHUFFLED;
		return 0;
	case 'S':
		return tb_option_seed(optarg, &opt->seed, err);
	default:
		return take_rates(c, opt, err);
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
	struct tb_generate_options opt = {.intra_us = -1, .inter_us = -1, .far_us = -1, .seed = 1};
	struct pl_err err = {0};
	struct pl_matrix *m;
	int c, ret = PL_EXIT_DONE;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1)
		if (take_option(c, &opt, &err))
			return pl_tool_fail(TB_TOOL, &err);
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "matrix takes no \"%s\"", argv[optind]);
	if (!opt.n_racks || opt.intra_us < 0 || opt.inter_us < 0)
		return pl_tool_usage(TB_TOOL, "matrix needs --racks, --intra-us and --inter-us");
	if ((opt.row_racks > 0) != (opt.far_us >= 0) || (opt.row_racks == 0 && opt.row_uplink.n))
		return pl_tool_usage(
			TB_TOOL,
			"--far-us and --row-uplink belong to rows of racks, --racks=2x2x4");
	if (opt.n_racks < 2 && opt.uplink.n)
		return pl_tool_usage(TB_TOOL, "--uplink needs more than one rack");
	m = tb_generate(&opt, &err);
	if (!m || print(m, &err))
		ret = pl_tool_fail(TB_TOOL, &err);
	else
		pl_tool_say(TB_TOOL, "%zu hosts, seed %llu", m->hosts.n,
			    (unsigned long long)opt.seed);
	pl_matrix_destroy(m);
	return ret;
}
