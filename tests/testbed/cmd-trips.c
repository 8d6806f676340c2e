/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-trips.c - plink-testbed trips: what round trips really took */
#include "config.h"

#include "src/mem.h"
#include "src/tool.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/options.h"
#include "tests/testbed/state.h"
#include "tests/testbed/trace.h"
#include "tests/testbed/trips.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct option longs[] = {
	{"prefix", required_argument, NULL, 'p'},
	{0},
};

static void print(const struct tb_host *host, size_t n,
		  const struct tb_trips *trips)
{
	puts("from to trips min_us p10_us p50_us");
	for (size_t i = 0; i < n * n; i++)
		if (trips[i].n > 0)
			printf("%s %s %" PRIu64 " %.1f %.1f %.1f\n",
			       host[i / n].name, host[i % n].name, trips[i].n,
			       (double)trips[i].min_ns / 1000,
			       (double)trips[i].p10_ns / 1000,
			       (double)trips[i].p50_ns / 1000);
}

static int judge(const struct tb_trace *trace, const struct tb_host *host,
		 size_t n, struct pl_err *err)
{
	struct tb_trips *trips = pl_array_create(n * n, sizeof(*trips));
	const uint64_t seen = trace->n;
	int ret = -1;

	if (!trips)
		pl_err_nomem(err);
	else if (seen > trace->room)
		pl_err_set(err, PL_EINPUT,
			   "%" PRIu64 " packets were delivered, --trace kept "
			   "%" PRIu64,
			   seen, trace->room);
	else
		ret = tb_trips(trace->packet, seen, n, trips, err);
	if (ret == 0)
		print(host, n, trips);
	if (ret == 0 && (fflush(stdout) || ferror(stdout)))
		ret = pl_err_errno(err, "cannot write");
	free(trips);
	return ret;
}

static int show(const char *prefix, struct pl_err *err)
{
	const struct tb_trace *trace = NULL;
	struct tb_host *host = NULL;
	struct tb_state state;
	size_t n;
	int ret = -1;

	if (tb_state_open(&state, prefix, err))
		return -1;
	if (!tb_state_is_alive(&state))
		pl_err_set(err, PL_EPARTIAL,
			   "the daemon of \"%s\" is dead; \"down\" clears up",
			   prefix);
	else if (!tb_state_get_hosts(&state, &host, &n, err))
		trace = tb_trace_open(state.dirfd, err);
	if (trace)
		ret = judge(trace, host, n, err);
	tb_trace_close(trace);
	free(host);
	tb_state_close(&state);
	return ret;
}

int tb_trips_main(int argc, char **argv)
{
	const char *prefix = TB_DEFAULT_PREFIX;
	struct pl_err err = {0};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1)
		if (c != 'p')
			return pl_tool_usage(TB_TOOL, "trips: unknown option");
		else if (tb_option_prefix(optarg, &prefix, &err))
			return pl_tool_fail(TB_TOOL, &err);
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "trips takes no \"%s\"",
				     argv[optind]);
	return show(prefix, &err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}
