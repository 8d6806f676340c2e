/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-up.c - plink-testbed up, down, check: starts and ends a testbed */
#include "config.h"

#include "base/matrix/matrix.h"
#include "base/text/number.h"
#include "src/common/tool.h"
#include "tests/testbed/cluster.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/cpu.h"
#include "tests/testbed/options.h"

#include <fcntl.h>
#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BEHIND_NS 1000000 /* unless --behind-us says else */

struct up_options {
	const char *matrix, *prefix;
	struct tb_default_rates rates;
	struct tb_shape shape;
	struct tb_user user;
};

static const struct option up_longs[] = {
	{"matrix", required_argument, NULL, 'm'},    {"nic", required_argument, NULL, 'n'},
	{"uplink", required_argument, NULL, 'u'},    {"loss", required_argument, NULL, 'l'},
	{"duplicate", required_argument, NULL, 'd'}, {"reorder", required_argument, NULL, 'r'},
	{"behind-us", required_argument, NULL, 'b'}, {"jitter-us", required_argument, NULL, 'j'},
	{"seed", required_argument, NULL, 'S'},      {"trace", required_argument, NULL, 't'},
	{"cpu", required_argument, NULL, 'c'},       {"user", required_argument, NULL, 'U'},
	{"prefix", required_argument, NULL, 'p'},    {0},
};

static const struct option prefix_longs[] = {
	{"prefix", required_argument, NULL, 'p'},
	{0},
};

/* Microseconds, @least to ten seconds. */
static int take_us(const char *option, double least, int64_t *ns, struct pl_err *err)
{
	const struct tb_range range = {least, 10e6};
	double us;

	if (tb_option_number(option, optarg, range, &us, err))
		return -1;
	*ns = (int64_t)(us * 1000);
	return 0;
}

static int take_odds(int c, struct tb_odds *odds, struct pl_err *err)
{
	const struct tb_range share = {0, 1};

	switch (c) {
	case 'l':
		return tb_option_number("--loss", optarg, share, &odds->loss, err);
	case 'd':
		return tb_option_number("--duplicate", optarg, share, &odds->duplicate, err);
	case 'r':
		return tb_option_number("--reorder", optarg, share, &odds->reorder, err);
	case 'b':
		return take_us("--behind-us", 1, &odds->behind_ns, err);
	case 'j':
		return take_us("--jitter-us", 0, &odds->jitter_ns, err);
	case 'S':
		return tb_option_seed(optarg, &odds->seed, err);
	default:
		return pl_err_set(err, PL_EUSAGE, "up: see --help");
	}
}

static int take_trace(struct tb_shape *shape, struct pl_err *err)
{
	int64_t packets;

	if (pl_int_parse(optarg, strlen(optarg), 1, TB_TRACE_ROOM_MAX, &packets))
		return pl_err_set(err, PL_EUSAGE,
				  "--trace wants a number of packets, 1 to %d, not \"%s\"",
				  TB_TRACE_ROOM_MAX, optarg);
	shape->trace = (size_t)packets;
	return 0;
}

static int take_user(struct tb_user *user, struct pl_err *err)
{
	const struct passwd *known = getpwnam(optarg);

	if (!known)
		return pl_err_set(err, PL_EUSAGE, "--user: \"%s\" is no user", optarg);
	*user = (struct tb_user){known->pw_uid, known->pw_gid};
	return 0;
}

static int take_up_option(int c, struct up_options *opt, struct pl_err *err)
{
	const struct tb_range cpu = {0.01, 1};

	switch (c) {
	case 'm':
		opt->matrix = optarg;
		return 0;
	case 'n':
		return tb_option_rate("--nic", optarg, &opt->rates.nic_bps, err);
	case 'u':
		return tb_option_rate("--uplink", optarg, &opt->rates.uplink_bps, err);
	case 't':
		return take_trace(&opt->shape, err);
	case 'c':
		return tb_option_number("--cpu", optarg, cpu, &opt->shape.cpu, err);
	case 'U':
		return take_user(&opt->user, err);
	case 'p':
		return tb_option_prefix(optarg, &opt->prefix, err);
	default:
		return take_odds(c, &opt->shape.odds, err);
	}
}

/* What can be said before anything is made. */
static int check_machine(struct pl_err *err)
{
	int fd;

	if (geteuid() != 0)
		return pl_err_set(err, PL_ESYSTEM, "needs root (network namespaces, TUN)");
	fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return pl_err_errno(err, "cannot open /dev/net/tun");
	close(fd);
	return 0;
}

static int start(const char *prefix, const struct tb_topology *t, const struct tb_shape *shape,
		 struct tb_user user, struct pl_err *err)
{
	struct tb_state state;
	int ret;

	if (check_machine(err) || (shape->cpu > 0 && tb_cpu_check(err)) ||
	    tb_state_claim(&state, prefix, err))
		return -1;
	ret = tb_cluster_up(&state, t, shape, user, err);
	if (ret)
		tb_state_remove(&state);
	tb_state_close(&state);
	return ret;
}

static int up(const struct up_options *opt, struct pl_err *err)
{
	const struct pl_matrix_options read_opt = {.unit = PL_US};
	struct pl_matrix *m = pl_matrix_read(opt->matrix, &read_opt, err);
	struct tb_topology t = {0};
	int ret = -1;

	if (!m || tb_topology_init(&t, m, err) || tb_topology_default_rates(&t, opt->rates, err))
		goto out;
	if (start(opt->prefix, &t, &opt->shape, opt->user, err))
		goto out;
	pl_tool_say(TB_TOOL, "%zu hosts in %zu racks are up, prefix \"%s\"", t.n,
		    tb_topology_racks(&t), opt->prefix);
	if (t.n_missing)
		pl_tool_say(TB_TOOL, "%zu pairs have no value: packets are dropped", t.n_missing);
	if (opt->shape.odds.loss >= 1)
		pl_tool_say(TB_TOOL,
			    "--loss=1 loses every packet: it is a share, 0.01 is one of a hundred");
	ret = 0;
out:
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
	return ret;
}

int tb_up_main(int argc, char **argv)
{
	struct up_options opt = {.prefix = TB_DEFAULT_PREFIX,
				 .shape = {.odds = {.seed = 1, .behind_ns = BEHIND_NS}}};
	struct pl_err err = {0};
	int c;

	while ((c = getopt_long(argc, argv, "", up_longs, NULL)) != -1)
		if (take_up_option(c, &opt, &err))
			return pl_tool_fail(TB_TOOL, &err);
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "up takes no \"%s\"", argv[optind]);
	if (!opt.matrix)
		return pl_tool_usage(TB_TOOL, "up needs --matrix");
	return up(&opt, &err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}

int tb_down_main(int argc, char **argv)
{
	const char *prefix = TB_DEFAULT_PREFIX;
	struct pl_err err = {0};
	struct tb_state state;
	int c, ret = PL_EXIT_DONE;

	while ((c = getopt_long(argc, argv, "", prefix_longs, NULL)) != -1)
		if (c != 'p')
			return pl_tool_usage(TB_TOOL, "down: unknown option");
		else if (tb_option_prefix(optarg, &prefix, &err))
			return pl_tool_fail(TB_TOOL, &err);
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "down takes no \"%s\"", argv[optind]);
	if (tb_state_open(&state, prefix, &err))
		return pl_tool_fail(TB_TOOL, &err);
	if (tb_cluster_down(&state, &err))
		ret = pl_tool_fail(TB_TOOL, &err);
	tb_state_close(&state);
	return ret;
}

/* Makes a host and ends it: the only test that tells. */
static int try_one(struct pl_err *err)
{
	const struct tb_shape shape = {.odds = {.seed = 1}};
	char name[1][TB_NAME_MAX + 1] = {"check"};
	int64_t delay_ns[1] = {0};
	size_t rack[1] = {0}, within[1] = {PL_NO_GROUP};
	struct pl_link_rate card[1] = {{0}}, uplink[1] = {{0}};
	const struct tb_topology t = {
		.n = 1,
		.name = name,
		.delay_ns = delay_ns,
		.tiers = {1, card, rack, 1, within, uplink},
	};
	char prefix[TB_PREFIX_MAX];
	struct tb_state state;
	int ret;

	snprintf(prefix, sizeof(prefix), "check-%ld", (long)getpid());
	if (start(prefix, &t, &shape, (struct tb_user){0}, err) ||
	    tb_state_open(&state, prefix, err))
		return -1;
	ret = tb_cluster_down(&state, err);
	tb_state_close(&state);
	return ret;
}

int tb_check_main(int argc, char **argv)
{
	struct pl_err err = {0};

	if (argc > 1)
		return pl_tool_usage(TB_TOOL, "check takes no \"%s\"", argv[1]);
	return try_one(&err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}
