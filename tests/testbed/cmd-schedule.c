/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-schedule.c - plink-testbed schedule: changes of a running testbed, each at its time */
#include "config.h"

#include "base/clock.h"
#include "src/common/tool.h"
#include "tests/testbed/change.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/options.h"
#include "tests/testbed/schedule.h"

#include <errno.h>
#include <getopt.h>
#include <time.h>

static const struct option longs[] = {
	{"prefix", required_argument, NULL, 'p'},
	{0},
};

static void sleep_until(int64_t ns)
{
	const struct timespec at = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static int run(const char *file, const char *prefix, struct pl_err *err)
{
	const int64_t begun_ns = pl_clock_ns();
	struct tb_schedule s = {0};
	struct tb_running r;
	int rc = tb_running_open(&r, prefix, err);

	if (rc == 0)
		rc = tb_schedule_read(&s, file, &r, err);
	for (size_t i = 0; rc == 0 && i < s.n; i++) {
		struct tb_topology t = {0};

		sleep_until(begun_ns + s.step[i].at_ns);
		rc = tb_schedule_make(&s.step[i], &r, &t, err);
		if (rc == 0)
			rc = tb_change_ask(&r.state, &t, err);
		if (rc == 0)
			pl_tool_say(TB_TOOL, "%s", s.step[i].line);
		tb_topology_fini(&t);
	}
	tb_schedule_fini(&s);
	tb_running_close(&r);
	return rc;
}

int tb_schedule_main(int argc, char **argv)
{
	const char *prefix = TB_DEFAULT_PREFIX;
	struct pl_err err = {0};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c != 'p')
			return pl_tool_usage(TB_TOOL, "schedule: unknown option");
		if (tb_option_prefix(optarg, &prefix, &err))
			return pl_tool_fail(TB_TOOL, &err);
	}
	if (argc - optind != 1)
		return pl_tool_usage(TB_TOOL, "schedule needs one file");
	return run(argv[optind], prefix, &err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}
