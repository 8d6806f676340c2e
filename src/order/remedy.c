/* SPDX-License-Identifier: BSD-3-Clause */
/* remedy.c - the commands that go on from what was measured */
#include "config.h"

#include "src/order/source.h"

#include <string.h>

/* Options that --matrix excludes. */
static const char *const probing[] = {"launch", "agent",  "push",        "iface", "ports",
				      "fanout", "resume", "save-matrix", NULL};

/* The file with the measurements, or NULL. */
static const char *measured(const struct pl_reorder_source *from,
			    const struct pl_reorder_options *o)
{
	if (o->matrix)
		return strcmp(o->matrix, "-") ? o->matrix : NULL;
	if (from->saved)
		return o->save_matrix;
	return from->kept.written ? from->kept.path : NULL;
}

void pl_reorder_remedy(const struct pl_reorder_source *from, const struct pl_reorder_options *o)
{
	const char *matrix = measured(from, o);
	const char *const measure[] = {"resume", matrix, from->probe.push ? "push" : NULL, NULL,
				       NULL};
	/* the two exclude each other */
	const char *const agent[] = {from->probe.push ? "agent" : NULL, NULL};
	const char *const go_on[] = {"matrix", matrix, NULL};
	const char *const order[] = {"matrix", matrix, "missing",
				     from->sampled ? "estimate" : "drop-host", NULL};

	if (!matrix)
		return;
	if (from->probed && (from->probe.cut || from->refused))
		pl_next_say(PL_REORDER_TOOL, "to measure what is missing", &o->next, measure,
			    agent);
	if (from->refused)
		pl_next_say(PL_REORDER_TOOL, "to order by what there is", &o->next, order, probing);
	else if (from->probed && !from->probe.cut)
		pl_next_say(PL_REORDER_TOOL, "to go on without measuring again", &o->next, go_on,
			    probing);
}
