/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-trips.c - plink-testbed trips: what round trips really took */
#include "config.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "src/common/tool.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/network/ledger.h"
#include "tests/testbed/network/trace.h"
#include "tests/testbed/network/trips.h"
#include "tests/testbed/options.h"
#include "tests/testbed/state.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option longs[] = {
	{"change", required_argument, NULL, 'c'},
	{"prefix", required_argument, NULL, 'p'},
	{0},
};

struct trips_options {
	const char *prefix;
	int64_t change; /* after how many of them; -1: after the last */
};

static void print(const struct tb_host *host, size_t n, const struct tb_trips *trips)
{
	puts("from to trips min_us p10_us p50_us");
	for (size_t i = 0; i < n * n; i++)
		if (trips[i].n > 0)
			printf("%s %s %" PRIu64 " %.1f %.1f %.1f\n", host[i / n].name,
			       host[i % n].name, trips[i].n, (double)trips[i].min_ns / 1000,
			       (double)trips[i].p10_ns / 1000, (double)trips[i].p50_ns / 1000);
}

/* A daemon's, borrowed. */
struct view {
	const struct tb_ledger *ledger;
	const struct tb_trace *trace;
	const struct tb_host *host;
	size_t n;
};

/* After how many changes. */
static int take_change(const struct tb_ledger *ledger, int64_t asked, uint32_t *change,
		       struct pl_err *err)
{
	const uint32_t changes = ledger->changes;

	if (asked > changes)
		return pl_err_set(err, PL_EINPUT,
				  "--change=%" PRId64 ": the delays have changed %" PRIu32 " times",
				  asked, changes);
	*change = asked < 0 ? changes : (uint32_t)asked;
	return 0;
}

static int judge(const struct view *view, int64_t change, struct pl_err *err)
{
	const struct tb_trace *trace = view->trace;
	const size_t n = view->n;
	struct tb_trips *trips = pl_array_create(n * n, sizeof(*trips));
	const uint64_t seen = trace->n;
	struct tb_trips_input in = {.packet = trace->packet, .len = seen, .n = n};
	int ret = -1;

	if (!trips)
		pl_err_nomem(err);
	else if (seen > trace->room)
		pl_err_set(err, PL_EINPUT,
			   "%" PRIu64 " packets were delivered, --trace kept %" PRIu64, seen,
			   trace->room);
	else if (!take_change(view->ledger, change, &in.change, err))
		ret = tb_trips(&in, trips, err);
	if (ret == 0)
		print(view->host, n, trips);
	if (ret == 0 && (fflush(stdout) || ferror(stdout)))
		ret = pl_err_errno(err, "cannot write");
	free(trips);
	return ret;
}

static int show(const struct trips_options *opt, struct pl_err *err)
{
	struct view view = {0};
	struct tb_host *host = NULL;
	struct tb_state state;
	int ret = -1;

	if (tb_state_open(&state, opt->prefix, err))
		return -1;
	if (!tb_state_is_alive(&state))
		pl_err_set(err, PL_EPARTIAL, "the daemon of \"%s\" is dead; \"down\" clears up",
			   opt->prefix);
	else if (!tb_state_get_hosts(&state, &host, &view.n, err))
		view.trace = tb_trace_open(state.dirfd, err);
	if (view.trace)
		view.ledger = tb_ledger_open(state.dirfd, err);
	view.host = host;
	if (view.ledger)
		ret = judge(&view, opt->change, err);
	tb_trace_close(view.trace);
	tb_ledger_close(view.ledger);
	free(host);
	tb_state_close(&state);
	return ret;
}

int tb_trips_main(int argc, char **argv)
{
	struct trips_options opt = {.prefix = TB_DEFAULT_PREFIX, .change = -1};
	struct pl_err err = {0};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c != 'p' && c != 'c')
			return pl_tool_usage(TB_TOOL, "trips: unknown option");
		if (c == 'c' && pl_int_parse(optarg, strlen(optarg), 0, UINT32_MAX, &opt.change))
			return pl_tool_usage(
				TB_TOOL, "--change wants a number of changes, not \"%s\"", optarg);
		if (c == 'p' && tb_option_prefix(optarg, &opt.prefix, &err))
			return pl_tool_fail(TB_TOOL, &err);
	}
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "trips takes no \"%s\"", argv[optind]);
	return show(&opt, &err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}
