/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-groups.c - which hosts belong together, by what was measured */
#include "config.h"

#include "base/text/outfile.h"
#include "src/common/tool.h"
#include "src/groups/options.h"
#include "src/groups/work.h"
#include "topology/racks.h"

static int write_out(struct groups *g, FILE *out, struct pl_err *err)
{
	switch (g->o->format) {
	case GROUPS_JSON:
		return groups_write_json(g, out, err);
	case GROUPS_MATRIX:
		return groups_write_matrix(g, out, err);
	case GROUPS_TEXT:
		return groups_write(g, out, err);
	default:
		return groups_write_schedulers(g, out, err);
	}
}

/* Groups are made of the cells there are; users must know how few these are. */
static void tell_missing(const struct groups *g)
{
	const size_t n = g->m->hosts.n;

	if (g->too_few)
		pl_tool_say(GROUPS_TOOL, PL_RACKS_TOO_FEW ": all hosts are in one group");
	if (g->n_missing > 0)
		pl_tool_warn(GROUPS_TOOL,
			     "%zu of %zu ways are missing and not used (plink-probe --resume "
			     "measures them)",
			     g->n_missing, n * (n - 1));
	if (g->n_unknown == 1)
		pl_tool_warn(GROUPS_TOOL, "%s has no measurement: its location is not known",
			     g->label[g->unknown]);
	else if (g->n_unknown > 1)
		pl_tool_warn(GROUPS_TOOL,
			     "%zu hosts, the first of them %s, have no measurement: their location "
			     "is not known",
			     g->n_unknown, g->label[g->unknown]);
}

static int run(const struct groups_options *o, struct pl_err *err)
{
	struct pl_outfile out = {0};
	struct groups g = {0};
	int rc = -1;

	if (groups_find(&g, o, err))
		goto out;
	tell_missing(&g);
	if (g.n_strangers)
		pl_tool_warn(GROUPS_TOOL, "%s: %zu of %zu hosts are not in it", o->truth,
			     g.n_strangers, g.m->hosts.n);
	if (pl_outfile_open(&out, o->output, err) || write_out(&g, out.f, err))
		goto out;
	rc = pl_outfile_commit(&out, err);
out:
	pl_outfile_abort(&out);
	groups_fini(&g);
	return rc;
}

int main(int argc, char **argv)
{
	struct groups_options options;
	struct pl_err err = {0};
	int status;

	pl_tool_begin();
	status = groups_options_parse(&options, argc, argv);
	if (status != PL_EXIT_DONE || options.done)
		return status;
	return run(&options, &err) ? pl_tool_fail(GROUPS_TOOL, &err) : PL_EXIT_DONE;
}
