/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-change.c - plink-testbed change: other delays and rates for a running
 * testbed */
#include "config.h"

#include "base/matrix/matrix.h"
#include "src/common/tool.h"
#include "tests/testbed/change.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/network/ledger.h"
#include "tests/testbed/network/topology.h"
#include "tests/testbed/options.h"
#include "tests/testbed/state.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* What is up. */
struct running {
	struct tb_host *host;
	size_t n;
	const struct tb_ledger *ledger;
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
static int compare_hosts(const struct tb_topology *t, const struct running *r,
			 struct pl_err *err)
{
	if (t->n != r->n)
		return pl_err_set(err, PL_EINPUT,
				  "a matrix of %zu hosts; the testbed has %zu",
				  t->n, r->n);
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(t->name[i], r->host[i].name))
			return pl_err_set(err, PL_EINPUT,
					  "host %zu of the matrix is \"%s\", "
					  "of the testbed \"%s\"",
					  i + 1, t->name[i], r->host[i].name);
	return 0;
}

static int compare_racks(const struct pl_tiers *tiers, const struct running *r,
			 struct pl_err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (tiers->rack[i] != r->host[i].rack)
			return pl_err_set(err, PL_EINPUT,
					  "\"%s\" is in rack %zu and stays "
					  "there, \"# rack\" says %zu",
					  r->host[i].name, r->host[i].rack,
					  tiers->rack[i]);
	if (tiers->n_groups != r->ledger->n_groups ||
	    memcmp(tiers->within, r->ledger->within,
		   tiers->n_groups * sizeof(*tiers->within)) != 0)
		return pl_err_set(err, PL_EINPUT,
				  "racks are in other groups than \"# within\" "
				  "says, and stay there");
	return 0;
}

/* The racks that are up, instead of what the delays look like. */
static int adopt_racks(struct pl_tiers *tiers, const struct running *r,
		       struct pl_err *err)
{
	tiers->n_groups = 0;
	for (size_t g = 0; g < r->ledger->n_groups; g++) {
		if (pl_tiers_add_group(tiers) == PL_NO_GROUP)
			return pl_err_nomem(err);
		tiers->within[g] = r->ledger->within[g];
	}
	for (size_t i = 0; i < r->n; i++)
		tiers->rack[i] = r->host[i].rack;
	return 0;
}

static int look_up(struct running *r, const struct tb_state *state,
		   struct pl_err *err)
{
	if (!tb_state_is_alive(state))
		return pl_err_set(
			err, PL_EPARTIAL,
			"the daemon of \"%s\" is dead; \"down\" clears up",
			tb_state_prefix(state));
	if (tb_state_get_hosts(state, &r->host, &r->n, err))
		return -1;
	r->ledger = tb_ledger_open(state->dirfd, err);
	if (r->ledger && r->ledger->n != r->n)
		return pl_err_set(err, PL_ESYSTEM,
				  "the ledger is of other hosts");
	return r->ledger ? 0 : -1;
}

static int ask(const struct change_options *opt, struct tb_topology *t,
	       bool with_racks, struct pl_err *err)
{
	struct running r = {0};
	struct tb_state state;
	int ret = -1;

	if (tb_state_open(&state, opt->prefix, err))
		return -1;
	if (look_up(&r, &state, err) == 0 && compare_hosts(t, &r, err) == 0 &&
	    (with_racks ? compare_racks(&t->tiers, &r, err)
			: adopt_racks(&t->tiers, &r, err)) == 0 &&
	    tb_topology_default_rates(t, opt->rates, err) == 0)
		ret = tb_change_ask(&state, t, err);
	tb_ledger_close(r.ledger);
	free(r.host);
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
	    ask(opt, &t, tells_racks(m), err))
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

static int take_option(int c, struct change_options *opt, struct pl_err *err)
{
	switch (c) {
	case 'm':
		opt->matrix = optarg;
		return 0;
	case 'n':
		return tb_option_rate("--nic", optarg, &opt->rates.nic_bps,
				      err);
	case 'u':
		return tb_option_rate("--uplink", optarg,
				      &opt->rates.uplink_bps, err);
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
		return pl_tool_usage(TB_TOOL, "change takes no \"%s\"",
				     argv[optind]);
	if (!opt.matrix)
		return pl_tool_usage(TB_TOOL, "change needs --matrix");
	return change(&opt, &err) ? pl_tool_fail(TB_TOOL, &err) : PL_EXIT_DONE;
}
