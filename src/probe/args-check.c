/* SPDX-License-Identifier: BSD-3-Clause */
/* args-check.c - options of plink-probe that do not go together */
#include "config.h"

#include "src/probe/args.h"

#include "src/common/tool.h"

#include <string.h>

static const char tool[] = "plink-probe";

static bool is_asked(const struct probe_args *args, const char *name)
{
	for (size_t i = 0; i < args->n_asked; i++)
		if (!strcmp(args->asked[i].name, name))
			return true;
	return false;
}

/* A flow takes a port; where their number is not asked for, it is what there is. */
static int check_flows(const struct probe_args *args)
{
	const struct pl_probe_options *o = &args->probe;
	const int n_ports = o->ports.max - o->ports.min + 1;

	if (o->ports.max && is_asked(args, "flows") && (int)o->flows > n_ports)
		return pl_tool_usage(tool, "--flows=%u wants as many ports, and --ports has %d",
				     o->flows, n_ports);
	return PL_EXIT_DONE;
}

/* Options of what was not asked for. */
static int check_idle(const struct probe_args *args)
{
	if (!args->probe.bandwidth && is_asked(args, "streams"))
		return pl_tool_usage(tool, "--streams is for flows of TCP, and none are sent");
	if (is_asked(args, "seed") && !args->topology && !args->per_host)
		return pl_tool_usage(
			tool, "--seed is for the choice of pairs: it needs --sparse or --topology");
	return PL_EXIT_DONE;
}

static bool is_blank(const char *s)
{
	return s[strspn(s, " \t\n")] == '\0';
}

int probe_args_check(const struct probe_args *args)
{
	int status;

	if (args->push && args->probe.agent)
		return pl_tool_usage(tool, "--push and --agent cannot be combined: one sends the "
					   "agent, the other names one that is there");
	if (args->probe.agent && is_blank(args->probe.agent))
		return pl_tool_usage(tool, "--agent wants a command");
	if (args->push && args->probe.push && is_blank(args->probe.push))
		return pl_tool_usage(tool, "--push wants a file, or no value");
	status = check_flows(args);
	if (status == PL_EXIT_DONE)
		status = check_idle(args);
	if (status != PL_EXIT_DONE)
		return status;
	if (args->probe.bandwidth && (args->topology || args->per_host))
		return pl_tool_usage(tool,
				     "--bandwidth needs the round trips of all pairs: it cannot be "
				     "combined with --%s",
				     args->topology ? "topology" : "sparse");
	if (args->topology_label && !args->topology)
		return pl_tool_usage(tool,
				     "--topology-label is of the file of --topology, which is "
				     "missing");
	if (args->topology && args->per_host)
		return pl_tool_usage(
			tool, "--topology and --sparse cannot be combined: each chooses the pairs");
	return pl_tool_spares(tool, args->output, args->topology);
}
