/* SPDX-License-Identifier: BSD-3-Clause */
/* options-check.c - options of plink-order that contradict each other */
#include "config.h"

#include "src/order/options.h"

#include "src/tool.h"

#include <string.h>

static bool is_stdio(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

/* How many of the inputs are standard input? */
static int n_from_stdin(const struct pl_order_options *o)
{
	return is_stdio(o->hosts) + is_stdio(o->matrix) + is_stdio(o->cost_of);
}

/* Are two of the outputs, of which NULL is none, the same? */
static bool shared_output(const struct pl_order_options *o)
{
	const char *const to[] = {o->output ? o->output : "-", o->plan,
				  o->save_matrix};

	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < i; j++)
			if (to[i] && to[j] && strcmp(to[i], to[j]) == 0)
				return true;
	return false;
}

static int find_algorithm(struct pl_order_options *o)
{
	struct pl_err err = {0};

	if (pl_order_algorithm_find(&o->what, &o->names, &err) == 0 &&
	    pl_order_algorithm_check(&o->what, &err) == 0)
		return 0;
	pl_tool_usage(PL_ORDER_TOOL, "%s", err.text);
	return -1;
}

static int check_inputs(const struct pl_order_options *o)
{
	const bool probing = o->launch || o->agent || o->iface || o->port_min ||
			     o->save_matrix;

	if (!o->hosts && !o->matrix)
		pl_tool_usage(PL_ORDER_TOOL, "no HOSTS and no --matrix");
	else if (o->hosts && strcmp(o->hosts, "slurm") == 0)
		pl_tool_usage(PL_ORDER_TOOL, "HOSTS is a file or -");
	else if (o->matrix && probing)
		pl_tool_usage(PL_ORDER_TOOL, "--launch, --agent, --iface, "
					     "--ports and --save-matrix go "
					     "without --matrix");
	else if (n_from_stdin(o) > 1)
		pl_tool_usage(PL_ORDER_TOOL, "only one of --matrix, --cost-of "
					     "and HOSTS can be -");
	else if (shared_output(o))
		pl_tool_usage(PL_ORDER_TOOL, "--output, --plan and "
					     "--save-matrix must differ");
	else if (o->time_ns && o->has_moves)
		pl_tool_usage(PL_ORDER_TOOL, "either --time or --moves");
	else if (o->cost_of && (o->verify || o->plan))
		pl_tool_usage(PL_ORDER_TOOL,
			      "--cost-of goes without --verify and --plan");
	else if (o->cost_of && o->format != PL_FORMAT_HOSTFILE &&
		 o->format != PL_FORMAT_JSON)
		pl_tool_usage(PL_ORDER_TOOL,
			      "--cost-of writes a number, or --json");
	else
		return 0;
	return -1;
}

int pl_order_options_check(struct pl_order_options *o)
{
	return find_algorithm(o) || check_inputs(o) ? -1 : 0;
}
