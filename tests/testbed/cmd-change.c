/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-change.c - plink-testbed change: other delays for a running testbed */
#include "config.h"

#include "src/matrix.h"
#include "src/tool.h"
#include "tests/testbed/change.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/options.h"
#include "tests/testbed/state.h"
#include "tests/testbed/topology.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct option longs[] = {
	{"matrix", required_argument, NULL, 'm'},
	{"prefix", required_argument, NULL, 'p'},
	{0},
};

struct change_options {
	const char *matrix, *prefix;
};

/* What the matrix says, not what its delays look like. */
static bool tells_racks(const struct pl_matrix *m)
{
	for (size_t i = 0; i < m->n_headers; i++)
		if (!strcmp(m->header[i].key, "rack"))
			return true;
	return false;
}

/* Names and their order are what addresses were dealt by. */
static int compare_hosts(const struct tb_topology *t, bool with_racks,
			 const struct tb_host *host, size_t n,
			 struct pl_err *err)
{
	if (t->n != n)
		return pl_err_set(err, PL_EINPUT,
				  "a matrix of %zu hosts; the testbed has %zu",
				  t->n, n);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(t->name[i], host[i].name))
			return pl_err_set(err, PL_EINPUT,
					  "host %zu of the matrix is \"%s\", "
					  "of the testbed \"%s\"",
					  i + 1, t->name[i], host[i].name);
		if (with_racks && t->rack[i] != host[i].rack)
			return pl_err_set(err, PL_EINPUT,
					  "\"%s\" is in rack %zu and stays "
					  "there, \"# rack\" says %zu",
					  host[i].name, host[i].rack,
					  t->rack[i]);
	}
	return 0;
}

static int ask(const char *prefix, const struct tb_topology *t, bool with_racks,
	       struct pl_err *err)
{
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
	else if (tb_state_get_hosts(&state, &host, &n, err) == 0 &&
		 compare_hosts(t, with_racks, host, n, err) == 0)
		ret = tb_change_ask(&state, t->delay_ns, n, err);
	free(host);
	tb_state_close(&state);
	return ret;
}

static int change(const struct change_options *opt, struct pl_err *err)
{
	const struct pl_matrix_options read_opt = {.unit = PL_US};
	struct pl_matrix *m = pl_matrix_read(opt->matrix, &read_opt, err);
	struct tb_topology t = {0};
	int ret = -1;

	if (!m || tb_topology_init(&t, m, err) ||
	    ask(opt->prefix, &t, tells_racks(m), err))
		goto out;
	pl_tool_say(TB_TOOL, "delays of %zu hosts have changed, prefix \"%s\"",
		    t.n, opt->prefix);
	if (t.n_missing)
		pl_tool_say(TB_TOOL,
			    "%zu pairs have no value: packets are dropped",
			    t.n_missing);
	ret = 0;
out:
	tb_topology_fini(&t);
	pl_matrix_destroy(m);
	return ret;
}

int tb_change_main(int argc, char **argv)
{
	struct change_options opt = {.prefix = TB_DEFAULT_PREFIX};
	struct pl_err err = {0};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == 'm')
			opt.matrix = optarg;
		else if (c != 'p')
			return pl_tool_usage(TB_TOOL, "change: unknown option");
		else if (tb_option_prefix(optarg, &opt.prefix, &err))
			return pl_tool_fail(TB_TOOL, &err);
	}
	if (optind < argc)
		return pl_tool_usage(TB_TOOL, "change takes no \"%s\"",
				     argv[optind]);
	if (!opt.matrix)
		return pl_tool_usage(TB_TOOL, "change needs --matrix");
	return change(&opt, &err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}
