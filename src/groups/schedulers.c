/* SPDX-License-Identifier: BSD-3-Clause */
/* schedulers.c - groups in the files of schedulers */
#include "config.h"

#include "src/groups/work.h"

struct pl_scheduled groups_scheduled(const struct groups *g)
{
	return (struct pl_scheduled){
		.levels = &g->levels,
		.host = g->label,
		.lowest = g->o->balanced ? "group" : "rack",
	};
}

/* In the order of the options' words. */
static pl_scheduler_writer *const writers[] = {
	pl_scheduler_slurm_tree, pl_scheduler_slurm_block, pl_scheduler_slurm_yaml,
	pl_scheduler_labels,     pl_scheduler_hypernode,
};

int groups_write_schedulers(const struct groups *g, FILE *out, struct pl_err *err)
{
	const struct pl_scheduled s = groups_scheduled(g);

	if (writers[g->o->format - GROUPS_SCHEDULERS](&s, out, err))
		return -1;
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}
